import Command
import HTTP

extension PacedEndpoint.Budget {
  /// Whether other clients have used a third of the limit.
  func isScarce(_ limit: RateLimit) -> Bool { left * 3 <= limit.count * 2 }
}

/// The polling schedule of a race: sorted instants since its start, the last one at the finish.
///
/// Polls are as frequent as the remaining calls allow, with a margin of a fifth for other clients. Too few calls are
/// spread until the limit is renewed. A call is always reserved for the finish, which decides the winner.
struct RacePlan: Equatable, Sendable {
  let instants: [Duration]

  /// A quarter longer than the limit requires: 2.5 s at 30 calls per minute.
  static func interval(_ limit: RateLimit) -> Duration { limit.spacing * 5 / 4 }
  private static let shortestInterval = Duration.seconds(1)

  /// Leaves a fifth of the calls of each window: a short race can use in seconds what a long one needs for a minute.
  private static func interval(
    _ limit: RateLimit, length: Duration, budget: PacedEndpoint.Budget
  ) -> Duration {
    let usual = interval(limit)
    // Both divide below. If `laterShare` is above zero and calls are not scarce, `share` is above zero, too.
    let (share, laterShare) = (budget.left * 4 / 5, limit.count * 4 / 5)
    guard laterShare > 0, !budget.isScarce(limit) else { return usual }
    let first = min(length, max(.zero, budget.renewal))
    return min(usual, max(shortestInterval, first / share, (length - first) / laterShare))
  }

  init(length: Duration, limit: RateLimit = RaceClient.limit, budget: PacedEndpoint.Budget? = nil) {
    let interval =
      budget.map { RacePlan.interval(limit, length: length, budget: $0) } ?? RacePlan.interval(limit)
    let all = RacePlan.even(from: .zero, to: length, interval)
    guard let budget, all.count(where: { $0 < budget.renewal }) > budget.left else {
      instants = all
      return
    }
    if length < budget.renewal {
      instants = RacePlan.spread(budget.left - 1, over: length) + [length]
    } else if length - budget.renewal < interval {
      instants = RacePlan.spread(budget.left, over: budget.renewal) + [length]
    } else {
      instants =
        RacePlan.spread(budget.left, over: budget.renewal)
        + RacePlan.even(from: budget.renewal, to: length, interval)
    }
  }

  /// `next 11 polls: now, then every 2.6 s until the finish in 26.0 s`, for `-v`; nil after the finish.
  var summary: String? {
    guard let first = instants.first, let last = instants.last, last > .zero else { return nil }
    guard instants.count > 1 else { return "next poll: at the finish in \(last.tenths)" }
    let gaps = zip(instants.dropFirst(), instants).map { $0 - $1 }.sorted()
    let (shortest, longest) = (gaps[0].tenths, gaps[gaps.count - 1].tenths)
    let every = shortest == longest ? shortest : "\(shortest) to \(longest)"
    let start = first == .zero ? "now" : "in \(first.tenths)"
    return "next \(instants.count) polls: \(start), then every \(every) until the finish in \(last.tenths)"
  }

  /// The schedule for `--explain`, when the length of the race is unknown.
  static var outline: String {
    let usual = RacePlan.interval(RaceClient.limit).tenths
    return "GET /bees/race/status every \(usual), in a short race more often, the last at the finish"
  }

  func next(after elapsed: Duration) -> Duration? { instants.first { $0 > elapsed } }

  /// Whether more calls are planned until the renewal than are left.
  func exceeds(_ budget: PacedEndpoint.Budget, at elapsed: Duration) -> Bool {
    instants.count { $0 > elapsed && $0 < elapsed + budget.renewal } > budget.left
  }

  /// Both ends, and as many instants between them as fit at this interval.
  private static func even(from start: Duration, to end: Duration, _ interval: Duration) -> [Duration] {
    let length = end - start
    let count = max(1, Int(length / interval))
    return (0...count).map { start + length * $0 / count }
  }

  /// Returns `count` evenly spaced instants from zero on, before `length`.
  private static func spread(_ count: Int, over length: Duration) -> [Duration] {
    (0..<max(0, count)).map { length * $0 / count }
  }
}
