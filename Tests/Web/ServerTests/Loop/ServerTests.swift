import HTTP
import Synchronization
import System
import TestSupport
import Testing

@testable import Server

/// What a client sees of the server, over a real socket.
@Suite struct ServerTests {
  @Test func answersBeforeABadRequestAreKept() throws {
    let client = try SteppedServer().exchange(Sample.get + "GET /a HTTP/1.1\r\n\r\n" + Sample.get)
    #expect(client.statuses == [200, 400])
    #expect(client.isClosed)
  }

  @Test func theDateMovesWithTheClock() throws {
    let stepped = try SteppedServer()
    let client = try stepped.exchange(Sample.get)
    stepped.time.advance(by: .seconds(1))
    try stepped.say(Sample.get, client)
    #expect(client.has("Date: Fri, 02 Jan 2026 03:04:06 GMT"))
  }

  @Test func pipelinedRequestsAreAnsweredInOrderAndInOnePiece() throws {
    let requests = (1...5).map { "GET /items/\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
    let client = try SteppedServer().exchange(requests)
    #expect(client.statuses == [200, 200, 200, 200, 200])
    #expect(
      client.text.split(separator: "\r\n\r\n").compactMap { $0.first } == ["H", "1", "2", "3", "4", "5"])
    #expect(client.pieces == 1)
  }

  @Test func requestsOfAllFormsFollowEachOther() throws {
    let chunked =
      "POST /echo HTTP/1.1\r\nHost: a\r\n\(Sample.json)Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x\r\nc\r\n0\r\nX: y\r\n\r\n"
    let client = try SteppedServer().exchange(chunked + Sample.post("def") + Sample.get + chunked)
    #expect(client.statuses == [200, 200, 200, 200])
    #expect(client.text.contains("\r\n\r\nabcHTTP/1.1") && client.text.contains("\r\n\r\ndefHTTP/1.1"))
    #expect(client.body == "abc")
  }

  @Test(arguments: [1, 7, 4096, 70_000])
  func bodiesArriveInAnyPortions(_ size: Int) throws {
    let body = String((0..<100_000).map { Character(UnicodeScalar(UInt8(97 + $0 % 26))) })
    let stepped = try SteppedServer()
    let client = try stepped.connect()
    let bytes = Array(Sample.post(size == 1 ? String(body.prefix(300)) : body).utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      _ = client.trySending(bytes[start..<min(start + size, bytes.count)])
      try stepped.step(1)
    }
    try stepped.hear(client)
    #expect(client.statuses == [200])
    #expect(client.body.utf8.count == (size == 1 ? 300 : 100_000))
  }

  @Test func expect100ContinueIsAnsweredOnce() throws {
    let head =
      "POST /echo HTTP/1.1\r\nHost: a\r\n\(Sample.json)Expect: 100-Continue\r\nContent-Length: 3\r\n\r\n"
    let stepped = try SteppedServer()
    let client = try stepped.exchange(head)
    #expect(client.text == "HTTP/1.1 100 Continue\r\n\r\n")
    try stepped.say("a", client)
    try stepped.say("bc", client)
    #expect(client.statuses == [100, 200])
    #expect(client.body == "abc")
    try stepped.say(head + "abc", client)
    #expect(client.statuses == [100, 200, 200], "the body was there already")
    try stepped.say(head + "a", client)
    #expect(client.statuses == [100, 200, 200], "the body has begun")
    try stepped.say("bc", client)
    try stepped.say(head, client)
    #expect(client.statuses == [100, 200, 200, 200, 100])
    try stepped.say("def", client)
    #expect(client.statuses == [100, 200, 200, 200, 100, 200] && client.body == "def")
  }

  /// HTTP/1.0 has no such responses.
  @Test func http10ClientReceivesNo100Continue() throws {
    let stepped = try SteppedServer()
    let client = try stepped.exchange(
      "POST /echo HTTP/1.0\r\n\(Sample.json)Expect: 100-continue\r\nContent-Length: 3\r\n\r\n")
    #expect(client.text.isEmpty)
    try stepped.say("abc", client)
    #expect(client.statuses == [200] && client.body == "abc")
  }

  /// Also the refusal of a HEAD that is malformed behind its first line.
  @Test func aRefusalOfHeadHasNoBody() throws {
    for (method, hasBody) in [("HEAD", false), ("GET", true)] {
      let client = try SteppedServer().exchange("\(method) /a HTTP/1.1\r\n\r\n")
      #expect(client.statuses == [400] && client.isClosed)
      #expect(client.body.isEmpty != hasBody)
    }
  }

  @Test func tooLargeBodyReceivesNo100Continue() throws {
    let client = try SteppedServer().exchange(
      "POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9999999\r\n\r\n")
    #expect(client.statuses == [413])
    #expect(client.isClosed)
  }

  @Test(arguments: [0, -1, 100, 101, 199, 200, 299, 599, 600, 99_999_999])
  func statusOfHandlerThatIsNotFinalBecomes500(_ code: Int) throws {
    var reported: [Failure] = []
    let stepped = try SteppedServer { $0.logFailure = { reported.append($0) } }
    let client = try stepped.exchange("GET /status/\(code) HTTP/1.1\r\nHost: a\r\n\r\n" + Sample.get)
    let isFinal = (200...599).contains(code)
    #expect(client.statuses == [isFinal ? code : 500, 200])
    #expect(reported == (isFinal ? [] : [Failure(.defect, "status \(code)")]))
  }

  @Test func halfClosedClientReceivesItsResponse() throws {
    let stepped = try SteppedServer()
    let client = try stepped.connect()
    _ = client.trySending(Array(Sample.get.utf8)[...])
    client.socket.finishSending()
    // A busy system delivers the end of a connection late.
    try waitUntil("the connection to close") {
      try stepped.hear(client)
      return client.isClosed
    }
    #expect(client.statuses == [200])
    #expect(stepped.server.connections.isEmpty)
  }

  @Test func incompleteRequestBeforeEOFIsIgnored() throws {
    let stepped = try SteppedServer()
    let client = try stepped.exchange("GET /a HTTP/1.1\r\nHost: a\r\n")
    client.socket.finishSending()
    try stepped.hear(client)
    #expect(client.text.isEmpty)
    #expect(client.isClosed)
  }

  @Test func changesOfATurnAreStoredTogetherBeforeTheirResponsesAreSent() throws {
    var commits = 0
    var backend = ScriptedBackend("sample", routes: Sample.routes)
    backend.onTransactionEnd = { _ in commits += 1 }
    let stepped = try SteppedServer([backend])
    let clients = try (0..<3).map { _ in try stepped.connect() }
    for client in clients { _ = client.trySending(Array((Sample.post("a") + Sample.post("b")).utf8)[...]) }
    try stepped.step(1)
    #expect(commits == 1)
    try stepped.step(1)
    #expect(commits == 2, "those of one connection run one after the other")
    for client in clients {
      try stepped.hear(client)
      #expect(client.statuses == [200, 200])
    }
  }
}
