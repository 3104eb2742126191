import HTTP
import System
import TestSupport
import Testing

@testable import Server

/// How much of what has arrived a turn handles, and what the server counts of the rest.
@Suite struct RequestReaderTests {
  private final class Counter { var value = 0 }

  private let counter = Counter()

  /// `/count/x` is counted, and responds with x bytes.
  private func serve(_ configure: (inout ServerConfiguration) -> Void = { _ in }) throws -> SteppedServer {
    let route = Route(.get, "/count/:size") { [counter] call in
      counter.value += 1
      return Response(200, body: [UInt8](repeating: UInt8(ascii: "x"), count: Int(call["size"]) ?? 0))
    }
    return try SteppedServer([route] + Sample.routes, configure)
  }

  private func get(_ size: Int, _ count: Int = 1) -> String {
    String(repeating: "GET /count/\(size) HTTP/1.1\r\nHost: a\r\n\r\n", count: count)
  }

  /// Sends the same from each client, waits until all of it has arrived, and takes one turn.
  private func turn(_ text: String, from clients: Client..., in stepped: SteppedServer) throws {
    for client in clients { _ = client.trySending(Array(text.utf8)[...]) }
    try waitUntil("the requests to arrive") {
      stepped.server.connections.all.map(\.socket.unreadCount).reduce(0, +)
        == clients.count * text.utf8.count
    }
    try stepped.server.runTurn(waitingAtMost: .milliseconds(100))
  }

  // MARK: Batches

  /// One when its bytes are read, and one of the backlog.
  @Test(arguments: [(256, false), (257, true)])
  func aTurnTakesTwoBatchesOfAConnection(sent: Int, isBacklog: Bool) throws {
    let stepped = try serve()
    let client = try stepped.connect()
    try turn(get(0, sent), from: client, in: stepped)
    #expect(counter.value == 256 && stepped.server.connections.hasBacklog == isBacklog)
    #expect(stepped.server.timeout(atMost: .milliseconds(700)) == (isBacklog ? 0 : 700))
    try stepped.hear(client)
    #expect(client.statuses.count == sent && !stepped.server.connections.hasBacklog)
    #expect(stepped.server.timeout(atMost: .milliseconds(700)) == 700)
    // Then the connection is as any other.
    try stepped.say(get(0), client)
    #expect(client.statuses == Array(repeating: 200, count: sent + 1))
    stepped.time.advance(by: .seconds(59))
    try stepped.hear(client)
    #expect(!client.isClosed)
    stepped.time.advance(by: .seconds(1))
    try stepped.hear(client)
    #expect(client.isClosed)
  }

  @Test(arguments: [(65_535, 3), (65_536, 2)])
  func aBatchEndsWithItsBytes(size: Int, handled: Int) throws {
    let stepped = try serve()
    let client = try stepped.connect()
    try turn(get(size, 3), from: client, in: stepped)
    #expect(counter.value == handled)
    try stepped.hear(client)
    #expect(client.statuses == [200, 200, 200])
  }

  @Test(arguments: [(4 << 20, 1), (4 << 20 - 1, 2)])
  func afterFourMegabytesNoSocketIsRead(size: Int, handled: Int) throws {
    let stepped = try serve()
    let clients = [try stepped.connect(), try stepped.connect()]
    try turn(get(size), from: clients[0], clients[1], in: stepped)
    #expect(counter.value == handled)
    for _ in 0..<100 where counter.value < 2 { try stepped.step(1) }
    #expect(counter.value == 2)
  }

  @Test(arguments: [(8 << 20, 1), (8 << 20 - 1, 129)])
  func afterEightMegabytesTheBacklogWaits(size: Int, handled: Int) throws {
    let stepped = try serve()
    let (many, large) = (try stepped.connect(), try stepped.connect())
    try turn(get(0, 512), from: many, in: stepped)
    #expect(counter.value == 256)
    try turn(get(size), from: large, in: stepped)
    #expect(counter.value == 256 + handled)
    try stepped.hear(many)
    #expect(many.statuses == Array(repeating: 200, count: 512))
  }

  @Test func aBacklogIsHandledBeforeMoreIsRead() throws {
    let stepped = try serve()
    let client = try stepped.connect()
    try turn(get(0, 512), from: client, in: stepped)
    #expect(counter.value == 256)
    try turn(get(0), from: client, in: stepped)
    #expect(counter.value == 384)
    try stepped.hear(client)
    #expect(client.statuses == Array(repeating: 200, count: 513))
  }

  @Test func backlogHasNoTimeout() throws {
    let stepped = try serve()
    let client = try stepped.connect()
    try turn(get(0, 512), from: client, in: stepped)
    #expect(stepped.server.connections.hasBacklog)
    stepped.time.advance(by: .seconds(61))
    try stepped.hear(client)
    #expect(client.statuses == Array(repeating: 200, count: 512))
  }

  // MARK: Parts of requests

  /// Of chunks only the content is held.
  @Test func incompleteRequestIsCountedUntilConnectionCloses() throws {
    let stepped = try serve()
    let head = "POST /echo HTTP/1.1\r\nHost: a\r\n\(Sample.json)Transfer-Encoding: chunked\r\n\r\n"
    let client = try stepped.exchange(head + String(repeating: "1\r\na\r\n", count: 100))
    #expect(stepped.server.connections.inputCount == head.utf8.count + 100)
    let other = try stepped.exchange("GET /a HT")
    #expect(stepped.server.connections.inputCount == head.utf8.count + 109)
    client.reset()
    try waitUntil("the connection to close") {
      try stepped.step(1)
      return stepped.server.connections.count == 1
    }
    #expect(stepped.server.connections.inputCount == 9)
    try stepped.say("TP/1.1\r\nHost: a\r\n\r\n", other)
    #expect(other.statuses == [200] && stepped.server.connections.inputCount == 0)
  }

  // MARK: Too many incomplete requests

  private func incomplete(_ count: Int) -> String {
    "POST /echo HTTP/1.1\r\nHost: a\r\n\(Sample.json)Content-Length: 600000\r\n\r\n"
      + String(repeating: "x", count: count)
  }

  /// A slow member with a short request must not be rejected instead of those who fill the memory.
  @Test(arguments: [(50_001, false), (49_999, true), (80, true)])
  func longestIncompleteRequestIsRejected(newerCount: Int, isOlder: Bool) throws {
    let texts = [incomplete(50_000), incomplete(newerCount)]
    let stepped = try serve { $0.incompleteLimit = texts[0].utf8.count + texts[1].utf8.count - 1 }
    let idle = try stepped.exchange(Sample.get)
    let older = try stepped.exchange(texts[0])
    stepped.time.advance(by: .seconds(5))
    let newer = try stepped.exchange(texts[1])
    for client in [idle, older] { try stepped.hear(client) }
    #expect(older.statuses == (isOlder ? [503] : []) && newer.statuses == (isOlder ? [] : [503]))
    #expect(older.isClosed == isOlder && newer.isClosed != isOlder)
    #expect(idle.statuses == [200] && !idle.isClosed)
  }

  @Test func incompleteRequestsAtTheLimitAreKept() throws {
    let text = incomplete(10_000)
    let stepped = try serve { $0.incompleteLimit = 2 * text.utf8.count }
    var clients: [Client] = []
    for _ in 0..<2 {
      clients.append(try stepped.exchange(text))
      stepped.time.advance(by: .seconds(5))
    }
    #expect(clients.allSatisfy { $0.text.isEmpty })
    // No more are rejected than have to be.
    clients.append(try stepped.exchange(text))
    for client in clients { try stepped.hear(client) }
    #expect(clients.map(\.statuses) == [[503], [], []])
  }

  @Test func backlogDoesNotCountAsIncomplete() throws {
    let text = incomplete(50_000)
    let stepped = try serve { $0.incompleteLimit = text.utf8.count + 5000 }
    let slow = try stepped.exchange(text)
    let many = try stepped.connect()
    try turn(get(0, 512), from: many, in: stepped)
    #expect(stepped.server.connections.inputCount == text.utf8.count + get(0, 256).utf8.count)
    for client in [many, slow] { try stepped.hear(client) }
    #expect(many.statuses == Array(repeating: 200, count: 512) && slow.text.isEmpty && !slow.isClosed)
  }
}
