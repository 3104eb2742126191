/// Parses a response from the bytes of a connection, which are split anywhere.
struct ResponseReader {
  private enum State {
    case head
    case fixed(left: Int)
    case chunked(ChunkedDecoder)
    case untilClose
    case done
  }

  private let method: Method
  private let limit: Int
  private var state = State.head
  private var pending: [UInt8] = []
  private var head: ResponseHead?
  private var body: [UInt8] = []
  /// Whether the connection has ended, or sent more bytes than the response has.
  private var mustClose = false
  private var interim = InterimCount()
  private(set) var hasBegun = false

  init(for method: Method, limit: Int) {
    self.method = method
    self.limit = limit
  }

  var response: Response? {
    guard case .done = state, let head else { return nil }
    return Response(head.status, headers: head.headers, body: body)
  }

  var status: Int? { head?.status }

  var keepsConnection: Bool { response != nil && !mustClose && head?.keepsConnection == true }

  mutating func read(_ bytes: Span<UInt8>) throws(MessageError) {
    guard !bytes.isEmpty else { return }
    hasBegun = true
    switch state {
    case .head:
      // The empty line that ends the head may begin in the last two bytes that arrived before.
      let start = max(0, pending.count - 2)
      pending.append(bytes)
      try readHead(searchingFrom: start)
    case .fixed(let left):
      let count = min(left, bytes.count)
      body.append(bytes.extracting(..<count))
      state = left == count ? .done : .fixed(left: left - count)
      if count < bytes.count { mustClose = true }
    case .chunked(var decoder):
      let count = try decoder.decode(bytes, into: &body)
      state = decoder.isDone ? .done : .chunked(decoder)
      if count < bytes.count { mustClose = true }
    case .untilClose:
      guard bytes.count <= limit - body.count else { throw .tooLarge(limit: limit) }
      body.append(bytes)
    case .done:
      mustClose = true
    }
  }

  mutating func end() throws(MessageError) {
    guard case .untilClose = state else { throw .cutShort }
    state = .done
    mustClose = true
  }

  private mutating func readHead(searchingFrom start: Int) throws(MessageError) {
    // Checked before the head is complete: a peer with another protocol may never send one.
    guard zip(pending, "HTTP/".utf8).allSatisfy({ $0 == $1 }) else { throw .malformed("is not HTTP") }
    guard let end = endOfHead(searchingFrom: start), end.head <= ResponseHead.sizeLimit else {
      guard pending.count <= ResponseHead.sizeLimit else { throw .malformed("has a head longer than 64 KiB") }
      return
    }
    let head = try ResponseHead(pending, end: end.head)
    let rest = pending[end.body...]
    pending = []
    if try interim.count(head) { return try read(Array(rest).span) }
    self.head = head
    switch try head.body(for: method) {
    case .none, .fixed(0): state = .done
    case .fixed(let count):
      guard count <= limit else { throw .tooLarge(limit: limit) }
      // An announced length alone must not allocate memory.
      body.reserveCapacity(min(count, 1 << 20))
      state = .fixed(left: count)
    case .chunked: state = .chunked(ChunkedDecoder(limit: limit))
    case .untilClose: state = .untilClose
    }
    try read(Array(rest).span)
  }

  /// Returns the end of the head's last line, and the beginning of the body.
  private func endOfHead(searchingFrom start: Int) -> (head: Int, body: Int)? {
    for index in start..<pending.count where pending[index] == Byte.lineFeed {
      let rest = pending[(index + 1)...]
      if rest.first == Byte.lineFeed { return (index, index + 2) }
      if rest.starts(with: "\r\n".utf8) { return (index, index + 3) }
    }
    return nil
  }
}

/// Limits the number of interim responses (1xx) before the final one.
struct InterimCount {
  private var count = 0

  /// Returns false for a final response. Counts an interim one, and refuses 101, which switches protocols.
  mutating func count(_ head: ResponseHead) throws(MessageError) -> Bool {
    guard head.status < 200 else { return false }
    guard head.status != 101 else { throw .malformed("switches protocols, which was not requested") }
    count += 1
    guard count <= 16 else { throw .malformed("has too many interim responses before it") }
    return true
  }
}

/// The status line and the header fields of a response (RFC 9112, sections 4 and 5), and how they delimit its body.
struct ResponseHead: Equatable {
  var status: Int
  var headers: Headers
  /// Whether the version is HTTP/1.1, which keeps connections by default.
  var isPersistent: Bool

  static let sizeLimit = 64 << 10
  static let fieldLimit = 256

  /// Parses the first `end` bytes, everything before the empty line. A lone LF ends a line too, as RFC 9112 allows.
  init(_ bytes: [UInt8], end: Int) throws(MessageError) {
    let span = bytes.span
    let lines = try ResponseHead.lines(span, end)
    guard let start = lines.first, bytes[start].starts(with: "HTTP/".utf8) else {
      throw .malformed("is not HTTP")
    }
    guard bytes[start].starts(with: "HTTP/1.".utf8), start.count >= 12, bytes[8] == Byte.space,
      bytes[7] == UInt8(ascii: "0") || bytes[7] == UInt8(ascii: "1"), let status = span.decimal(9..<12),
      (100...599).contains(status), start.count == 12 || bytes[12] == Byte.space
    else { throw .malformed("has a status line that is not HTTP/1.1's") }
    self.status = status
    isPersistent = bytes[7] != UInt8(ascii: "0")
    guard lines.count <= ResponseHead.fieldLimit + 1 else { throw .malformed("has too many header fields") }
    headers = [:]
    for line in lines.dropFirst() {
      guard let field = try? HeaderLine(span, line) else {
        throw .malformed("has a header line that is not 'name: value'")
      }
      headers.append(
        String(decoding: bytes[field.name], as: UTF8.self),
        String(decoding: bytes[field.value], as: UTF8.self))
    }
  }

  private static func lines(_ bytes: Span<UInt8>, _ end: Int) throws(MessageError) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    for index in 0...end where index == end || bytes[index] == Byte.lineFeed {
      let hasCarriageReturn = index > start && bytes[index - 1] == Byte.carriageReturn
      let line = start..<(hasCarriageReturn ? index - 1 : index)
      for place in line where !bytes[place].isFieldText {
        throw .malformed("has a control character in its head")
      }
      lines.append(line)
      start = index + 1
    }
    return lines
  }

  enum Body: Equatable {
    case none
    case fixed(Int)
    case chunked
    case untilClose
  }

  /// Determines how the body is delimited (RFC 9112, section 6.3).
  func body(for method: Method) throws(MessageError) -> Body {
    if method == .head || status == 204 || status == 304 { return .none }
    // The request accepts no coding.
    if let coding = headers.list("Content-Encoding").first(where: { $0 != "identity" }) {
      throw .malformed("is in content coding '\(coding)', which was not asked for")
    }
    let codings = headers.list("Transfer-Encoding")
    if !codings.isEmpty {
      guard codings == ["chunked"] else { throw .malformed("is in a transfer coding that was not asked for") }
      return .chunked
    }
    let lengths = Set(headers.list("Content-Length"))
    guard let length = lengths.first else { return .untilClose }
    guard lengths.count == 1, let count = Int(fieldText: length) else {
      throw .malformed("has a Content-Length that is not one number")
    }
    return .fixed(count)
  }

  var keepsConnection: Bool {
    // With both kinds of framing the beginning of the next response is not certain.
    isPersistent && !headers.list("Connection").contains("close")
      && (headers["Transfer-Encoding"] == nil || headers["Content-Length"] == nil)
  }
}
