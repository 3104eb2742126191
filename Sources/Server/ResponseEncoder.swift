import HTTP
import System

/// Writes answers as HTTP/1.1 has them. The Date line is made once a second.
struct ResponseEncoder {
  private var date: [UInt8] = []
  /// Status line and Date of the commonest answer.
  private var okay: [UInt8] = []

  /// Bodies up to this size are copied behind their heads, so that a batch of answers is one piece.
  static var copiedBody: Int { 64 * 1024 }

  mutating func setDate(_ time: Timestamp) {
    date = Array("Date: \(HTTPDate.format(time))\r\n".utf8)
    okay = Array("HTTP/1.1 200 OK\r\n".utf8) + date
  }

  /// Appends the answer to `buffer`; true when its body is too large for that and has to follow by itself.
  func encode(_ answer: Answer, into buffer: inout [UInt8]) -> Bool {
    let response = answer.response
    if response.status == 200 {
      buffer.append(contentsOf: okay)
    } else {
      buffer.append(contentsOf: "HTTP/1.1 \(response.status) \(ReasonPhrase.of(response.status))\r\n".utf8)
      if response.status == 100 {
        buffer.append(contentsOf: "\r\n".utf8)
        return false
      }
      buffer.append(contentsOf: date)
    }
    for field in response.headers.fields where !isOurs(field.name) {
      append(field.name, to: &buffer)
      buffer.append(UInt8(ascii: ":"))
      buffer.append(Byte.space)
      append(field.value, to: &buffer)
      buffer.append(Byte.carriageReturn)
      buffer.append(Byte.lineFeed)
    }
    if answer.isShared { buffer.append(contentsOf: "Access-Control-Allow-Origin: *\r\n".utf8) }
    switch answer.connection {
    case .stays: break
    case .staysAlive: buffer.append(contentsOf: "Connection: keep-alive\r\n".utf8)
    case .closes: buffer.append(contentsOf: "Connection: close\r\n".utf8)
    }
    // RFC 9110, 8.6: these two have no content, and no length either.
    guard response.status != 204, response.status != 304 else {
      buffer.append(contentsOf: "\r\n".utf8)
      return false
    }
    buffer.append(contentsOf: "Content-Length: ".utf8)
    append(response.body.count, to: &buffer)
    buffer.append(contentsOf: "\r\n\r\n".utf8)
    guard !answer.omitsBody else { return false }
    guard response.body.count <= ResponseEncoder.copiedBody else { return true }
    buffer.append(contentsOf: response.body)
    return false
  }

  /// The server alone knows these.
  private func isOurs(_ name: String) -> Bool {
    switch name.utf8.count {
    case 4: name.lowercased() == "date"
    case 10: name.lowercased() == "connection"
    case 14: name.lowercased() == "content-length"
    case 17: name.lowercased() == "transfer-encoding"
    default: false
    }
  }

  /// What comes from outside may stand in a header: a control byte must not end the line.
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

/// A response on its way to a connection.
struct Answer {
  var response: Response
  /// HEAD: the length is told, the body is not sent.
  var omitsBody = false
  var connection = Persistence.stays
  /// The request came from a page of another origin, which may read the answer.
  var isShared = false
  var isHandlers = false
  var backend: Int?
  var delay = Duration.zero
  /// `drop`: the connection ends in place of the answer.
  var isDropped = false
  var record: Record?

  /// What an access log wants to know, noted only where there is one.
  struct Record {
    let method: Method
    let target: String
    let since: Duration
    var failure: Failure?
  }

  enum Persistence: Sendable {
    case stays
    /// HTTP/1.0 must be told.
    case staysAlive
    case closes
  }

  init(_ response: Response) {
    self.response = response
  }

  /// The interim answer to `Expect: 100-continue`.
  static var goOn: Answer { Answer(Response(100)) }

  /// What is left unread after it cannot be trusted, so the connection closes.
  static func refusal(_ refusal: Refusal) -> Answer {
    var answer = Answer(ErrorStyle.json.answer(refusal.status, Failure(.usage, refusal.reason), true))
    answer.connection = .closes
    return answer
  }

  var bodyCount: Int { omitsBody ? 0 : response.body.count }
}

/// The words behind a status: clients ignore them, people who read a trace do not.
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
