import System
import TestSupport
import Testing

@testable import Server

/// The open connections, each under a token that is used once.
@Suite struct ConnectionTableTests {
  private let queue: EventQueue
  private let table: ConnectionTable

  init() throws {
    queue = try EventQueue(capacity: 8)
    table = ConnectionTable(queue, countsNetworks: true)
  }

  private func add(_ host: String = "127.0.0.1", isForMetrics: Bool = false) throws -> Connection {
    let known = Set(table.all.map(\.token))
    table.add(
      try Socket(.v4), from: SocketAddress(numeric: host, port: 80), isForMetrics: isForMetrics,
      RequestLimits(), at: .zero, deadline: .seconds(1))
    return try #require(table.all.first { !known.contains($0.token) })
  }

  @Test func slotIsReusedButTokenIsNot() throws {
    let first = try add()
    let second = try add()
    #expect(table[first.token] === first && table[second.token] === second)
    table.close(first)
    #expect(table[first.token] == nil && table.count == 1 && table.closedCount == 1)
    let third = try add()
    #expect(third.token & 0xFF_FFFF == first.token & 0xFF_FFFF, "the place of the first")
    #expect(table[first.token] == nil && table[third.token] === third)
    #expect(table[second.token + 1] == nil, "nobody was there yet")
    table.close(third)
    table.close(third)
    #expect(table.count == 1 && table.closedCount == 2, "closed once")
    for connection in table.all { table.close(connection) }
    #expect(table.isEmpty)
  }

  @Test func connectionsAreCountedPerNetwork() throws {
    let connections = [try add(), try add(), try add("127.0.0.2"), try add(isForMetrics: true)]
    let networks = connections.compactMap { $0.peer?.network }
    #expect(networks.map(table.count(of:)) == [2, 2, 1, 2])
    table.close(connections[3])
    table.close(connections[0])
    #expect(networks.map(table.count(of:)) == [1, 1, 1, 1])
    table.close(connections[1])
    table.close(connections[2])
    #expect(networks.map(table.count(of:)) == [0, 0, 0, 0])
  }

  @Test func connectionThatCannotBeRegisteredForEventsIsClosed() throws {
    let socket = try Socket(.v4)
    // A socket is in the queue once.
    try queue.add(socket.descriptor, .reading, token: 7)
    table.add(socket, from: nil, isForMetrics: false, RequestLimits(), at: .zero, deadline: .seconds(1))
    #expect(table.isEmpty && table.closedCount == 1)
    let other = try add()
    try queue.remove(other.socket.descriptor)
    table.change(other, to: .reading, waitingFor: .reading)
    #expect(table.count == 1, "it is in this state already")
    table.change(other, to: .writing, waitingFor: .writing)
    #expect(table.isEmpty && table.closedCount == 2 && other.state == .closed)
  }

  @Test func theBacklogHoldsEachConnectionOnce() throws {
    let (first, second, third) = (try add(), try add(), try add())
    #expect(!table.hasBacklog)
    for connection in [first, second, first, third] { table.addToBacklog(connection) }
    #expect(table.hasBacklog && first.isInBacklog)
    // Only a connection that reads has requests to handle.
    table.change(second, to: .writing, waitingFor: .writing)
    table.close(third)
    let taken = table.takeBacklog()
    #expect(taken.count == 1 && taken.first === first && !first.isInBacklog && !table.hasBacklog)
    #expect(table.takeBacklog().isEmpty)
    table.change(second, to: .reading, waitingFor: .reading)
    table.addToBacklog(second)
    let later = table.takeBacklog()
    #expect(later.count == 1 && later.first === second)
    for connection in table.all { table.close(connection) }
  }
}
