import Server
import System

/// Which page is asked for.
struct PageQuery {
  let cursor: Int
  let size: Int

  init(_ query: Query) throws(Failure) {
    guard let cursor = Int(query["cursor"] ?? "0"), cursor >= 0 else {
      throw Failure(.usage, "cursor must be a number")
    }
    guard let size = Int(query["per_page"] ?? "25"), (1...100).contains(size) else {
      throw Failure(.usage, "per_page must be between 1 and 100")
    }
    self.cursor = cursor
    self.size = size
  }
}

/// Which games are asked for. What the service does not know it ignores, so does this.
struct GameQuery {
  let seasons: Set<Int>
  private let teams: Set<Int>
  private let dates: Set<Int>
  private let first: Int?
  private let last: Int?
  private let isPostseason: Bool?

  init(_ query: Query) throws(Failure) {
    seasons = Set(query.all("seasons[]").compactMap { Int($0) })
    teams = Set(query.all("team_ids[]").compactMap { Int($0) })
    dates = Set(try query.all("dates[]").map { text throws(Failure) in try GameQuery.day(text) })
    first = try query["start_date"].map { text throws(Failure) in try GameQuery.day(text) }
    last = try query["end_date"].map { text throws(Failure) in try GameQuery.day(text) }
    isPostseason = query["postseason"].map { $0 == "true" }
  }

  private static func day(_ text: String) throws(Failure) -> Int {
    guard let day = CalendarDay(text) else { throw Failure(.usage, "'\(text)' is not a date") }
    return day.daysSinceEpoch
  }

  func takes(_ game: InventedGame) -> Bool {
    (teams.isEmpty || teams.contains(game.home + 1) || teams.contains(game.visitor + 1))
      && (dates.isEmpty || dates.contains(game.day))
      && (first.map { game.day >= $0 } ?? true) && (last.map { game.day <= $0 } ?? true)
      && (isPostseason.map { game.isPostseason == $0 } ?? true)
  }
}

/// The limits of the plans that keys of these names stand for, counted over the last minute.
struct PlanLimits {
  private static let plans = ["free": 5, "all-star": 60, "goat": 600]
  private let time: any TimeKeeper
  private var calls: [String: [Duration]] = [:]

  init(_ time: any TimeKeeper) {
    self.time = time
  }

  /// Counts a call; in how many seconds another may be made, where this one is one too many.
  mutating func wait(_ key: String) -> Int? {
    guard let most = PlanLimits.plans[key] else { return nil }
    let now = time.uptime()
    var recent = (calls[key] ?? []).filter { now - $0 < .seconds(60) }
    defer { calls[key] = recent }
    if recent.count >= most, let oldest = recent.first {
      return Int((.seconds(60) - (now - oldest)).components.seconds) + 1
    }
    recent.append(now)
    return nil
  }
}
