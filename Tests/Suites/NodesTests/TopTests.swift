import HTTP
import Synchronization
import System
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

/// `hw nodes top --watch` in the process of the test, with a clock of its own.
@Suite struct WatchTests {
  private static let events = ["--jsonl", "--fields", "alias"]
  private static let added =
    "{\"event\":\"added\",\"alias\":\"a\"}\n{\"event\":\"changed\",\"alias\":\"b\"}\n"

  /// A service that sends garbage or is overloaded may be well again the next time. Without a terminal the table is
  /// printed again after a change, events in other formats, and errors on standard error.
  @Test(
    arguments: [
      (Response(200, body: Array("<html>".utf8)), events, added),
      (Response(429, headers: ["Retry-After": "3"]), events, added), (Response(503), events, added),
      (Response(503), ["--tsv", "--no-header", "--fields", "rank,alias"], "added\t1\ta\nchanged\t1\tb\n"),
      (Response(503), ["--fields", "alias"], "Alias\na\n\nAlias\nb\n"),
    ] as [(Response, [String], String)])
  func transientFailureKeepsWatching(_ trouble: Response, _ options: [String], _ printed: String) throws {
    let time = FakeClock.interrupted(after: 3)
    func ranking(_ alias: String) -> Response { .ranking([NodeTests.row("alias", "\"\(alias)\"")]) }
    let service = ScriptedRankings([ranking("a"), trouble, ranking("b"), ranking("b")])
    let ran = Ran(["top", "--watch", "10"] + options, service, time: time)
    #expect(ran.status == 130 && ran.output == printed)
    #expect(ran.errors.contains("showing the last result, next request in 10 s"))
    #expect(time.sleeps == Array(repeating: .seconds(10), count: 4))
  }
}

extension FakeClock {
  /// It is interrupted in the sleep that follows so many.
  fileprivate static func interrupted(after count: Int) -> FakeClock {
    let left = Mutex(count)
    return FakeClock(newYear) { _ throws(Failure) in
      let isOver = left.withLock { left in
        left -= 1
        return left < 0
      }
      if isOver { throw Interruption.failure }
    }
  }
}
