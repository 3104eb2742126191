import TestSupport

/// Makes bad inputs of good ones.
struct Mutator {
  let corpus: [[UInt8]]
  private let tokens: [[UInt8]]

  init(_ corpus: [[UInt8]], tokens: [String] = []) {
    self.corpus = corpus
    self.tokens = (tokens + Mutator.numbers + Mutator.texts).map { Array($0.utf8) } + Mutator.bytes
  }

  static let numbers = [
    "0", "-0", "-1", "1", "127", "255", "256", "65535", "65536", "2147483647", "-2147483648", "4294967295",
    "4294967296", "1000000000", "9007199254740993", "9223372036854775807", "-9223372036854775808",
    "9223372036854775808", "18446744073709551615", "18446744073709551616", "1e400", "-1e400", "1e-400",
    "1e18", "1e19", "9.3e18", "4.9e-324", "0.1", "-0.0", "1.5", "NaN", "inf", "99999999999999999999999999999",
  ]

  static let texts = [
    "null", "true", "false", "\"\"", "[]", "{}", "\u{1B}[2J", "\u{7}", "\u{9B}", "\u{202E}", "\u{200B}",
    "\u{FEFF}", "\r\n", "\n", "\n\n", "\\u0000", "\\ud800", "\\udc00\\ud800", "$(touch x)", "'", "\"", "`",
    ",", ":", ";", "/", "../", "%00", "%0a", "👩\u{200D}👩\u{200D}👧", "e\u{301}", "\u{1F1E9}", "漢字", " ", "\t",
    "-", "--", "=",
  ]

  private static let bytes: [[UInt8]] = [
    [0], [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80], [0xC3], [0xF0, 0x9F],
    [0x1B],
  ]

  /// One of the corpus, often with changes.
  func make(_ random: inout SeededGenerator) -> [UInt8] {
    mutated(random.pick(corpus), &random)
  }

  func mutated(_ input: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = input
    // Mostly few changes: a good input with one fault gets furthest.
    var changes = 1
    while changes < 16, random.chance(2) { changes += 1 }
    if random.chance(50) { changes = 0 }
    for _ in 0..<changes { change(&bytes, &random) }
    return bytes
  }

  private func change(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    let at = random.below(bytes.count + 1)
    let length =
      random.chance(4) ? random.below(bytes.count - at + 1) : min(random.below(9), bytes.count - at)
    switch random.below(14) {
    case 0 where at < bytes.count: bytes[at] ^= 1 << UInt8(random.below(8))
    case 1 where at < bytes.count: bytes[at] = UInt8(truncatingIfNeeded: random.next())
    case 2: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: at)
    case 3: bytes.removeSubrange(at..<(at + length))
    case 4: bytes.removeSubrange(at...)
    case 5: bytes.insert(contentsOf: bytes[at..<(at + length)], at: at)
    case 6:
      // A part of another good input, or of this one.
      let other = random.chance(2) ? bytes : random.pick(corpus)
      let from = random.below(other.count + 1)
      let to = from + min(random.below(random.chance(4) ? other.count + 1 : 40), other.count - from)
      bytes.replaceSubrange(at..<(at + length), with: other[from..<to])
    case 7:
      // The front of this one, the back of another.
      let other = random.pick(corpus)
      bytes.replaceSubrange(at..., with: other[random.below(other.count + 1)...])
    case 8: bytes.replaceSubrange(at..<(at + length), with: random.pick(tokens))
    case 9: bytes.insert(contentsOf: random.pick(tokens), at: at)
    case 10, 11: replaceNumber(in: &bytes, near: at, &random)
    case 12:
      // Many of the same.
      guard bytes.count < 100_000 else { return }
      let part = Array(bytes[at..<(at + min(length, 20))])
      for _ in 0..<(1 << random.below(random.chance(50) ? 12 : 7)) { bytes.insert(contentsOf: part, at: at) }
    default:
      guard at + length < bytes.count, length > 1 else { return }
      bytes.swapAt(at, at + length)
    }
  }

  private func replaceNumber(in bytes: inout [UInt8], near at: Int, _ random: inout SeededGenerator) {
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    guard let start = bytes[at...].firstIndex(where: isDigit) ?? bytes.firstIndex(where: isDigit) else {
      return
    }
    let end = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count
    bytes.replaceSubrange(start..<end, with: Array(random.pick(Mutator.numbers).utf8))
  }
}

extension SeededGenerator {
  /// The generator of one input of a run.
  init(seed: UInt64, number: Int) {
    var generator = SeededGenerator(seed: seed)
    self.init(seed: generator.next() ^ (UInt64(truncatingIfNeeded: number) &* 0xD1B5_4A32_D192_ED03))
  }

  /// The generator of what an input itself determines.
  init(of input: [UInt8]) { self.init(seed: input.reduce(7) { $0 &* 31 &+ UInt64($1) }) }

  mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: next() % UInt64(max(1, bound))) }

  mutating func chance(_ one: Int) -> Bool { below(one) == 0 }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
