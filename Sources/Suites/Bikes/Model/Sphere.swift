import System

/// A direction from the center of the auxiliary sphere: a place by its reduced latitude. Distances are those between
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
    let across = Sphere.equatorial * cos(latitude)
    let up = Sphere.polar * sin(latitude)
    let length = (across * across + up * up).squareRoot()
    x = across / length * cos(longitude)
    y = across / length * sin(longitude)
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

  /// A distance as people read it: `350 m`, `1.2 km`.
  static func text(_ meters: Int) -> String {
    meters < 1000 ? "\(meters) m" : "\((Double(meters) / 1000).fixed(1)) km"
  }

  /// The square of the chord that spans so many meters.
  static func chordSquared(meters: Double) -> Double {
    // More than 4, which a rounded chord between two opposite places may exceed.
    guard meters < half else { return .infinity }
    let chord = 2 * sin(max(0, meters) / radius / 2)
    return chord * chord
  }

  static func meters(chordSquared: Double) -> Double {
    2 * radius * asin(min(1, chordSquared.squareRoot() / 2))
  }
}

extension Place {
  /// Meters along the ellipsoid, within 0.17 %.
  func distance(to other: Place) -> Double {
    Sphere.meters(chordSquared: Direction(self).chordSquared(to: Direction(other)))
  }

  /// A longitude from -180 up to 180, whatever turns it has behind it.
  static func wrapped(_ longitude: Double) -> Double {
    longitude.remainder(dividingBy: 360)
  }
}

/// The map around a place: every other lies in its true direction, at its true distance.
extension Place {
  /// How far another place is to the east and the north, in meters.
  func offset(to other: Place) -> (east: Double, north: Double) {
    let (here, there) = (Direction(self), Direction(other))
    let turn = (other.longitude - longitude) * .pi / 180
    let east = there.across * sin(turn)
    let north = here.across * there.z - here.z * there.across * cos(turn)
    let length = (east * east + north * north).squareRoot()
    let meters = Sphere.meters(chordSquared: here.chordSquared(to: there))
    // Here itself, and what is right opposite, lie in no direction.
    guard length > 0 else { return (0, meters) }
    return (east / length * meters, north / length * meters)
  }

  /// The place so many meters to the north and the east. At a pole every way is south, and the longitude says which of
  /// them is called north.
  func moved(north: Double, east: Double) -> Place {
    let meters = (north * north + east * east).squareRoot()
    guard meters > 0 else { return self }
    let (here, angle) = (Direction(self), meters / Sphere.radius)
    let (ahead, aside) = (cos(angle), sin(angle) / meters)
    let up = here.z * ahead + here.across * aside * north
    let out = here.across * ahead - here.z * aside * north
    let right = aside * east
    let across = (out * out + right * right).squareRoot()
    let latitude = atan2(Sphere.equatorial * up, Sphere.polar * across) * 180 / .pi
    let turn = atan2(right, out) * 180 / .pi
    return Place(latitude: latitude, longitude: Place.wrapped(longitude + turn)) ?? self
  }
}

/// A part of the Earth: every place within so many meters of one.
struct Circle: Sendable {
  /// The radius where none is given.
  static let usualMeters = 1000.0

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

  /// The cells that a place within it can be in; nil for all of them.
  var cells: [ClosedRange<Int>]? { GridCell.ranges(around: center, chord: limit.squareRoot()) }
}
