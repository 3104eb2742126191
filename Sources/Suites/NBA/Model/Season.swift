import System

/// Seasons of the league, each named by the year in which it begins.
enum Season {
  static let first = 1946

  /// The season of a day. A new season begins in October.
  static func of(_ day: CalendarDay) -> Int { day.month >= 10 ? day.year : day.year - 1 }

  /// The earliest season that can have games on a day: in October the previous one may not be over.
  static func earliest(on day: CalendarDay) -> Int {
    let season = of(day)
    return isOver(season - 1, on: day) ? season : season - 1
  }

  /// The day in New York, to which the dates of games refer.
  static func americanDay(_ now: Timestamp) -> CalendarDay {
    let standard = WallTime(now, offset: -5 * 3600)
    return isSummer(standard.day.year, now) ? WallTime(now, offset: -4 * 3600).day : standard.day
  }

  /// The instant at a number of minutes after midnight in New York, in standard or daylight saving time.
  static func instant(_ day: CalendarDay, minutes: Int) -> Timestamp {
    let standard = Timestamp(seconds: Int64(day.daysSinceEpoch * 86_400 + minutes * 60 + 5 * 3600))
    return isSummer(day.year, standard) ? Timestamp(seconds: standard.seconds - 3600) : standard
  }

  /// Daylight saving time from 2:00 on the second Sunday in March to 2:00 on the first Sunday in November, by the law
  /// of 2007. Earlier rules are not needed: only the current day and future games are computed.
  private static func isSummer(_ year: Int, _ now: Timestamp) -> Bool {
    func firstSunday(_ month: Int, from day: Int) -> Int {
      // Day 0, in 1970, was a Thursday.
      let first = CalendarDay(year: year, month: month, day: day)?.daysSinceEpoch ?? 0
      return first + (10 - first % 7) % 7
    }
    let start = firstSunday(3, from: 8) * 86_400 + 7 * 3600
    let end = firstSunday(11, from: 1) * 86_400 + 6 * 3600
    return (start..<max(start, end)).contains(Int(now.seconds))
  }

  /// Whether all results of a season are final. Seasons end by July; only the season of 2019 ended in October.
  static func isOver(_ season: Int, on day: CalendarDay) -> Bool {
    (day.year, day.month) >= (season + 1, season == 2019 ? 11 : 8)
  }
}

/// The games of some teams by season, newest first. A season is requested when needed; one at a time is in memory.
struct GamesBySeason {
  /// After this number of consecutive seasons without games there are no older games, unless the user chose the oldest.
  static let emptySeasons = 3

  private let filter: GameFilter
  private let oldest: Int?
  private let fetch: (_ season: Int) throws(Failure) -> [Game]
  private var season: Int
  /// Seasons without games since the last one with games; nil before the first one with games.
  private var empty: Int?

  /// Both ends are included; `oldest` is nil for all seasons. `fetch` returns all games of a season in any order.
  init(
    newest: Int, oldest: Int?, _ filter: GameFilter,
    fetch: @escaping (_ season: Int) throws(Failure) -> [Game]
  ) {
    season = newest
    self.oldest = oldest
    self.filter = filter
    self.fetch = fetch
  }

  var hasNext: Bool {
    season >= max(oldest ?? 0, Season.first) && (oldest != nil || empty ?? 0 < GamesBySeason.emptySeasons)
  }

  /// The games of the next season that has any; nil if there are no more.
  mutating func next() throws(Failure) -> [Game]? {
    while hasNext {
      let all = try fetch(season)
      season -= 1
      empty = all.isEmpty ? empty.map { $0 + 1 } : 0
      let games = all.filter(filter.matches)
      if !games.isEmpty { return games.sorted { $0.precedes($1) } }
    }
    return nil
  }
}
