import Testing

@testable import HTTP

@Suite struct ChunkedDecoderTests {
  /// Decodes in pieces of `piece` bytes; says also how much was left behind the end.
  func decode(_ text: String, piece: Int, limit: Int = 1000) throws(MessageError) -> (
    body: String, rest: Int, isDone: Bool
  ) {
    var decoder = ChunkedDecoder(limit: limit)
    var body: [UInt8] = []
    let bytes = Array(text.utf8)
    var position = 0
    while position < bytes.count, !decoder.isDone {
      let end = min(position + piece, bytes.count)
      position += try decoder.decode(bytes.span.extracting(position..<end), into: &body)
    }
    return (String(decoding: body, as: UTF8.self), bytes.count - position, decoder.isDone)
  }

  @Test(arguments: [1, 2, 3, 1000])
  func chunksAreDecodedInAnyPieces(piece: Int) throws {
    let text =
      "4\r\nWiki\r\n0006;a=b;c=\"d\"\r\npedia \r\nE\r\nin \r\n\r\nchunks.\r\n0\r\nA: b\r\nC:\r\n\r\nnext"
    let decoded = try decode(text, piece: piece)
    #expect(decoded == ("Wikipedia in \r\n\r\nchunks.", 4, true))
    #expect(try decode("0\r\n\r\n", piece: piece) == ("", 0, true))
    #expect(try decode("2\r\nab\r\n0\r\n", piece: piece).isDone == false)
  }

  @Test(arguments: [
    "\r\n", "x\r\n", "-1\r\n", "+1\r\n", "0x1\r\na\r\n", " 1\r\na", "1 \r\na", "1\na\r\n", "1\r\r\n",
    "1\r\nab\r\n", "1\r\na\n", "1\r\na\r\r", "1;\u{1}\r\na", "1;a\nb\r\n", "1\r\na\r\n0\r\n: b\r\n\r\n",
    "0\r\n a: b\r\n\r\n", "0\r\na: \u{0}\r\n", "0\r\na: b\n\r\n", "0\r\n\rx", "00000000000000001\r\na",
    "ffffffffffffffff\r\n", "8000000000000000\r\n", "7fffffffffffffff\r\n", "3e9\r\n", "3e8\r\n",
  ])
  func ambiguousChunkIsRefused(text: String) {
    for piece in [1, 1000] {
      let body = String(repeating: "x", count: 1000)
      // 3e8 is the limit itself: the chunk after it is one too many.
      let text = text == "3e8\r\n" ? "\(text)\(body)\r\n1\r\n" : text
      #expect(throws: MessageError.self) { try decode(text, piece: piece) }
    }
  }

  /// Extensions and trailers together.
  @Test(arguments: [
    (16 << 10, "", true), ((16 << 10) + 1, "", false), (16_380, "ab:c\r\n", true),
    (16_380, "ab:cd\r\n", false),
  ])
  func extensionsAndTrailersAreLimited(count: Int, trailer: String, isRead: Bool) throws {
    let text = "1;\(String(repeating: "x", count: count))\r\na\r\n0\r\n\(trailer)\r\n"
    guard isRead else {
      #expect(throws: MessageError.tooLarge(limit: 16 << 10)) { try decode(text, piece: 1000) }
      return
    }
    #expect(try decode(text, piece: 1000) == ("a", 0, true))
  }

  /// Each size begins anew: sixteen digits are for one chunk, and none are for no chunk.
  @Test func chunkSizeStartsAnewForEachChunk() throws {
    let many = String(repeating: "000000000000001\r\na\r\n", count: 20) + "0000000000000000\r\n\r\n"
    #expect(try decode(many, piece: 7) == (String(repeating: "a", count: 20), 0, true))
    #expect(throws: MessageError.malformed("has a chunk without a size")) {
      try decode("1\r\na\r\n\r\n\r\n", piece: 7)
    }
  }

  /// A size beyond the largest integer is refused whatever the limit is.
  @Test(arguments: ["8000000000000000\r\n", "ffffffffffffffff\r\n"])
  func overflowingChunkSizeIsRefused(text: String) {
    #expect(throws: MessageError.malformed("has a chunk size that is too long")) {
      try decode(text, piece: 3, limit: .max)
    }
  }
}

/// An answer is the same however its bytes are cut.
@Suite struct ResponseReaderTests {
  @Test(arguments: [1, 2, 7, 1000])
  func responseIsReadInAnyPieces(piece: Int) throws {
    let text =
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"
    var reader = ResponseReader(for: .get, limit: 10)
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: piece) {
      #expect(reader.response == nil)
      try reader.read(bytes.span.extracting(start..<min(start + piece, bytes.count)))
    }
    #expect(reader.response?.string == "hi")
    #expect(reader.keepsConnection)
  }

  @Test func firstByteBeginsResponse() throws {
    var reader = ResponseReader(for: .get, limit: 10)
    try reader.read([UInt8]().span)
    #expect(!reader.hasBegun)
    try reader.read(Array("H".utf8).span)
    #expect(reader.hasBegun)
  }

  private func reader(_ texts: String..., method: HTTP.Method = .get) throws -> ResponseReader {
    var reader = ResponseReader(for: method, limit: 10)
    for text in texts { try reader.read(Array(text.utf8).span) }
    return reader
  }

  @Test func readerReportsProgress() throws {
    var reader = try reader()
    #expect(reader.status == nil && reader.response == nil)
    #expect(throws: MessageError.cutShort) { try reader.end() }
    try reader.read(Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab".utf8).span)
    #expect(reader.status == 200 && reader.response == nil)
    #expect(!reader.keepsConnection)
    #expect(throws: MessageError.cutShort) { try reader.end() }
    try reader.read(Array("cde".utf8).span)
    #expect(reader.response?.string == "abcde" && reader.keepsConnection)
  }

  /// What comes behind a response is no part of it, and nothing else may be sent on that connection.
  @Test(
    arguments: [
      (["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", "ab"], true),
      (["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", "abX"], false),
      (["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab", "X"], false),
      (["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabX"], false),
      (["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "2\r\nab\r\n0\r\n\r\n"], true),
      (["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "2\r\nab\r\n0\r\n\r\nX"], false),
    ])
  func bytesAfterResponseEndTheConnection(texts: [String], keepsConnection: Bool) throws {
    var reader = try reader()
    for text in texts { try reader.read(Array(text.utf8).span) }
    #expect(reader.response?.string == "ab" && reader.keepsConnection == keepsConnection)
  }

  @Test func aResponseWithoutABodyEndsWithItsHead() throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
    #expect(try reader(head, method: .head).keepsConnection)
    #expect(try reader(head).response == nil)
    #expect(try reader("HTTP/1.1 204 No\r\n\r\n").keepsConnection)
    #expect(try !reader("HTTP/1.1 204 No\r\n\r\nX").keepsConnection)
  }

  @Test func theEndOfTheConnectionEndsABody() throws {
    var reader = try reader("HTTP/1.1 200 OK\r\n\r\nab", "c")
    #expect(reader.response == nil)
    try reader.end()
    #expect(reader.response?.string == "abc" && !reader.keepsConnection)
  }

  @Test func repeatedLengthIsOne() throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: Identity\r\nContent-Length: 3, 3\r\n\r\n"
    #expect(try reader(head, "abc").response?.string == "abc")
  }

  @Test func anInterimAnswerHasNoStatusOfItsOwn() throws {
    #expect(try reader("HTTP/1.1 100 C\r\n\r\n").status == nil)
  }

  @Test(arguments: ["HTTP/1.1 200 O\u{1B}K", "HTTP/1.1 200 OK\rA: b", "HTTP/1.1 200 OK\r\nA: b\u{0}"])
  func refusesAControlCharacter(head: String) {
    #expect(throws: MessageError.malformed("has a control character in its head")) {
      try reader("\(head)\r\n\r\n")
    }
  }

  @Test func atMostSixteenInterimResponsesAreAccepted() throws {
    let interim = String(repeating: "HTTP/1.1 100 C\r\n\r\n", count: 16)
    #expect(try reader(interim + "HTTP/1.1 204 No\r\n\r\n").response?.status == 204)
    #expect(throws: MessageError.malformed("has too many interim responses before it")) {
      try reader(interim, "HTTP/1.1 100 C\r\n\r\n")
    }
  }

  @Test(arguments: [
    ("HTTP/1.1 204", 204), ("HTTP/1.1 204 ", 204), ("HTTP/1.0 200 OK", 200), ("HTTP/1.1 599 x", 599),
    ("HTTP/1.1 200 a b", 200),
  ])
  func readsAStatusLine(line: String, status: Int) throws {
    #expect(try reader("\(line)\r\n\r\n").status == status)
  }

  @Test(arguments: [
    "HTTP/1.1 20", "HTTP/1.1 2000", "HTTP/1.1 600 x", "HTTP/1.1 099 x", "HTTP/1.2 200 x", "HTTP/1.1_200 x",
    "HTTP/1.1 2x0 x", "HTTP/1.1 200_x", "HTTP/1.1  20 x", "HTTP/2.0 200 x",
  ])
  func refusesAStatusLine(line: String) {
    #expect(throws: MessageError.malformed("has a status line that is not HTTP/1.1's")) {
      try reader("\(line)\r\n\r\n")
    }
  }

  /// A peer with another protocol may never end its line.
  @Test func noticesAnotherProtocolAtOnce() throws {
    #expect(try reader("HTT").status == nil)
    #expect(throws: MessageError.malformed("is not HTTP")) { try reader("HTT", "X") }
  }

  @Test(arguments: ["\n\n", "\nHTTP/1.1 200 OK\r\n\r\n", "\r\nHTTP/1.1 200 OK\r\n\r\n"])
  func refusesAnEmptyLineBeforeTheHead(text: String) {
    var reader = ResponseReader(for: .get, limit: 10)
    #expect(throws: MessageError.self) { try reader.read(Array(text.utf8).span) }
  }

  @Test(arguments: [0, 255, 256, 257])
  func boundsTheFields(count: Int) throws {
    var reader = ResponseReader(for: .get, limit: 10)
    let fields = (0..<count).map { "A\($0): b\r\n" }.joined()
    let bytes = Array("HTTP/1.1 204 No\r\n\(fields)\r\n".utf8)
    guard count <= 256 else {
      let found = #expect(throws: MessageError.self) { try reader.read(bytes.span) }
      #expect(found == .malformed("has too many header fields"))
      return
    }
    try reader.read(bytes.span)
    #expect(reader.response?.headers.fields.count == count)
  }
}
