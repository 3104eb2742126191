import System

/// The faults that a server injects (`--fault`), for tests of its clients.
///
///     429:0.1,503:0.05,delay:200ms,drop:0.01,garbage:0.01
///     nodes=429:0.5;race=delay:1s:0.2;503:0.01
///
/// Groups are separated by `;`. A group that names a suite applies to that suite, the group without a name to all
/// others. `STATUS:P` responds with an error and does not call the handler, `drop:P` calls the handler and closes the
/// connection without a response, `garbage:P` responds 200 with a body that is not JSON. These exclude each other, so
/// their probabilities add up to at most 1. `delay:TIME[:P]` is drawn independently and delays only its own
/// connection.
public struct FaultPlan: Sendable {
  private var groups: [Group] = []
  private var random: SplitMix64

  /// The faults of one suite, or of every suite that has no group of its own.
  struct Group: Sendable {
    var suite: String?
    var outcomes: [(Outcome, Double)] = []
    var delays: [(Duration, Double)] = []
  }

  enum Outcome: Equatable, Sendable {
    case status(Int)
    case drop
    case garbage
  }

  struct Draw: Equatable, Sendable {
    var outcome: Outcome?
    var delay = Duration.zero
  }

  init() { random = SplitMix64(seed: 0) }

  var isEmpty: Bool { groups.isEmpty }

  /// Equal seeds and equal requests give equal faults.
  public init(_ spec: String, seed: UInt64, suites: [String]) throws(Failure) {
    random = SplitMix64(seed: seed)
    for text in spec.split(separator: ";") {
      let group = try FaultPlan.group(String(text), suites)
      guard !groups.contains(where: { $0.suite == group.suite }) else {
        throw FaultPlan.malformed(String(text), "two groups for \(group.suite ?? "all suites")")
      }
      groups.append(group)
    }
    guard !groups.isEmpty else { throw FaultPlan.malformed(spec, "it is empty") }
  }

  mutating func draw(_ suite: String?) -> Draw {
    var draw = Draw()
    guard let suite,
      let group = groups.first(where: { $0.suite == suite }) ?? groups.first(where: { $0.suite == nil })
    else { return draw }
    var left = random.fraction()
    for (outcome, chance) in group.outcomes {
      if left < chance {
        draw.outcome = outcome
        break
      }
      left -= chance
    }
    for (delay, chance) in group.delays where random.fraction() < chance { draw.delay += delay }
    return draw
  }

  private static func group(_ text: String, _ suites: [String]) throws(Failure) -> Group {
    var group = Group()
    var items = text[...]
    if let equals = text.firstIndex(of: "=") {
      let suite = String(text[..<equals])
      guard suites.contains(suite) else {
        throw malformed(text, "the suites are \(suites.joined(separator: ", "))")
      }
      group.suite = suite
      items = text[text.index(after: equals)...]
    }
    for item in items.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = item.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
      switch (parts[0], parts.count) {
      case ("delay", 2...3):
        guard let delay = duration(parts[1]) else {
          throw malformed(String(item), "a delay is 200ms or 1.5s")
        }
        group.delays.append((delay, parts.count == 3 ? try chance(parts[2], item) : 1))
      case ("drop", 2): group.outcomes.append((.drop, try chance(parts[1], item)))
      case ("garbage", 2): group.outcomes.append((.garbage, try chance(parts[1], item)))
      case (_, 2):
        guard let status = Int(parts[0]), (400...599).contains(status) else {
          throw malformed(String(item), "a fault is STATUS (400 to 599), delay, drop or garbage")
        }
        group.outcomes.append((.status(status), try chance(parts[1], item)))
      default: throw malformed(String(item), "a fault has a chance: 429:0.1, 429:1 for always")
      }
    }
    guard group.outcomes.reduce(0, { $0 + $1.1 }) <= 1 + 1e-9 else {
      throw malformed(text, "the chances add up to more than 1")
    }
    return group
  }

  private static func chance(_ text: String, _ item: Substring) throws(Failure) -> Double {
    guard let chance = Double(text), (0...1).contains(chance) else {
      throw malformed(String(item), "a chance is a number from 0 to 1")
    }
    return chance
  }

  /// `200ms`, `1.5s`; at most an hour.
  private static func duration(_ text: String) -> Duration? {
    let scale: Double = text.hasSuffix("ms") ? 1 : 1000
    guard text.hasSuffix("s"), let number = Double(text.dropLast(text.hasSuffix("ms") ? 2 : 1)) else {
      return nil
    }
    let milliseconds = number * scale
    guard (0...3_600_000).contains(milliseconds) else { return nil }
    return .microseconds(Int64(milliseconds * 1000))
  }

  private static func malformed(_ text: String, _ rule: String) -> Failure {
    Failure(
      .usage, "malformed fault '\(text)': \(rule)", hint: "for example 429:0.1,delay:200ms or nodes=503:0.5")
  }
}
