import Output
import Synchronization
import System
import TestSupport
import Testing

@testable import Command

/// A watched list without a screen: what its polls print, and what ends it.
@Suite struct ListWatches {
  /// What the service has at each poll; the last is repeated.
  private final class Polls: Sendable {
    private let left: Mutex<[Result<[String], Failure>]>

    init(_ results: [Result<[String], Failure>]) { left = Mutex(results) }

    func next() throws(Failure) -> [Sample.Animal] {
      let result = left.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? .success([]) }
      return try result.get().map { Sample.Animal(name: $0, legs: $0.utf8.count) }
    }
  }

  /// The clock interrupts the sleep after `sleeps` others.
  private func run(
    _ line: String, _ results: Result<[String], Failure>..., sleeps: Int = 1
  ) -> (ran: Ran, sleeps: [Duration]) {
    let polls = Polls(results)
    let left = Mutex(sleeps)
    let clock = FakeClock { _ throws(Failure) in
      let isOver = left.withLock { left in
        left -= 1
        return left < 0
      }
      if isOver { throw Interruption.failure }
    }
    let list = Command(
      "list", "List them",
      output: .list(
        Sample.Animal.self, order: "by name", key: "name",
        watch: .init(atLeast: .seconds(2), because: "it is tired")),
      examples: []
    ) { _, context throws(Failure) in try context.output.write(try polls.next()) }
    let program = Program("sample", version: "1", "Test", suites: [], tools: Suite("", "", commands: [list]))
    let ran = Ran(program, ["list"] + line.split(separator: " ").map(String.init), time: clock)
    return (ran, clock.sleeps)
  }

  @Test func theShortestIntervalIsAllowed() {
    let (refused, none) = run("--watch 1.999", .success(["cat"]))
    #expect(refused.status == 2 && refused.output == "" && none == [])
    #expect(refused.complaint == "hw: '--watch' requires 2 s or more | it is tired")
    let (ran, sleeps) = run("--watch 2 --tsv --no-header --fields name", .success(["cat"]))
    #expect(ran.status == 130 && ran.output == "added\tcat\n" && sleeps == [.seconds(2), .seconds(2)])
  }

  @Test(arguments: ["json", "markdown"]) func whatNeedsAnEndHasNone(format: String) {
    let (ran, sleeps) = run("--watch 2 -o \(format)", .success(["cat"]))
    #expect(ran.status == 2 && ran.output == "" && sleeps == [])
    #expect(ran.errors.contains("'--watch' has no end, and '--output \(format)' needs one"))
    #expect(ran.errors.contains("use --jsonl, --csv or --tsv, which print events, or a table"))
  }

  @Test func theFirstPollHasToSucceed() {
    let (ran, sleeps) = run("--watch 2", .failure(Failure(.connection, "gone")), .success(["cat"]))
    #expect(ran.status == 5 && ran.errors == "hw: gone\n" && ran.output == "" && sleeps == [])
  }

  @Test(
    arguments: [(.unauthorized, 7), (.usage, 2), (.storage, 10)] as [(Failure.Kind, Int32)])
  func aLaterFailureThatStaysEndsIt(kind: Failure.Kind, status: Int32) {
    let (ran, sleeps) = run(
      "--watch 2 --tsv --no-header --fields name", .success(["cat"]), .failure(Failure(kind, "no")),
      .success(["cat", "dog"]), sleeps: 5)
    #expect(ran.status == status && ran.output == "added\tcat\n" && ran.errors == "hw: no\n")
    #expect(sleeps == [.seconds(2)])
  }

  @Test func eventsAreThoseSinceTheLastGoodPoll() {
    let (ran, sleeps) = run(
      "--watch 2.5 --tsv --fields name", .success(["cat", "dog"]), .failure(Failure(.rateLimited, "later")),
      .success(["dog", "emu"]), .success(["emu"]), sleeps: 3)
    #expect(
      ran.output == "event\tname\nadded\tcat\nadded\tdog\nadded\temu\nremoved\tcat\nremoved\tdog\n")
    #expect(ran.errors == "hw: later; showing the last result, next request in 2.5 s\n")
    #expect(sleeps.count == 4)
  }

  @Test func aTableIsPrintedAgainWhenItIsAnother() {
    let (ran, _) = run(
      "--watch 2 --fields name", .success(["cat"]), .success(["cat"]), .success(["dog"]), .success(["cat"]),
      sleeps: 3)
    #expect(ran.output == "Name\ncat\n\nName\ndog\n\nName\ncat\n")
  }
}
