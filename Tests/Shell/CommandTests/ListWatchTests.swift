import Output
import Synchronization
import System
import TestSupport
import Testing

@testable import Command

/// A watched list without a screen: what its polls print, and what ends it.
@Suite struct ListWatchTests {
  /// What the service has at each poll; the last is repeated.
  private final class Polls: Sendable {
    private let left: Mutex<[Result<[String], Failure>]>

    init(_ results: [Result<[String], Failure>]) { left = Mutex(results) }

    func next() throws(Failure) -> [Sample.Animal] {
      let result = left.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? .success([]) }
      return try result.get().map { Sample.Animal(name: $0, legs: $0.utf8.count) }
    }
  }

  /// Interrupts the sleep after `sleeps` others.
  private func clock(_ sleeps: Int, onSleep: @escaping @Sendable () -> Void = {}) -> FakeClock {
    let left = Mutex(sleeps)
    return FakeClock { _ throws(Failure) in
      onSleep()
      let isOver = left.withLock { left in
        left -= 1
        return left < 0
      }
      if isOver { throw Interruption.failure }
    }
  }

  private func program(_ results: [Result<[String], Failure>]) -> Program {
    let polls = Polls(results)
    let list = Command(
      "list", "List them",
      output: .list(
        Sample.Animal.self, order: "by name", key: "name",
        watch: .init(atLeast: .seconds(2), because: "it is tired")), examples: []
    ) { _, context throws(Failure) in try context.output.write(try polls.next()) }
    return Sample.program(tools: [list])
  }

  private func run(
    _ line: String, _ results: Result<[String], Failure>..., sleeps: Int = 1
  ) -> (ran: Ran, sleeps: [Duration]) {
    let clock = clock(sleeps)
    let words = ["list"] + line.split(separator: " ").map(String.init)
    return (Ran(program(results), words, time: clock), clock.sleeps)
  }

  private func run(
    to output: any ByteSink & Sendable, _ clock: FakeClock, _ results: Result<[String], Failure>...
  ) -> Int32 {
    let words = ["list", "--watch", "2", "--tsv", "--no-header", "--fields", "name"]
    return Ran(program(results), words, time: clock, output: output).status
  }

  @Test func intervalBelowMinimumIsRefused() {
    let (refused, none) = run("--watch 1.999", .success(["cat"]))
    #expect(refused.status == 2 && refused.output == "" && none == [])
    #expect(
      refused.complaint
        == "hw: '--watch' requires a number of seconds from 2 to 86400, not '1.999' | it is tired")
    let (ran, sleeps) = run("--watch 2 --tsv --no-header --fields name", .success(["cat"]))
    #expect(ran.status == 130 && ran.output == "added\tcat\n" && sleeps == [.seconds(2), .seconds(2)])
  }

  private static let formats = "use --jsonl, --csv or --tsv, which print events, or a table"

  @Test(arguments: [
    ("-o json", "--output json", formats), ("-o markdown", "--output markdown", formats),
    ("--csv --output-file x", "--output-file", "redirect standard output"),
  ])
  func watchRefusesWhatNeedsAnEnd(options: String, option: String, hint: String) {
    let (ran, sleeps) = run("--watch 2 \(options)", .success(["cat"]))
    #expect(ran.status == 2 && ran.output == "" && sleeps == [])
    #expect(ran.errors.contains("'--watch' has no end, and '\(option)' needs one"))
    #expect(ran.errors.contains(hint))
  }

  /// With a larger age each poll would repeat the response of the one before.
  @Test(arguments: [("60", 9), ("10", 9), ("9", 9), ("0", 0)])
  func ageOfCachedResponsesIsBelowInterval(age: String, used: Int) {
    let list = Command(
      "list", "List them",
      output: .list(Sample.Animal.self, order: "by name", key: "name", watch: .init(atLeast: .seconds(2))),
      needs: [.network], examples: []
    ) { call, context throws(Failure) in
      try context.output.write([Sample.Animal(name: "age", legs: call[StandardOptions.maxAge] ?? -1)])
    }
    let ran = Ran(
      Sample.program(tools: [list]), ["list", "--watch", "10", "--tsv", "--max-age", age], time: clock(1))
    #expect(ran.output.contains("age\t\(used)"), "\(ran)")
  }

  @Test func failedFirstPollEndsWatch() {
    let (ran, sleeps) = run("--watch 2", .failure(Failure(.connection, "gone")), .success(["cat"]))
    #expect(ran.status == 5 && ran.errors == "hw: gone\n" && ran.output == "" && sleeps == [])
  }

  @Test(arguments: [(.unauthorized, 7), (.usage, 2), (.storage, 10)] as [(Failure.Kind, Int32)])
  func permanentFailureEndsWatch(kind: Failure.Kind, status: Int32) {
    let (ran, sleeps) = run(
      "--watch 2 --tsv --no-header --fields name", .success(["cat"]), .failure(Failure(kind, "no")),
      .success(["cat", "dog"]), sleeps: 5)
    #expect(ran.status == status && ran.output == "added\tcat\n" && ran.errors == "hw: no\n")
    #expect(sleeps == [.seconds(2)])
  }

  @Test func deadlineEndsWatch() {
    let (ran, sleeps) = run(
      "--watch 2 --deadline 5 --tsv --no-header --fields name", .success(["cat"]), .success(["dog"]),
      .failure(Failure(.connection, "gone")), .success(["emu"]), sleeps: 10)
    #expect(ran.status == 5 && ran.output == "added\tcat\nadded\tdog\nremoved\tcat\n", "\(ran.output)")
    #expect(
      ran.errors
        == "hw: gone; showing the last result, next request in 1 s\nhw: deadline of 5 s reached\n    allow more with --deadline\n"
    )
    #expect(sleeps == [.seconds(2), .seconds(2), .seconds(1)])
  }

  @Test(arguments: [("", "hw: later; showing the last result, next request in 2.5 s\n"), ("-q", "")])
  func eventsCompareWithLastSuccessfulPoll(option: String, errors: String) {
    let (ran, sleeps) = run(
      "--watch 2.5 --tsv --fields name \(option)", .success(["cat", "dog"]),
      .failure(Failure(.rateLimited, "later")),
      .success(["dog", "emu"]), .success(["emu"]), sleeps: 3)
    #expect(ran.output == "event\tname\nadded\tcat\nadded\tdog\nadded\temu\nremoved\tcat\nremoved\tdog\n")
    #expect(ran.errors == errors && sleeps.count == 4)
  }

  @Test func tableIsPrintedWhenChanged() {
    let (ran, _) = run(
      "--watch 2 --fields name", .success(["cat"]), .success(["cat"]), .success(["dog"]), .success(["cat"]),
      sleeps: 3)
    #expect(ran.output == "Name\ncat\n\nName\ndog\n\nName\ncat\n")
  }

  private struct Spoken: Row {
    let name: String
    static let fields: Fields<Spoken> = [.text("name", "Name", "what it is called") { $0.name }]
    static let text: (@Sendable (Spoken, Screen?) -> String)? = { row, _ in "I am \(row.name)" }
  }

  /// What is printed at once in sentences is watched as a table.
  @Test func rowsWithATextAreATable() {
    let list = Command(
      "list", "List them",
      output: .list(Spoken.self, order: "by name", key: "name", watch: .init()), examples: []
    ) { _, context throws(Failure) in try context.output.write([Spoken(name: "cat")]) }
    let program = Sample.program(tools: [list])
    #expect(Ran(program, ["list"]).output == "I am cat\n")
    #expect(Ran(program, ["list", "--watch", "60"], time: clock(0)).output == "Name\ncat\n")
  }

  @Test func rowsArePrintedBeforeTheWait() {
    let sink = MemorySink()
    let seen = Mutex<[String]>([])
    let clock = clock(1) { seen.withLock { $0.append(sink.text) } }
    #expect(run(to: sink, clock, .success(["cat"]), .success(["cat", "dog"])) == 130)
    #expect(seen.withLock { $0 } == ["added\tcat\n", "added\tcat\nadded\tdog\n"])
  }

  /// Its reader has gone away.
  private struct LeftPipe: ByteSink, Sendable {
    let inner = MemorySink()

    func write(_ bytes: RawSpan) { inner.write(bytes) }
    func awaitReader() throws(Failure) { throw Failure(.closedPipe, "closed") }
  }

  @Test func closedPipeEndsUnchangedWatch() {
    let (pipe, clock) = (LeftPipe(), clock(5))
    #expect(run(to: pipe, clock, .success(["cat"])) == 141)
    #expect(pipe.inner.text == "added\tcat\n" && clock.sleeps == [.seconds(2)])
  }

  @Test(arguments: ["--watch 2 --explain", "--no-watch", "--watch 2 --no-watch"])
  func withNoWatchItRunsOnce(options: String) {
    let (ran, sleeps) = run("\(options) --fields name", .success(["cat"]), .success(["dog"]))
    #expect(ran.output == "Name\ncat\n" && ran.status == 0 && sleeps == [])
  }
}
