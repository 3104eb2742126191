import HTTP
import Synchronization
import System
import TestSupport
import Testing

@testable import Server

/// What a client sees of the server, over a real socket.
@Suite struct ServerTests {
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
