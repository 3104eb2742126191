import System

/// An invented race that is fun to watch: the lead changes often, and the winner is open until shortly before the end.
/// The same seed and number give the same race on every machine.
struct RaceCourse: Sendable {
  private let runners: [Contestant]

  private struct Contestant {
    let bee: Bee
    /// The score at the finish.
    let strength: Double
    /// Two waves that are added to the score before the finish.
    let waves: [(laps: Double, offset: Double, height: Double)]
  }

  init(seed: UInt64, race number: Int) {
    var random = SplitMix64(seed: seed &* 0x9E37_79B9 &+ UInt64(bitPattern: Int64(number)))
    runners = RaceCourse.bees.map { bee in
      Contestant(
        bee: bee, strength: random.fraction(),
        waves: [2.5, 6].map { laps in
          (laps: laps + random.fraction() * 2, offset: random.fraction(), height: 2 / laps.squareRoot())
        })
    }
  }

  /// The order of the bees at that part of the race, 0 to 1; it does not change after 1.
  func order(at part: Double) -> [Bee] {
    let part = min(max(part, 0), 1)
    let scored = runners.enumerated().map { index, runner in
      let deviation = runner.waves.reduce(0) { sum, wave in
        sum + wave.height * RaceCourse.wave(part * wave.laps + wave.offset)
      }
      return (score: runner.strength * part + deviation * (1 - part * part), index: index)
    }
    return scored.sorted { ($0.score, $1.index) > ($1.score, $0.index) }.map { runners[$0.index].bee }
  }

  /// A triangle wave between -1 and 1, one period per lap. Without libm it is rounded alike on every machine.
  private static func wave(_ lap: Double) -> Double {
    let part = lap - lap.rounded(.down)
    return part < 0.5 ? 4 * part - 1 : 3 - 4 * part
  }

  /// The bees of the live service.
  static let bees = [
    Bee(name: "BeeGees", color: "#8d62a1"), Bee(name: "BeeWare", color: "#86a162"),
    Bee(name: "BeeM", color: "#d68b6b"), Bee(name: "BeeKeep", color: "#eff7a3"),
    Bee(name: "BeeLow", color: "#bfde64"), Bee(name: "BeeStouri", color: "#183da3"),
    Bee(name: "BeeAman", color: "#8a18a3"), Bee(name: "Beech", color: "#464247"),
    Bee(name: "BeeCome", color: "#6bcad6"),
  ]
}
