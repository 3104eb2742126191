import JSON
import System
import TestSupport
import Testing

@testable import Nodes

/// What `hw nodes stats` reads.
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
}
