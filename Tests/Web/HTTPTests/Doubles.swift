import System
import TestSupport
import Testing

@testable import HTTP

extension Request {
  static func get(_ url: String, headers: Headers = [:]) -> Request {
    guard let url = try? HTTP.URL(url) else { preconditionFailure("'\(url)' is no address") }
    return Request(.get, url, headers: headers)
  }
}

extension Response {
  static func text(_ status: Int, _ text: String, headers: Headers = [:]) -> Response {
    Response(status, headers: headers, body: Array(text.utf8))
  }
}

extension Result<Response, Failure> {
  static func status(_ status: Int, headers: Headers = [:]) -> Self {
    .success(Response(status, headers: headers))
  }

  static var refused: Self {
    .failure(Failure(.connection, "'host:80' refused the connection", retryable: true))
  }
}

extension Headers {
  /// Fields of a recorded text, one per line.
  init(lines text: String) {
    self.init()
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
      append(String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
  }
}

/// Foundation has one too.
typealias URL = HTTP.URL

extension ScriptedServer {
  var url: URL { URL(scheme: .http, host: "127.0.0.1", port: port, path: "/x") }
}

extension Response {
  var string: String { String(decoding: body, as: UTF8.self) }
}

func ok(_ body: String, _ fields: String = "") -> String {
  "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)"
}

/// A listener that lets nobody else connect: its queue of new connections, the shortest there is, is full.
struct FullQueue {
  let listener: Listener
  private let clients: [Socket]

  init(_ family: SocketAddress.Family, _ address: SocketAddress?) throws {
    listener = try Listener(try #require(address), backlog: 0)
    clients = try (0..<4).map { _ in try Socket(family) }
    for client in clients { _ = try? client.connect(to: listener.address) }
  }

  func close() {
    for client in clients { client.close() }
    listener.close()
  }
}
