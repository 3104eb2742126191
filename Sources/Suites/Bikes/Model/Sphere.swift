import System

/// A direction from the center of the auxiliary sphere, by reduced latitude. Distances between directions have no
/// special cases at the poles and the date line.
///
/// On the ellipsoid a step is sqrt((a² sin²β + b² cos²β) dβ² + a² cos²β dλ²). On a sphere of radius (a + b) / 2 it
/// differs by at most half of a - b, so all paths, and the shortest one, are accurate to 0.17 %.
struct Direction: Equatable, Sendable {
  let x: Double
  let y: Double
  let z: Double

  init(_ place: Place) {
    let latitude = place.latitude * .pi / 180
    let longitude = place.longitude * .pi / 180
    // The reduced latitude is the direction of (a cos φ, b sin φ), here with length 1.
    let horizontal = Sphere.equatorial * cos(latitude)
    let vertical = Sphere.polar * sin(latitude)
    let length = (horizontal * horizontal + vertical * vertical).squareRoot()
    x = horizontal / length * cos(longitude)
    y = horizontal / length * sin(longitude)
    z = vertical / length
  }

  /// The distance from the axis: the cosine of the reduced latitude. `z` is the sine.
  fileprivate var horizontal: Double { (x * x + y * y).squareRoot() }

  /// The square of the straight distance. Grows with the distance, and needs no root.
  func chordSquared(to other: Direction) -> Double {
    let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
    return dx * dx + dy * dy + dz * dz
  }
}

/// The auxiliary sphere of WGS 84.
enum Sphere {
  static let equatorial = 6_378_137.0
  static let polar = 6_356_752.314_245
  static let radius = (equatorial + polar) / 2
  static let halfCircumference = radius * .pi

  /// A distance in a table: `350 m`, `1.2 km`.
  static func text(_ meters: Int) -> String {
    meters < 1000 ? "\(meters) m" : "\((Double(meters) / 1000).fixed(1)) km"
  }

  static func chordSquared(meters: Double) -> Double {
    // Larger than 4, which rounding can exceed for opposite places.
    guard meters < halfCircumference else { return .infinity }
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

  static func wrapped(_ longitude: Double) -> Double { longitude.remainder(dividingBy: 360) }

  // MARK: The azimuthal equidistant map around a place

  /// Meters to the east and the north.
  func offset(to other: Place) -> (east: Double, north: Double) {
    let (here, there) = (Direction(self), Direction(other))
    let turn = (other.longitude - longitude) * .pi / 180
    let east = there.horizontal * sin(turn)
    let north = here.horizontal * there.z - here.z * there.horizontal * cos(turn)
    let length = (east * east + north * north).squareRoot()
    let meters = Sphere.meters(chordSquared: here.chordSquared(to: there))
    // The place itself and the opposite one have no direction.
    guard length > 0 else { return (0, meters) }
    return (east / length * meters, north / length * meters)
  }

  /// The place at an offset in meters. At a pole every direction is south; the longitude determines which is north.
  func moved(north: Double, east: Double) -> Place {
    let meters = (north * north + east * east).squareRoot()
    guard meters > 0 else { return self }
    let (here, angle) = (Direction(self), meters / Sphere.radius)
    let (ahead, aside) = (cos(angle), sin(angle) / meters)
    let vertical = here.z * ahead + here.horizontal * aside * north
    let out = here.horizontal * ahead - here.z * aside * north
    let right = aside * east
    let horizontal = (out * out + right * right).squareRoot()
    let latitude = atan2(Sphere.equatorial * vertical, Sphere.polar * horizontal) * 180 / .pi
    let turn = atan2(right, out) * 180 / .pi
    return Place(latitude: latitude, longitude: Place.wrapped(longitude + turn)) ?? self
  }
}
