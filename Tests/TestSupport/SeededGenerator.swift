import System

/// Random numbers that are the same at every run and on every machine: a test that fails can be repeated.
public struct SeededGenerator: RandomNumberGenerator {
  private var numbers: SplitMix64

  public init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

  public mutating func next() -> UInt64 { numbers.next() }
}
