import System

extension ValueKind where Value == DayValue {
  /// A day: `2022-03-08`, `today`, `yesterday`, or `7d` for seven days ago. Every option for a day has this kind.
  public static var day: ValueKind {
    ValueKind(
      "DAY", expects: "a day such as 2022-03-08, today, yesterday or 7d (seven days ago)", type: .day
    ) { DayValue($0) }
  }
}

extension Context {
  /// The current day in local time.
  public var today: CalendarDay { time.local(time.now()).day }
}
