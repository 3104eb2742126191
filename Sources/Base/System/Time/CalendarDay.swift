/// Day of the Gregorian calendar, without a time zone.
public struct CalendarDay: Hashable, Comparable, Sendable {
  public let year: Int
  public let month: Int
  public let day: Int

  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...CalendarDay.length(ofMonth: month, year: year)).contains(day)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Parses `YYYY-MM-DD`, and nothing looser.
  public init?(_ text: some StringProtocol) {
    var text = String(text)
    guard let day = text.withUTF8({ unsafe CalendarDay(utf8: $0.span.bytes) }) else { return nil }
    self = day
  }

  /// Whether the text is a day, a month or a year: `2026-11-21`, `2026-11`, `2026`.
  public static func isBeginning(_ text: String) -> Bool {
    ["", "-01", "-01-01"].contains { CalendarDay(text + $0) != nil }
  }

  public init?(utf8 bytes: RawSpan) {
    // Sound: any bits are a byte.
    func byte(_ offset: Int) -> UInt8 { unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
    func number(_ range: Range<Int>) -> Int? {
      var number = 0
      for offset in range {
        guard byte(offset).isASCIIDigit else { return nil }
        number = number * 10 + Int(byte(offset) & 0x0F)
      }
      return number
    }
    guard bytes.byteCount == 10, byte(4) == UInt8(ascii: "-"), byte(7) == UInt8(ascii: "-") else {
      return nil
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// Day that is `days` after 1970-01-01 (Howard Hinnant's `civil_from_days`).
  public init(daysSinceEpoch days: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
  }

  public var daysSinceEpoch: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  public static func < (a: CalendarDay, b: CalendarDay) -> Bool {
    (a.year, a.month, a.day) < (b.year, b.month, b.day)
  }

  public static func length(ofMonth month: Int, year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }
}

extension CalendarDay: CustomStringConvertible {
  public var description: String {
    "\(String(year).zeroPadded(to: 4))-\(WallTime.padded(month))-\(WallTime.padded(day))"
  }
}

/// Day as it is typed: a date, or a number of days before today. The command decides in which time zone today is.
public enum DayValue: Equatable, Sendable {
  case date(CalendarDay)
  case daysAgo(Int)

  public func day(today: CalendarDay) -> CalendarDay {
    switch self {
    case .date(let day): day
    case .daysAgo(let count): CalendarDay(daysSinceEpoch: today.daysSinceEpoch - count)
    }
  }

  public init?(_ text: String) {
    switch text {
    case "today": self = .daysAgo(0)
    case "yesterday": self = .daysAgo(1)
    default:
      if let day = CalendarDay(text) {
        self = .date(day)
        return
      }
      let digits = text.dropLast()
      // Five digits are 273 years, less than the calendar has.
      guard text.last == "d", (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy(\.isASCIIDigit),
        let count = Int(digits)
      else { return nil }
      self = .daysAgo(count)
    }
  }

  /// Reason why a date that `init` refuses does not exist; nil for a text that is no date.
  @Sendable public static func problem(_ text: String) -> String? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], text.utf8.count(where: \.isASCIIDigit) == 8,
      parts[0] != "0000", let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    return (1...12).contains(month)
      ? "\(parts[0])-\(parts[1]) has no day \(day)" : "there is no month \(month)"
  }
}

extension DayValue: CustomStringConvertible {
  public var description: String {
    switch self {
    case .date(let day): day.description
    case .daysAgo(0): "today"
    case .daysAgo(1): "yesterday"
    case .daysAgo(let count): "\(count)d"
    }
  }
}
