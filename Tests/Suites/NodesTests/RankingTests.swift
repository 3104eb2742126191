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
    #expect(RankingTests.top("--where", "country=DE") == ["1\t9", "3\t7", "5\t6"])
    #expect(RankingTests.top("--where", "country=fr", "--limit", "2") == ["2\t4", "4\t5"])
    #expect(RankingTests.top("--where", "country=NO") == [])
  }

  @Test(arguments: [[], ["--sort", "channels"], ["--sort", "-capacity"]] as [[String]])
  func equalNodesKeepTheirOrder(words: [String]) {
    #expect(RankingTests.top(words) == ["1\t9", "2\t4", "3\t7", "4\t5", "5\t6", "6\t8"])
  }
}
