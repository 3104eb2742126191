import HTTP
import JSON
import System

struct NBAClient {
  let endpoint: Endpoint

  /// The parameters of a request for games. Nil ones are not sent.
  struct GamesRequest {
    var teams: [Int] = []
    var season: Int?
    var since: CalendarDay?
    var until: CalendarDay?
    var isPostseason: Bool?
    var day: CalendarDay?

    /// Fails if the game does not match the request: the service ignored a parameter.
    func check(_ game: Game, _ json: JSON) throws(Failure) {
      guard GameFilter(since: day ?? since, until: day ?? until).matches(game) else {
        throw json["date"].invalid("expected a game of the requested days, found \(game.date)")
      }
      if let isPostseason, game.isPostseason != isPostseason {
        throw json["postseason"].invalid("expected \(isPostseason), as requested")
      }
      if let season, game.season != season {
        throw json["season"].invalid("expected a game of the season \(season), found \(game.season)")
      }
      guard !teams.isEmpty, let home = game.home?.id, let visitor = game.visitor?.id else { return }
      guard teams.contains(home) || teams.contains(visitor) else {
        throw json["home_team"].invalid(
          "expected a game of the requested teams, found \(home) and \(visitor)")
      }
    }
  }

  /// `next` describes the requests that depend on the teams, for `--explain`.
  func teams(next: String? = nil) throws(Failure) -> [Team] {
    // Teams change once in years, so the list is cached for a day.
    try get("/teams", maxAge: .seconds(86_400), next: next) { json throws(Failure) in
      var teams: [Team] = []
      for json in try json["data"].array {
        let team = try Team(json)
        if !teams.contains(where: { $0.id == team.id }) { teams.append(team) }
      }
      // An empty list is a fault of the service, and must not be cached.
      guard !teams.isEmpty else { throw json["data"].invalid("expected at least one team") }
      return teams
    }
  }

  /// If `isSettled`, the response will not change and is cached forever, unless it is empty.
  func games(
    _ request: GamesRequest, _ page: PageRequest, _ cache: inout TeamCache, isSettled: Bool = false
  ) throws(Failure) -> CursorPage<Game> {
    var query: URL.Query = [:]
    for team in request.teams { query.append("team_ids[]", String(team)) }
    query.append("seasons[]", request.season.map(String.init))
    query.append("dates[]", request.day?.description)
    query.append("start_date", request.since?.description)
    query.append("end_date", request.until?.description)
    query.append("postseason", request.isPostseason.map(String.init))
    append(page, to: &query)
    return try get(
      "/games", query, maxAge: isSettled ? NBAClient.forever : nil, next: NBAClient.otherPages,
      // A missing result may still come.
      isCacheable: { !isSettled || !$0.items.isEmpty && $0.items.allSatisfy { $0.isFinal || $0.isCalledOff } }
    ) { json throws(Failure) in
      try CursorPage(json) { json throws(Failure) in
        let game = try Game(json, &cache)
        try request.check(game, json)
        return game
      }
    }
  }

  private static let forever = Duration.seconds(1 << 31)

  func players(
    _ search: PlayerSearch, teams: [Int], _ page: PageRequest
  ) throws(Failure) -> CursorPage<Player> {
    var query: URL.Query = [:]
    switch search {
    case .all: break
    case .either(let name): query.append("search", name)
    case .both(let first, let last):
      query.append("first_name", first)
      query.append("last_name", last)
    }
    for team in teams { query.append("team_ids[]", String(team)) }
    append(page, to: &query)
    return try get("/players", query, next: NBAClient.otherPages) { json throws(Failure) in
      let found = try CursorPage(json) { json throws(Failure) in
        let player = try Player(json)
        if !teams.isEmpty, let team = player.team?.id, !teams.contains(team) {
          throw json["team"].invalid("expected a player of the requested teams, found \(team)")
        }
        return player
      }
      // Only the first page is checked. The service may know more spellings of a name than its rows show.
      guard page.cursor != nil || found.items.isEmpty || found.items.contains(where: search.matches) else {
        throw json["data"].invalid("no player of the first page has the name that was searched")
      }
      return found
    }
  }

  private static let otherPages = "the same with cursor=N, while 'meta.next_cursor' is a number N"

  func player(_ id: Int, next: String? = nil) throws(Failure) -> Player {
    do throws(Failure) {
      return try get("/players/\(id)", next: next) { json throws(Failure) in
        // Older documentation shows an array with one player.
        let data = json["data"]
        let player = try Player(data.kind == .array ? data[0] : data)
        guard player.id == id else {
          throw Failure(.invalidData, "the response is about another player: \(player.id)")
        }
        return player
      }
    } catch {
      guard error.kind == .notFound else { throw error }
      throw Failure(.notFound, "there is no player \(id)", hint: "'hw nba players NAME' shows ids")
    }
  }

  private func append(_ page: PageRequest, to query: inout URL.Query) {
    query.append("per_page", String(page.size))
    query.append("cursor", page.cursor.map(String.init))
  }

  private func get<Value>(
    _ path: URL.Path, _ query: URL.Query = [:], maxAge: Duration? = nil, next: String? = nil,
    isCacheable: (Value) -> Bool = { _ in true }, _ read: (JSON) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try endpoint.get(
      path, query, maxAge: maxAge, next: next, serviceError: NBAClient.serviceError, isCacheable: isCacheable,
      read)
  }

  /// The service sends 401 both for an invalid key and for a plan that does not include the request.
  private static func serviceError(_ response: ReceivedResponse) -> Failure? {
    guard response.status == 401 else { return nil }
    return Failure(
      .unauthorized, "the service refuses the key, or its plan does not include this",
      hint: "check the key and its plan at https://app.balldontlie.io, or use '--demo', which needs no key",
      cause: .response(status: 401))
  }

  // MARK: Several requests

  /// The ids of the named teams. Requests the list of teams only if there are names.
  func teamIDs(_ names: [String], next: String) throws(Failure) -> [Int] {
    guard !names.isEmpty else { return [] }
    let teams = try teams(next: next)
    return try names.map { name throws(Failure) in try TeamSearch.find(name, among: teams).id }
  }

  /// All games of a season. `onPage` receives the number of games of each page.
  func season(
    _ season: Int, of teams: [Int], isPostseason: Bool? = nil, today: CalendarDay,
    onPage: (Int) -> Void = { _ in }
  ) throws(Failure) -> [Game] {
    let request = GamesRequest(teams: teams, season: season, isPostseason: isPostseason)
    return try all(request, isSettled: Season.isOver(season, on: today), onPage: onPage)
  }

  func all(
    _ request: GamesRequest, isSettled: Bool = false, onPage: (Int) -> Void
  ) throws(Failure) -> [Game] {
    var cache = TeamCache()
    var pages = Pages<Game> { (page) throws(Failure) -> CursorPage<Game> in
      try self.games(request, page, &cache, isSettled: isSettled)
    }
    var all: [Game] = []
    while let games = try pages.next() {
      all += games
      onPage(games.count)
    }
    return all
  }
}
