import HTTP

/// Parses one request from bytes that are split anywhere. It is as strict as RFC 9112 requires of a server, because
/// bytes that two programs parse differently allow request smuggling.
///
/// Every offset is counted from the first byte of the request, so the bytes may move between two portions.
struct RequestParser: Sendable {
  let limits: RequestLimits
  private(set) var head = RequestHead()
  /// Range of the body, unless it is chunked.
  private(set) var content = 0..<0
  /// Decoded body, if it is chunked.
  private(set) var chunks: [UInt8] = []
  private(set) var position = 0

  private var stage = Stage.requestLine
  private var fields = HeaderFields()
  /// Offset before which there is no line end.
  private var searched = 0
  private var decoder: ChunkedDecoder

  private enum Stage: Equatable, Sendable {
    case requestLine
    case fields
    case content(end: Int)
    case chunks
    case whole
  }

  init(_ limits: RequestLimits) {
    self.limits = limits
    decoder = ChunkedDecoder(limit: limits.body)
  }

  var hasHead: Bool { stage != .requestLine && stage != .fields }

  /// Whether the client of an incomplete request waits for `100 Continue`.
  var expects100Continue: Bool { head.expectsContinue && position == head.end }

  /// Parses more of the request. `bytes` has all that arrived of it; returns true if it is complete.
  mutating func advance(_ bytes: Span<UInt8>) throws(RequestError) -> Bool {
    while true {
      switch stage {
      case .requestLine:
        if position < bytes.count { try checkFirst(bytes[position]) }
        guard let line = try nextLine(bytes, or: .targetTooLong) else { return false }
        // One empty line before a request is allowed (RFC 9112, 2.2); `checkFirst` rejects a second one.
        if line.isEmpty { continue }
        try head.readRequestLine(bytes, line)
        head.fields = position..<position
        stage = .fields
      case .fields:
        guard let line = try nextLine(bytes, or: .headTooLarge) else { return false }
        if line.isEmpty {
          try finishHead()
        } else {
          try fields.read(bytes, line, into: &head, limits: limits)
          head.fields = head.fields.lowerBound..<position
        }
      case .content(let end):
        position = min(end, bytes.count)
        guard position == end else { return false }
        content = head.end..<end
        stage = .whole
      case .chunks:
        do throws(MessageError) {
          position += try decoder.decode(bytes.extracting(droppingFirst: position), into: &chunks)
        } catch {
          throw RequestError(error)
        }
        guard decoder.isDone else { return false }
        stage = .whole
      case .whole:
        return true
      }
    }
  }

  /// Removes decoded chunks from `buffer`, so that a body of many small chunks needs no more memory than its content.
  mutating func discardChunks(from buffer: inout [UInt8]) {
    guard stage == .chunks else { return }
    buffer.removeSubrange(head.end..<position)
    position = head.end
  }

  /// Rejects at once a byte that cannot begin a request line (TLS, for example), instead of waiting for its end.
  private func checkFirst(_ byte: UInt8) throws(RequestError) {
    let mayBeEmptyLine = byte == Byte.carriageReturn && position == 0
    guard mayBeEmptyLine || ByteSet.token.contains(byte) else { throw .requestLine }
  }

  /// Returns the next line without its CR LF once it has arrived. Limits the length of the whole head.
  private mutating func nextLine(
    _ bytes: Span<UInt8>, or error: @autoclosure () -> RequestError
  ) throws(RequestError) -> Range<Int>? {
    var end = searched
    while end < bytes.count, bytes[end] != Byte.lineFeed { end += 1 }
    searched = end
    guard end < limits.head else { throw error() }
    guard end < bytes.count else { return nil }
    guard end > position, bytes[end - 1] == Byte.carriageReturn else { throw .bareLineFeed }
    let line = position..<end - 1
    position = end + 1
    searched = position
    return line
  }

  private mutating func finishHead() throws(RequestError) {
    head.end = position
    switch try fields.framing(head, limits: limits) {
    case .none:
      stage = .whole
    case .length(let length):
      // At most the limit, far from overflow.
      stage = .content(end: position + length)
    case .chunked:
      stage = .chunks
    }
  }
}

public struct RequestLimits: Equatable, Sendable {
  var head = 16 * 1024
  var fields = 100
  public var body = 1024 * 1024

  public init() {}
}

/// A request that is rejected before it reaches a route. The connection then closes, since it cannot be trusted.
struct RequestError: Error, Equatable, Sendable {
  let status: Int
  let reason: String

  init(_ status: Int, _ reason: String) {
    self.status = status
    self.reason = reason
  }

  // Computed from literals, so that a rejection costs no more than a response.
  static var bareLineFeed: RequestError { RequestError(400, "a line does not end in CR LF") }
  static var requestLine: RequestError { RequestError(400, "malformed request line") }
  static var target: RequestError { RequestError(400, "malformed request target") }
  static var version: RequestError { RequestError(400, "malformed HTTP version") }
  static var host: RequestError { RequestError(400, "exactly one valid Host is required") }
  static var contentLength: RequestError { RequestError(400, "malformed or repeated Content-Length") }
  static var transferEncoding: RequestError { RequestError(400, "malformed Transfer-Encoding") }
  static var twoLengths: RequestError { RequestError(400, "both Content-Length and Transfer-Encoding") }
  static var repeatedField: RequestError {
    RequestError(400, "Authorization, X-Authorization or Idempotency-Key is repeated")
  }
  static var timeout: RequestError { RequestError(408, "the request did not arrive in time") }
  static var bodyTooLarge: RequestError { RequestError(413, "the body is too large") }
  static var targetTooLong: RequestError { RequestError(414, "the request target is too long") }
  static var expectation: RequestError { RequestError(417, "unknown expectation") }
  static var headTooLarge: RequestError { RequestError(431, "the header is too large") }
  static var method: RequestError { RequestError(501, "unknown method") }
  static var unknownCoding: RequestError { RequestError(501, "unknown transfer coding") }
  static var overloaded: RequestError { RequestError(503, "too many incomplete requests") }
  static var protocolVersion: RequestError { RequestError(505, "only HTTP/1.1 is supported") }

  init(_ malformation: HeaderLine.Malformation) {
    switch malformation {
    case .folded: self.init(400, "folded header line")
    case .name: self.init(400, "malformed header name")
    case .value: self.init(400, "forbidden byte in a header value")
    }
  }

  init(_ error: MessageError) {
    switch error {
    case .malformed(let what): self.init(400, "the body \(what)")
    case .tooLarge: self = .bodyTooLarge
    case .cutShort: self.init(400, "the body ends too early")
    }
  }
}
