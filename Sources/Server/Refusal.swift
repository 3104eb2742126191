import HTTP

/// A request that is not answered but refused: what it says cannot be trusted, so the connection closes after it.
public struct Refusal: Error, Equatable, Sendable {
  public let status: Int
  public let reason: String

  init(_ status: Int, _ reason: String) {
    self.status = status
    self.reason = reason
  }

  // Made when thrown, all of them literals: refusing costs no more than answering.
  static var bareLineFeed: Refusal { Refusal(400, "a line does not end in CR LF") }
  static var requestLine: Refusal { Refusal(400, "malformed request line") }
  static var target: Refusal { Refusal(400, "malformed request target") }
  static var version: Refusal { Refusal(400, "malformed HTTP version") }
  static var fieldName: Refusal { Refusal(400, "malformed header name") }
  static var fieldValue: Refusal { Refusal(400, "forbidden byte in a header value") }
  static var folded: Refusal { Refusal(400, "folded header line") }
  static var host: Refusal { Refusal(400, "exactly one valid Host is wanted") }
  static var contentLength: Refusal { Refusal(400, "malformed or repeated Content-Length") }
  static var transferEncoding: Refusal { Refusal(400, "malformed Transfer-Encoding") }
  static var twoLengths: Refusal { Refusal(400, "both Content-Length and Transfer-Encoding") }
  static var timeout: Refusal { Refusal(408, "the request did not arrive in time") }
  static var bodyTooLarge: Refusal { Refusal(413, "the body is too large") }
  static var targetTooLong: Refusal { Refusal(414, "the request target is too long") }
  static var expectation: Refusal { Refusal(417, "unknown expectation") }
  static var headTooLarge: Refusal { Refusal(431, "the header is too large") }
  static var method: Refusal { Refusal(501, "unknown method") }
  static var unknownCoding: Refusal { Refusal(501, "unknown transfer coding") }
  static var protocolVersion: Refusal { Refusal(505, "HTTP/1.1 is spoken here") }

  /// What is wrong with a chunked body.
  init(_ fault: MessageFault) {
    switch fault {
    case .malformed(let what): self.init(400, "the body \(what)")
    case .tooLarge: self = .bodyTooLarge
    case .cutShort: self.init(400, "the body ends too early")
    }
  }
}
