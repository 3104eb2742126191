import HTTP
import System

/// Writes responses in HTTP/1.1. The Date line is made once a second.
struct ResponseEncoder {
  private var date: [UInt8] = []
  /// Status line and Date of the most frequent response.
  private var ok: [UInt8] = []

  /// Bodies up to this size are copied after their heads, so that a batch of responses is sent in one piece.
  static var copiedBody: Int { 64 * 1024 }

  mutating func setDate(_ time: Timestamp) {
    // Without the second line a browser could take a text of somebody else for a page.
    date = Array("Date: \(HTTPDate.format(time))\r\nX-Content-Type-Options: nosniff\r\n".utf8)
    ok = Array("HTTP/1.1 200 \(ReasonPhrase.of(200))\r\n".utf8) + date
  }

  /// Appends the response to `buffer`; true if its body is too large to be copied and has to be sent separately.
  func encode(_ queued: QueuedResponse, into buffer: inout [UInt8]) -> Bool {
    let response = queued.response
    if response.status == 200 {
      buffer.append(contentsOf: ok)
    } else {
      buffer.append(contentsOf: "HTTP/1.1 \(response.status) \(ReasonPhrase.of(response.status))\r\n".utf8)
      if response.status == 100 {
        buffer.append(contentsOf: "\r\n".utf8)
        return false
      }
      buffer.append(contentsOf: date)
    }
    for field in response.headers.fields where !isSetByServer(field.name) {
      append(field.name, to: &buffer)
      buffer.append(UInt8(ascii: ":"))
      buffer.append(Byte.space)
      append(field.value, to: &buffer)
      buffer.append(Byte.carriageReturn)
      buffer.append(Byte.lineFeed)
    }
    switch queued.persistence {
    case .standard: break
    case .keepAlive: buffer.append(contentsOf: "Connection: keep-alive\r\n".utf8)
    case .close: buffer.append(contentsOf: "Connection: close\r\n".utf8)
    }
    // RFC 9110, 8.6: these two have neither content nor a length.
    guard response.status != 204, response.status != 304 else {
      buffer.append(contentsOf: "\r\n".utf8)
      return false
    }
    buffer.append(contentsOf: "Content-Length: ".utf8)
    append(response.body.count, to: &buffer)
    buffer.append(contentsOf: "\r\n\r\n".utf8)
    guard !queued.omitsBody else { return false }
    guard response.body.count <= ResponseEncoder.copiedBody else { return true }
    buffer.append(contentsOf: response.body)
    return false
  }

  private func isSetByServer(_ name: String) -> Bool {
    switch name.utf8.count {
    case 4: name.lowercased() == "date"
    case 10: name.lowercased() == "connection"
    case 14: name.lowercased() == "content-length"
    case 17: name.lowercased() == "transfer-encoding"
    default: false
    }
  }

  /// A header may contain text from outside: a control byte must not end the line.
  private func append(_ text: String, to buffer: inout [UInt8]) {
    let start = buffer.count
    var text = text
    text.withUTF8 { unsafe buffer.append(contentsOf: $0) }
    for index in start..<buffer.count where buffer[index] < Byte.space || buffer[index] == 0x7F {
      buffer[index] = Byte.space
    }
  }

  private func append(_ number: Int, to buffer: inout [UInt8]) {
    var divisor = 1
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      buffer.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
      divisor /= 10
    }
  }
}

/// A response of a turn, with everything that decides how it is sent.
struct QueuedResponse {
  var response: Response
  /// A body above `ResponseEncoder.copiedBody`, which other responses may send too.
  var sharedBody: UnsentBytes.HeldBody?
  /// HEAD: the length is sent, the body is not.
  var omitsBody = false
  var persistence = Persistence.standard
  var delay = Duration.zero
  /// The fault `drop`: the connection is closed instead.
  var isDropped = false
  /// For the metrics and the access log; nil without them.
  var record: AccessRecord?

  enum Persistence: Sendable {
    /// As HTTP/1.1 specifies: the connection stays open.
    case standard
    /// An HTTP/1.0 client needs the header.
    case keepAlive
    case close
  }

  init(_ response: Response) {
    self.response = response
  }

  /// The interim response to `Expect: 100-continue`.
  static var `continue`: QueuedResponse { QueuedResponse(Response(100)) }

  /// The connection closes after it: the bytes that follow an invalid request cannot be trusted.
  static func rejection(_ error: RequestError) -> QueuedResponse {
    var queued = QueuedResponse(
      ErrorStyle.json.response(error.status, Failure(.usage, error.reason), true))
    queued.persistence = .close
    return queued
  }

  static var tooManyConnections: QueuedResponse {
    var queued = rejection(RequestError(503, "too many connections"))
    queued.response.headers["Retry-After"] = "1"
    return queued
  }

  static func tooManyConnections(_ excess: UsageCounts.Excess) -> QueuedResponse {
    var queued = rejection(RequestError(429, excess.failure.message))
    queued.response.headers["Retry-After"] = excess.retryAfter
    return queued
  }

  var bodyCount: Int { omitsBody ? 0 : response.body.count }
}

/// The phrase after a status code: clients ignore it, people who read a trace do not.
enum ReasonPhrase {
  static func of(_ status: Int) -> String {
    switch status {
    case 100: "Continue"
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 206: "Partial Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 417: "Expectation Failed"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    case 507: "Insufficient Storage"
    default: "Status"
    }
  }
}
