import HTTP
import JSON
import Server
import System
import TestSupport
import Testing

@testable import Nodes

/// The sample data of the suite, as the service itself would send it.
@Suite struct NodesBackendTests {
  private let router = Router([NodesBackend(.demo(time: FakeClock()))])

  private func get(_ path: String) throws -> Response {
    router.respond(to: Request(.get, try HTTP.URL("http://localhost/api/v1/lightning/\(path)")))
  }

  private func json(_ path: String) throws -> JSON { try JSON.parse(get(path).body) }

  /// Such a node is behind Tor. Some rows then omit what others have as null.
  @Test func nodesWithoutALocation() throws {
    let rows = try json("nodes/rankings/connectivity").array.filter { $0["country"].orNull == nil }
    var kinds: Set<Bool> = []
    for row in rows {
      let isNull = try row["channels"].int % 2 == 0
      kinds.insert(isNull)
      #expect(row["city"].kind == .null)
      #expect(["iso_code", "subdivision"].allSatisfy { row[$0].kind == (isNull ? .null : .absent) })
    }
    #expect(kinds.count == 2)
    let key = try #require(rows.first)["publicKey"].string
    let node = try json("nodes/\(key)")
    #expect(try node["sockets"].string == "\(key.suffix(40)).onion:9735")
    #expect(["iso_code", "city", "country", "subdivision"].allSatisfy { node[$0].kind == .null })
  }

  @Test func eachRankingIsInItsOrder() throws {
    func values(_ ranking: String, _ member: String) throws -> [Int] {
      try json("nodes/rankings/\(ranking)").array.map { try $0[member].int }
    }
    let channels = try values("connectivity", "channels")
    #expect(channels == channels.sorted(by: >) && channels.count == 100)
    let capacities = try values("liquidity", "capacity")
    #expect(capacities == capacities.sorted(by: >))
    let ages = try values("age", "firstSeen")
    #expect(ages == ages.sorted())
    // A second request has the same response.
    #expect(try get("nodes/rankings/age").body == get("nodes/rankings/age").body)
    #expect(try get("nodes/rankings/age").body != get("nodes/rankings/liquidity").body)
  }
}

/// What `hw check nodes` requires of the service.
@Suite struct NodesContractTests {
  @Test(arguments: [
    (NodeTests.key, 1, true), (String(NodeTests.key.dropLast()), 1, false), (NodeTests.key, 100, true),
    (NodeTests.key, 101, false),
  ])
  func rankingHasAtMostAHundredKeys(key: String, count: Int, isAccepted: Bool) throws {
    let check = try #require(Nodes.checks.first { $0.title == "the ranking by age" })
    let rows = (0..<count).map { number in
      NodeTests.row().replacing(NodeTests.key, with: key.dropLast(3) + String(100 + number))
    }
    let json = try JSON.parse("[\(rows.joined(separator: ","))]")
    let read = try #require(check.read)
    #expect(((try? read(json)) != nil) == isAccepted)
  }
}
