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
    guard metres < half else { return 4 }
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

  /// The place so many metres to the north and the east, for distances that a map shows.
  func moved(north: Double, east: Double) -> Place {
    let perDegree = Sphere.radius * .pi / 180
    let latitude = max(-90, min(90, self.latitude + north / perDegree))
    let across = max(0.000_1, Angle.cosine(self.latitude * .pi / 180))
    let longitude = Place.wrapped(self.longitude + east / perDegree / across)
    return Place(latitude: latitude, longitude: longitude) ?? self
  }

  /// A longitude from -180 up to 180, whatever turns it has behind it.
  static func wrapped(_ longitude: Double) -> Double {
    guard !longitudes.contains(longitude) else { return longitude }
    let turned = (longitude + 180).truncatingRemainder(dividingBy: 360)
    return (turned < 0 ? turned + 360 : turned) - 180
  }

  /// How far another place is to the east and the north, in metres on a map around this one.
  func offset(to other: Place) -> (east: Double, north: Double) {
    let perDegree = Sphere.radius * .pi / 180
    let east = Place.wrapped(other.longitude - longitude) * perDegree * Angle.cosine(latitude * .pi / 180)
    return (east, (other.latitude - latitude) * perDegree)
  }
}
