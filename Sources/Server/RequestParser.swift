import HTTP

/// Reads one request from bytes that arrive in any portions: the same bytes have the same result however they are
/// split. As strict as RFC 9112 wants a server to be, for whatever two programs read differently is a way in.
///
/// Every place it tells is counted from the first byte of the request, so the bytes may move between two portions.
struct RequestParser: Sendable {
  let limits: RequestLimits
  private(set) var head = RequestHead()
  /// The content of a body that has a length.
  private(set) var body = 0..<0
  /// The content of a chunked body.
  private(set) var chunks: [UInt8] = []
  /// How far the request has been read; once it is whole, where the next one begins.
  private(set) var position = 0

  private var stage = Stage.requestLine
  private var fields = HeaderFields()
  /// No line end stands before this place: it is not looked for there again.
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

  /// The client waits for leave to send its body.
  var awaitsLeave: Bool { hasHead && stage != .whole && head.expectsContinue && position == head.end }

  /// Reads on, in `bytes`: everything of this request that is there so far. True when the request is whole.
  mutating func advance(_ bytes: Span<UInt8>) throws(Refusal) -> Bool {
    while true {
      switch stage {
      case .requestLine:
        if position < bytes.count { try checkFirst(bytes[position]) }
        guard let line = try nextLine(bytes, or: .targetTooLong) else { return false }
        // One empty line before a request is forgiven (RFC 9112, 2.2).
        if line.isEmpty, line.lowerBound == 0 { continue }
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
        body = head.end..<end
        stage = .whole
      case .chunks:
        do throws(MessageError) {
          position += try decoder.decode(bytes.extracting(droppingFirst: position), into: &chunks)
        } catch {
          throw Refusal(error)
        }
        guard decoder.isDone else { return false }
        stage = .whole
      case .whole:
        return true
      }
    }
  }

  /// Cuts chunks that have been decoded already out of `buffer`, which begins with this request: a body of many small
  /// ones takes no more room than its content.
  mutating func discardChunks(from buffer: inout [UInt8]) {
    guard stage == .chunks, position > head.end else { return }
    buffer.removeSubrange(head.end..<position)
    position = head.end
  }

  /// Refuses at once what can never become a request line (TLS, for one), rather than wait for its end.
  private func checkFirst(_ byte: UInt8) throws(Refusal) {
    let mayBeEmptyLine = byte == Byte.carriageReturn && position == 0
    guard mayBeEmptyLine || ByteSet.token.contains(byte) else { throw .requestLine }
  }

  /// The next line without its CR LF, once it is there whole; `position` is then behind it. The whole head must not be
  /// longer than the limit.
  private mutating func nextLine(
    _ bytes: Span<UInt8>, or refusal: @autoclosure () -> Refusal
  ) throws(Refusal) -> Range<Int>? {
    var end = searched
    while end < bytes.count, bytes[end] != Byte.lineFeed { end += 1 }
    searched = end
    guard end < limits.head else { throw refusal() }
    guard end < bytes.count else { return nil }
    guard end > position, bytes[end - 1] == Byte.carriageReturn else { throw .bareLineFeed }
    let line = position..<end - 1
    position = end + 1
    searched = position
    return line
  }

  private mutating func finishHead() throws(Refusal) {
    head.end = position
    switch try fields.framing(head, limits: limits) {
    case .none:
      stage = .whole
    case .length(let length):
      // At most the limit, so far from overflow.
      stage = .content(end: position + length)
    case .chunked:
      stage = .chunks
    }
  }
}

/// What one request may cost at most.
public struct RequestLimits: Equatable, Sendable {
  /// Bytes of request line and header fields together.
  public var head = 16 * 1024
  public var fields = 100
  /// Bytes of content, chunked or not.
  public var body = 1024 * 1024

  public init() {}
}

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
  init(_ fault: MessageError) {
    switch fault {
    case .malformed(let what): self.init(400, "the body \(what)")
    case .tooLarge: self = .bodyTooLarge
    case .cutShort: self.init(400, "the body ends too early")
    }
  }
}
