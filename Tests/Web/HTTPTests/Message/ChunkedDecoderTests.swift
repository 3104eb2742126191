import TestSupport
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
  /// A line has the bytes of a response, after `HEAD ` of one to this method. The next line has what is read of them,
  /// wherever they are cut, and whether the connection is kept.
  @Test func responsesAreAsRecorded() throws {
    try RecordedText.holdLines("responses.txt") { line in
      let method = line.hasPrefix("HEAD ") ? HTTP.Method.head : .get
      let text = line.dropFirst(method == .head ? 5 : 0).replacing(/[\u{2400}-\u{241F}]/) { match in
        match.output.unicodeScalars.first.flatMap { Unicode.Scalar($0.value - 0x2400) }.map { String($0) }
          ?? ""
      }
      let bytes = Array(text.utf8)
      let outcome = outcome(of: bytes, for: method)
      for cuts in (0...bytes.count).map({ [$0] }) + [Array(0...bytes.count)] {
        #expect(self.outcome(of: bytes, for: method, cuts: cuts) == outcome, "\(line) in pieces at \(cuts)")
      }
      return outcome
    }
  }

  private func outcome(of bytes: [UInt8], for method: HTTP.Method, cuts: [Int] = []) -> String {
    var reader = ResponseReader(for: method, limit: 10)
    do throws(MessageError) {
      for (start, end) in zip([0] + cuts, cuts + [bytes.count]) {
        try reader.read(bytes.span.extracting(start..<end))
      }
      if reader.response == nil { try reader.end() }
    } catch .cutShort {
      return "incomplete, \(reader.status.map { "status \($0)" } ?? "without a status")"
    } catch {
      return "\(error)"
    }
    return "\(reader.status ?? 0) '\(reader.response?.string ?? "")'\(reader.keepsConnection ? ", kept" : "")"
  }

  @Test func firstByteBeginsResponse() throws {
    #expect(try !reader("").hasBegun && reader("H").hasBegun)
  }

  private func reader(_ texts: String...) throws -> ResponseReader {
    var reader = ResponseReader(for: .get, limit: 10)
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

  @Test func atMostSixteenInterimResponsesAreAccepted() throws {
    let interim = String(repeating: "HTTP/1.1 100 C\r\n\r\n", count: 16)
    #expect(try reader(interim + "HTTP/1.1 204 No\r\n\r\n").response?.status == 204)
    #expect(throws: MessageError.malformed("has too many interim responses before it")) {
      try reader(interim, "HTTP/1.1 100 C\r\n\r\n")
    }
  }

  @Test(arguments: [0, 255, 256, 257])
  func boundsTheFields(count: Int) throws {
    let fields = (0..<count).map { "A\($0): b\r\n" }.joined()
    let found = Result { try reader("HTTP/1.1 204 No\r\n\(fields)\r\n") }
    if count > 256 {
      #expect(throws: MessageError.malformed("has too many header fields")) { try found.get() }
    } else {
      #expect(try found.get().response?.headers.fields.count == count)
    }
  }
}
