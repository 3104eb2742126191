import Foundation
import HTTP
import System
import TestSupport
import Testing

@testable import Server

/// Clients that send requests and do not read, or do not finish their requests: how much memory they cost together.
@Suite struct UnreadResponsesTests {
  /// More than the kernel buffers of both ends take.
  private static let size = 30_000_000

  private final class Counter { var value = 0 }

  /// `/fill/x` responds with so many bytes `x`, made for each request.
  private func routes(size: Int = size, _ counter: Counter = Counter()) -> [Route] {
    [
      Route(.get, "/fill/:byte") { call in
        counter.value += 1
        return Response(200, body: [UInt8](repeating: call["byte"].utf8.first ?? 0, count: size))
      }
    ] + Sample.routes
  }

  private func request(_ byte: Character) -> ArraySlice<UInt8> {
    Array("GET /fill/\(byte) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)[...]
  }

  /// Connects and sends a request without reading.
  private func unreading(_ stepped: SteppedServer, _ byte: Character) throws -> Client {
    let client = try stepped.connect()
    _ = client.trySending(request(byte))
    try stepped.step(10)
    return client
  }

  /// Reads until the bodies of so many responses are there.
  private func read(_ count: Int, _ client: Client, _ stepped: SteppedServer) throws {
    while client.received.count < count * UnreadResponsesTests.size, !client.isClosed {
      _ = client.receive()
      try stepped.step(1)
    }
  }

  @Test func equalBodiesAreOneObject() throws {
    let stepped = try SteppedServer(routes())
    let clients = try (0..<10).map { _ in try unreading(stepped, "a") }
    #expect(stepped.server.connections.all.filter { $0.state == .writing }.count == clients.count)
    #expect(stepped.server.unsent.count < UnreadResponsesTests.size + 10_000)
    let other = try unreading(stepped, "b")
    #expect(
      stepped.server.unsent.count >= 2 * UnreadResponsesTests.size, "the same size is not the same body")
    try read(1, other, stepped)
    try stepped.hear(other)
    let body = Data(repeating: UInt8(ascii: "b"), count: UnreadResponsesTests.size)
    #expect(Data(other.received.suffix(body.count)) == body)
    #expect(
      stepped.server.unsent.count < UnreadResponsesTests.size + 10_000, "a body ends with its last sender")
  }

  @Test func aResponseAboveTheLimitIsSentToOne() throws {
    let stepped = try SteppedServer(routes()) { $0.unsentLimit = 1000 }
    let client = try unreading(stepped, "a")
    try read(1, client, stepped)
    #expect(client.received.count > UnreadResponsesTests.size)
  }

  @Test func steadyClientIsNotClosed() throws {
    let stepped = try SteppedServer(routes())
    let client = try unreading(stepped, "a")
    for _ in 0..<12 {
      stepped.time.advance(by: .seconds(10))
      _ = client.receive()
      try stepped.step(3)
    }
    #expect(stepped.server.connections.count == 1)
    stepped.time.advance(by: .seconds(31))
    try stepped.step()
    stepped.time.advance(by: .seconds(31))
    try stepped.step()
    #expect(stepped.server.connections.isEmpty)
  }

  /// The half minute is that of the response that waits now.
  @Test func rateIsMeasuredPerResponse() throws {
    let stepped = try SteppedServer(routes())
    let client = try unreading(stepped, "a")
    stepped.time.advance(by: .seconds(25))
    try read(1, client, stepped)
    try stepped.hear(client)
    stepped.time.advance(by: .seconds(50))
    _ = client.trySending(request("b"))
    try stepped.step(10)
    stepped.time.advance(by: .seconds(25))
    try stepped.step()
    #expect(stepped.server.connections.count == 1)
    try read(2, client, stepped)
    try stepped.hear(client)
    #expect(client.statuses == [200, 200] && !client.isClosed)
  }

  @Test func requestsOfAClientThatDoesNotReadStayUnread() throws {
    let counter = Counter()
    let stepped = try SteppedServer(routes(size: 100_000, counter))
    let client = try stepped.connect()
    var requests = 0
    var count = -1
    // Until the server has stopped to read, and the kernel to accept.
    while count != counter.value {
      count = counter.value
      for _ in 0..<2000 { requests += client.trySending(request("a")).map { $0 > 0 ? 1 : 0 } ?? 0 }
      try stepped.step(20)
    }
    #expect(counter.value < requests)
    #expect(stepped.server.unsent.count < 300_000)
    #expect(stepped.server.connections.inputCount < 200_000)
  }

  @Test func disconnectedClientFreesItsResponse() throws {
    let stepped = try SteppedServer(routes())
    let client = try unreading(stepped, "a")
    #expect(stepped.server.connections.all.map(\.state) == [.writing])
    client.reset()
    try waitUntil("the connection to close") {
      try stepped.step(1)
      return stepped.server.connections.isEmpty
    }
    #expect(stepped.server.unsent.count == 0)
  }
}
