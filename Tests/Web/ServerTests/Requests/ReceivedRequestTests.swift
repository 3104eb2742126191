import HTTP
import System
import Testing

@testable import Server

/// What a handler sees of a request.
@Suite struct ReceivedRequestTests {
  @Test(
    arguments: [
      ("", []), ("&&", []), ("a", ["a="]), ("a=", ["a="]), ("=1", ["=1"]), ("=", ["="]),
      ("a=1&b=2", ["a=1", "b=2"]), ("&a=1&&b=2&", ["a=1", "b=2"]), ("a=b=c", ["a=b=c"]),
      ("a+b=c+d", ["a b=c d"]), ("+=++", [" =  "]), ("%61=%20%2B", ["a= +"]), ("a=%zz+%", ["a=%zz %"]),
      ("a=%ff", ["a=%ff"]), ("%C3%A9=1", ["é=1"]), ("a=1&a=2", ["a=1", "a=2"]),
    ] as [(String, [String])])
  func queryIsSplitIntoPairs(text: String, items: [String]) {
    let query = Query(Array("xx\(text)".utf8).dropFirst(2))
    #expect(query.items.map { "\($0.name)=\($0.value)" } == items)
  }

  @Test func namesThatRepeat() {
    let query = Query(Array("b=0&a=1&a=2&a=".utf8)[...])
    #expect(query["a"] == "1" && query["b"] == "0" && query["c"] == nil)
    #expect(query.all("a") == ["1", "2", ""] && query.all("c") == [])
  }

  /// The framing of a request of the same process is the server's.
  @Test func framingHeadersOfEmbeddedRequestAreReplaced() throws {
    var headers: Headers = [
      "Host": "evil.example", "CONTENT-LENGTH": "9", "Transfer-Encoding": "chunked", "Connection": "close",
      "Expect": "tea", "X-One": "1",
    ]
    headers.append("x-one", "2")
    let url = URL(scheme: .demo, path: "/a", query: "b=c")
    let received = try ReceivedRequest(Request(.post, url, headers: headers, body: [1, 2]))
    #expect(received.body == [1, 2] && received.target == "/a?b=c" && received.method == .post)
    #expect(received.header("Host") == "localhost" && received.header("Content-Length") == "2")
    #expect(received.header("Transfer-Encoding") == nil && received.header("Connection") == nil)
    #expect(received.header("Expect") == nil && received.header("X-ONE") == "1")
    let lines = String(decoding: received.bytes, as: UTF8.self).split(separator: "\r\n")
    #expect(lines.filter { $0.lowercased().hasPrefix("x-one") } == ["X-One: 1", "x-one: 2"])
    #expect(received.head.keepsAlive && received.hasBody)
  }

  @Test func emptyPathBecomesSlash() throws {
    let received = try ReceivedRequest(Request(.get, URL(scheme: .demo)))
    #expect(received.path == "/" && received.target == "/" && !received.hasBody)
    #expect(try ReceivedRequest(Request(.get, URL(scheme: .demo, query: "a"))).target == "/?a")
  }

  /// A request that waits holds none of the bytes around it.
  @Test func detachedRequestHoldsOnlyItsOwnBytes() throws {
    let texts = [
      "GET /first?a=1 HTTP/1.1\r\nHost: a\r\n\r\n",
      "POST /second?b=2 HTTP/1.1\r\nHost: b\r\nX-Name: c\r\nContent-Length: 3\r\n\r\nabc",
      "POST /third HTTP/1.1\r\nHost: c\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nde\r\n0\r\n\r\n",
    ]
    let bytes = Array(texts.joined().utf8)
    var start = 0
    var requests: [ReceivedRequest] = []
    for _ in texts {
      var parser = RequestParser(RequestLimits())
      let isWhole = try parser.advance(bytes.span.extracting(start..<bytes.count))
      #expect(isWhole)
      requests.append(ReceivedRequest(bytes, from: start, parser))
      start += parser.position
    }
    #expect(requests.map(\.count) == [texts[0].utf8.count, texts[1].utf8.count, texts[2].utf8.count + 2])
    for (request, text) in zip(requests, texts) {
      let alone = request.detached
      #expect(request.bytes.count == bytes.count)
      #expect(alone.bytes == Array(text.utf8) && alone.start == 0 && alone.count == request.count)
      #expect(alone.target == request.target)
      // It is so already.
      #expect(alone.detached.bytes == alone.bytes && alone.detached.body == request.body)
    }
    #expect(requests.map { String(decoding: $0.detached.body, as: UTF8.self) } == ["", "abc", "de"])
    #expect(requests[1].detached.header("x-name") == "c" && requests[1].detached.target == "/second?b=2")
  }
}
