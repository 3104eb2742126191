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

/// The games of some teams, newest first: a season at a time, each sorted when all of it is there. So no more than a
/// season is ever held, and none is asked for before it is wanted.
struct GameWalk {
  /// Which games of a season are wanted: what is nil does not matter. All of a season is asked for in any case, so
  /// that a copy of it serves every choice.
  struct Choice {
    var since: CalendarDay?
    var until: CalendarDay?
    var isPostseason: Bool?

    func takes(_ game: Game) -> Bool {
      (since.map { game.date >= $0.description } ?? true)
        && (until.map { game.date <= $0.description } ?? true)
        && (isPostseason.map { game.isPostseason == $0 } ?? true)
    }
  }

  /// After so many seasons without a game there are no older ones either.
  static let emptySeasons = 3

  private let choice: Choice
  private let oldest: Int
  private let fetch: (_ season: Int) throws(Failure) -> [Game]
  private var season: Int
  private var empty = 0

  /// From `newest` down to `oldest`, both included. `fetch` gets all games of a season in whatever order.
  init(
    newest: Int, oldest: Int, _ choice: Choice, fetch: @escaping (_ season: Int) throws(Failure) -> [Game]
  ) {
    season = newest
    self.oldest = max(oldest, Season.first)
    self.choice = choice
    self.fetch = fetch
  }

  /// The season that comes next, to go on from here another time; nil when there are no more.
  var nextSeason: Int? { season >= oldest && empty < GameWalk.emptySeasons ? season : nil }

  /// The games of the next season that has any; nil when there are no more.
  mutating func next() throws(Failure) -> [Game]? {
    while let year = nextSeason {
      let all = try fetch(year)
      season = year - 1
      empty = all.isEmpty ? empty + 1 : 0
      let games = all.filter(choice.takes)
      if !games.isEmpty { return games.sorted { $0.precedes($1) } }
    }
    return nil
  }
}
