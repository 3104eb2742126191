/// Sebastiano Vigna's SplitMix64: small, and the same numbers from a seed on every machine and in every version.
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

  /// From 0 up to, but not, 1.
  public mutating func fraction() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// From 0 up to, but not, `bound`, which must be above 0.
  public mutating func next(below bound: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
