import System

enum TextMatch {
  static func contains(_ text: String, _ part: String) -> Bool {
    if text.contains(part) { return true }
    // A letter with an accent has two encodings, which are one character.
    guard part.utf8.contains(where: { $0 >= 0x80 }) else { return false }
    let (text, part) = (Array(text), Array(part))
    return text.indices.contains { text[$0...].starts(with: part) }
  }

  /// Whether two texts are equal in upper and lower case. Most rows differ in a letter of ASCII, and need no copy.
  static func areEqual(_ a: String, _ b: String) -> Bool {
    for (left, right) in zip(a.utf8, b.utf8) where left != right {
      guard left < 0x80, right < 0x80 else { return folded(a) == folded(b) }
      guard left ^ right == 0x20, (left | 0x20).isASCIIAlphanumeric, left | 0x20 > 0x60 else { return false }
    }
    return a.utf8.count == b.utf8.count
  }

  /// The text in lower case, in which sigma has one form.
  static func folded(_ text: String) -> String {
    let text = text.lowercased()
    return text.utf8.contains(0xCF) ? text.replacing("ς", with: "σ") : text
  }

  /// Whether the characters of two texts do not tell their order: they first differ in a number, and the numbers have
  /// different lengths (`9:15`, `1.10.0`) or units (`90 g`, `1:00 PM`), or are the days of dates (`16.01.2025`).
  /// Hexadecimal keys are no numbers.
  static func haveUnknownOrder(_ a: String, _ b: String) -> Bool {
    let texts = [Array(a.utf8), Array(b.utf8)]
    guard texts[1].contains(where: \.isASCIIDigit),
      texts.joined().contains(where: { $0.hexDigitValue == nil })
    else { return false }
    let common = zip(texts[0], texts[1]).prefix { $0 == $1 }.count
    let digits = texts.map { $0[common...].prefix(while: \.isASCIIDigit).count }
    let isInNumber = common > 0 && texts[0][common - 1].isASCIIDigit
    guard digits != [0, 0], isInNumber || !digits.contains(0) else { return false }
    let units = texts.map { $0[common...].filter { !$0.isASCIIDigit } }
    return digits[0] != digits[1] || units[0] != units[1] || texts.contains(where: endsWithYear)
  }

  /// Whether two texts that begin with a number or a sign and a number have an unknown order. Days and months have one.
  static func areUnorderedQuantities(_ a: String, _ b: String) -> Bool {
    [a, b].allSatisfy { $0.prefix(2).utf8.contains(where: \.isASCIIDigit) } && haveUnknownOrder(a, b)
      && ![a, b].allSatisfy { CalendarDay.isBeginning(String($0.prefix(10))) }
  }

  /// `16.01.2025`, `1/16/2025`
  private static func endsWithYear(_ text: [UInt8]) -> Bool {
    let parts = text.split { "./-".utf8.contains($0) }
    return parts.count == 3 && parts[2].count == 4 && parts.joined().allSatisfy(\.isASCIIDigit)
  }

  static func withoutBlanks(_ text: String) -> String {
    guard let first = text.utf8.first, let last = text.utf8.last else { return text }
    return min(first, last) <= UInt8(ascii: " ") ? text.trimmed : text
  }
}
