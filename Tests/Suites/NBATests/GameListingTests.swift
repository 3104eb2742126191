import Command
import HTTP
import Synchronization
import System
import Terminal
import TestSupport
import Testing

@testable import NBA

/// Lists that end early or have a slow reader.
@Suite struct GameListingTests {
  @Test(
    arguments: [
      ([], "continue with '--cursor 2'"), (["--limit", "7"], "continue with '--cursor 2 --limit 5'"),
    ] as [([String], String)])
  func errorLeavesRowsSoFarAndWayToOthers(words: [String], advice: String) {
    let list = ["games", "--order", "service", "--fields", "id", "--csv", "--no-header"] + words
    let ran = Ran(list, ScriptedGames(.page([1, 2], next: "2"), Response(503)))
    #expect(ran.status == 5 && ran.lines == ["1", "2"])
    #expect(ran.errors.contains(advice) && !ran.errors.contains("interrupted"), "\(ran.errors)")
    // Without rows there is nothing to continue from.
    let none = Ran(list, ScriptedGames(Response(503)))
    #expect(none.status == 5 && none.output == "" && !none.errors.contains("continue with"))
  }

  @Test func anInterruptionReportsTheWayToTheOthers() {
    let list = ["games", "--order", "service", "--fields", "id", "--csv", "--no-header"]
    let ran = Ran(list, ScriptedGames(.page([1, 2], next: "2"), isInterrupted: true))
    #expect(ran.status == 130 && ran.lines == ["1", "2"])
    #expect(ran.errors.contains("hw: interrupted; continue with '--cursor 2'\n"), "\(ran.errors)")
    let lines = Ran(
      ["games", "--order", "service", "--fields", "id", "--jsonl"],
      ScriptedGames(.page([1, 2], next: "2"), isInterrupted: true))
    #expect(
      lines.errors.hasSuffix(
        #"{"error":{"kind":"interrupted","exitCode":130,"message":"interrupted","hint":"continue with '--cursor 2'","retryable":false}}"#
          + "\n"))
    let none = Ran(list, ScriptedGames(isInterrupted: true))
    #expect(none.status == 130 && none.output == "" && !none.errors.contains("continue with"))
  }

  /// Days on which two seasons can have games.
  @Test(arguments: [
    (["--since", "2020-10-01", "--until", "2020-10-15"], ["2020", "2019"]),
    (["--until", "2020-10-11"], ["2020", "2019"]),
    (["--season", "2019", "--since", "2020-10-01"], ["2019"]), (["--since", "2024-11-01"], ["2024"]),
    (["--until", "2021-10-11"], ["2021"]), (["--all", "--since", "2024-11-01"], ["2024"]),
  ])
  func theSeasonsOfAPeriod(words: [String], seasons: [String]) {
    let ran = Ran(words: ["games", "LAL", "-v"] + words)
    let requested = ran.errors.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /seasons(?:\[\]|%5B%5D)=([0-9]+)/).map { String($0.1) }
    }
    #expect(ran.status == 0 && requested == seasons, "\(ran.errors)")
  }

  @Test func aStartIsThatOfTheServiceToTheSecond() {
    let game = Sample.game(
      date: "2025-03-01", status: "2025-03-01T23:59:59Z", period: 0, scores: ("0", "0"))
    let service = ScriptedGames(.text(#"{"data":[\#(game)],"meta":{}}"#))
    let start = Ran(["games", "--on", "2025-03-01", "--fields", "status", "--no-header"], service).output
    #expect(start.hasPrefix("2025-03-02 00:59"))
  }

  /// Counts how often its reader was waited for.
  private final class CountedWaits: ByteSink, Sendable {
    private let waits = Mutex(0)

    var count: Int { waits.withLock { $0 } }

    func write(_ bytes: RawSpan) throws(Failure) {}

    func awaitReader() throws(Failure) { waits.withLock { $0 += 1 } }
  }

  /// More is requested where more is read: before each further season or page of players. After the last row, and in a
  /// dump, there is nothing to wait for.
  @Test(arguments: [
    (["games", "LAL"], 0), (["games", "LAL", "--since", "2023-11-01"], 1), (["games", "LAL", "--all"], 5),
    (["games", "LAL", "--all", "--limit", "3"], 0), (["games", "LAL", "--order", "service"], 0),
    (["players", "stone"], 0), (["players", "--limit", "3"], 0), (["players"], 5),
  ])
  func theReaderIsWaitedFor(words: [String], count: Int) throws {
    let sink = CountedWaits()
    let host = Host(
      environment: Environment(["HW_URL": "demo:"]), time: FakeClock("2025-01-15"),
      input: Host.InputStream(MemorySource("".utf8)), output: Host.OutputStream(sink),
      errors: ErrorStream(MemorySink()))
    let status = Runner(.only("nba", NBA.suite), host).run { () throws(Failure) in
      ["nba"] + words + ["--csv"]
    }
    #expect(try status.get().code == 0)
    #expect(sink.count == count)
  }

  /// The line of progress would be written between the rows of the same terminal.
  @Test(arguments: [["games", "LAL"], ["players", "stone"], ["standings", "--season", "2023"]])
  func progressIsShownWhereTheRowsGoElsewhere(words: [String]) {
    func errors(_ terminal: Set<Ran.Stream>) -> String {
      Ran(
        .only("nba", NBA.suite), ["nba"] + words, environment: ["HW_URL": "demo:", "HW_PAGER": ""],
        time: FakeClock("2025-01-15"), terminal: terminal, columns: 80
      ).errors
    }
    #expect(errors([.errors]).contains("1 page, "))
    #expect(errors([.output, .errors]) == "")
  }

  /// The free plan.
  @Test func fiveRequestsAMinuteAreTheLimit() {
    #expect(NBA.service.limit?.description == "5 calls in a minute")
  }
}
