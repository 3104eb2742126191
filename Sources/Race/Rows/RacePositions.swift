import System
import Terminal

/// The positions of each bee in the course of a race, as one line of bars for each: the leader has the highest.
struct RacePositions {
  private var standings: [[Bee]] = []

  /// At most so many changes are shown.
  private static let longest = 60
  private static let bars = Array("▁▂▃▄▅▆▇█")

  mutating func add(_ events: [RaceEvent]) {
    for event in events where event.kind == .standings || event.kind == .finish {
      guard let bees = event.bees, bees != standings.last else { continue }
      standings.append(bees)
    }
  }

  /// In the order of the last standings. Empty for a race whose standings did not change.
  var lines: [String] {
    guard standings.count > 1, let last = standings.last else { return [] }
    let shown = standings.suffix(RacePositions.longest)
    let slowest = shown.reduce(1) { max($0, $1.count - 1) }
    let names = last.map { $0.name.terminalSafe.truncated(to: 20) }
    let width = names.map(DisplayWidth.of).max() ?? 0
    return last.enumerated().map { index, bee in
      let line = shown.map { bees -> Character in
        guard let row = bees.firstIndex(of: bee) else { return " " }
        return RacePositions.bars[(slowest - row) * (RacePositions.bars.count - 1) / slowest]
      }
      let name = names[index] + String(repeating: " ", count: width - DisplayWidth.of(names[index]))
      return "\(name)  \(String(line))  \(Rank(number: index + 1).ordinal)"
    }
  }
}
