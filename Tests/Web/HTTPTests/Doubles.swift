import System
import TestSupport

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
  static var untrusted: Self { .failure(Failure(.connection, "'host:443' is not to be trusted")) }
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
