import System

/// A request of a client; a server has a `ReceivedRequest`.
public struct Request: Equatable, Sendable {
  public var method: Method
  public var url: URL
  public var headers: Headers
  public var body: [UInt8]
  /// Accepts a cached response up to this age: for data that rarely change. Zero requires a new response.
  public var maxAge: Duration?
  /// Marks a request that is not idempotent in spite of its method: a repetition could undo what another client did in
  /// between. It is never sent again once it may have arrived.
  public var isOnlyOnce = false
  public var meaningfulErrors: [MeaningfulError] = []
  /// Describes the requests that depend on the response, for `--explain`.
  public var next: String?

  public init(_ method: Method, _ url: URL, headers: Headers = [:], body: [UInt8] = []) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// An error response that is a result by the contract of a service, so that it is not retried.
public struct MeaningfulError: Equatable, Sendable {
  let status: Int
  let text: String

  /// `text` is a part of the body.
  public init(_ status: Int, _ text: String = "") {
    self.status = status
    self.text = text
  }

  public func matches(_ response: Response) -> Bool {
    response.status == status && (text.isEmpty || response.text.contains(text))
  }
}

public enum Method: String, CaseIterable, Sendable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case delete = "DELETE"
  case options = "OPTIONS"
  case patch = "PATCH"

  /// RFC 9110, section 9.2.2.
  var isIdempotent: Bool { self != .post && self != .patch }

  /// RFC 9110, section 9.2.1.
  public var isSafe: Bool { self == .get || self == .head || self == .options }

  /// Whether a request needs a Content-Length even for an empty body.
  var requiresLength: Bool { self == .post || self == .put || self == .patch }
}

extension Request {
  /// Encodes the request for a connection. Fails (`usage`) for an invalid header field.
  public func wire() throws(Failure) -> [UInt8] {
    let fields = try checkedFields()
    var text = "\(method.rawValue) \(url.target) HTTP/1.1\r\n"
    if headers["Host"] == nil { text += "Host: \(url.authority)\r\n" }
    for field in fields { text += "\(field.name): \(field.value)\r\n" }
    if method.requiresLength || !body.isEmpty { text += "Content-Length: \(body.count)\r\n" }
    return Array((text + "\r\n").utf8) + body
  }

  /// Returns the header fields without those of the connection. Refuses a value with a line break, which could begin
  /// another header or a second request: a token may come from a file that ends in a newline.
  func checkedFields() throws(Failure) -> [Headers.Field] {
    for field in headers.fields {
      guard !field.name.isEmpty, field.name.utf8.allSatisfy(\.isToken) else {
        throw Failure(.usage, "'\(field.name)' is not a name of a header field")
      }
      guard field.value.utf8.allSatisfy(\.isFieldText) else {
        throw Failure(
          .usage,
          "the value for header field '\(field.name)' holds a line break or another control character",
          hint: "check the setting or the file that it comes from")
      }
    }
    let framing = ["content-length", "transfer-encoding", "connection", "expect", "te", "upgrade"]
    return headers.fields.filter { !framing.contains($0.name.lowercased()) }
  }

  var isRetryable: Bool { !isOnlyOnce && (method.isIdempotent || headers["Idempotency-Key"] != nil) }

  public var summary: String {
    var url = url
    url.query = ""
    return "\(method.rawValue) \(url.shown)"
  }
}
