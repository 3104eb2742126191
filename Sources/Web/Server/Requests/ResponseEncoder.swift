import HTTP
import System

struct ResponseEncoder {
  private var date: [UInt8] = []
  private var okHead: [UInt8] = []

  /// Largest body that is copied after its head, so that a batch of responses is sent in one piece.
  static var copiedBodyLimit: Int { 64 * 1024 }

  mutating func setDate(_ time: Timestamp) {
    // Without `nosniff`, a browser could render a user's text as a page.
    date = Array("Date: \(HTTPDate.format(time))\r\nX-Content-Type-Options: nosniff\r\n".utf8)
    okHead = Array("HTTP/1.1 200 \(ReasonPhrase.of(200))\r\n".utf8) + date
  }

  /// Appends the response to `buffer`. Returns true if its body is too large to be copied.
  func encode(_ queued: QueuedResponse, into buffer: inout [UInt8]) -> Bool {
    let response = queued.response
    if response.status == 200 {
      buffer.append(contentsOf: okHead)
    } else {
      buffer.append(contentsOf: "HTTP/1.1 \(response.status) \(ReasonPhrase.of(response.status))\r\n".utf8)
      if response.status == 100 {
        buffer.append(contentsOf: "\r\n".utf8)
        return false
      }
      buffer.append(contentsOf: date)
    }
    for field in response.headers.fields {
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
    buffer.append(contentsOf: "Content-Length: \(response.body.count)\r\n\r\n".utf8)
    guard !queued.omitsBody else { return false }
    guard response.body.count <= ResponseEncoder.copiedBodyLimit else { return true }
    buffer.append(contentsOf: response.body)
    return false
  }

  /// Replaces control bytes in text from outside, which must not end the line.
  private func append(_ text: String, to buffer: inout [UInt8]) {
    let start = buffer.count
    var text = text
    text.withUTF8 { unsafe buffer.append(contentsOf: $0) }
    for index in start..<buffer.count where buffer[index] < Byte.space || buffer[index] == 0x7F {
      buffer[index] = Byte.space
    }
  }
}

enum ReasonPhrase {
  static func of(_ status: Int) -> String {
    switch status {
    case 100: "Continue"
    case 200: "OK"
    case 201: "Created"
    case 204: "No Content"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
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
