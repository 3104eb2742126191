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
  /// different lengths (`9:15`, `1.10.0`) or units (`90 g`), have signs, are hours of half a day (`1:00 PM`), or days and
  /// months before others (`16.01.2025`).
  /// Hexadecimal keys are no numbers.
  static func haveUnknownOrder(_ a: String, _ b: String) -> Bool {
    let texts = [Array(a.utf8), Array(b.utf8)]
    guard texts[1].contains(where: \.isASCIIDigit),
      texts.joined().contains(where: { $0.hexDigitValue == nil })
    else { return false }
    let signs = texts.map(\.first)
    if signs.contains(UInt8(ascii: "+")) || signs == [UInt8(ascii: "-"), UInt8(ascii: "-")],
      [a, b].allSatisfy(beginsWithNumber)
    {
      return true
    }
    let common = zip(texts[0], texts[1]).prefix { $0 == $1 }.count
    let digits = texts.map { $0[common...].prefix(while: \.isASCIIDigit).count }
    let isInNumber = common > 0 && texts[0][common - 1].isASCIIDigit
    guard digits != [0, 0], isInNumber || !digits.contains(0) else { return false }
    let units = texts.map { $0[common...].filter { !$0.isASCIIDigit } }
    return digits[0] != digits[1] || units[0] != units[1]
      || texts.contains { beginsWithDayOrMonth($0) || isHalfDay($0) }
  }

  /// Whether the text begins with a number, perhaps after signs, and is no hexadecimal key.
  static func isQuantity(_ text: String) -> Bool {
    beginsWithNumber(text) && text.utf8.contains { $0.hexDigitValue == nil }
  }

  private static func beginsWithNumber(_ text: String) -> Bool {
    text.first { $0.isLetter || $0.isNumber }?.isNumber == true
  }

  /// Whether two quantities have an unknown order. Days and months have one, unless written in two ways.
  static func areUnorderedQuantities(_ a: String, _ b: String) -> Bool {
    let texts = [a, b]
    guard texts.allSatisfy(beginsWithNumber) else { return false }
    // `2025-05-01`, `2025/04/01`
    let (year, marks) = (a.prefix(4), texts.map { $0.utf8.dropFirst(4).first })
    if marks[0] != marks[1], year == b.prefix(4), year.utf8.allSatisfy(\.isASCIIDigit),
      marks.allSatisfy({ $0.map("-/.".utf8.contains) ?? false })
    {
      return true
    }
    return haveUnknownOrder(a, b) && !texts.allSatisfy { CalendarDay.isBeginning(String($0.prefix(10))) }
  }

  /// `16.01.2025`, `1/16/25`, `16.01.`, `01/2025`
  private static func beginsWithDayOrMonth(_ text: [UInt8]) -> Bool {
    let parts = text.split { "./-".utf8.contains($0) }
    let counts = parts.map(\.count)
    guard (2...3).contains(counts.count), counts[0] <= 2, parts.joined().allSatisfy(\.isASCIIDigit) else {
      return false
    }
    let isDate = counts == [2, 2, 2] || text.contains(UInt8(ascii: "/")) || text.last == UInt8(ascii: ".")
    return counts.last == 4 || counts.last == 2 && isDate
  }

  /// `1:00 PM`, `1pm`
  private static func isHalfDay(_ text: [UInt8]) -> Bool {
    let end = text.suffix(3).map { $0 | 0x20 }
    return (end.suffix(2) == [0x61, 0x6D] || end.suffix(2) == [0x70, 0x6D]) && end.count == 3
      && !(0x61...0x7A).contains(end[0])
  }

  static func withoutBlanks(_ text: String) -> String {
    guard let first = text.utf8.first, let last = text.utf8.last else { return text }
    return min(first, last) <= UInt8(ascii: " ") ? text.trimmed : text
  }
}
