import System

extension ValueKind where Value == CalendarDay {
  /// A day that there is, as `2022-03-08`.
  public static var day: ValueKind {
    ValueKind("DAY", wants: "a day like 2022-03-08", show: { $0.description }) { CalendarDay($0) }
  }
}
