import System
import TestSupport
import Testing

@testable import Server

/// The open connections, each under a token that is used once.
@Suite struct ConnectionTableTests {
  private let table: ConnectionTable

  init() throws { table = ConnectionTable(try EventQueue(capacity: 8), countsNetworks: true) }

  private func add(_ host: String = "127.0.0.1", isForMetrics: Bool = false) throws -> Connection {
    let known = Set(table.all.map(\.token))
    table.add(
      try Socket(.v4), from: SocketAddress(numeric: host, port: 80), isForMetrics: isForMetrics,
      RequestLimits(), at: .zero, deadline: .seconds(1))
    return try #require(table.all.first { !known.contains($0.token) })
  }

  @Test func aPlaceIsUsedAgainAndATokenNever() throws {
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

  @Test func theConnectionsOfANetworkAreCounted() throws {
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
}
