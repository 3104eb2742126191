import Command
import HTTP
import Synchronization
import System
import Terminal
import TestSupport
import Testing

@testable import NBA

/// Lists of games: of which day and seasons they are, what they leave out, and when they wait.
@Suite struct GameListingTests {
  /// Days on which two seasons can have games. The games of a former club are requested together.
  @Test(arguments: [
    ("LAL --since 2020-10-01 --until 2020-10-15", ["2020", "2019"]),
    ("LAL --until 2020-10-11", ["2020", "2019"]),
    ("LAL --season 2019 --since 2020-10-01", ["2019"]), ("LAL --since 2024-11-01", ["2024"]),
    ("LAL --until 2021-10-11", ["2021"]), ("LAL --all --since 2024-11-01", ["2024"]),
    ("LAL --since 2011-11-01 --until 2016-01-01", ["2015", "2014", "2013", "2012", "2011"]),
    ("LAL capitols --since 2014-11-01 --until 2016-01-01", ["2015", "2014"]),
    ("capitols --all", []), ("capitols --since 1946-01-01", []), ("capitols", ["2024"]),
    ("LAL capitols --all", (1946...2024).reversed().map { "\($0)" }),
  ])
  func theSeasonsOfAPeriod(line: String, seasons: [String]) {
    let ran = Ran(
      .only("nba", NBA.suite), ["nba", "games", "-v"] + line.split(separator: " ").map(String.init),
      environment: ["HW_URL": "demo:"], time: FakeClock("2025-01-15"))
    let requested = ran.errors.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /seasons(?:\[\]|%5B%5D)=([0-9]+)/).map { String($0.1) }
    }
    #expect(ran.status == 0 && requested == seasons, "\(ran.errors)")
    #expect(ran.errors.contains("/games?"))
  }

  /// Of the service's time zone: at noon in Tokyo on the 16th it is still the 15th there.
  @Test(arguments: [["--on", "today"], ["--on", "2025-01-15", "--where", "date=today"]])
  func todayIsTheDayInAmerica(words: [String]) {
    func days(_ clock: FakeClock) -> Set<String> {
      let ran = Ran(
        .only("nba", NBA.suite),
        ["nba", "games", "--csv", "--no-header", "--fields", "date"] + words,
        environment: ["HW_URL": "demo:"], time: clock)
      return Set(ran.lines)
    }
    let night = Timestamp(seconds: 1_736_996_400 - 12 * 3600)  // 2025-01-15T15:00Z
    #expect(days(FakeClock(night, offset: 9 * 3600)) == ["2025-01-15"])
    let late = Timestamp(seconds: 1_736_996_400)  // 2025-01-16T03:00Z
    #expect(days(FakeClock(late, offset: 9 * 3600)) == ["2025-01-15"])
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
