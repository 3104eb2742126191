import System

/// A direction from the centre of the auxiliary sphere: a place by its reduced latitude. Distances are those between
/// such directions, so there is no pole and no date line to mind.
///
/// On the ellipsoid a step is sqrt((a² sin²β + b² cos²β) dβ² + a² cos²β dλ²); on a sphere of radius (a + b) / 2 the
/// same step differs by half of a - b at most. So every path, and the shortest too, is right within 0.17 %.
struct Direction: Equatable, Sendable {
  let x: Double
  let y: Double
  let z: Double

  init(_ place: Place) {
    let latitude = place.latitude * .pi / 180
    let longitude = place.longitude * .pi / 180
    // The reduced latitude is that of (a cos φ, b sin φ), brought to length 1.
    let across = Sphere.equatorial * Angle.cosine(latitude)
    let up = Sphere.polar * Angle.sine(latitude)
    let length = (across * across + up * up).squareRoot()
    x = across / length * Angle.cosine(longitude)
    y = across / length * Angle.sine(longitude)
    z = up / length
  }

  /// How far it is from the axis: the cosine of the reduced latitude, as `z` is its sine.
  fileprivate var across: Double { (x * x + y * y).squareRoot() }

  /// The square of the straight line between the two: cheap, and it grows as the distance does.
  func chordSquared(to other: Direction) -> Double {
    let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
    return dx * dx + dy * dy + dz * dz
  }
}

/// The sphere that stands for WGS 84.
enum Sphere {
  static let equatorial = 6_378_137.0
  static let polar = 6_356_752.314_245
  static let radius = (equatorial + polar) / 2
  /// Nothing is farther.
  static let half = radius * .pi

  /// The square of the chord that spans so many metres.
  static func chordSquared(metres: Double) -> Double {
    // More than 4, which a rounded chord between two opposite places may exceed.
    guard metres < half else { return .infinity }
    let chord = 2 * Angle.sine(max(0, metres) / radius / 2)
    return chord * chord
  }

  static func metres(chordSquared: Double) -> Double {
    2 * radius * Angle.arcsine(min(1, chordSquared.squareRoot() / 2))
  }
}

extension Place {
  /// Metres along the ellipsoid, within 0.17 %.
  func distance(to other: Place) -> Double {
    Sphere.metres(chordSquared: Direction(self).chordSquared(to: Direction(other)))
  }

  /// A longitude from -180 up to 180, whatever turns it has behind it.
  static func wrapped(_ longitude: Double) -> Double {
    longitude.remainder(dividingBy: 360)
  }
}

/// The map around a place: every other lies in its true direction, at its true distance.
extension Place {
  /// How far another place is to the east and the north, in metres.
  func offset(to other: Place) -> (east: Double, north: Double) {
    let (here, there) = (Direction(self), Direction(other))
    let turn = (other.longitude - longitude) * .pi / 180
    let east = there.across * Angle.sine(turn)
    let north = here.across * there.z - here.z * there.across * Angle.cosine(turn)
    let length = (east * east + north * north).squareRoot()
    let metres = Sphere.metres(chordSquared: here.chordSquared(to: there))
    // Here itself, and what is right opposite, lie in no direction.
    guard length > 0 else { return (0, metres) }
    return (east / length * metres, north / length * metres)
  }

  /// The place so many metres to the north and the east. At a pole every way is south, and the longitude says which of
  /// them is called north.
  func moved(north: Double, east: Double) -> Place {
    let metres = (north * north + east * east).squareRoot()
    guard metres > 0 else { return self }
    let (here, angle) = (Direction(self), metres / Sphere.radius)
    let (ahead, aside) = (Angle.cosine(angle), Angle.sine(angle) / metres)
    let up = here.z * ahead + here.across * aside * north
    let out = here.across * ahead - here.z * aside * north
    let right = aside * east
    let across = (out * out + right * right).squareRoot()
    let latitude = Angle.arctangent(Sphere.equatorial * up, Sphere.polar * across) * 180 / .pi
    let turn = Angle.arctangent(right, out) * 180 / .pi
    return Place(latitude: latitude, longitude: Place.wrapped(longitude + turn)) ?? self
  }
}

/// A part of the Earth: every place within so many metres of one.
struct Circle: Sendable {
  /// The radius where none is given.
  static let usualMetres = 1000.0

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
  var cells: [ClosedRange<Int>]? { GridCell.ranges(around: centre, chord: limit.squareRoot()) }
}
