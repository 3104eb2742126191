import System

/// A day as an option names it: `2022-03-08`, `today`, `yesterday` or `7d`, which is seven days ago.
public enum DayReference: Equatable, Sendable {
  case date(CalendarDay)
  /// This many days before today.
  case ago(Int)

  /// Nil if the text names no day.
  public init?(_ text: String) {
    switch text {
    case "today": self = .ago(0)
    case "yesterday": self = .ago(1)
    default:
      if let day = CalendarDay(text) {
        self = .date(day)
        return
      }
      // At most five digits: 273 years.
      let digits = text.dropLast()
      guard text.last == "d", (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy(\.isASCIIDigit),
        let days = Int(digits)
      else { return nil }
      self = .ago(days)
    }
  }

  public func day(today: CalendarDay) -> CalendarDay {
    switch self {
    case .date(let day): day
    case .ago(let days): CalendarDay(daysSinceEpoch: today.daysSinceEpoch - days)
    }
  }
}

extension DayReference: CustomStringConvertible {
  public var description: String {
    switch self {
    case .date(let day): day.description
    case .ago(0): "today"
    case .ago(1): "yesterday"
    case .ago(let days): "\(days)d"
    }
  }
}

extension ValueKind where Value == DayReference {
  /// The value `DAY` of an option.
  public static var dayReference: ValueKind {
    ValueKind("DAY", expects: "a day like 2022-03-08, today, yesterday or 7d", type: .day) {
      DayReference($0)
    }
  }
}
