import HTTP
import TestSupport
import Testing

@testable import Server

/// What RFC 9112 tells a server to refuse, byte by byte, and what it must take.
@Suite struct RequestParserTests {
  /// Each line has a reason and the bytes, whose control characters are escaped; the next one says what they are. It is
  /// the same wherever the bytes are cut, and byte by byte.
  @Test func requestsAreAsRecorded() throws {
    try RecordedText.holdLines("requests.txt") { line in
      guard let colon = line.firstRange(of: ": ") else { return nil }
      let bytes = Array(RequestParserTests.unescaped(line[colon.upperBound...]).utf8)
      let outcome = ParsedRequest(bytes).outcome
      for cuts in (0...bytes.count).map({ [$0] }) + [Array(0...bytes.count)] {
        #expect(ParsedRequest(bytes, cuts: cuts).outcome == outcome, "\(line) in pieces at \(cuts)")
      }
      return outcome
    }
  }

  private static func unescaped(_ text: Substring) -> String {
    text.replacing("CHUNKED", with: chunked).replacing("\\r", with: "\r").replacing("\\n", with: "\n")
      .replacing("\\t", with: "\t").replacing(#/\\u\{([0-9A-F]+)\}/#) { match in
        UInt32(match.output.1, radix: 16).flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? ""
      }
  }

  private static let chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

  static let limited: [(why: String, bytes: String, refusal: Int?)] = [
    ("a target that just fits", "GET /\(a(16_363)) HTTP/1.0\r\n\r\n", nil),
    ("a target that does not", "GET /\(a(16_384)) HTTP/1.0\r\n\r\n", 414),
    ("a head that just fits", "GET / HTTP/1.0\r\nX: \(a(16 * 1024 - 23))\r\n\r\n", nil),
    ("a head that does not", "GET / HTTP/1.0\r\nX: \(a(16 * 1024 - 22))\r\n\r\n", 431),
    ("a hundred headers", "GET / HTTP/1.0\r\n\(fields(100))\r\n", nil),
    ("one more", "GET / HTTP/1.0\r\n\(fields(101))\r\n", 431),
    ("trailers that are too long", chunked + "0\r\nX: \(a(17_000))\r\n\r\n", 413),
    (
      "extensions that are too long together", chunked + String(repeating: "1;\(a(400))\r\nx\r\n", count: 42),
      413
    ),
    ("a body that just fits", "PUT / HTTP/1.0\r\nContent-Length: 1048576\r\n\r\n\(a(1 << 20))", nil),
    ("chunks that just fit", chunked + "80000\r\n\(a(1 << 19))\r\n80000\r\n\(a(1 << 19))\r\n0\r\n\r\n", nil),
    ("chunks that do not", chunked + "80000\r\n\(a(1 << 19))\r\n80001\r\n", 413),
  ]

  @Test(arguments: limited.indices) func sizeLimitsAreExact(_ index: Int) {
    let (why, text, expected) = RequestParserTests.limited[index]
    let bytes = Array(text.utf8)
    for cuts in [[], [bytes.count / 2], [bytes.count - 1]] {
      let parsed = ParsedRequest(bytes, cuts: cuts)
      #expect(parsed.refusal == expected && (parsed.request == nil) == (expected != nil), "\(why)")
    }
  }

  @Test func aBodyOfSmallChunksTakesNoMoreRoomThanItsContent() throws {
    var parser = RequestParser(RequestLimits())
    var buffer = Array(RequestParserTests.chunked.utf8)
    let head = buffer.count
    for _ in 0..<1000 {
      buffer += "1\r\na\r\n".utf8
      _ = try parser.advance(buffer.span)
      parser.discardChunks(from: &buffer)
    }
    #expect(buffer.count == head)
    #expect(parser.chunks.count == 1000)
    buffer += "0\r\n\r\n".utf8
    #expect(try parser.advance(buffer.span))
    #expect(ReceivedRequest(buffer, from: 0, parser).count == buffer.count + 1000)
  }

  static let persistence: [(head: String, keepsAlive: Bool)] = [
    ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", true),
    ("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", false),
    ("GET / HTTP/1.1\r\nHost: a\r\nConnection: x,\tCLOSE , y\r\n\r\n", false),
    ("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nConnection: keep-alive\r\n\r\n", false),
    ("GET / HTTP/1.1\r\nHost: a\r\nConnection: closed\r\n\r\n", true),
    ("GET / HTTP/1.2\r\nHost: a\r\n\r\n", true),
    ("GET / HTTP/1.0\r\n\r\n", false),
    ("GET / HTTP/1.0\r\nConnection: close, keep-alive\r\n\r\n", false),
    ("GET / HTTP/1.0\r\nConnection: keep-alive\r\nConnection: close\r\n\r\n", false),
    ("GET / HTTP/1.0\r\nConnection: x,keep-alive\r\n\r\n", true),
    ("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", true),
  ]

  @Test(arguments: persistence)
  func connectionHeaderDecidesPersistence(_ text: String, _ keepsAlive: Bool) throws {
    var parser = RequestParser(RequestLimits())
    let bytes = Array(text.utf8)
    _ = try parser.advance(bytes.span)
    #expect(parser.head.keepsAlive == keepsAlive)
  }

  @Test func byteSetsMatchGrammar() {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    let sets: [(ByteSet, [UInt8])] = [
      (.token, Array((letters + "!#$%&'*+-.^_`|~").utf8)),
      (.target, (0x21...0x7E).filter { $0 != UInt8(ascii: "#") }),
      (.value, [0x09] + (0x20...0x7E)),
      (.host, Array((letters + "-._~!$&'()*+;=:[]%").utf8)),
    ]
    for (set, members) in sets {
      for byte in UInt8.min...UInt8.max { #expect(set.contains(byte) == members.contains(byte), "\(byte)") }
    }
  }

  @Test func bodyErrorHasStatusAndReason() {
    #expect(RequestError(MessageError.malformed("is odd")) == RequestError(400, "the body is odd"))
    #expect(RequestError(MessageError.tooLarge(limit: 1)) == .bodyTooLarge)
    #expect(RequestError(MessageError.cutShort) == RequestError(400, "the body ends too early"))
  }

  @Test(arguments: [
    "a\r\n\r\nGET / HTTP/1.1", "a\r\nContent-Length: 1", "a\r\nTransfer-Encoding: chunked",
    // A whole request before the rest, and one that is longer than all of it.
    "a\r\nHost: a\r\n\r\nGET / HTTP/1.1", "a\r\nHost: a\r\nContent-Length: 999\r\n\r\nGET / HTTP/1.1",
  ])
  func embeddedRequestCannotSmuggleAnother(value: String) throws {
    let request = Request(
      .post, URL(scheme: .http, host: "localhost", path: "/a"), headers: ["X-Authorization": value],
      body: [1, 2, 3])
    #expect(throws: RequestError.self) { try ReceivedRequest(request) }
  }

  private static func a(_ count: Int) -> String { String(repeating: "a", count: count) }
  private static func fields(_ count: Int) -> String { String(repeating: "X: y\r\n", count: count) }
}
