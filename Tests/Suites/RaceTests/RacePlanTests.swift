import Command
import HTTP
import System
import Testing

@testable import Race

@Suite struct Plans {
  typealias Budget = PacedEndpoint.Budget

  private static func plan(_ seconds: Int, left: Int? = nil, renewal: Int = 60) -> [Double] {
    RacePlan(
      length: .seconds(seconds),
      budget: left.map { Budget(left: $0, renewal: .seconds(renewal)) }
    ).instants.map(\.seconds)
  }

  @Test func aLongRaceIsTheSameThroughout() {
    let plan = Plans.plan(7200)
    #expect(plan.count == 2881)
    #expect(plan.first == 0)
    #expect(plan.last == 7200)
    #expect(zip(plan, plan.dropFirst()).allSatisfy { $1 - $0 == 2.5 })
  }

  @Test(
    arguments: [
      // As often as the limit allows, with a margin, evenly and at the finish.
      (1, nil, 60, [0, 1]), (2, nil, 60, [0, 2]), (5, nil, 60, [0, 2.5, 5]),
      (10, nil, 60, [0, 2.5, 5, 7.5, 10]),
      (26, nil, 60, [0, 2.6, 5.2, 7.8, 10.4, 13, 15.6, 18.2, 20.8, 23.4, 26]),
      // A short budget is spread, and one call of it is the finish's.
      (26, 11, 60, [0, 2.6, 5.2, 7.8, 10.4, 13, 15.6, 18.2, 20.8, 23.4, 26]),
      (26, 5, 60, [0, 6.5, 13, 19.5, 26]), (26, 2, 60, [0, 26]), (26, 1, 60, [26]), (26, 0, 60, [26]),
      (26, -3, 60, [26]),
      // As many as are left before they come back.
      (26, 4, 10, [0, 2.6, 5.2, 7.8, 10.4, 13, 15.6, 18.2, 20.8, 23.4, 26]),
      // The calls come back before the finish.
      (26, 0, 10, [10, 12.666, 15.333, 18, 20.666, 23.333, 26]),
      (26, 2, 12, [0, 6, 12, 14.8, 17.6, 20.4, 23.2, 26]),
      // They come back so late that only the finish is left.
      (26, 2, 25, [0, 12.5, 26]), (26, 0, 26, [26]), (26, 2, 26, [0, 13, 26]),
      // A short race uses what is left of the minute, and leaves a fifth of it.
      (4, 28, 60, [0, 1, 2, 3, 4]), (1, 28, 60, [0, 1]), (6, 5, 60, [0, 3, 6]),
      (10, 28, 1, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
    ] as [(Int, Int?, Int, [Double])])
  func pollsArePlannedByLengthAndBudget(seconds: Int, left: Int?, renewal: Int, instants: [Double]) {
    #expect(Plans.plan(seconds, left: left, renewal: renewal) == instants)
  }

  @Test func theCallsBeforeAndAfterTheRenewalDecideTheIntervalOfAShortRace() {
    // 20 calls in 30 seconds.
    #expect(Plans.plan(30, left: 25) == (0...20).map { Double($0) * 1.5 })
    // 24 calls in the 30 seconds after the renewal.
    #expect(Plans.plan(35, left: 28, renewal: 5) == (0...28).map { Double($0) * 1.25 })
  }

  @Test(arguments: [30, 60, 61, 90, 200, 3600])
  func longRaceIsPolledEvenly(seconds: Int) {
    for renewal in [1, 20, 40, 60] {
      let plan = Plans.plan(seconds, left: 28, renewal: renewal)
      let gaps = zip(plan, plan.dropFirst()).map { $1 - $0 }
      #expect((gaps.max() ?? 0) - (gaps.min() ?? 0) < 0.002)
      #expect((gaps.max() ?? 9) < 2.6)
      #expect(plan.count { $0 < Double(renewal) } <= 28)
      for start in stride(from: Double(renewal), to: Double(seconds), by: 60) {
        #expect(plan.count { $0 >= start && $0 < start + 60 } <= 25)
      }
    }
  }

  @Test(
    "Whatever the budget: in order, no burst, never more than is left before there is more",
    arguments: 0..<200)
  func laws(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let length = Duration.milliseconds(Int64.random(in: 1000...400_000, using: &random))
    let budget = Budget(
      left: Int.random(in: 0...30, using: &random),
      renewal: .milliseconds(Int64.random(in: 0...62_000, using: &random)))
    let plan = RacePlan(length: length, budget: budget).instants
    #expect(plan.last == length)
    #expect(zip(plan, plan.dropFirst()).allSatisfy { $1 - $0 >= min(.milliseconds(999), length) })
    let early = plan.count { $0 < budget.renewal }
    #expect(early <= max(1, budget.left))
  }

  @Test func aLimitOfOneCallHasNoFifthToLeave() {
    let plan = RacePlan(
      length: .seconds(200), limit: .fixed(1, per: .seconds(60)),
      budget: Budget(left: 1, renewal: .seconds(60)))
    #expect(plan.instants == [.zero, .seconds(100), .seconds(200)])
  }

  @Test(
    arguments: [
      (26, nil, 60, "next 11 polls: now, then every 2.6 s until the finish in 26.0 s"),
      (26, 5, 60, "next 5 polls: now, then every 6.5 s until the finish in 26.0 s"),
      (26, 2, 12, "next 8 polls: now, then every 2.8 s to 6.0 s until the finish in 26.0 s"),
      (26, 0, 10, "next 7 polls: in 10.0 s, then every 2.7 s until the finish in 26.0 s"),
      (26, 1, 60, "next poll: at the finish in 26.0 s"), (0, nil, 60, nil),
    ] as [(Int, Int?, Int, String?)])
  func summary(seconds: Int, left: Int?, renewal: Int, text: String?) {
    let budget = left.map { Budget(left: $0, renewal: .seconds(renewal)) }
    #expect(RacePlan(length: .seconds(seconds), budget: budget).summary == text)
  }

  @Test func nextIsTheFirstOneAfter() {
    let plan = RacePlan(length: .seconds(10))
    #expect(plan.next(after: .zero) == .milliseconds(2500))
    #expect(plan.next(after: .milliseconds(2499)) == .milliseconds(2500))
    #expect(plan.next(after: .milliseconds(-1)) == .zero)
    #expect(plan.next(after: .seconds(10)) == nil)
  }

  /// A race of ten seconds is polled at 2.5, 5, 7.5 and 10.
  @Test(
    "Polls after the instant and before the renewal count",
    arguments: [
      (0, 4, 60_000, false), (0, 3, 60_000, true), (0, 3, 10_000, false), (0, 2, 10_000, true),
      (2_500, 3, 60_000, false), (2_500, 2, 60_000, true), (2_499, 3, 60_000, true),
      (10_000, 0, 60_000, false),
    ])
  func exceeds(elapsed: Int, left: Int, renewal: Int, isExceeded: Bool) {
    let plan = RacePlan(length: .seconds(10))
    let budget = Budget(left: left, renewal: .milliseconds(renewal))
    #expect(plan.exceeds(budget, at: .milliseconds(elapsed)) == isExceeded)
  }
}
