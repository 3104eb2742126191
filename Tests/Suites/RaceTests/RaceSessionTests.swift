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

  /// The race is lost for the history, so --quiet reports it, too.
  @Test(arguments: [[], ["-q"]])
  func aHistoryThatCannotBeOpenedIsReportedAtOnce(options: [String]) throws {
    let home = try ScratchDirectory()
    try home.write("", to: ".local/share/hw")
    let ran = Ran(
      Self.program(seconds: 1) { Self.bees },
      ["race", "watch", "--url", "embedded:", "--settle", "1000", "--tsv", "--fields", "winner"] + options,
      environment: ["HOME": home.path], time: HastyClock())
    #expect(ran.status == 0 && ran.output.hasSuffix("\nA\n"))
    #expect(ran.errors.hasPrefix("hw: this race is not added to the history: "), "\(ran.errors)")
    #expect(ran.errors.split(separator: "\n").count == 1)
  }

  /// `demo:` is a service in memory, so its races are not kept either.
  @Test(
    .needs(.libsqlite3),
    arguments: [("--url embedded:", 1), ("--url embedded: --no-history", 0), ("--demo", 0)])
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
        transport, limit: RaceClient.limit, ledgersIn: "/dev/null/none",
        deadline: nil, time: time, report: { _ in })
      let paced = PacedEndpoint(URL(scheme: .https, host: "race.example"), [:], limited)
      return RaceWorker(service: paced, time: time) { address throws(Failure) in
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
    let closed = service.worker(verdict: .failure(address.unsolved)).reply(
      to: .init(number: 4, kind: .solve(address)))
    #expect(throws: address.unsolved) { try closed.result.get() }
    #expect(service.solved == Array(repeating: "https://captcha.example/c", count: 3))
    #expect(service.transport.requests.isEmpty)
  }
}

/// `hw race show` of a file, without a screen.
@Suite(.needs(.libsqlite3)) struct ShowCommandTests {
  private static let file =
    #"{"event":"start","seq":1,"elapsed":0}{"event":"retry","seq":2,"elapsed":1.5,"message":"lost"}"#
    + #"{"event":"error","seq":3,"elapsed":2,"message":"gone"}"#
    + #"{"event":"start","seq":1,"elapsed":0}{"event":"finish","seq":2,"elapsed":4,"winner":"B"}"#

  @Test(arguments: [("- --play --speed 2", [750, 250, 2000]), ("-", [])])
  func playingTakesTheTimeOfEachAttemptAtItsSpeed(line: String, sleeps: [Int]) throws {
    let (home, time) = (try ScratchDirectory(), FakeClock())
    let words = ["race", "show"] + line.split(separator: " ").map(String.init)
    let ran = Ran(
      .only("race", Race.suite), words, environment: ["HOME": home.path], time: time, input: Self.file)
    #expect(ran.status == 0 && ran.lines.last == "4.0 s  winner: B")
    #expect(time.sleeps == sleeps.map { .milliseconds($0) })
  }
}

@Suite struct BeeRecordTests {
  @Test(arguments: [
    (2, 2, "1.00"), (7, 3, "2.33"), (5, 3, "1.67"), (21, 20, "1.05"), (11, 10, "1.10"), (101, 100, "1.01"),
    (199, 100, "1.99"), (9, 1, "9.00"),
  ])
  func theMeanPositionIsInHundredths(positions: Int, races: Int, text: String) throws {
    let record = RaceHistory.Record(
      bee: "A", url: "https://a.example", races: races, positions: positions, lastWin: nil)
    let field = try #require(BeeRecord.fields.first { $0.column.path == "meanPosition" })
    #expect(field.text(of: BeeRecord(record: record, share: 1, time: FakeClock())) == text)
  }
}
