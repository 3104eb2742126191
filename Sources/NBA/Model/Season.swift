import System

/// Seasons, by the year each begins in.
enum Season {
  /// The league was founded then.
  static let first = 1946

  /// The season of a day: a new one begins with October.
  static func of(_ day: CalendarDay) -> Int { day.month >= 10 ? day.year : day.year - 1 }

  /// Nobody plays in it any more, and no result will change: the latest finals ever were in October of a season that
  /// began a year before, all others were over in July.
  static func isOver(_ season: Int, on day: CalendarDay) -> Bool {
    (day.year, day.month) >= (season + 1, season == 2019 ? 11 : 8)
  }
}
