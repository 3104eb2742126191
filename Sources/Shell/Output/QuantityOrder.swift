import System

/// Detects two texts with digits whose order by characters may be wrong. It is right only if their parts are written
/// alike and the most significant part is first: `2025-05-01`, `1.2.31`, `90 kg`.
struct QuantityOrder {
  private let texts: [[UInt8]]
  /// Whether both texts begin with a number, perhaps after signs.
  private let areNumbers: Bool
  /// The texts from their first difference on.
  private let rests: [ArraySlice<UInt8>]
  /// Whether the first difference is within a number, and whether it follows one: `5h`, `5m`.
  private let isInNumber: Bool
  private let isAfterNumber: Bool

  private init(_ a: String, _ b: String) {
    texts = [Array(a.utf8), Array(b.utf8)]
    areNumbers = QuantityOrder.beginsWithNumber(a) && QuantityOrder.beginsWithNumber(b)
    let common = zip(texts[0], texts[1]).prefix { $0 == $1 }.count
    rests = texts.map { $0[common...] }
    let before = texts[0][..<common]
    isInNumber = before.last?.isASCIIDigit == true
    isAfterNumber = before.last(where: \.isASCIIAlphanumeric)?.isASCIIDigit == true
  }

  /// Whether the order of two texts by their characters may be wrong.
  static func isUnknown(_ a: String, _ b: String) -> Bool {
    guard b.utf8.contains(where: \.isASCIIDigit) else { return false }
    let pair = QuantityOrder(a, b)
    if pair.areKeys { return false }
    if pair.areHexadecimal { return pair.texts[0].count != pair.texts[1].count }
    if [a, b].allSatisfy(beginsWithDate), firstWord(a) != firstWord(b) { return true }
    return pair.differInSign || pair.areFractions || pair.haveLaterYear || pair.differInUnit
      || pair.differInNumber
  }

  /// Whether rows with the texts cannot be sorted: `isUnknown`, for texts that begin with numbers or dates in words.
  /// Days and months in one notation are ordered.
  static func isUnknownForSorting(_ a: String, _ b: String) -> Bool {
    let texts = [a, b]
    guard texts.allSatisfy({ beginsWithNumber($0) || beginsWithDate($0) }) else { return false }
    // `2025-05-01`, `2025/04/01`
    let (year, marks) = (a.prefix(4), texts.map { $0.utf8.dropFirst(4).first })
    if marks[0] != marks[1], year == b.prefix(4), year.utf8.allSatisfy(\.isASCIIDigit),
      marks.allSatisfy({ $0.map("-/.".utf8.contains) ?? false })
    {
      return true
    }
    // Digits after the day may be a time in a form or a zone that hw does not read.
    let areDays = texts.allSatisfy {
      CalendarDay.isBeginning(String($0.prefix(10))) && !$0.utf8.dropFirst(10).contains(where: \.isASCIIDigit)
    }
    return !areDays && isUnknown(a, b)
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
    let word = firstWord(text)
    return word == Array("q".utf8) || word.count >= 3 && dateWords.contains { $0.utf8.starts(with: word) }
  }

  private static func firstWord(_ text: String) -> [UInt8] {
    text.utf8.prefix { $0 | 0x20 >= UInt8(ascii: "a") }.map { $0 | 0x20 }
  }

  /// Months and days of the week, which texts may abbreviate.
  private static let dateWords = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  // MARK: Kinds of pairs

  /// Texts of hexadecimal digits, such as UUIDs, and not quantities such as `100B` and `A4`.
  private var areKeys: Bool {
    let (counts, others) = (texts.map(\.count), texts.joined().filter { $0.hexDigitValue == nil })
    guard others.isEmpty else {
      return counts[0] == counts[1] && counts[0] >= 17 && others.allSatisfy("-:".utf8.contains)
    }
    return counts[0] == counts[1] || counts.allSatisfy { $0 >= 6 }
  }

  private var areHexadecimal: Bool { texts.allSatisfy { $0.starts(with: "0x".utf8) } }

  /// `-5%`, `-7%`; `$5`, `€5`. A negative number precedes those without a sign.
  private var differInSign: Bool {
    guard areNumbers else { return false }
    let leads = texts.map { $0.prefix { !$0.isASCIIDigit } }
    guard leads[0] == leads[1] else { return !leads.contains([UInt8(ascii: "-")]) || !leads.contains([]) }
    return String(decoding: leads[0], as: UTF8.self).contains(where: "-−–".contains)
  }

  /// `1/2`, `1/3`; `01/2025`, `02/2024`
  private var areFractions: Bool {
    let parts = texts.map { $0.split(separator: UInt8(ascii: "/")) }
    return parts.allSatisfy { $0.count == 2 && $0.joined().allSatisfy(\.isASCIIDigit) }
      && parts[0][1] != parts[1][1]
  }

  /// `16.01.2025`, `Mar 20, 2024`: the year decides, and follows the first difference.
  private var haveLaterYear: Bool {
    rests.contains { rest in
      rest.drop(while: \.isASCIIDigit).split { !$0.isASCIIDigit }.contains {
        $0.count == 4 && ($0.starts(with: "19".utf8) || $0.starts(with: "20".utf8))
      }
    }
  }

  /// `2 GB`, `2 MB`; `2.0.0`, `2.0.0-beta`; `1,5 kg`, `1.7 kg`
  private var differInUnit: Bool {
    guard isAfterNumber, !rests.contains(where: { $0.first?.isASCIIDigit == true }) else { return false }
    return rests.contains { $0.first(where: \.isASCIIAlphanumeric)?.isASCIIDigit == false }
      || Set(rests.map(\.first)) == [UInt8(ascii: ","), UInt8(ascii: ".")]
  }

  /// `9:15`, `10:15`; `90 g`, `10 kg`; `16.01.25`, `1:00 PM`
  private var differInNumber: Bool {
    let digits = rests.map { $0.prefix(while: \.isASCIIDigit).count }
    guard digits != [0, 0], isInNumber || !digits.contains(0) else { return false }
    let units = rests.map { $0.filter { !$0.isASCIIDigit } }
    return digits[0] != digits[1] || units[0] != units[1]
      || texts.contains {
        QuantityOrder.beginsWithDayOrMonth($0) || QuantityOrder.isHalfDay($0)
          || QuantityOrder.endsWithOffset($0)
      }
  }

  // MARK: Parts of times

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
    let end = String(decoding: text.suffix(3), as: UTF8.self).lowercased()
    return (end.hasSuffix("am") || end.hasSuffix("pm")) && end.first?.isLetter == false
  }

  /// `10:00+02:00`, `20250115T100000+0200`
  private static func endsWithOffset(_ text: [UInt8]) -> Bool {
    let (end, zone) = (text.suffix(6), text.suffix(6).filter { $0 != UInt8(ascii: ":") }.suffix(5))
    return zone.count == 5 && "+-".utf8.contains(zone[zone.startIndex])
      && zone.dropFirst().allSatisfy(\.isASCIIDigit)
      && (end.count > zone.count || text.contains { ":T".utf8.contains($0) })
  }
}
