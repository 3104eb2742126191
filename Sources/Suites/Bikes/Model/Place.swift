import System

/// A position on Earth in degrees (WGS 84).
struct Place: Hashable, Sendable {
  let latitude: Double
  let longitude: Double

  static let latitudes = -90.0...90.0
  static let longitudes = -180.0...180.0

  /// Returns nil for coordinates out of range, and for NaN.
  init?(latitude: Double, longitude: Double) {
    guard Place.latitudes.contains(latitude), Place.longitudes.contains(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Parses `50.1195,8.6381`, also with blanks after the comma. Refuses decimal commas, which make more parts.
  init?(_ text: String) {
    guard let (latitude, longitude) = Place.coordinates(text) else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }

  private static func coordinates(_ text: String) -> (latitude: Double, longitude: Double)? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let latitude = decimal(parts[0]),
      let longitude = decimal(parts[1].drop { $0 == " " })
    else { return nil }
    return (latitude, longitude)
  }

  /// Describes the first coordinate out of range; nil if the text has none.
  @Sendable static func problem(_ text: String) -> String? {
    guard let (latitude, longitude) = coordinates(text) else { return nil }
    for (name, value, range) in [("latitude", latitude, latitudes), ("longitude", longitude, longitudes)] {
      if value > range.upperBound { return "\(name) \(value.plain) is above \(range.upperBound.plain)" }
      if value < range.lowerBound { return "\(name) \(value.plain) is below \(range.lowerBound.plain)" }
    }
    return nil
  }

  static let expected = "LAT,LON in degrees with a decimal point, such as 50.1195,8.6381"

  /// Parses a decimal number without exponent, `nan` and blanks.
  static func decimal(_ text: some StringProtocol) -> Double? {
    // Longer than any double in plain notation.
    guard text.utf8.count <= 400 else { return nil }
    var (digits, number, scale) = (0, 0, 1.0)
    var (isFirst, hasPoint) = (true, false)
    for byte in text.utf8 {
      switch byte {
      case let digit where digit.isASCIIDigit:
        digits += 1
        guard digits <= 15 else { continue }
        number = number * 10 + Int(byte - UInt8(ascii: "0"))
        if hasPoint { scale *= 10 }
      case UInt8(ascii: ".") where !hasPoint: hasPoint = true
      case UInt8(ascii: "-") where isFirst, UInt8(ascii: "+") where isFirst: break
      default: return nil
      }
      isFirst = false
    }
    guard digits > 0 else { return nil }
    // These digits and powers of ten are exact, so only the division rounds.
    guard digits <= 15 else { return Double(text) }
    return (text.utf8.first == UInt8(ascii: "-") ? -Double(number) : Double(number)) / scale
  }

  /// Parses a decimal number with an optional exponent, as in files. Returns nil for infinite numbers.
  static func number(_ text: some StringProtocol) -> Double? {
    guard let mark = text.utf8.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) else {
      return decimal(text)
    }
    guard decimal(text[..<mark]) != nil, Int(text[text.index(after: mark)...]) != nil,
      let number = Double(text), number.isFinite
    else { return nil }
    return number
  }

  static let zero = Place(unchecked: 0, 0)

  private init(unchecked latitude: Double, _ longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The original server treats a coordinate of 0 as missing.
  var hasZero: Bool { latitude == 0 || longitude == 0 }
}

extension Place: CustomStringConvertible {
  var shown: String { "\(latitude.fixed(5)),\(longitude.fixed(5))" }

  /// Exact, and valid on a command line.
  var description: String { "\(latitude.plain),\(longitude.plain)" }
}
