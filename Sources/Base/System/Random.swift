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

public enum RandomID {
  public static func make() -> String {
    (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 16).zeroPadded(to: 16) }.joined()
  }
}
