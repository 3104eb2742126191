/// Reads one request from bytes that arrive in any portions: the same bytes have the same result however they are
/// split. As strict as RFC 9112 wants a server to be, for whatever two programs read differently is a way in.
///
/// Every place it tells is counted from the first byte of the request, so the bytes may move between two portions.
struct RequestParser: Sendable {
  let limits: RequestLimits
  private(set) var head = RequestHead()
  /// The content, decoded: chunks are moved together in place, behind the head.
  private(set) var body = 0..<0
  /// How far the request has been read; once it is whole, where the next one begins.
  private(set) var position = 0
  private(set) var stage = Stage.requestLine

  private var fields = HeaderFields()
  /// No line end stands before this place: it is not looked for there again.
  private var searched = 0
  /// Where the trailers begin, whose size is limited too.
  private var trailers = 0
  private var extensions = 0

  enum Stage: Equatable, Sendable {
    case requestLine
    case fields
    case content(missing: Int)
    case chunkSize
    case chunk(missing: Int)
    case chunkEnd
    case trailers
    case whole
  }

  init(_ limits: RequestLimits) {
    self.limits = limits
  }

  var hasHead: Bool { stage != .requestLine && stage != .fields }

  /// Reads on, in `bytes`: everything of this request that is there so far. True when the request is whole.
  mutating func advance(_ bytes: inout MutableSpan<UInt8>) throws(Refusal) -> Bool {
    while true {
      switch stage {
      case .requestLine:
        if position < bytes.count { try checkFirst(bytes[position]) }
        guard let line = try nextLine(bytes.span, atMost: limits.head, or: .targetTooLong) else {
          return false
        }
        // One empty line before a request is forgiven (RFC 9112, 2.2).
        if line.isEmpty, line.lowerBound == 0 { continue }
        try head.readRequestLine(bytes.span, line)
        head.fields = position..<position
        stage = .fields
      case .fields:
        guard let line = try nextLine(bytes.span, atMost: limits.head, or: .headTooLarge) else {
          return false
        }
        if line.isEmpty {
          try finishHead()
        } else {
          try fields.read(bytes.span, line, into: &head, limits: limits)
          head.fields = head.fields.lowerBound..<position
        }
      case .content(let missing):
        let count = min(missing, bytes.count - position)
        position += count
        body = body.lowerBound..<position
        stage = count == missing ? .whole : .content(missing: missing - count)
        if count < missing { return false }
      case .chunkSize:
        guard let line = try nextLine(bytes.span, atMost: position + 512, or: .chunk) else { return false }
        try startChunk(bytes.span, line)
      case .chunk(let missing):
        let count = min(missing, bytes.count - position)
        moveToBody(&bytes, count)
        stage = count == missing ? .chunkEnd : .chunk(missing: missing - count)
        if count < missing { return false }
      case .chunkEnd:
        if position < bytes.count, bytes[position] != Byte.carriageReturn { throw .chunk }
        guard bytes.count - position >= 2 else { return false }
        guard bytes[position + 1] == Byte.lineFeed else { throw .chunk }
        position += 2
        searched = position
        stage = .chunkSize
      case .trailers:
        guard let line = try nextLine(bytes.span, atMost: trailers + limits.head, or: .headTooLarge) else {
          return false
        }
        if line.isEmpty {
          stage = .whole
        } else {
          try fields.readTrailer(bytes.span, line, limits: limits)
        }
      case .whole:
        return true
      }
    }
  }
}

extension RequestParser {
  /// Cuts what has been decoded already out of `buffer`, which begins with this request: a body of many small
  /// chunks takes no more room than its content.
  mutating func discardFraming(from buffer: inout [UInt8]) {
    let gap = body.upperBound..<position
    guard stage != .whole, head.framing == .chunked, hasHead, !gap.isEmpty else { return }
    buffer.removeSubrange(gap)
    position -= gap.count
    searched -= gap.count
    trailers -= gap.count
  }

  /// Refuses at once what can never become a request line (TLS, for one), rather than wait for its end.
  private func checkFirst(_ byte: UInt8) throws(Refusal) {
    let mayBeEmptyLine = byte == Byte.carriageReturn && position == 0
    guard mayBeEmptyLine || ByteSet.token.contains(byte) else { throw .requestLine }
  }

  /// The next line without its CR LF, once it is there whole; `position` is then behind it.
  private mutating func nextLine(
    _ bytes: Span<UInt8>, atMost limit: Int, or refusal: @autoclosure () -> Refusal
  ) throws(Refusal) -> Range<Int>? {
    var end = searched
    while end < bytes.count, bytes[end] != Byte.lineFeed { end += 1 }
    searched = end
    guard end < limit else { throw refusal() }
    guard end < bytes.count else { return nil }
    guard end > position, bytes[end - 1] == Byte.carriageReturn else { throw .bareLineFeed }
    let line = position..<end - 1
    position = end + 1
    searched = position
    return line
  }

  private mutating func finishHead() throws(Refusal) {
    try fields.finish(&head, limits: limits)
    body = position..<position
    switch head.framing {
    case .none: stage = .whole
    case .length(let length): stage = .content(missing: length)
    case .chunked: stage = .chunkSize
    }
  }

  /// Reads `1A;extension`. The size takes no space around it and no more digits than a body may have.
  private mutating func startChunk(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(Refusal) {
    var size = 0
    var end = line.lowerBound
    while end < line.upperBound, let digit = Byte.nibble(bytes[end]) {
      // A body is at most `limits.body` long, so the sum stays far from overflow.
      size = size << 4 | Int(digit)
      guard size <= limits.body - body.count else { throw .bodyTooLarge }
      end += 1
    }
    guard end > line.lowerBound, end == line.upperBound || bytes[end] == UInt8(ascii: ";"),
      ByteSet.value.containsAll(bytes, end..<line.upperBound)
    else { throw .chunk }
    extensions += line.upperBound - end
    guard extensions <= limits.chunkExtensions else { throw .chunk }
    if size == 0 {
      stage = .trailers
      trailers = position
    } else {
      stage = .chunk(missing: size)
    }
  }

  private mutating func moveToBody(_ bytes: inout MutableSpan<UInt8>, _ count: Int) {
    let end = body.upperBound
    if end != position {
      for offset in 0..<count { bytes[end + offset] = bytes[position + offset] }
    }
    body = body.lowerBound..<end + count
    position += count
  }
}
