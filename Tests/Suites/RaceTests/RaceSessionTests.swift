import HTTP
import Server
import Store
import Synchronization
import System
import TestSupport
import Testing

@testable import Command
@testable import HTTP
@testable import Race

/// A clock on which a second passes with every look at it: a race of a second is over with the next response.
private final class HastyClock: TimeKeeper {
  private let looks = Mutex<Int64>(0)

  func now() -> Timestamp { FakeClock.start }
  func sleep(for duration: Duration) {}
  func uptime() -> Duration {
    looks.withLock { looks in
      looks += 1
      return .seconds(looks)
    }
  }
}

/// Counts the requests for the standings.
private final class Polls: Sendable {
  private let number = Mutex(0)

  var count: Int { number.withLock { $0 } }
  func add() { number.withLock { $0 += 1 } }
}

/// `hw race watch` in the process of the test. What is printed in which mode, and the statuses.
@Suite struct RaceSessionTests {
  private static func text(_ text: String, status: Int = 200) -> Response {
    Response(status, body: Array(text.utf8))
  }

  /// The commands against a race of so many seconds.
  private static func program(seconds: Int, standings: @escaping @Sendable () -> Response) -> Program {
    let suite = Suite(
      "race", "Races",
      backend: { _, _ in
        ScriptedBackend(
          "race",
          routes: [
            Route(.get, "/bees/race/duration") { _ in text(#"{"timeInSeconds":\#(seconds)}"#) },
            Route(.get, "/bees/race/status") { _ in standings() },
          ])
      }, commands: Race.suite.commands)
    return .only("race", suite)
  }

  /// A race of a second, with the same response to each request for the standings.
  private func watch(
    _ words: String..., standings: Response, terminal: Set<Ran.Stream> = []
  ) -> Ran {
    Ran(
      Self.program(seconds: 1) { standings }, ["race", "watch", "--demo", "--settle", "1000"] + words,
      time: HastyClock(), terminal: terminal)
  }

  private static let bees = text(#"{"beeList":[{"name":"A","color":"red"},{"name":"B","color":"red"}]}"#)

  @Test func theStatusSaysWhetherThereIsAWinner() {
    let won = watch("--jsonl", "--fields", "event,winner", standings: Self.bees)
    #expect(won.status == 0 && won.errors == "")
    #expect(
      won.lines == [
        #"{"event":"start","winner":null}"#, #"{"event":"standings","winner":null}"#,
        #"{"event":"finish","winner":"A"}"#,
      ])
    let empty = watch("--jsonl", "--fields", "event,winner", standings: Self.text(#"{"beeList":[]}"#))
    #expect(empty.status == 1 && empty.errors == "")
    #expect(empty.lines.last == #"{"event":"finish","winner":null}"#)
  }

  /// Where the screen would be shown.
  @Test func onATerminalTheLinesAreThereOnWish() {
    let terminal: Set<Ran.Stream> = [.input, .output]
    let quiet = watch("-q", standings: Self.bees, terminal: terminal)
    #expect(quiet.status == 0 && quiet.output == "A\n")
    let json = watch("--jsonl", "--fields", "event", standings: Self.bees, terminal: terminal)
    #expect(json.lines == ["start", "standings", "finish"].map { #"{"event":"\#($0)"}"# })
    let fields = watch("--fields", "event", standings: Self.bees, terminal: terminal)
    #expect(fields.status == 0 && fields.output.contains("finish"))
  }

  @Test func aHistoryThatCannotBeOpenedIsReportedAtOnce() throws {
    let home = try ScratchDirectory()
    try home.write("", to: ".local/share/hw")
    let ran = Ran(
      Self.program(seconds: 1) { Self.bees },
      ["race", "watch", "--url", "embedded:", "--settle", "1000", "--tsv", "--fields", "winner"],
      environment: ["HOME": home.path], time: HastyClock())
    #expect(ran.status == 0 && ran.output.hasSuffix("\nA\n"))
    #expect(ran.errors.hasPrefix("hw: this race is not added to the history: "), "\(ran.errors)")
    #expect(ran.errors.split(separator: "\n").count == 1)
  }

  /// `demo:` is a service in memory, so its races are not kept either.
  @Test(arguments: [("--url embedded:", 1), ("--url embedded: --no-history", 0), ("--demo", 0)])
  func raceIsKeptOfALastingServiceUnlessDeclined(_ options: String, _ kept: Int) throws {
    let home = try ScratchDirectory()
    let program = Self.program(seconds: 1) { Self.bees }
    let words = ["race", "watch", "-q", "--settle", "1000"] + options.split(separator: " ").map(String.init)
    let environment = ["HOME": home.path]
    #expect(Ran(program, words, environment: environment, time: HastyClock()).status == 0)
    let history = Ran(program, ["race", "history", "--jsonl"], environment: environment)
    #expect(history.lines.count == kept, "\(history)")
  }

  @Test func rateLimitWithoutWaitIsFailure() {
    let ran = watch("--no-wait", "--jsonl", "--fields", "event", standings: Self.text("", status: 429))
    #expect(ran.status == 8)
    #expect(ran.lines == [#"{"event":"start"}"#, #"{"event":"error"}"#])
  }

  @Test func aWaitThatFailsIsNamedAndASignalEndsIt() {
    let broken = failure {
      try waiting(for: "the service") { () throws(SystemError) -> Int in throw SystemError(9) }
    }
    #expect(broken?.kind == .storage)
    #expect(broken?.message == "cannot wait for the service: \(SystemError(9).text)")
    let interrupted = failure {
      try waiting(for: "the service") { () throws(SystemError) -> Int in throw .interrupted }
    }
    #expect(interrupted?.kind == .interrupted)
  }
}

/// The side of a race that sends its requests, with a ledger of thirty calls.
@Suite struct RaceWorkerTests {
  private final class Service {
    let transport = ScriptedTransport { request throws(Failure) in
      Response(
        200,
        body: Array(
          (request.url.path.hasSuffix("duration") ? #"{"timeInSeconds":26}"# : #"{"beeList":[]}"#).utf8))
    }
    let time = FakeClock.at18()
    private(set) var solved: [String] = []

    func worker(verdict: Result<CaptchaVerdict, Failure> = .success(.passed)) -> RaceWorker {
      let limited = RateLimitingTransport(
        transport, limit: RaceClient.limit, ledgersIn: "/dev/null/none", waitPolicy: .failAtOnce,
        deadline: nil, time: time, report: { _ in })
      let paced = PacedEndpoint(URL(scheme: .https, host: "race.example"), [:], limited)
      return RaceWorker(paced, time: time, outline: "") { address throws(Failure) in
        self.solved.append(address.text)
        return try verdict.get()
      }
    }
  }

  /// How many calls are left after these requests.
  private func left(_ kinds: RaceWatch.Request.Kind...) throws -> [Int?] {
    let worker = Service().worker()
    return try kinds.enumerated().map { number, kind in
      let reply = worker.reply(to: RaceWatch.Request(number: number, kind: kind))
      #expect(reply.number == number && reply.nextMinute == .seconds(42))
      switch try reply.result.get() {
      case .duration(let start, let budget):
        #expect(start.length == .seconds(26) && budget?.renewal == .seconds(44))
        return budget?.left
      case .standings(_, let budget): return budget?.left
      case .solved: return nil
      }
    }
  }

  @Test func oneCallIsReservedForTheFinish() throws {
    let soon = RaceWatch.Request.Kind.standings(untilFinish: .seconds(20))
    let finish = RaceWatch.Request.Kind.standings(untilFinish: .zero)
    // A look at the length reserves none. The last look shows that the finish took the reserved one.
    #expect(try left(.preview, .duration, soon, soon, finish, .preview) == [29, 27, 26, 25, nil, 24])
    #expect(try left(soon, soon) == [28, 27])
    // It belongs to the next minute of the clock.
    #expect(try left(.standings(untilFinish: .seconds(60))) == [29])
  }

  @Test func aCaptchaIsSolvedWhateverTheVerdictIs() throws {
    let address = try CaptchaAddress("https://captcha.example/c")
    let service = Service()
    for verdict in [CaptchaVerdict.passed, .unclear] {
      let reply = service.worker(verdict: .success(verdict)).reply(
        to: .init(number: 3, kind: .solve(address)))
      guard case .success(.solved) = reply.result else {
        Issue.record("\(reply)")
        continue
      }
    }
    let closed = service.worker(verdict: .failure(address.required)).reply(
      to: .init(number: 4, kind: .solve(address)))
    #expect(throws: address.required) { try closed.result.get() }
    #expect(service.solved == Array(repeating: "https://captcha.example/c", count: 3))
    #expect(service.transport.requests.isEmpty)
  }
}

/// `hw race show` of a file, without a screen.
@Suite(.needs(.libsqlite3)) struct ShowCommandTests {
  private static let file =
    #"{"event":"start","seq":1,"elapsed":0,"duration":9}"#
    + #"{"event":"retry","seq":2,"elapsed":1.5,"wait":1,"message":"lost"}"#
    + #"{"event":"error","seq":3,"elapsed":2,"message":"gone"}"#
    + #"{"event":"start","seq":1,"elapsed":0,"duration":4}"#
    + #"{"event":"standings","seq":2,"elapsed":0.5,"beeList":[{"name":"B"}]}"#
    + #"{"event":"finish","seq":3,"elapsed":4,"beeList":[{"name":"B"}],"winner":"B"}"#

  private func show(
    _ words: [String], input: String = Self.file, time: FakeClock = FakeClock(),
    terminal: Set<Ran.Stream> = []
  ) throws -> Ran {
    let home = try ScratchDirectory()
    return Ran(
      .only("race", Race.suite), ["race", "show"] + words, environment: ["HOME": home.path], time: time,
      input: input, terminal: terminal)
  }

  @Test func playingTakesTheTimeOfEachAttemptAtItsSpeed() throws {
    for (words, sleeps) in [(["-", "--play", "--speed", "2"], [750, 250, 250, 1750]), (["-"], [])] {
      let time = FakeClock()
      let ran = try show(words, time: time)
      #expect(ran.status == 0)
      #expect(
        ran.lines == [
          "0.0 s  start: 0:09 to go", "0.0 s  start: 0:04 to go", "0.5 s  1st B", "4.0 s  winner: B",
        ])
      #expect(ran.errors == "hw: lost; next attempt in 1.0 s\nhw: gone\n")
      #expect(time.sleeps == sleeps.map { .milliseconds($0) })
    }
    let alone = try show(["-", "--speed", "2"])
    #expect(alone.status == 2 && alone.complaint == "hw: '--speed' requires '--play' | add '--play'")
  }

  @Test func onATerminalTheLinesAreThereOnWish() throws {
    // Standard input is the terminal, so the events are in a file.
    let scratch = try ScratchDirectory()
    try scratch.write(Self.file, to: "race.jsonl")
    let terminal: Set<Ran.Stream> = [.input, .output]
    let quiet = try show([scratch.file("race.jsonl"), "--play", "-q", "--speed", "1000"], terminal: terminal)
    #expect(quiet.status == 0 && quiet.output == "B\n")
    let json = try show(
      [scratch.file("race.jsonl"), "--play", "--jsonl", "--fields", "seq"], terminal: terminal)
    #expect(json.lines == [1, 2, 3, 1, 2, 3].map { #"{"seq":\#($0)}"# })
    let fields = try show([scratch.file("race.jsonl"), "--play", "--fields", "seq"], terminal: terminal)
    #expect(fields.lines.filter { Int($0.filter { $0 != " " }) != nil }.count == 6, "\(fields)")
  }

  @Test func aNumberIsARaceAndADashStandardInput() throws {
    let number = try show(["7"])
    #expect(number.status == 3 && number.complaint.hasPrefix("hw: race 7 is not in the history |"))
    let none = try show(["-"], input: "nonsense")
    #expect(none.status == 6)
    #expect(none.errors.hasPrefix("hw: 'standard input' is not a recording of a race: "))
    let named = try show(["nowhere.jsonl"])
    #expect(named.status == 10 && named.errors.contains("'nowhere.jsonl'"))
    let latest = try show(["latest"])
    #expect(latest.status == 3 && latest.errors.contains("the history has no races"))
  }
}

/// The commands of the history.
@Suite(.needs(.libsqlite3)) struct RaceHistoryCommandTests {
  private let home: ScratchDirectory

  init() throws { home = try ScratchDirectory() }

  private func race(_ words: String...) -> Ran {
    Ran(.only("race", Race.suite), ["race"] + words, environment: ["HOME": home.path], time: FakeClock())
  }

  private func keep(_ count: Int) throws {
    let history = try RaceHistory(Store(folder: home.file(".local/share/hw"), time: FakeClock()))
    var event = RaceEvent(.start)
    event.seq = 1
    for _ in 0..<count {
      try history.begin(at: FakeClock.start, url: "embedded:")
      try history.add([event])
    }
  }

  @Test(arguments: ["0", "+5", "-1", "1.0", "99999999999999999999", "Latest", "٣"])
  func areAskedForByAWholeNumberFromOneOn(id: String) {
    let ran = race("delete", "--", id)
    #expect(ran.status == 2)
    #expect(ran.errors.contains("'ID' requires a whole number, 1 or more, or 'latest', not '\(id)'"))
  }

  @Test func oneThatIsNamedTwiceIsDeletedOnce() throws {
    try keep(3)
    let rows = ["--tsv", "--no-header", "--fields", "id"]
    func delete(_ words: String..., terminal: Set<Ran.Stream> = []) -> Ran {
      Ran(
        .only("race", Race.suite), ["race", "delete"] + words + rows, environment: ["HOME": home.path],
        time: FakeClock(), terminal: terminal)
    }
    #expect(delete("3", "latest", "3", "--dry-run").lines == ["3"])
    #expect(delete("3", "latest", "3").lines == ["3"])
    #expect(delete("--keep", "2").output == "")
    #expect(delete("--keep", "0").lines == ["2", "1"])
    #expect(race("history", "--jsonl").output == "")
    // Where there is nothing to lose, nothing is asked.
    let none = delete("--keep", "0", terminal: [.input, .errors])
    #expect(none.status == 0 && none.output == "" && none.errors == "")
  }

  @Test func oneIsShownByItsIdOrAsTheLatest() throws {
    let history = try RaceHistory(Store(folder: home.file(".local/share/hw"), time: FakeClock()))
    let (a, b) = (WatchDriver.a, WatchDriver.b)
    var events = [RaceEvent.Kind.start, .standings, .standings, .finish].map(RaceEvent.init)
    for index in events.indices {
      events[index].seq = index + 1
      events[index].elapsed = .seconds(index)
    }
    events[0].duration = .seconds(3)
    (events[1].bees, events[2].bees, events[3].bees) = ([a, b], [b, a], [b, a])
    (events[3].winner, events[3].isProvisional) = ("B", false)
    try history.begin(at: FakeClock.start, url: "embedded:")
    try history.add(events)
    #expect(
      race("show", "latest").lines == [
        "0.0 s  start: 0:03 to go", "1.0 s  1st A, 2nd B", "2.0 s  1st B, 2nd A", "3.0 s  winner: B",
      ])
    #expect(race("show", "1", "--jsonl", "--fields", "seq").lines == (1...4).map { #"{"seq":\#($0)}"# })
  }

  @Test func racesToDeleteAreNamedOnce() throws {
    try keep(2)
    #expect(race("delete").complaint.hasPrefix("hw: missing operand ID"))
    #expect(race("delete", "1", "--keep", "1").complaint.hasPrefix("hw: '--keep' and ID exclude each other"))
    let one = race("delete", "1", "9")
    #expect(
      one.status == 3 && one.complaint.hasPrefix("hw: race 9 is not in the history | nothing was deleted"))
    #expect(race("delete", "9", "8", "1").errors.hasPrefix("hw: races 8, 9 are not in the history\n"))
    #expect(race("history", "--jsonl").lines.count == 2)
  }

  @Test func twentyAreListed() throws {
    try keep(21)
    #expect(race("history", "--jsonl").lines.count == 20)
  }
}

@Suite struct BeeRecordTests {
  private static func row(
    positions: Int = 1, races: Int = 1, share: Double = 1, last: Timestamp? = nil
  ) -> BeeRecord {
    BeeRecord(
      record: RaceHistory.Record(
        bee: "A", url: "https://a.example", races: races, positions: positions, lastWin: last), share: share,
      time: FakeClock())
  }

  private static func shown(_ path: String, _ row: BeeRecord) throws -> String? {
    try #require(BeeRecord.fields.first { $0.column.path == path }).text(of: row)
  }

  @Test(arguments: [
    (2, 2, "1.00"), (7, 3, "2.33"), (5, 3, "1.67"), (21, 20, "1.05"), (11, 10, "1.10"), (101, 100, "1.01"),
    (199, 100, "1.99"), (9, 1, "9.00"),
  ])
  func theMeanPositionIsInHundredths(positions: Int, races: Int, text: String) throws {
    #expect(try Self.shown("meanPosition", Self.row(positions: positions, races: races)) == text)
  }

  @Test(arguments: [(0.0, "0 %"), (1 / 3.0, "33 %"), (2 / 3.0, "67 %"), (1, "100 %")])
  func theShareIsInPercent(share: Double, text: String) throws {
    #expect(try Self.shown("share", Self.row(share: share)) == text)
  }

  @Test func theLastWinIsInLocalTime() throws {
    #expect(try Self.shown("last", Self.row(last: FakeClock.start)) == "2024-01-01 00:00")
    #expect(try Self.shown("last", Self.row()) == nil)
  }

  /// JSON has thousandths of the share, and the same mean as the table.
  @Test(.needs(.libsqlite3)) func programsGetNumbers() throws {
    let home = try ScratchDirectory()
    let history = try RaceHistory(Store(folder: home.file(".local/share/hw"), time: FakeClock()))
    for names in [["A", "B", "C"], ["A", "C", "B"], ["B", "A", "C"]] {
      var event = RaceEvent(.finish)
      (event.seq, event.winner, event.isProvisional) = (1, names[0], false)
      event.bees = names.map { Bee(name: $0, color: "") }
      try history.begin(at: FakeClock.start, url: "embedded:")
      try history.add([event])
    }
    let ran = Ran(
      .only("race", Race.suite),
      ["race", "stats", "--tsv", "--no-header", "--fields", "name,meanPosition,share"],
      environment: ["HOME": home.path], time: FakeClock())
    #expect(ran.lines == ["A\t1.33\t0.667", "B\t2\t0.333", "C\t2.67\t0"])
  }
}
