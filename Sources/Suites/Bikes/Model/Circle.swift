struct Circle: Sendable {
  static let defaultMeters = 1000.0

  let place: Place
  let meters: Double
  private let center: Direction
  private let limit: Double

  init(_ place: Place, meters: Double) {
    self.place = place
    self.meters = meters
    center = Direction(place)
    limit = Sphere.chordSquared(meters: meters)
  }

  func contains(_ place: Place) -> Bool { contains(Direction(place)) }
  func contains(_ direction: Direction) -> Bool { direction.chordSquared(to: center) <= limit }

  /// The cells of the grid that meet the circle; nil if they are too many for a search by cells.
  var cells: [ClosedRange<Int>]? { GridCell.ranges(around: center, chord: limit.squareRoot()) }
}
