import HTTP
import JSON
import System

/// The service's contract, as calls.
struct NBAClient {
  let endpoint: Endpoint

  /// Which games: what is nil is not asked for.
  struct GameFilter {
    var teams: [Int] = []
    var season: Int?
    var since: CalendarDay?
    var until: CalendarDay?
    var isPostseason: Bool?
  }

  /// A club is founded or moves once in years: a list of yesterday is as good as one of now.
  static let teamsAge = Duration.seconds(86_400)

  func teams() throws(Failure) -> [Team] {
    try get("/teams", maxAge: NBAClient.teamsAge) { json throws(Failure) in
      var teams: [Team] = []
      for team in try json["data"].array { teams.append(try Team(team)) }
      return teams
    }
  }

  /// `isSettled`: nothing in the answer will change any more, so that a copy is good for ever.
  func games(
    _ filter: GameFilter, _ place: Pages<Game>.Place, _ known: inout KnownTeams, isSettled: Bool = false
  ) throws(Failure) -> Page<Game> {
    var query: URL.Query = [:]
    for team in filter.teams { query.append("team_ids[]", String(team)) }
    query.append("seasons[]", filter.season.map(String.init))
    query.append("start_date", filter.since?.description)
    query.append("end_date", filter.until?.description)
    query.append("postseason", filter.isPostseason.map(String.init))
    append(place.cursor, place.size, to: &query)
    return try get("/games", query, maxAge: isSettled ? NBAClient.ever : nil) { json throws(Failure) in
      try Page(json) { game throws(Failure) in try Game(game, &known) }
    }
  }

  private static let ever = Duration.seconds(1 << 31)

  func players(
    _ search: PlayerSearch, teams: [Int], _ place: Pages<Player>.Place
  ) throws(Failure) -> Page<Player> {
    var query: URL.Query = [:]
    switch search {
    case .everybody: break
    case .either(let name): query.append("search", name)
    case .both(let first, let last):
      query.append("first_name", first)
      query.append("last_name", last)
    }
    for team in teams { query.append("team_ids[]", String(team)) }
    append(place.cursor, place.size, to: &query)
    return try get("/players", query) { json throws(Failure) in
      try Page(json) { player throws(Failure) in try Player(player) }
    }
  }

  func player(_ id: Int) throws(Failure) -> Player {
    do throws(Failure) {
      return try get("/players/\(id)") { json throws(Failure) in
        // Old documents show a list of one.
        let data = json["data"]
        return try Player(data.kind == .array ? data[0] : data)
      }
    } catch {
      guard error.kind == .notFound else { throw error }
      throw Failure(
        .notFound, "there is no player \(id)",
        hint: "'hw nba players NAME --fields id,first_name,last_name' has ids")
    }
  }

  private func append(_ cursor: Int?, _ size: Int?, to query: inout URL.Query) {
    query.append("per_page", size.map(String.init))
    query.append("cursor", cursor.map(String.init))
  }

  private func get<Answer>(
    _ path: URL.Path, _ query: URL.Query = [:], maxAge: Duration? = nil,
    _ read: (JSON) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    try endpoint.get(path, query, maxAge: maxAge, refusal: NBAClient.refusal, read)
  }

  /// It says `Unauthorized` and no more, for two reasons that look alike from outside.
  private static func refusal(_ response: Response) -> Failure? {
    guard response.status == 401 else { return nil }
    return Failure(
      .unauthorized, "the service refuses the key, or the key's plan has no part in this",
      hint: "check the key and its plan at https://app.balldontlie.io, or use '--demo', which needs none")
  }
}

extension NBAClient {
  /// The ids of the teams that are named; the list is asked for only where there is a name.
  func teamIDs(_ names: [String]) throws(Failure) -> [Int] {
    guard !names.isEmpty else { return [] }
    let teams = try teams()
    return try names.map { name throws(Failure) in try TeamSearch.find(name, among: teams).id }
  }

  /// All games of a season. `note` hears how many each page brought.
  func season(
    _ season: Int, of teams: [Int], isPostseason: Bool? = nil, today: CalendarDay,
    note: (Int) -> Void = { _ in }
  ) throws(Failure) -> [Game] {
    var filter = GameFilter(teams: teams, season: season)
    filter.isPostseason = isPostseason
    let wanted = filter
    let isSettled = Season.isOver(season, on: today)
    var known = KnownTeams()
    var pages = Pages<Game> { (place) throws(Failure) -> Page<Game> in
      try self.games(wanted, place, &known, isSettled: isSettled)
    }
    var all: [Game] = []
    while let games = try pages.next() {
      all += games
      note(games.count)
    }
    return all
  }
}
