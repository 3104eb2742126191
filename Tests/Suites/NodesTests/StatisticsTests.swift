import JSON
import Server
import System
import TestSupport
import Testing

@testable import Nodes

/// `hw nodes stats` and `--network`.
@Suite struct StatisticsTests {
  @Test func statisticsMayMissMembers() throws {
    let statistics = try NetworkStatistics(
      JSON.parse(
        #"{"latest":{"id":1,"added":"2022-11-04T00:00:00.000Z","node_count":3,"total_capacity":"99","tor_nodes":null}}"#
      ))
    #expect(statistics.latest.added == Timestamp(seconds: 1_667_520_000))
    #expect(statistics.latest.nodes == 3 && statistics.latest.capacity == Satoshis(99))
    #expect(statistics.latest.torNodes == nil && statistics.latest.channels == nil)
    #expect(statistics.previous == nil)
  }

  @Test(
    arguments: [
      ("{}", .notFound), (#"{"latest":null}"#, .notFound), (#"{"latest":{"added":7}}"#, .invalidData),
      (#"{"latest":{"added":"yesterday"}}"#, .invalidData), (#"{"latest":{"node_count":-1}}"#, .invalidData),
      ("[]", .notFound),
    ] as [(String, Failure.Kind)])
  func incompleteStatisticsAreRefused(_ text: String, _ kind: Failure.Kind) throws {
    let failure = #expect(throws: Failure.self) { try NetworkStatistics(JSON.parse(text)) }
    #expect(failure?.kind == kind)
  }

  private func hw(_ words: String...) -> Ran {
    Ran(.only("nodes", Nodes.suite), ["nodes"] + words + ["--demo"], time: FakeClock(FakeClock.newYear))
  }

  /// The embedded backend has three networks, and each command chooses among them.
  @Test func networks() throws {
    func count(_ network: String) -> Int {
      hw("top", "--network", network, "--tsv", "--no-header", "--fields", "publicKey").lines.count
    }
    #expect([count("mainnet"), count("testnet"), count("signet")] == [100, 40, 12])
    let key = hw("top", "--network", "signet", "-n", "1", "--tsv", "--no-header", "--fields", "publicKey")
      .lines[0]
    #expect(hw("show", key, "--network", "signet").status == 0)
    #expect(hw("show", key).status == 3)
    #expect(hw("search", String(key.prefix(8)), "--network", "signet", "--jsonl").lines.count == 1)
    let stats = hw("stats", "--network", "testnet", "--json").output
    #expect(stats.contains(#""network":"testnet""#) && stats.contains(#""node_count":40"#))
    #expect(hw("top", "--network", "moon").status == 2)
  }

  /// The embedded backend sends every value that the service sends.
  @Test func noValueIsUnknown() throws {
    let ran = hw("stats", "--json")
    #expect(ran.status == 0 && !ran.output.contains("null"), "\(ran.output)")
  }

  @Test func aCard() {
    let ran = hw("stats")
    #expect(ran.status == 0 && ran.lines.first?.hasPrefix("Network ") == true, "\(ran.output)")
    #expect(ran.lines.contains { $0.hasPrefix("Capacity") && $0.contains(".") })
  }
}
