/// A cube of a grid around the auxiliary sphere, as one integer. Near places are in few cubes, also at the poles and
/// the date line. Cubes above each other have consecutive numbers, so a query is a few ranges.
enum GridCell {
  /// Cubes along half an axis. Each is about 1 550 meters wide.
  private static let half = 4096.0
  private static let bits = 14
  /// The limit for searches by cells. Wider circles search all bikes.
  private static let mostColumns = 2000

  static func number(of direction: Direction) -> Int {
    number(step(direction.x), step(direction.y), step(direction.z))
  }

  /// The ranges of cells that meet a circle; nil if the circle is so wide that a search of all bikes is as good.
  static func ranges(around center: Direction, chord: Double) -> [ClosedRange<Int>]? {
    let rangeOfX = step(center.x - chord)...step(center.x + chord)
    let rangeOfY = step(center.y - chord)...step(center.y + chord)
    guard rangeOfX.count * rangeOfY.count <= mostColumns else { return nil }
    var ranges: [ClosedRange<Int>] = []
    for x in rangeOfX {
      for y in rangeOfY {
        // On the sphere the distances of the column from the axis bound its height. The margin is for rounding.
        let (nearX, farX) = bounds(x)
        let (nearY, farY) = bounds(y)
        let near = nearX * nearX + nearY * nearY
        guard near <= 1.000_001 else { continue }
        let highest = (1.000_001 - near).squareRoot()
        let lowest = max(0, 0.999_999 - farX * farX - farY * farY).squareRoot()
        append(x, y, max(lowest, center.z - chord), min(highest, center.z + chord), to: &ranges)
        append(x, y, max(-highest, center.z - chord), min(-lowest, center.z + chord), to: &ranges)
      }
    }
    return ranges
  }

  private static func append(
    _ x: Int, _ y: Int, _ low: Double, _ high: Double, to ranges: inout [ClosedRange<Int>]
  ) {
    guard low <= high else { return }
    let range = number(x, y, step(low))...number(x, y, step(high))
    // Around the equator the upper and the lower half of a column meet in a cell.
    if let last = ranges.last, last.upperBound >= range.lowerBound, last.lowerBound <= range.upperBound {
      ranges[ranges.count - 1] = range.lowerBound...last.upperBound
    } else {
      ranges.append(range)
    }
  }

  private static func number(_ x: Int, _ y: Int, _ z: Int) -> Int { x << (2 * bits) | y << bits | z }

  private static func step(_ coordinate: Double) -> Int {
    Int(((max(-1, min(1, coordinate)) + 1) * half).rounded(.down))
  }

  /// The smallest and the largest distance of a step from the axis.
  private static func bounds(_ step: Int) -> (near: Double, far: Double) {
    let low = Double(step) / half - 1
    let high = low + 1 / half
    return (max(0, max(low, -high)), max(-low, high))
  }
}
