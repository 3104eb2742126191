import Foundation

/// A connection that speaks HTTP in bytes, and stays open from one request to the next.
final class RawConnection {
  struct Answer: Equatable {
    let status: Int
    let head: String
    let body: String
  }

  private let descriptor: Int32
  private let port: UInt16
  private var received: [UInt8] = []

  /// Nil when nobody listens there. Also takes `unix:/path`.
  init?(_ url: String) {
    let result: Int32
    if url.hasPrefix("unix:") {
      port = 0
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: url.utf8.dropFirst(5)) }
      result = RawConnection.connect(descriptor, &address)
    } else {
      guard let port = UInt16(url.split(separator: ":").last ?? "") else { return nil }
      self.port = port
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      result = RawConnection.connect(descriptor, &address)
    }
    // A server that never answers is to fail a test, not to hold it up for ever.
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    if result != 0 { return nil }
  }

  private static func connect<Address>(_ descriptor: Int32, _ address: inout Address) -> Int32 {
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }

  deinit { close(descriptor) }

  /// Sends a request whole; false when the server went away.
  @discardableResult
  func send(_ method: String, _ path: String, _ body: String = "", headers: [String] = []) -> Bool {
    var lines = ["\(method) \(path) HTTP/1.1", "Host: localhost", "Content-Length: \(body.utf8.count)"]
    if !body.isEmpty, !headers.contains(where: { $0.hasPrefix("Content-Type:") }) {
      lines.append("Content-Type: application/json")
    }
    lines += headers
    return send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
  }

  /// Sends these bytes, whatever they are; false when the server went away.
  @discardableResult func send(_ bytes: some Collection<UInt8>) -> Bool {
    let bytes = Array(bytes)
    return Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// Whether the server has read everything that was sent.
  var isRead: Bool {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &length) }
    }
    let ends = [port, UInt16(bigEndian: address.sin_port)].map { String(format: "0100007F:%04X", $0) }
    // The file has no size, so what reads by size gets only the beginning.
    let table = FileHandle(forReadingAtPath: "/proc/net/tcp")?.readDataToEndOfFile() ?? Data()
    let connections = String(decoding: table, as: UTF8.self)
    return connections.split(separator: "\n").contains { line in
      let fields = line.split(separator: " ")
      return fields.count > 4 && [String(fields[1]), String(fields[2])] == ends
        && fields[4].hasSuffix(":00000000")
    }
  }

  /// The next answer; nil when the server went away.
  func answer() -> Answer? {
    var block = [UInt8](repeating: 0, count: 4096)
    while true {
      if let answer = takeAnswer() { return answer }
      let count = recv(descriptor, &block, block.count, 0)
      guard count > 0 else { return nil }
      received += block[..<count]
    }
  }

  private func takeAnswer() -> Answer? {
    let text = String(decoding: received, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n") else { return nil }
    let head = String(text[..<end.lowerBound])
    let lower = head.lowercased()
    let length =
      lower.range(of: "content-length: ").flatMap { Int(lower[$0.upperBound...].prefix { $0.isNumber }) } ?? 0
    let start = head.utf8.count + 4
    guard received.count >= start + length else { return nil }
    let body = String(decoding: received[start..<start + length], as: UTF8.self)
    received.removeFirst(start + length)
    return Answer(status: Int(head.dropFirst(9).prefix(3)) ?? 0, head: head, body: body)
  }

  /// Sends a request and waits for its answer.
  func ask(_ method: String, _ path: String, _ body: String = "", headers: [String] = []) -> Answer? {
    send(method, path, body, headers: headers) ? answer() : nil
  }
}
