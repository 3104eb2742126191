/// A part of the Earth: every place within so many metres of one.
struct Circle: Sendable {
  let place: Place
  let metres: Double
  private let centre: Direction
  private let limit: Double

  init(_ place: Place, metres: Double) {
    self.place = place
    self.metres = metres
    centre = Direction(place)
    limit = Sphere.chordSquared(metres: metres)
  }

  func contains(_ place: Place) -> Bool { contains(Direction(place)) }
  func contains(_ direction: Direction) -> Bool { direction.chordSquared(to: centre) <= limit }

  /// The cells that a place within it can be in; nil for all of them.
  var cells: [ClosedRange<Int>]? { Cell.ranges(around: centre, chord: limit.squareRoot()) }
}
