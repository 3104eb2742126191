extension Double {
  /// Shortest decimal text that reads back as this number, without exponent or `.0`.
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
    let padded = String(number).zeroPadded(to: places + 1)
    return "\(self < 0 && number > 0 ? "-" : "")\(padded.dropLast(places)).\(padded.suffix(places))"
  }
}

extension String {
  public func zeroPadded(to width: Int) -> String {
    String(repeating: "0", count: max(0, width - utf8.count)) + self
  }
}

/// SplitMix64 by Sebastiano Vigna: the same numbers from a seed on every machine and in every version.
public struct SplitMix64: Equatable, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return SplitMix64.mix(state)
  }

  public static func mix(_ state: UInt64) -> UInt64 {
    var z = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }

  /// Random number from 0 to 1, excluding 1.
  public mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Random number from 0 to `bound`, excluding `bound`, which must be positive.
  public mutating func next(below bound: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
