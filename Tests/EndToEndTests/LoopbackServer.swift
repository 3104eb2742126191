import Foundation
import Synchronization
import TestSupport

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
    /// The end of the connection, as of a service that crashes.
    case hangUp
  }

  private let server: ScriptedServer
  private let received: Log

  private final class Log: Sendable {
    let requests = Mutex<[Request]>([])
  }

  var port: Int { server.port }
  var url: String { "http://127.0.0.1:\(port)" }
  var requests: [Request] { received.requests.withLock { $0 } }

  /// One request a connection.
  init(_ react: @escaping @Sendable (Request) -> Reaction) throws {
    let received = Log()
    self.received = received
    server = try ScriptedServer { peer in
      guard let request = LoopbackServer.request(peer, received) else { return }
      switch react(request) {
      case .silence: peer.fallSilent()
      case .hangUp: break
      case .response(let status, let headers, let body):
        let lines =
          ["HTTP/1.1 \(status) Scripted", "Content-Length: \(body.utf8.count)", "Connection: close"] + headers
        peer.write(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
      }
    }
  }

  deinit { server.stop() }

  /// The next request, after its body has been read.
  private static func request(_ peer: ScriptedServer.Conversation, _ received: Log) -> Request? {
    guard let head = peer.read() else { return nil }
    let words = head.split(separator: " ", maxSplits: 2)
    guard words.count == 3 else { return nil }
    let request = received.requests.withLock { requests in
      let request = Request(
        number: requests.count + 1, method: String(words[0]), target: String(words[1]), head: head)
      requests.append(request)
      return request
    }
    _ = peer.readBody(request.field("Content-Length").flatMap { Int($0) } ?? 0)
    return request
  }
}
