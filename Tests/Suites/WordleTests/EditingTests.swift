import Store
import System
import TestSupport
import Testing

@testable import Wordle

@Suite struct ScoreFileTests {
  @Test func scoresAsAServiceSendsThem() throws {
    let scores = (1...3).map { game($0, "at", "at") }
    let text = "{\"scores\":[\(scores[0].json),\(scores[1].json)]}\n\(scores[2].json)"
    #expect(try ScoreFile.scores(in: MemorySource(text.utf8)) == scores)
    #expect(try ScoreFile.scores(in: MemorySource(#"{"scores":[]}"#.utf8)).isEmpty)
    let failure = #expect(throws: Failure.self) {
      try ScoreFile.scores(in: MemorySource(#"{"scores":[5]}"#.utf8))
    }
    #expect(failure?.kind == .usage)
  }
}

/// An hour after midnight, when the day of UTC is still the one before.
@Test(.needs(.libsqlite3), arguments: [["--since", "today"], ["--where", "date=today"]]) func todayIsLocal(
  words: [String]
) throws {
  let night = FakeClock(try #require(Timestamp(utc: "2022-04-14T23:00:00Z")), offset: 7200)
  let ran = Ran(
    .only("wordle", Wordle.suite), ["wordle", "scores", "--tsv", "--no-header", "--fields", "id"] + words,
    environment: ["HW_URL": "demo:"], time: night)
  #expect(ran.lines == ["300"])
}

/// The account in the home directory.
@Suite(.needs(.libsqlite3)) struct LocalAccounts {
  private let home: ScratchDirectory

  init() throws { home = try ScratchDirectory() }

  private func ran(_ line: String) -> Ran { Ran(line, home: home) }

  private static let add = "add --id 9 --date 2021-06-28 --word at --tries at --tsv --no-header --fields id"

  @Test func requestsThatAreToBeSeenAreSent() throws {
    let loud = ran("\(LocalAccounts.add) -v")
    #expect(loud.output == "9\n")
    #expect(loud.errors.contains("hw: POST ") && loud.errors.contains(" → 201, "), "\(loud.errors)")
    #expect(ran("scores --tsv --no-header --fields id").lines == ["264", "263", "262", "9"])
    #expect(ran("delete 9 -q").status == 0)
    let recorded = ran("\(LocalAccounts.add) --record \(home.file("r"))")
    #expect(recorded.output == "9\n" && recorded.errors == "")
    let exchanges = home.names("r").filter { $0.hasSuffix(".exchange") }.map { home.text("r/\($0)") }
    #expect(exchanges.count == 2 && exchanges.last?.contains("> POST /scores\n") == true)
    let elsewhere = try ScratchDirectory()
    let replayed = Ran("\(LocalAccounts.add) --replay \(home.file("r"))", home: elsewhere)
    #expect(replayed.output == "9\n" && replayed.errors == "")
    #expect(elsewhere.names(".local/share/hw") == [])
  }

  @Test(arguments: [
    "players", "stats", "ranking", "compare", "delete --player Ann --dry-run", "rename Ann Ben --dry-run",
  ])
  func readingCreatesNoPlayers(line: String) {
    _ = ran(line)
    #expect(!home.names(".local/share/hw").contains("wordle-players.db"))
  }
}
