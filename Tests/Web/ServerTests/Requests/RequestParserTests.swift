import HTTP
import Testing

@testable import Server

/// What RFC 9112 tells a server to refuse, byte by byte, and what it must take.
@Suite struct RequestParserTests {
  static let refused: [Case<Int>] = [
    .init("no version: HTTP/0.9", "GET /\r\n", 400),
    .init("nothing but a method", "GET\r\n", 400),
    .init("two spaces", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    .init("space at the end", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n", 400),
    .init("tab for space", "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    .init("leading space", " GET / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    .init("method that is no token", "G(T / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    .init("TLS", "\u{16}\u{03}\u{01}\u{02}", 400),
    .init("unknown method", "BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
    .init("lower-case method", "get / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
    .init("long method that ends like another", "XXXXXXXXXGET / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
    .init("CONNECT", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", 501),
    .init("TRACE", "TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
    .init("HTTP/2.0", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
    .init("HTTP/0.9 spelt out", "GET / HTTP/0.9\r\nHost: a\r\n\r\n", 505),
    .init("version that is no number", "GET / HTTP/x.1\r\nHost: a\r\n\r\n", 400),
    .init("minor version that is no number", "GET / HTTP/1.x\r\nHost: a\r\n\r\n", 400),
    .init("version without a dot", "GET / HTTP/1x1\r\nHost: a\r\n\r\n", 400),
    .init("later minor version without Host", "GET / HTTP/1.2\r\n\r\n", 400),
    .init("asterisk with more", "OPTIONS *a HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    .init("one letter for OPTIONS", "OPTIONS a HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    .init("half a scheme", "GET http:/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    .init("nothing but a scheme", "GET http:// HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    .init("lower-case protocol", "GET / http/1.1\r\nHost: a\r\n\r\n", 400),
    .init("version of two digits", "GET / HTTP/1.10\r\nHost: a\r\n\r\n", 400),
    .init("version without minor", "GET / HTTP/1\r\nHost: a\r\n\r\n", 400),
    .init("target without slash", "GET bikes HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    .init("asterisk for GET", "GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    .init("fragment", "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    .init("control byte in the target", "GET /\u{01} HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    .init("raw UTF-8 in the target", "GET /é HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    .init("absolute form without host", "GET http:///a HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    .init("absolute form with a name and password", "GET http://u:p@h/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    .init("absolute form of another scheme", "GET ftp://h/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    .init("bare LF after the request line", "GET / HTTP/1.1\nHost: a\r\n\r\n", 400),
    .init("bare LF after a header", "GET / HTTP/1.1\r\nHost: a\n\r\n", 400),
    .init("bare LF at the end", "GET / HTTP/1.1\r\nHost: a\r\n\n", 400),
    .init("bare CR in the request line", "GET /\r HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    .init("bare CR in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n", 400),
    .init("bare CR before CR LF", "GET / HTTP/1.1\r\nHost: a\r\r\n\r\n", 400),
    .init("no Host", "GET / HTTP/1.1\r\n\r\n", 400),
    .init("two Hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
    .init("two Hosts under HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    .init("a list of hosts", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", 400),
    .init("a path in Host", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
    .init("space before the colon", "GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
    .init("no colon", "GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", 400),
    .init("empty name", "GET / HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n", 400),
    .init("name that is no token", "GET / HTTP/1.1\r\nHost: a\r\nX@: x\r\n\r\n", 400),
    .init("folded line", "GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n", 400),
    .init("folded first line", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400),
    .init("zero byte in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: \u{00}\r\n\r\n", 400),
    .init("DEL in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: \u{7F}\r\n\r\n", 400),
    .init("escape in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: \u{1B}[0m\r\n\r\n", 400),
    .init(
      "both lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      400),
    .init(
      "both lengths, the other way",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n", 400),
    .init(
      "Content-Length twice", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
      400),
    .init(
      "differing Content-Length",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    .init("list of lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n", 400),
    .init("negative length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
    .init("length with a plus", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n", 400),
    .init("hexadecimal length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x1\r\n\r\n", 400),
    .init("empty length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n", 400),
    .init("length over the limit", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\n\r\n", 413),
    .init(
      "length beyond 64 bits", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 184467440737095516160\r\n\r\n",
      413),
    .init(
      "length that wraps around to 1",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 18446744073709551617\r\n\r\n", 413),
    .init("coding other than chunked", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 400),
    .init("identity", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n", 400),
    .init(
      "gzip below chunked", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
    .init(
      "empty coding before chunked", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: , chunked\r\n\r\n", 400
    ),
    .init("chunked not last", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip\r\n\r\n", 400),
    .init("chunked twice", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n\r\n", 400),
    .init(
      "chunked in two lines",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    .init(
      "empty coding between", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, , chunked\r\n\r\n", 400),
    .init(
      "chunked twice after gzip",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked, chunked\r\n\r\n", 400),
    .init(
      "two codings below chunked",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, br, chunked\r\n\r\n", 501),
    .init("smuggled coding", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n", 400),
    .init("empty coding", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n\r\n", 400),
    .init("chunked under HTTP/1.0", "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    .init(
      "Authorization twice", "GET / HTTP/1.1\r\nHost: a\r\nAuthorization: b\r\nauthorization: b\r\n\r\n", 400),
    .init(
      "X-Authorization twice, once empty",
      "GET / HTTP/1.1\r\nHost: a\r\nX-Authorization:\r\nX-Authorization: b\r\n\r\n", 400),
    .init(
      "Idempotency-Key twice",
      "POST / HTTP/1.1\r\nHost: a\r\nIdempotency-Key: b\r\nIDEMPOTENCY-KEY: c\r\n\r\n", 400),
    .init("unknown expectation", "POST / HTTP/1.1\r\nHost: a\r\nExpect: a-pony\r\n\r\n", 417),
  ]

  @Test(arguments: refused)
  func refuses(_ promise: Case<Int>) {
    let bytes = Array(promise.bytes.utf8)
    #expect(Outcome(bytes) == .refused(promise.expected))
    for cut in 0...bytes.count {
      #expect(Outcome(bytes, cuts: [cut]) == .refused(promise.expected), "cut at \(cut)")
    }
    #expect(Outcome(bytes, cuts: Array(0...bytes.count)) == .refused(promise.expected), "byte by byte")
  }

  private static let chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

  static let refusedChunks: [Case<Int>] = [
    .init("empty size", "\r\n", 400),
    .init("size that is no number", "g\r\n", 400),
    .init("negative size", "-1\r\n", 400),
    .init("size with 0x", "0x1\r\na\r\n0\r\n\r\n", 400),
    .init("space before the size", " 1\r\na\r\n0\r\n\r\n", 400),
    .init("space behind the size", "1 \r\na\r\n0\r\n\r\n", 400),
    .init("bare LF behind the size", "1\na\r\n0\r\n\r\n", 400),
    .init("control byte in an extension", "1;\u{01}\r\na\r\n0\r\n\r\n", 400),
    .init("chunk longer than said", "1\r\nab\r\n0\r\n\r\n", 400),
    .init("chunk ended by a bare LF", "1\r\na\n0\r\n\r\n", 400),
    .init("chunk ended by CR alone", "1\r\na\r0\r\n\r\n", 400),
    .init("size over the limit", "100001\r\n", 413),
    .init("size beyond 64 bits", "10000000000000001\r\n", 413),
    .init("endless size line", String(repeating: "0", count: 600), 400),
    .init("folded trailer", "0\r\nX: a\r\n b\r\n\r\n", 400),
    .init("bare LF in the trailers", "0\r\nX: a\n\r\n", 400),
  ]

  @Test(arguments: refusedChunks)
  func refusesChunks(_ promise: Case<Int>) {
    let bytes = Array((RequestParserTests.chunked + promise.bytes).utf8)
    #expect(Outcome(bytes) == .refused(promise.expected))
    for cut in 0...bytes.count {
      #expect(Outcome(bytes, cuts: [cut]) == .refused(promise.expected), "cut at \(cut)")
    }
    #expect(Outcome(bytes, cuts: Array(0...bytes.count)) == .refused(promise.expected), "byte by byte")
  }

  static let accepted: [Case<Outcome>] = [
    .init("the least", "GET / HTTP/1.1\r\nHost:\r\n\r\n", .whole("GET", "/", body: "", left: 0)),
    .init(
      "an empty line before", "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .whole("GET", "/", body: "", left: 0)),
    .init(
      "a later minor version", "GET / HTTP/1.2\r\nHost: a\r\n\r\n", .whole("GET", "/", body: "", left: 0)),
    .init("HTTP/1.0 without Host", "GET /a HTTP/1.0\r\n\r\n", .whole("GET", "/a", body: "", left: 0)),
    .init(
      "brackets in the query", "GET /a?t[]=1&u HTTP/1.1\r\nHost: a\r\n\r\n",
      .whole("GET", "/a?t[]=1&u", body: "", left: 0)),
    .init(
      "absolute form", "GET http://h:1/a?b HTTP/1.1\r\nHost: a\r\n\r\n",
      .whole("GET", "/a?b", body: "", left: 0)),
    .init(
      "absolute form without path", "GET HTTP://h HTTP/1.1\r\nHost: a\r\n\r\n",
      .whole("GET", "/", body: "", left: 0)),
    .init(
      "absolute form, query alone", "GET https://[::1]?b HTTP/1.1\r\nHost: a\r\n\r\n",
      .whole("GET", "/?b", body: "", left: 0)),
    .init(
      "asterisk for OPTIONS", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
      .whole("OPTIONS", "*", body: "", left: 0)),
    .init("IPv6 host", "GET / HTTP/1.1\r\nhOST: [::1]:80\r\n\r\n", .whole("GET", "/", body: "", left: 0)),
    .init(
      "raw UTF-8 in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: é\t\r\n\r\n",
      .whole("GET", "/", body: "", left: 0)),
    .init(
      "a body", "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 03\r\n\r\nabcGET",
      .whole("PUT", "/a", body: "abc", left: 3)),
    .init(
      "length 0", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\nab",
      .whole("POST", "/", body: "", left: 2)),
    .init(
      "chunks", chunked + "3\r\nabc\r\n0002;x=\"y\"\r\nde\r\n0\r\n\r\nGE",
      .whole("POST", "/", body: "abcde", left: 2)),
    .init(
      "large hexadecimal", chunked + "0a\r\n0123456789\r\nB\r\n0123456789a\r\n0\r\n\r\n",
      .whole("POST", "/", body: "01234567890123456789a", left: 0)),
    .init(
      "trailers", chunked + "1\r\na\r\n0\r\nX: y\r\nZ:\r\n\r\nG", .whole("POST", "/", body: "a", left: 1)),
    .init("no chunks at all", chunked + "0\r\n\r\n", .whole("POST", "/", body: "", left: 0)),
    .init("half a head", "GET / HTTP/1.1\r\nHost: a\r\n", .incomplete),
    .init("half a body", "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nab", .incomplete),
    .init("half a chunk", chunked + "3\r\nab", .incomplete),
    .init("half the last chunk", chunked + "0\r\n", .incomplete),
  ]

  @Test(arguments: accepted)
  func accepts(_ promise: Case<Outcome>) {
    let bytes = Array(promise.bytes.utf8)
    #expect(Outcome(bytes) == promise.expected)
    for cut in 0...bytes.count { #expect(Outcome(bytes, cuts: [cut]) == promise.expected, "cut at \(cut)") }
    #expect(Outcome(bytes, cuts: Array(0...bytes.count)) == promise.expected, "byte by byte")
  }

  static let limited: [Case<Int?>] = [
    .init("a target that just fits", "GET /\(a(16_363)) HTTP/1.0\r\n\r\n", nil),
    .init("a target that does not", "GET /\(a(16_384)) HTTP/1.0\r\n\r\n", 414),
    .init("a head that just fits", "GET / HTTP/1.0\r\nX: \(a(16 * 1024 - 23))\r\n\r\n", nil),
    .init("a head that does not", "GET / HTTP/1.0\r\nX: \(a(16 * 1024 - 22))\r\n\r\n", 431),
    .init("a hundred headers", "GET / HTTP/1.0\r\n\(fields(100))\r\n", nil),
    .init("one more", "GET / HTTP/1.0\r\n\(fields(101))\r\n", 431),
    .init("trailers that are too long", chunked + "0\r\nX: \(a(17_000))\r\n\r\n", 413),
    .init(
      "extensions that are too long together", chunked + String(repeating: "1;\(a(400))\r\nx\r\n", count: 42),
      413),
    .init("a body that just fits", "PUT / HTTP/1.0\r\nContent-Length: 1048576\r\n\r\n\(a(1 << 20))", nil),
    .init(
      "chunks that just fit", chunked + "80000\r\n\(a(1 << 19))\r\n80000\r\n\(a(1 << 19))\r\n0\r\n\r\n", nil),
    .init("chunks that do not", chunked + "80000\r\n\(a(1 << 19))\r\n80001\r\n", 413),
  ]

  @Test(arguments: limited)
  func limits(_ promise: Case<Int?>) {
    let bytes = Array(promise.bytes.utf8)
    for cuts in [[], [bytes.count / 2], [bytes.count - 1]] {
      switch Outcome(bytes, cuts: cuts) {
      case .whole: #expect(promise.expected == nil)
      case .refused(let refusal): #expect(promise.expected == refusal)
      case .incomplete: Issue.record("incomplete")
      }
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
  func knowsHowTheConnectionGoesOn(_ text: String, _ keepsAlive: Bool) throws {
    var parser = RequestParser(RequestLimits())
    let bytes = Array(text.utf8)
    _ = try parser.advance(bytes.span)
    #expect(parser.head.keepsAlive == keepsAlive)
  }

  @Test func setsOfBytesAreWhatTheGrammarSays() {
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

  @Test func aBodyThatIsWrong() {
    #expect(RequestError(MessageError.malformed("is odd")) == RequestError(400, "the body is odd"))
    #expect(RequestError(MessageError.tooLarge(limit: 1)) == .bodyTooLarge)
    #expect(RequestError(MessageError.cutShort) == RequestError(400, "the body ends too early"))
  }

  @Test func aRequestIsTheSameInBothForms() throws {
    let request = Request(
      .put, URL(scheme: .http, host: "localhost", path: "/bikes/1%2F2", query: "a=b%20c&a=d+e"),
      headers: ["X-Authorization": "t"], body: [1, 2, 3])
    let received = try ReceivedRequest(request)
    #expect(received.header("x-authorization") == "t")
    #expect(received.header("X-Authorization") == "t")
    #expect(received.query.all("a") == ["b c", "d e"])
    #expect(received.query["x"] == nil)
    #expect(received.method == .put && received.body == request.body)
    #expect(received.target == request.url.target)
  }

  @Test(arguments: [
    "a\r\n\r\nGET / HTTP/1.1", "a\r\nContent-Length: 1", "a\r\nTransfer-Encoding: chunked",
    // A whole request before the rest, and one that is longer than all of it.
    "a\r\nHost: a\r\n\r\nGET / HTTP/1.1", "a\r\nHost: a\r\nContent-Length: 999\r\n\r\nGET / HTTP/1.1",
  ])
  func aRequestOfTheSameProcessIsOne(value: String) throws {
    let request = Request(
      .post, URL(scheme: .http, host: "localhost", path: "/a"), headers: ["X-Authorization": value],
      body: [1, 2, 3])
    #expect(throws: RequestError.self) { try ReceivedRequest(request) }
  }

  private static func a(_ count: Int) -> String { String(repeating: "a", count: count) }
  private static func fields(_ count: Int) -> String { String(repeating: "X: y\r\n", count: count) }
}
