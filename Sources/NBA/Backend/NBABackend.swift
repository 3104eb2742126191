import HTTP
import JSON
import Server
import System

/// The service's contract, answered with the clubs as they are and with players and games that are made up. There is
/// nothing to be kept: a seed is enough. Who asks over a wire needs a key, any key.
final class NBABackend {
  private let settings: BackendSettings
  private var seasons: [Int: (season: InventedSeason, games: [InventedGame])] = [:]
  private lazy var players = InventedPlayers.all(seed: settings.seed)
  private var plans: PlanLimits

  init(_ settings: BackendSettings) {
    self.settings = settings
    plans = PlanLimits(settings.time)
  }

  /// The routes stand where the service has them, with its version in front and without.
  var backend: Backend {
    let table: [(String, (Call) throws(Failure) -> Response)] = [
      ("/teams", teams), ("/teams/:id", team), ("/games", games), ("/games/:id", game),
      ("/players", players), ("/players/:id", player),
    ]
    return Backend(
      "nba", errors: .json,
      routes: ["", "/v1"].flatMap { prefix in
        table.map { path, answer in
          Route(.get, prefix + path) { [self] call throws(Failure) in
            if let refusal = refusal(call) { return refusal }
            return try answer(call)
          }
        }
      })
  }

  /// A server for a single command wants no key; whoever stands for the service does, as the service.
  private func refusal(_ call: Call) -> Response? {
    guard let key = call.header("Authorization"), !key.isEmpty else {
      return settings.hasSamples
        ? nil : Response(401, headers: ["Content-Type": "text/plain"], body: Array("Unauthorized".utf8))
    }
    guard let wait = plans.wait(key) else { return nil }
    return Response(
      429, headers: ["Content-Type": "application/json", "Retry-After": String(wait)],
      body: Array(#"{"error":"Too many requests, please try again later."}"#.utf8))
  }

  // MARK: Teams

  private func teams(_ call: Call) throws(Failure) -> Response {
    let wanted = (conference: call.query["conference"], division: call.query["division"])
    return NBABackend.answer { writer in
      writer.array { writer in
        for team in League.teams
        where (wanted.conference.map { $0 == team.conference } ?? true)
          && (wanted.division.map { $0 == team.division } ?? true)
        {
          team.write(to: &writer)
        }
      }
    }
  }

  private func team(_ call: Call) throws(Failure) -> Response {
    guard let team = League.teams.first(where: { String($0.id) == call["id"] }) else {
      throw Failure(.notFound, "team not found")
    }
    return NBABackend.answer { team.write(to: &$0) }
  }

  // MARK: Games

  /// The season that is being played and the four before it.
  private var years: ClosedRange<Int> {
    let now = Season.of(WallTime(settings.time.now()).day)
    return now - 4...now
  }

  private func season(_ year: Int) -> (season: InventedSeason, games: [InventedGame]) {
    if let known = seasons[year] { return known }
    let season = InventedSeason(year, seed: settings.seed)
    let made = (season, season.games())
    seasons[year] = made
    return made
  }

  private func games(_ call: Call) throws(Failure) -> Response {
    let filter = try GameQuery(call.query)
    let page = try PageQuery(call.query)
    let now = settings.time.now()
    // Play-offs are announced two days ahead: before that nobody knows who will play.
    let announced = WallTime(now).day.daysSinceEpoch + 2
    var found: [(InventedGame, edge: Int)] = []
    var hasMore = false
    years: for year in years where filter.seasons.isEmpty || filter.seasons.contains(year) {
      let (season, games) = season(year)
      for game in games
      where game.id > page.cursor && filter.takes(game) && (!game.isPostseason || game.day <= announced) {
        guard found.count < page.size else {
          hasMore = true
          break years
        }
        found.append((game, season.edge(game)))
      }
    }
    return NBABackend.answer(next: hasMore ? found.last?.0.id : nil, size: page.size) { writer in
      writer.array { writer in
        for (game, edge) in found { game.write(to: &writer, at: now, edge: edge) }
      }
    }
  }

  private func game(_ call: Call) throws(Failure) -> Response {
    for year in years {
      let (season, games) = season(year)
      guard let game = games.first(where: { String($0.id) == call["id"] }) else { continue }
      let now = settings.time.now()
      return NBABackend.answer { game.write(to: &$0, at: now, edge: season.edge(game)) }
    }
    throw Failure(.notFound, "game not found")
  }

  // MARK: Players

  private func players(_ call: Call) throws(Failure) -> Response {
    let page = try PageQuery(call.query)
    let teams = Set(call.query.all("team_ids[]"))
    let query = call.query
    func begins(_ name: String, _ wanted: String?) -> Bool {
      wanted.map { name.lowercased().hasPrefix($0.lowercased()) } ?? true
    }
    let found = players.filter { player in
      player.id > page.cursor
        && (teams.isEmpty || player.team.map { teams.contains(String($0.id)) } ?? false)
        && begins(player.firstName, query["first_name"]) && begins(player.lastName, query["last_name"])
        && (begins(player.firstName, query["search"]) || begins(player.lastName, query["search"]))
    }
    let shown = found.prefix(page.size)
    let next = found.count > shown.count ? shown.last?.id : nil
    return NBABackend.answer(next: next, size: page.size) { writer in
      writer.array { writer in
        for player in shown { player.write(to: &writer) }
      }
    }
  }

  private func player(_ call: Call) throws(Failure) -> Response {
    guard let player = players.first(where: { String($0.id) == call["id"] }) else {
      throw Failure(.notFound, "player not found")
    }
    return NBABackend.answer { player.write(to: &$0) }
  }

  // MARK: Answers

  private static func answer(_ write: (inout JSONWriter) -> Void) -> Response {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("data", write)
    }
    return Response(200, headers: ["Content-Type": "application/json"], body: writer.bytes)
  }

  private static func answer(next: Int?, size: Int, _ write: (inout JSONWriter) -> Void) -> Response {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("data", write)
      writer.object("meta") { writer in
        if let next {
          writer.member("next_cursor", next)
        }
        writer.member("per_page", size)
      }
    }
    return Response(200, headers: ["Content-Type": "application/json"], body: writer.bytes)
  }
}
