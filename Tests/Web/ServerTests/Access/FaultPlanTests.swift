import System
import TestSupport
import Testing

@testable import Server

/// The faults that are written and the faults that come.
@Suite struct FaultPlanTests {
  private func plan(_ spec: String, seed: UInt64 = 1) throws(Failure) -> FaultPlan {
    try FaultPlan(spec, seed: seed, suites: ["race", "nodes"])
  }

  /// Each line `> PLAN` is malformed; the next one says what is wrong.
  @Test func problemsAreAsRecorded() throws {
    var text = ""
    for line in RecordedText.text("fault-plans.txt").split(separator: "\n") where line.hasPrefix(">") {
      let found = failure { try plan(String(line.dropFirst(2))) }
      text += "\(line)\n\(found?.described ?? "accepted")\n"
    }
    try RecordedText.hold("fault-plans.txt", to: text)
  }

  /// Without chance: what is certain, and what is impossible.
  @Test(
    arguments: [
      ("400:1", .init(outcome: .status(400))), ("599:1", .init(outcome: .status(599))), ("429:0", .init()),
      ("429:0,503:1,drop:0", .init(outcome: .status(503))), ("drop:1,garbage:0", .init(outcome: .drop)),
      ("garbage:1", .init(outcome: .garbage)), ("delay:1s,delay:500ms", .init(delay: .milliseconds(1500))),
      ("delay:1s:0", .init()), ("delay:1s:0,delay:0.5ms:1", .init(delay: .microseconds(500))),
      ("delay:3600s", .init(delay: .seconds(3600))), ("delay:0s", .init()),
      ("drop:1,delay:2s:1", .init(outcome: .drop, delay: .seconds(2))),
      ("429:1;race=503:1", .init(outcome: .status(503))), ("nodes=429:1", .init()),
      ("nodes=429:1;delay:1.5s", .init(delay: .milliseconds(1500))),
      ("race=drop:1;429:1;", .init(outcome: .drop)),
    ] as [(String, FaultPlan.Draw)])
  func certainAndImpossibleFaultsAreDrawnAsWritten(_ spec: String, _ draw: FaultPlan.Draw) throws {
    var plan = try plan(spec)
    #expect(!plan.isEmpty)
    for _ in 0..<20 { #expect(plan.draw("race") == draw) }
    #expect(plan.draw(nil) == FaultPlan.Draw())
  }

  @Test func chancesThatAddUpToOneAfterRoundingAreAccepted() throws {
    // As numbers of a machine, they are a little more than 1.
    var plan = try plan("400:0.33,401:0.56,402:0.11")
    for _ in 0..<1000 { #expect(plan.draw("nodes").outcome != nil) }
  }

  @Test func drawnSharesMatchChances() throws {
    var plan = try plan("429:0.1,503:0.05,drop:0.01,garbage:0.01,delay:200ms:0.5")
    let draws = (0..<100_000).map { _ in plan.draw("race") }
    func share(_ isMeant: (FaultPlan.Draw) -> Bool) -> Double {
      Double(draws.count(where: isMeant)) / 100_000
    }
    #expect(abs(share { $0.outcome == .status(429) } - 0.1) < 0.01)
    #expect(abs(share { $0.outcome == .status(503) } - 0.05) < 0.01)
    #expect(abs(share { $0.outcome == .drop } - 0.01) < 0.003)
    #expect(abs(share { $0.outcome == nil } - 0.83) < 0.01)
    #expect(abs(share { $0.delay == .milliseconds(200) } - 0.5) < 0.01)
  }

  @Test func sameSeedDrawsSameFaults() throws {
    var (a, b, c) = (try plan("429:0.5"), try plan("429:0.5"), try plan("429:0.5", seed: 2))
    let draws = (0..<64).map { _ in (a.draw("race"), b.draw("race"), c.draw("race")) }
    #expect(draws.allSatisfy { $0.0 == $0.1 })
    #expect(draws.contains { $0.0 != $0.2 })
  }
}
