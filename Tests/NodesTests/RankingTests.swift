import HTTP
import TestSupport
import Testing

@testable import Nodes

/// What `hw nodes top` makes of a ranking.
@Suite struct RankingTests {
  /// Keys 9 to 4: equal channels, in no order of the keys, and in two countries.
  private static let service = ScriptedRankings([
    .ranking(
      [(9, "DE"), (4, "FR"), (7, "DE"), (5, "FR"), (6, "DE"), (8, "FR")].map { number, country in
        NodeTests.row("iso_code", "\"\(country)\"")
          .replacing(NodeTests.key, with: String(repeating: "\(number)", count: 66))
          .replacing("\"ACINQ\"", with: "\"\(number)\"")
      })
  ])

  private static func top(_ words: String...) -> [String] { top(words) }

  private static func top(_ words: [String]) -> [String] {
    Ran(["top", "--tsv", "--no-header", "--fields", "rank,alias"] + words, service).lines
  }

  /// A rank is the place among all nodes, not among those that are shown.
  @Test func ranksUnderACountry() {
    #expect(RankingTests.top("--country", "DE") == ["1\t9", "3\t7", "5\t6"])
    #expect(RankingTests.top("--country", "fr", "--limit", "2") == ["2\t4", "4\t5"])
  }

  @Test func aChartIsATable() {
    func chart(_ words: String...) -> Ran {
      let row = NodeTests.row("alias", "\"B\"").replacing("2908", with: "1454")
      return Ran(["top", "--chart"] + words, ScriptedRankings([.ranking([NodeTests.row(), row])]))
    }
    // Without a terminal it has 80 columns.
    #expect(
      chart().lines == [
        "ACINQ \(String(repeating: "█", count: 69)) 2908", "B     \(String(repeating: "█", count: 34))▌ 1454",
      ])
    #expect(chart("--watch", "20").status == 2 && chart("--watch", "20", "--no-watch").status == 0)
  }

  @Test func anAgeThatIsNotKnownHasNoBar() {
    func row(_ alias: String, _ firstSeen: Int) -> String {
      NodeTests.row("alias", "\"\(alias)\"").replacing("1522941222", with: "\(firstSeen)")
    }
    let rows = [row("first", 1_522_941_222), row("later", 1_767_312_000), row("never", 0)]
    #expect(
      Ran(["top", "--by", "age", "--chart"], ScriptedRankings([.ranking(rows)])).lines == [
        "first \(String(repeating: "█", count: 51)) 2018-04-05 15:13+00:00",
        "later 2026-01-02 00:00+00:00", "never -",
      ])
  }

  @Test func theFirstGossipIsALocalTime() {
    let ran = Ran(["top", "--fields", "firstSeen", "--no-header"], RankingTests.service)
    #expect(ran.lines == Array(repeating: "2018-04-05 15:13+00:00", count: 6))
  }

  @Test(arguments: [[], ["--sort", "channels"], ["--sort", "-capacity"]] as [[String]])
  func equalNodesKeepTheirOrder(words: [String]) {
    #expect(RankingTests.top(words) == ["1\t9", "2\t4", "3\t7", "4\t5", "5\t6", "6\t8"])
  }
}
