import Foundation
import Synchronization
import Testing

/// A service as a test scripts it, on a free port of 127.0.0.1. It counts the requests and keeps their heads.
final class LoopbackServer: Sendable {
  struct Request: Sendable {
    /// From 1, over all connections.
    let number: Int
    let method: String
    /// As it was sent: the path with its query, or the whole URL of a request to a proxy.
    let target: String
    let head: String

    /// The value of a header field; nil when there is none.
    func field(_ name: String) -> String? {
      let line = head.components(separatedBy: "\r\n").first {
        $0.lowercased().hasPrefix("\(name.lowercased()):")
      }
      return line.map { String($0.dropFirst(name.count + 1)).trimmingCharacters(in: .whitespaces) }
    }
  }

  enum Reaction: Sendable {
    case response(status: Int = 200, headers: [String] = [], body: String = "")
    /// Nothing, for as long as the client waits.
    case silence
  }

  let port: Int
  private let listener: Int32
  private let received = Log()

  private final class Log: Sendable {
    let requests = Mutex<[Request]>([])
  }

  var url: String { "http://127.0.0.1:\(port)" }
  var requests: [Request] { received.requests.withLock { $0 } }

  init(_ react: @escaping @Sendable (Request) -> Reaction) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    try #require(status, "cannot listen on 127.0.0.1")
    self.listener = listener
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [received] in
      while true {
        let peer = accept(listener, nil, nil)
        guard peer >= 0 else { break }
        _ = fcntl(peer, F_SETFD, FD_CLOEXEC)
        Thread.detachNewThread { LoopbackServer.serve(peer, received, react) }
      }
      close(listener)
    }
  }

  /// Ends the accepting thread, which closes the socket.
  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// One request a connection.
  private static func serve(
    _ peer: Int32, _ received: Log, _ react: (Request) -> Reaction
  ) {
    defer { close(peer) }
    var patience = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(peer, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var bytes: [UInt8] = []
    while bytes.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
      guard let more = receive(peer) else { return }
      bytes += more
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let head = text.components(separatedBy: "\r\n\r\n")[0]
    let words = head.split(separator: " ", maxSplits: 2)
    guard words.count == 3 else { return }
    let request = received.requests.withLock { requests in
      let request = Request(
        number: requests.count + 1, method: String(words[0]), target: String(words[1]), head: head)
      requests.append(request)
      return request
    }
    let rest = bytes.count - head.utf8.count - 4
    var missing = (request.field("Content-Length").flatMap { Int($0) } ?? 0) - rest
    while missing > 0, let more = receive(peer) { missing -= more.count }
    if case .response(let status, let headers, let body) = react(request) {
      let lines =
        ["HTTP/1.1 \(status) Scripted", "Content-Length: \(body.utf8.count)", "Connection: close"] + headers
      send(peer, lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
      shutdown(peer, Int32(SHUT_WR))
    }
    while receive(peer) != nil {}
  }

  private static func receive(_ peer: Int32) -> [UInt8]? {
    var block = [UInt8](repeating: 0, count: 16_384)
    let count = recv(peer, &block, block.count, 0)
    return count > 0 ? Array(block[..<count]) : nil
  }

  private static func send(_ peer: Int32, _ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
