import System

/// A generated race. In each duel one bee may overtake the next, stronger ones more often. The winner leads in the last
/// seventh of the race. Equal seeds and numbers give equal races on every machine.
struct RaceCourse: Sendable {
  private let random: SplitMix64

  private static let duels = 90
  private static let lastForTheLead = 77

  init(seed: UInt64, race number: Int) {
    random = SplitMix64(seed: seed &* 0x9E37_79B9 &+ UInt64(bitPattern: Int64(number)))
  }

  /// The order at a part of the race from 0 to 1.
  func order(at part: Double) -> [Bee] {
    var random = random
    var order = RaceCourse.bees.map { (bee: $0, strength: random.fraction()) }
    for index in order.indices.dropFirst().reversed() { order.swapAt(index, random.next(below: index + 1)) }
    for duel in 0..<Int(min(max(part, 0), 1) * Double(RaceCourse.duels)) {
      let place = random.next(below: order.count - 1)
      let isStronger = order[place + 1].strength > order[place].strength
      let overtakes = random.fraction() < (isStronger ? 0.7 : 0.3)
      if overtakes, place > 0 || duel < RaceCourse.lastForTheLead { order.swapAt(place, place + 1) }
    }
    return order.map(\.bee)
  }

  static let bees = [
    Bee(name: "BeeGees", color: "#8d62a1"), Bee(name: "BeeWare", color: "#86a162"),
    Bee(name: "BeeM", color: "#d68b6b"), Bee(name: "BeeKeep", color: "#eff7a3"),
    Bee(name: "BeeLow", color: "#bfde64"), Bee(name: "BeeStouri", color: "#183da3"),
    Bee(name: "BeeAman", color: "#8a18a3"), Bee(name: "Beech", color: "#464247"),
    Bee(name: "BeeCome", color: "#6bcad6"),
  ]
}
