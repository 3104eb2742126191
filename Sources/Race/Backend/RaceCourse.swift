import System

/// An invented race, fun to watch: everybody leads at some time, and who wins is open until shortly before the end.
/// Pure: the same seed and number give the same race, instant by instant, on every machine.
struct RaceCourse: Sendable {
  private let runners: [Runner]

  private struct Runner {
    let bee: Bee
    /// How far ahead of the field it is at the finish.
    let strength: Double
    /// How it strays on the way: two waves, in laps, offset and height.
    let waves: [(laps: Double, offset: Double, height: Double)]
  }

  init(seed: UInt64, race number: Int) {
    var random = SplitMix64(seed: seed &* 0x9E37_79B9 &+ UInt64(bitPattern: Int64(number)))
    runners = RaceCourse.bees.map { bee in
      Runner(
        bee: bee, strength: random.fraction(),
        waves: [2.5, 6].map { laps in
          (laps: laps + random.fraction() * 2, offset: random.fraction(), height: 2 / laps.squareRoot())
        })
    }
  }

  /// The bees in their order at that part of the race, 0 to 1; from 1 on the order stands.
  func order(at part: Double) -> [Bee] {
    let part = min(max(part, 0), 1)
    let scored = runners.enumerated().map { index, runner in
      let strayed = runner.waves.reduce(0) { sum, wave in
        sum + wave.height * RaceCourse.wave(part * wave.laps + wave.offset)
      }
      return (score: runner.strength * part + strayed * (1 - part * part), index: index)
    }
    return scored.sorted { ($0.score, $1.index) > ($1.score, $0.index) }.map { runners[$0.index].bee }
  }

  /// A triangle between -1 and 1, one a lap: no libm, so no machine rounds it otherwise.
  private static func wave(_ lap: Double) -> Double {
    let part = lap - lap.rounded(.down)
    return part < 0.5 ? 4 * part - 1 : 3 - 4 * part
  }

  /// The bees that the live service was seen to send.
  static let bees = [
    Bee(name: "BeeGees", color: "#8d62a1"), Bee(name: "BeeWare", color: "#86a162"),
    Bee(name: "BeeM", color: "#d68b6b"), Bee(name: "BeeKeep", color: "#eff7a3"),
    Bee(name: "BeeLow", color: "#bfde64"), Bee(name: "BeeStouri", color: "#183da3"),
    Bee(name: "BeeAman", color: "#8a18a3"), Bee(name: "Beech", color: "#464247"),
    Bee(name: "BeeCome", color: "#6bcad6"),
  ]
}
