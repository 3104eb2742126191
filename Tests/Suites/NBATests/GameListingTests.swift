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
    let ran = Ran(words: ["games", "-v"] + line.split(separator: " ").map(String.init))
    let requested = ran.errors.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /seasons(?:\[\]|%5B%5D)=([0-9]+)/).map { String($0.1) }
    }
    #expect(ran.status == 0 && requested == seasons, "\(ran.errors)")
    #expect(ran.errors.contains("/games?"))
  }

  /// Games of earlier days without a result are not listed, and neither is the final of the NBA Cup with --regular.
  @Test func gamesThatAreNotListedAreReported() {
    let unknown = Sample.game(id: 3, period: 0, scores: ("0", "0"))
      .replacing(#""status":"Final""#, with: #""status":null"#)
    let games = [
      Sample.game(id: 1), Sample.game(id: 2, more: #""ist_stage":"Championship","#), unknown,
      unknown.replacing(#""id":3"#, with: #""id":4"#).replacing("2024-12-25", with: "2025-01-15"),
      unknown.replacing(#""id":3"#, with: #""id":5"#).replacing("2024-12-25", with: "2025-01-14"),
    ]
    let page = Response.text(#"{"data":[\#(games.joined(separator: ","))],"meta":{}}"#)
    let past = Response.text(page.text.replacing(Sample.lakers, with: Sample.capitols))
    for (words, page) in [(["LAL"], page), (["capitols", "--all"], past)] {
      let ran = Ran(["games"] + words + ["--regular", "--jsonl", "--fields", "id"], ScriptedGames(page))
      #expect(ran.output == "{\"id\":1}\n")
      #expect(ran.errors == "hw: 2 not listed, without a winner, status or opponent: 3, 5\n")
    }
    let day = Ran(
      ["games", "--on", "2024-12-25", "--regular", "--jsonl", "--fields", "id"],
      ScriptedGames(.text(#"{"data":[\#(games.prefix(3).joined(separator: ","))],"meta":{}}"#)))
    #expect(day.lines.sorted() == ["{\"id\":1}", "{\"id\":3}"])
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
