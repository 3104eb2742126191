import System

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
