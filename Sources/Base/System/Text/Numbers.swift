extension Double {
  /// Shortest decimal text that reads back as this number, without exponent or `.0`, as people, addresses and command
  /// lines write it.
  public var plain: String {
    let text = description
    guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "e")),
      let exponent = Int(text[text.index(after: mark)...])
    else { return text.hasSuffix(".0") ? String(text.dropLast(2)) : text }
    let sign = self.sign == .minus ? "-" : ""
    let digits = String(decoding: text[..<mark].utf8.filter(\.isASCIIDigit), as: UTF8.self)
    func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }
    guard exponent >= 0 else { return "\(sign)0.\(zeros(-exponent - 1))\(digits)" }
    return "\(sign)\(digits)\(zeros(exponent + 1 - digits.utf8.count))"
  }

  /// Text with the given number of decimals: `8.64002` for five of them, `3.00` for two.
  public func fixed(_ places: Int) -> String {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    guard magnitude * scale < 1e15 else { return plain }
    let number = Int((magnitude * scale).rounded())
    let digits = String(number)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return "\(self < 0 && number > 0 ? "-" : "")\(padded.dropLast(places)).\(padded.suffix(places))"
  }
}

/// The functions of angles, in radians.
public enum Angle {
  public static func sine(_ angle: Double) -> Double { sin(angle) }
  public static func cosine(_ angle: Double) -> Double { cos(angle) }
  public static func arcsine(_ sine: Double) -> Double { asin(sine) }
  /// Of the direction (x, y), from the axis of `x` towards that of `y`.
  public static func arctangent(_ y: Double, _ x: Double) -> Double { atan2(y, x) }
  /// The inverse hyperbolic tangent. That of the sine of a latitude is its height on a Mercator map.
  public static func areaTangent(_ sine: Double) -> Double { atanh(sine) }
}

/// SplitMix64 by Sebastiano Vigna: the same numbers from a seed on every machine and in every version.
public struct SplitMix64: Equatable, Sendable {
  private var state: UInt64

  public init(seed: UInt64) {
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }

  /// Random number from 0 to 1, excluding 1.
  public mutating func fraction() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// Random number from 0 to `bound`, excluding `bound`, which must be positive.
  public mutating func next(below bound: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
