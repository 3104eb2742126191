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
