/// Reads an answer from the bytes of a connection, however they are cut into pieces.
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
  /// The bytes of the head, as far as they have come.
  private var pending: [UInt8] = []
  private var head: ResponseHead?
  private var body: [UInt8] = []
  private var isAlone = true
  private var interim = 0
  /// Whether anything has come at all.
  private(set) var hasBegun = false

  /// `limit` bounds the body.
  init(answering method: Method, limit: Int) {
    self.method = method
    self.limit = limit
  }

  /// The answer, when it is whole.
  var response: Response? {
    guard case .done = state, let head else { return nil }
    return Response(head.status, headers: head.headers, body: body)
  }

  /// Known as soon as the head is: a failure in the middle of the body can name it.
  var status: Int? { head?.status }

  /// Whether the connection can carry another request now.
  var keepsConnection: Bool { response != nil && isAlone && head?.keepsConnection == true }

  mutating func read(_ bytes: Span<UInt8>) throws(MessageFault) {
    guard !bytes.isEmpty else { return }
    hasBegun = true
    switch state {
    case .head:
      // An empty line ends the head: search it in what is new, and where it may have begun before.
      let start = max(0, pending.count - 2)
      pending.append(bytes)
      try readHead(searchingFrom: start)
    case .fixed(let left):
      let count = min(left, bytes.count)
      body.append(bytes.extracting(..<count))
      state = left == count ? .done : .fixed(left: left - count)
      if count < bytes.count { isAlone = false }
    case .chunked(var decoder):
      let count = try decoder.decode(bytes, into: &body)
      state = decoder.isDone ? .done : .chunked(decoder)
      if count < bytes.count { isAlone = false }
    case .untilClose:
      guard bytes.count <= limit - body.count else { throw .tooLarge(limit: limit) }
      body.append(bytes)
    case .done:
      isAlone = false
    }
  }

  /// The connection was closed.
  mutating func end() throws(MessageFault) {
    guard case .untilClose = state else { throw .cutShort }
    state = .done
    isAlone = false
  }

  private mutating func readHead(searchingFrom start: Int) throws(MessageFault) {
    // Said before the whole head has come, for a peer that speaks something else may never send one.
    guard zip(pending, "HTTP/".utf8).allSatisfy({ $0 == $1 }) else { throw .malformed("is not HTTP") }
    guard let end = endOfHead(searchingFrom: start), end.head <= ResponseHead.sizeLimit else {
      guard pending.count <= ResponseHead.sizeLimit else { throw .malformed("has a head longer than 64 KiB") }
      return
    }
    let head = try ResponseHead(pending[..<end.head])
    let rest = pending[end.body...]
    pending = []
    self.head = head
    guard head.status >= 200 else {
      guard head.status != 101 else { throw .malformed("switches protocols, which nobody asked for") }
      // An interim answer: the one that counts follows.
      interim += 1
      guard interim <= 16 else { throw .malformed("has too many interim answers before it") }
      self.head = nil
      return try read(Array(rest).span)
    }
    switch try head.body(answering: method) {
    case .none, .fixed(0): state = .done
    case .fixed(let count):
      guard count <= limit else { throw .tooLarge(limit: limit) }
      // The length is a promise: room is made for what has come, not for all that was announced.
      body.reserveCapacity(min(count, 1 << 20))
      state = .fixed(left: count)
    case .chunked: state = .chunked(ChunkedDecoder(limit: limit))
    case .untilClose: state = .untilClose
    }
    try read(Array(rest).span)
  }

  /// Where the last line of the head ends, and where the body begins.
  private func endOfHead(searchingFrom start: Int) -> (head: Int, body: Int)? {
    let lineFeed = UInt8(ascii: "\n")
    for index in start..<pending.count where pending[index] == lineFeed {
      let rest = pending[(index + 1)...]
      if rest.first == lineFeed { return (index, index + 2) }
      if rest.starts(with: "\r\n".utf8) { return (index, index + 3) }
    }
    return nil
  }
}
