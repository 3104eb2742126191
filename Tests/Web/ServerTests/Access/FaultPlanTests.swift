import System
import Testing

@testable import Server

/// The faults that are written and the faults that come.
@Suite struct FaultPlanTests {
  private func plan(_ spec: String, seed: UInt64 = 1) throws(Failure) -> FaultPlan {
    try FaultPlan(spec, seed: seed, suites: ["race", "nodes"])
  }

  @Test(arguments: [
    "", ";", "429", "429:", "429:2", "429:-0.1", "429:nan", "200:0.1", "abc:0.1", "drop", "drop:x", "delay:5",
    "delay:-1s", "delay:inf s", "delay:9999999s", "delay:1s:2", "429:0.1:0.2", "429:0.6,503:0.6",
    "bees=429:1",
    "nodes=", "429:0.1,", "nodes=429:0.1;nodes=503:0.1", "429:0.1;503:0.1",
  ])
  func refuses(_ spec: String) {
    #expect { try plan(spec) } throws: { ($0 as? Failure)?.kind == .usage }
  }

  @Test(arguments: [
    ("", "malformed fault '': it is empty"), (";", "malformed fault ';': it is empty"),
    ("429", "malformed fault '429': a fault is written NAME:CHANCE"),
    ("nodes=", "malformed fault '': a fault is written NAME:CHANCE"),
    ("drop:0.1:0.2", "malformed fault 'drop:0.1:0.2': a fault is written NAME:CHANCE"),
    ("delay", "malformed fault 'delay': a fault is written NAME:CHANCE"),
    ("delay:1s:1:1", "malformed fault 'delay:1s:1:1': a fault is written NAME:CHANCE"),
    ("429:2", "malformed fault '429:2': a chance is a number from 0 to 1"),
    ("garbage:-0.1", "malformed fault 'garbage:-0.1': a chance is a number from 0 to 1"),
    ("delay:1s:2", "malformed fault 'delay:1s:2': a chance is a number from 0 to 1"),
    ("399:0.1", "malformed fault '399:0.1': a fault is STATUS (400 to 599), delay, drop or garbage"),
    ("600:0.1", "malformed fault '600:0.1': a fault is STATUS (400 to 599), delay, drop or garbage"),
    ("delay:5", "malformed fault 'delay:5': a delay is 200ms or 1.5s"),
    ("delay:s", "malformed fault 'delay:s': a delay is 200ms or 1.5s"),
    ("delay:3600001ms", "malformed fault 'delay:3600001ms': a delay is 200ms or 1.5s"),
    ("429:1,delay:-1ms", "malformed fault 'delay:-1ms': a delay is 200ms or 1.5s"),
    (
      "nodes=429:0.6,503:0.400001",
      "malformed fault 'nodes=429:0.6,503:0.400001': the chances add up to more than 1"
    ),
    ("bees=429:1", "malformed fault 'bees=429:1': the suites are race, nodes"),
    ("nodes=drop:1;nodes=503:0.1", "malformed fault 'nodes=503:0.1': two groups for nodes"),
    ("429:0.1;503:0.1", "malformed fault '503:0.1': two groups for all suites"),
  ])
  func saysWhatIsWrong(_ spec: String, _ message: String) {
    let hint = "for example 429:0.1,delay:200ms or nodes=503:0.5"
    #expect(throws: Failure(.usage, message, hint: hint)) { try plan(spec) }
  }

  /// Without chance: what is certain, and what is impossible.
  @Test(
    arguments: [
      ("400:1", .init(outcome: .status(400))), ("599:1", .init(outcome: .status(599))),
      ("429:0", .init()), ("429:0,503:1,drop:0", .init(outcome: .status(503))),
      ("drop:1,garbage:0", .init(outcome: .drop)), ("garbage:1", .init(outcome: .garbage)),
      ("delay:1s,delay:500ms", .init(delay: .milliseconds(1500))), ("delay:1s:0", .init()),
      ("delay:1s:0,delay:0.5ms:1", .init(delay: .microseconds(500))),
      ("delay:3600s", .init(delay: .seconds(3600))), ("delay:0s", .init()),
      ("drop:1,delay:2s:1", .init(outcome: .drop, delay: .seconds(2))),
      ("429:1;race=503:1", .init(outcome: .status(503))), ("nodes=429:1", .init()),
      ("race=drop:1;429:1;", .init(outcome: .drop)),
    ] as [(String, FaultPlan.Draw)])
  func draws(_ spec: String, _ draw: FaultPlan.Draw) throws {
    var plan = try plan(spec)
    #expect(!plan.isEmpty)
    for _ in 0..<20 { #expect(plan.draw("race") == draw) }
    #expect(plan.draw(nil) == FaultPlan.Draw())
  }

  @Test func chancesThatAddUpToOneAfterRoundingAreTaken() throws {
    // As numbers of a machine, they are a little more than 1.
    var plan = try plan("400:0.33,401:0.56,402:0.11")
    for _ in 0..<1000 { #expect(plan.draw("nodes").outcome != nil) }
  }

  @Test func noPlanHasNoFaults() {
    var none = FaultPlan.none
    #expect(none.isEmpty && none.draw("race") == FaultPlan.Draw())
  }

  @Test func chancesAreKept() throws {
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

  @Test func theSameSeedMeetsTheSameFaults() throws {
    var (a, b, c) = (try plan("429:0.5"), try plan("429:0.5"), try plan("429:0.5", seed: 2))
    let draws = (0..<64).map { _ in (a.draw("race"), b.draw("race"), c.draw("race")) }
    #expect(draws.allSatisfy { $0.0 == $0.1 })
    #expect(draws.contains { $0.0 != $0.2 })
  }

  @Test func aGroupWithANameIsForThatSuiteAlone() throws {
    var plan = try plan("nodes=429:1;delay:1.5s")
    #expect(plan.draw("nodes") == FaultPlan.Draw(outcome: .status(429)))
    #expect(plan.draw("race") == FaultPlan.Draw(delay: .milliseconds(1500)))
    #expect(plan.draw(nil) == FaultPlan.Draw())
    var one = try self.plan("nodes=drop:1")
    #expect(one.draw("race") == FaultPlan.Draw())
  }
}
