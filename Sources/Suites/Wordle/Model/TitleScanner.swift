import System

/// Parses `Wordle 1,281 4/6*` at the beginning of a line.
struct TitleScanner {
  private let scalars: [Unicode.Scalar]
  private var at = 0

  init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

  var rest: String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[at...])
    return String(text)
  }

  mutating func game() -> SharedGame? {
    skipMarks()
    for letter in "wordle".unicodeScalars {
      guard at < scalars.count, scalars[at].properties.lowercaseMapping == String(letter) else { return nil }
      at += 1
    }
    let end = at
    skipMarks()
    // A plus sign or a country's flag marks another game.
    let marks = scalars[end..<at]
    guard !marks.contains("+"), !marks.contains(where: { (0x1F1E6...0x1F1FF).contains($0.value) }) else {
      return nil
    }
    guard at > end, !isNegative(after: end), let id = number() else { return nil }
    let behind = at
    skipMarks()
    guard !isNegative(after: behind) else { return nil }
    // A star marks hard mode, unless it closes bold text that began before the result.
    let open = openStars(before: at)
    guard at > behind, let result = result() else { return nil }
    var stars = 0
    while at < scalars.count, scalars[at] == "*" {
      stars += 1
      at += 1
    }
    guard at == scalars.count || !ChatText.isWord(scalars[at]), !hasResultNext else { return nil }
    return SharedGame(id: id, result: result, isHard: stars > open, rows: [])
  }

  /// Whether the marks end with a sign: ` -281`.
  private func isNegative(after start: Int) -> Bool { at - start > 1 && scalars[at - 1] == "-" }

  /// Whether another result follows: `4/6 3/6`.
  private var hasResultNext: Bool {
    var scanner = self
    scanner.skipMarks()
    return scanner.at > at && scanner.result() != nil
  }

  /// Skips characters that are neither letters nor digits, and names of emoji: `:tada:`.
  private mutating func skipMarks() {
    while at < scalars.count, !ChatText.isWord(scalars[at]) {
      at += 1
      if scalars[at - 1] == ":" { at = ChatText.endOfEmoji(scalars[at...]) ?? at }
    }
  }

  /// `281`, `1,281`, `1.281`, `1 281`, `1’281`.
  private mutating func number() -> Int? {
    var digits = take(atMost: 8)
    guard (1...7).contains(digits.count) else { return nil }
    if digits.count <= 3 {
      while digits.count <= 4, at + 3 < scalars.count, TitleScanner.separators.contains(scalars[at]) {
        let start = at
        at += 1
        let group = take(atMost: 4)
        guard group.count == 3, !isDigit(at), at == scalars.count || scalars[at] != "/" else {
          at = start
          break
        }
        digits += group
      }
    }
    // A longer number is a date or a version.
    if at + 1 < scalars.count, ",.'’-/".unicodeScalars.contains(scalars[at]), isDigit(at + 1) { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
  }

  private static let separators: Set<Unicode.Scalar> = [
    ",", ".", "'", "’", " ", "\u{A0}", "\u{202F}", "\u{2009}",
  ]

  private func isDigit(_ index: Int) -> Bool {
    index < scalars.count && UInt8(exactly: scalars[index].value)?.isASCIIDigit == true
  }

  private mutating func take(atMost count: Int) -> [UInt8] {
    var digits: [UInt8] = []
    while isDigit(at), digits.count < count {
      digits.append(UInt8(truncatingIfNeeded: scalars[at].value))
      at += 1
    }
    return digits
  }

  private mutating func result() -> GameResult? {
    guard at < scalars.count, let result = GameResult(letter: scalars[at]) else { return nil }
    var end = at + 1
    for part in ["/", "6"] as [Unicode.Scalar] {
      if end < scalars.count, scalars[end] == " " { end += 1 }
      guard end < scalars.count, scalars[end] == part else { return nil }
      end += 1
    }
    at = end
    return result
  }

  /// The number of open stars before an index: `*Wordle 281 ` has one, `*Ann:* Wordle` none.
  private func openStars(before end: Int) -> Int {
    var (open, run) = (0, 0)
    for scalar in scalars[..<end] + [" "] {
      if scalar == "*" {
        run += 1
      } else if run > 0 {
        open = open == run ? 0 : run
        run = 0
      }
    }
    return open
  }
}
