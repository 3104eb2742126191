/// Day as it is typed: a date, or a number of days before today, whose time zone the command decides.
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

  /// Why a date does not exist; nil for a text that is no date.
  @Sendable public static func problem(_ text: String) -> String? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], let month = Int(parts[1]), let day = Int(parts[2]) else {
      return nil
    }
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
