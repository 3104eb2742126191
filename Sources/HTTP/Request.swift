import System

/// What a client asks: the service's contract speaks in these, whatever carries them.
public struct Request: Equatable, Sendable {
  public var method: Method
  public var url: URL
  public var headers: Headers
  public var body: [UInt8]
  /// An answer of up to that age will do, whatever the service says of it: for whoever knows how seldom it changes.
  /// Zero wants one that is made now.
  public var maxAge: Duration?
  /// Twice is not as good as once, though the method says so: between the two somebody else may have done something that
  /// the second would undo. It is never sent again once it may have arrived.
  public var isOnlyOnce = false

  public init(_ method: Method, _ url: URL, headers: Headers = [:], body: [UInt8] = []) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
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
}

extension Method {
  /// Sending it twice does no more than sending it once (RFC 9110, section 9.2.2).
  public var isIdempotent: Bool { self != .post && self != .patch }

  /// It only asks.
  public var isSafe: Bool { self == .get || self == .head || self == .options }

  /// Where an empty body still wants its length said.
  var hasBody: Bool { self == .post || self == .put || self == .patch }
}

extension Request {
  /// The request as HTTP/1.1 writes it.
  func wire() throws(Failure) -> [UInt8] {
    let fields = try checkedFields()
    var text = "\(method.rawValue) \(url.target) HTTP/1.1\r\n"
    if headers["Host"] == nil { text += "Host: \(url.authority)\r\n" }
    for field in fields { text += "\(field.name): \(field.value)\r\n" }
    if method.hasBody || !body.isEmpty { text += "Content-Length: \(body.count)\r\n" }
    return Array((text + "\r\n").utf8) + body
  }

  /// The header fields, those that belong to the connection left out. A value that would end its line, and begin
  /// another or a second request, is refused: a token may come from a file with a newline at its end.
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
}

extension Request {
  /// Whether doing it twice is as good as once: by its method, or because it carries a key by which the service knows
  /// it again.
  var isRetryable: Bool { !isOnlyOnce && (method.isIdempotent || headers["Idempotency-Key"] != nil) }
}

extension Request {
  /// Method and address, the query left off: how a failure names the request.
  var summary: String {
    var url = url
    url.query = ""
    return "\(method.rawValue) \(url)"
  }
}
