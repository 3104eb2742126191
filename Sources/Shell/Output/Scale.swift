import System

/// Quantity of a text, for conditions and orders: a height in feet and inches, an instant.
public struct Scale: Equatable, Sendable {
  /// Example of a value, for messages: `a height (6-9)`.
  let example: String
  /// Smallest and largest quantity of a text; nil for another. The day is the current one, for `today` in a condition.
  let range: @Sendable (String, CalendarDay) -> ClosedRange<Int64>?
}

extension Scale {
  public init(_ example: String, _ amount: @escaping @Sendable (String) -> Int64?) {
    self.init(example: example) { text, _ in amount(text).map { $0...$0 } }
  }

  /// Unix seconds, those of an instant, or those of a day of UTC. Nil for numbers of up to 8 digits: years or days.
  public static let instant = Scale(
    example: "a day of UTC (2025-01-15, today, 7d), an instant (2025-01-15T18:00:00Z) or unix seconds"
  ) { text, today in
    if let day = DayValue(text)?.day(today: today) {
      let start = Int64(day.daysSinceEpoch) * 86_400
      return start...start + 86_399
    }
    if text.utf8.count > 8, let seconds = Int64(text) { return seconds...seconds }
    let instant = Timestamp(utc: text) ?? Timestamp(exactly: text).flatMap { $0.nanoseconds == 0 ? $0 : nil }
    return instant.map { $0.seconds...$0.seconds }
  }

  public static func == (a: Scale, b: Scale) -> Bool { a.example == b.example }
}
