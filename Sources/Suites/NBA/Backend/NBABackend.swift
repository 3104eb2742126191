import HTTP
import JSON
import Server
import System

/// The API of balldontlie with the real teams and with sample players and games. The backend stores nothing: the seed
/// determines all responses. Any key is accepted; `refusal` decides whether one is required.
final class NBABackend: Backend {
  let suite = "nba"
  private let settings: BackendSettings
  private var seasons: [Int: [SampleGame]] = [:]
  private lazy var players = SamplePlayers.all(seed: settings.seed)

  init(_ settings: BackendSettings) { self.settings = settings }

  /// All routes exist with and without the version as a prefix, as in the service.
  var routes: [Route] {
    let table: [(String, (Call) throws(Failure) -> Response)] = [
      ("/teams", teams), ("/teams/:id", team), ("/games", games), ("/games/:id", game),
      ("/players", players), ("/players/:id", player),
    ]
    return ["", "/v1"].flatMap { prefix in
      table.map { path, handler in
        Route(.get, prefix + path) { [self] call throws(Failure) in
          if let refusal = refusal(call) { return refusal }
          return try handler(call)
        }
      }
    }
  }

  /// Requires a key, as the service does, unless the data is sample data; the client sends one to `embedded:`. A user
  /// of `hw serve` needs none, nor does a stranger whom the server allows to read.
  private func refusal(_ call: Call) -> Response? {
    if call.caller == .stranger { return nil }
    let key = call.caller.user?.name ?? call.header("Authorization") ?? ""
    return settings.hasSamples || !key.isEmpty
      ? nil : Response(401, headers: ["Content-Type": "text/plain"], body: Array("Unauthorized".utf8))
  }

  // MARK: Teams

  private func teams(_ call: Call) throws(Failure) -> Response {
    NBABackend.response { writer in
      writer.array { writer in
        for team in League.teams { team.write(to: &writer) }
      }
    }
  }

  private func team(_ call: Call) throws(Failure) -> Response {
    guard let team = League.teams.first(where: { String($0.id) == call["id"] }) else {
      throw Failure(.notFound, "team not found")
    }
    return NBABackend.response { team.write(to: &$0) }
  }

  // MARK: Games

  /// The current season and the four before it.
  private var years: ClosedRange<Int> {
    let now = Season.of(WallTime(settings.time.now()).day)
    return now - 4...now
  }

  private func season(_ year: Int) -> [SampleGame] {
    if let known = seasons[year] { return known }
    let games = SampleSeason(year, seed: settings.seed).games()
    seasons[year] = games
    return games
  }

  private func games(_ call: Call) throws(Failure) -> Response {
    let filter = try GameQuery(call.query)
    let page = try PageQuery(call.query)
    let now = settings.time.now()
    // A playoff game is listed two days before: earlier its teams are unknown.
    let announced = WallTime(now).day.daysSinceEpoch + 2
    var found: [SampleGame] = []
    var hasMore = false
    search: for year in years where filter.seasons.isEmpty || filter.seasons.contains(year) {
      for game in season(year)
      where game.id > page.cursor && filter.matches(game) && (!game.isPostseason || game.day <= announced) {
        guard found.count < page.size else {
          hasMore = true
          break search
        }
        found.append(game)
      }
    }
    return NBABackend.response((next: hasMore ? found.last?.id : nil, size: page.size)) { writer in
      writer.array { writer in
        for game in found { game.write(to: &writer, at: now) }
      }
    }
  }

  private func game(_ call: Call) throws(Failure) -> Response {
    for year in years {
      guard let game = season(year).first(where: { String($0.id) == call["id"] }) else { continue }
      let now = settings.time.now()
      return NBABackend.response { game.write(to: &$0, at: now) }
    }
    throw Failure(.notFound, "game not found")
  }

  // MARK: Players

  private func players(_ call: Call) throws(Failure) -> Response {
    let page = try PageQuery(call.query)
    let teams = try call.query.values("team_ids[]") { Int($0) }
    let query = ["first_name", "last_name", "search"].map { call.query[$0]?.lowercased() }
    func begins(_ name: String, _ wanted: String?) -> Bool {
      wanted.map { name.lowercased().hasPrefix($0) } ?? true
    }
    let found = players.filter { player in
      player.id > page.cursor
        && (teams.isEmpty || player.team.map { teams.contains($0.id) } ?? false)
        && begins(player.firstName, query[0]) && begins(player.lastName, query[1])
        && (begins(player.firstName, query[2]) || begins(player.lastName, query[2]))
    }
    let shown = found.prefix(page.size)
    let next = found.count > shown.count ? shown.last?.id : nil
    return NBABackend.response((next: next, size: page.size)) { writer in
      writer.array { writer in
        for player in shown { player.write(to: &writer) }
      }
    }
  }

  private func player(_ call: Call) throws(Failure) -> Response {
    guard let player = players.first(where: { String($0.id) == call["id"] }) else {
      throw Failure(.notFound, "player not found")
    }
    return NBABackend.response { player.write(to: &$0) }
  }

  // MARK: Responses

  /// Writes `data`, and `meta` if the response is a page of a list.
  private static func response(
    _ page: (next: Int?, size: Int)? = nil, _ write: (inout JSONWriter) -> Void
  ) -> Response {
    .json { writer in
      writer.object { writer in
        writer.member("data", write)
        guard let page else { return }
        writer.object("meta") { writer in
          if let next = page.next { writer.member("next_cursor", next) }
          writer.member("per_page", page.size)
        }
      }
    }
  }
}

private struct PageQuery {
  let cursor: Int
  let size: Int

  init(_ query: Query) throws(Failure) {
    cursor = try query.values("cursor") { UInt($0).flatMap { Int(exactly: $0) } }.first ?? 0
    guard let size = Int(query["per_page"] ?? "25"), (1...100).contains(size) else {
      throw Failure(.usage, "per_page must be between 1 and 100")
    }
    self.size = size
  }
}

/// The filters of a request for games. Ignores unknown parameters, as the service does.
private struct GameQuery {
  let seasons: Set<Int>
  private let teams: Set<Int>
  private let dates: Set<Int>
  private let first: Int?
  private let last: Int?
  private let isPostseason: Bool?

  init(_ query: Query) throws(Failure) {
    let day: (String) -> Int? = { CalendarDay($0)?.daysSinceEpoch }
    seasons = Set(try query.values("seasons[]") { Int($0) })
    teams = Set(try query.values("team_ids[]") { Int($0) })
    dates = Set(try query.values("dates[]", day))
    first = try query.values("start_date", day).first
    last = try query.values("end_date", day).first
    isPostseason = try query.values("postseason") { Bool($0) }.first
  }

  func matches(_ game: SampleGame) -> Bool {
    (teams.isEmpty || [game.home, game.visitor].contains { teams.contains(League.current[$0].id) })
      && (dates.isEmpty || dates.contains(game.day))
      && (first.map { game.day >= $0 } ?? true) && (last.map { game.day <= $0 } ?? true)
      && (isPostseason.map { game.isPostseason == $0 } ?? true)
  }
}

extension Query {
  /// Refuses a wrong value of a filter, which would select everything.
  fileprivate func values<Value>(_ name: String, _ read: (String) -> Value?) throws(Failure) -> [Value] {
    try all(name).map { text throws(Failure) in
      guard let value = read(text) else { throw Failure(.usage, "\(name) cannot be '\(text)'") }
      return value
    }
  }
}
