/// The generator of Steele, Lea and Flood: the same seed makes the same inputs on every machine.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// The generator of one input of a run.
  init(seed: UInt64, number: Int) {
    var generator = SplitMix64(seed: seed)
    state = generator.next() ^ (UInt64(truncatingIfNeeded: number) &* 0xD1B5_4A32_D192_ED03)
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: next() % UInt64(max(1, bound))) }

  mutating func chance(_ one: Int) -> Bool { below(one) == 0 }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
