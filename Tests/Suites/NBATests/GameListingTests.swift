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

  /// More is requested where more is read: before each further season or page of players. After the last row
  /// there is nothing to wait for.
  @Test(arguments: [
    (["games", "LAL"], 0), (["games", "LAL", "--since", "2023-11-01"], 1), (["games", "LAL", "--all"], 5),
    (["games", "LAL", "--all", "--limit", "3"], 0),
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
