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
