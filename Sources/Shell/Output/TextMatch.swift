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

  /// Whether the order of two texts by their characters may be wrong. Their first difference is then before a year
  /// (`16.01.2025`, `Mar 20, 2024`), in numbers with signs, different lengths (`9:15`, `1.10.0`) or units (`90 g`), or
  /// in numbers that are days, months or hours before others (`01/25`, `1:00 PM`). Hexadecimal keys are no numbers.
  static func haveUnknownOrder(_ a: String, _ b: String) -> Bool {
    let texts = [Array(a.utf8), Array(b.utf8)]
    guard texts[1].contains(where: \.isASCIIDigit), !areKeys(texts) else { return false }
    // Hexadecimal numbers.
    if [a, b].allSatisfy({ $0.hasPrefix("0x") }) { return a.utf8.count != b.utf8.count }
    // `-5%`, `-7%`; `$5`, `€5`. A negative number precedes those without a sign.
    let (leads, minus) = (texts.map { $0.prefix { !$0.isASCIIDigit } }, UInt8(ascii: "-"))
    let isSigned = a.prefix(while: { !$0.isNumber }).contains(where: "-−–".contains)
    if [a, b].allSatisfy(beginsWithNumber),
      leads[0] == leads[1] ? isSigned : !leads.contains([minus]) || !leads.contains([])
    {
      return true
    }
    // `1/2`, `01/2025`
    let parts = texts.map { $0.split(separator: UInt8(ascii: "/")) }
    if parts.allSatisfy({ $0.count == 2 && $0.joined().allSatisfy(\.isASCIIDigit) }),
      parts[0][1] != parts[1][1]
    {
      return true
    }
    let common = zip(texts[0], texts[1]).prefix { $0 == $1 }.count
    if texts.contains(where: { hasYear($0[common...].drop(while: \.isASCIIDigit)) }) { return true }
    let digits = texts.map { $0[common...].prefix(while: \.isASCIIDigit).count }
    let isInNumber = common > 0 && texts[0][common - 1].isASCIIDigit
    let rests = texts.map { $0[common...] }
    // `2 GB`, `2 MB`; `2.0.0`, `2.0.0-beta`
    if digits == [0, 0], texts[0][..<common].last(where: \.isASCIIAlphanumeric)?.isASCIIDigit == true,
      rests.contains(where: { $0.first(where: \.isASCIIAlphanumeric)?.isASCIIDigit == false })
        || Set(rests.map(\.first)) == [UInt8(ascii: ","), UInt8(ascii: ".")]
    {
      return true
    }
    guard digits != [0, 0], isInNumber || !digits.contains(0) else { return false }
    let units = rests.map { $0.filter { !$0.isASCIIDigit } }
    return digits[0] != digits[1] || units[0] != units[1]
      || texts.contains { beginsWithDayOrMonth($0) || isHalfDay($0) || endsWithOffset($0) }
  }

  /// Whether two texts of hexadecimal digits are keys, such as UUIDs, and not quantities such as `100B` and `A4`.
  private static func areKeys(_ texts: [[UInt8]]) -> Bool {
    let (counts, others) = (texts.map(\.count), texts.joined().filter { $0.hexDigitValue == nil })
    guard others.isEmpty else {
      return counts[0] == counts[1] && counts[0] >= 17 && others.allSatisfy("-:".utf8.contains)
    }
    return counts[0] == counts[1] || counts.allSatisfy { $0 >= 6 }
  }

  private static func hasYear(_ text: ArraySlice<UInt8>) -> Bool {
    text.split { !$0.isASCIIDigit }.contains {
      $0.count == 4 && ($0.starts(with: "19".utf8) || $0.starts(with: "20".utf8))
    }
  }

  /// Whether the text begins with a number, perhaps after signs, and is no hexadecimal key.
  static func isQuantity(_ text: String) -> Bool {
    beginsWithNumber(text) && (text.utf8.count < 6 || text.utf8.contains { $0.hexDigitValue == nil })
  }

  private static func beginsWithNumber(_ text: String) -> Bool {
    text.first { $0.isLetter || $0.isNumber }?.isNumber == true
  }

  /// `Mar 20, 2024`, `Thu, 26 Sep 2024`, `Q4 2024`
  private static func beginsWithDate(_ text: String) -> Bool {
    guard text.utf8.last?.isASCIIDigit == true || text.utf8.contains(UInt8(ascii: " ")) else { return false }
    let word = text.prefix { $0.isLetter }.lowercased()
    return word == "q" || (3...9).contains(word.utf8.count) && beginnings.contains(word.prefix(3))
  }

  private static let beginnings: Set<Substring> = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mon", "tue", "wed",
    "thu", "fri", "sat", "sun",
  ]

  /// Whether two quantities or dates in words have an unknown order. Days and months in one notation are ordered.
  static func areUnorderedQuantities(_ a: String, _ b: String) -> Bool {
    let texts = [a, b]
    guard texts.allSatisfy({ beginsWithNumber($0) || beginsWithDate($0) }) else { return false }
    // `2025-05-01`, `2025/04/01`
    let (year, marks) = (a.prefix(4), texts.map { $0.utf8.dropFirst(4).first })
    if marks[0] != marks[1], year == b.prefix(4), year.utf8.allSatisfy(\.isASCIIDigit),
      marks.allSatisfy({ $0.map("-/.".utf8.contains) ?? false })
    {
      return true
    }
    // A time behind a day is one in a zone that hw does not read.
    let areDays = texts.allSatisfy {
      CalendarDay.isBeginning(String($0.prefix(10))) && $0.utf8.dropFirst(11).first?.isASCIIDigit != true
    }
    return haveUnknownOrder(a, b) && !areDays
  }

  /// `1/16/25`, `16.01.`, `01/25`
  private static func beginsWithDayOrMonth(_ text: [UInt8]) -> Bool {
    let parts = text.split { "./-".utf8.contains($0) }
    let counts = parts.map(\.count)
    guard (2...3).contains(counts.count), counts[0] <= 2, parts.joined().allSatisfy(\.isASCIIDigit) else {
      return false
    }
    let isDate = counts == [2, 2, 2] || text.contains(UInt8(ascii: "/")) || text.last == UInt8(ascii: ".")
    return counts.last == 2 && isDate
  }

  /// `1:00 PM`, `1pm`
  private static func isHalfDay(_ text: [UInt8]) -> Bool {
    let end = text.suffix(3).map { $0 | 0x20 }
    return (end.suffix(2) == [0x61, 0x6D] || end.suffix(2) == [0x70, 0x6D]) && end.count == 3
      && !(0x61...0x7A).contains(end[0])
  }

  /// `10:00+02:00`, `20250115T100000+0200`
  private static func endsWithOffset(_ text: [UInt8]) -> Bool {
    let (end, zone) = (text.suffix(6), text.suffix(6).filter { $0 != UInt8(ascii: ":") }.suffix(5))
    return zone.count == 5 && "+-".utf8.contains(zone[zone.startIndex])
      && zone.dropFirst().allSatisfy(\.isASCIIDigit)
      && (end.count > zone.count || text.contains { ":T".utf8.contains($0) })
  }

  static func withoutBlanks(_ text: String) -> String {
    guard let first = text.utf8.first, let last = text.utf8.last else { return text }
    return min(first, last) <= UInt8(ascii: " ") ? text.trimmed : text
  }
}
