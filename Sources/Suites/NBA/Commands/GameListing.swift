import Command
import Output
import System

struct GameListing {
  private let call: Invocation
  private let context: Context
  private let client: NBAClient
  private let teams: [Team]
  private let isPostseason: Bool?
  private let today: CalendarDay
  private let since: CalendarDay?
  private let until: CalendarDay?
  private let progress: Progress

  /// Returns nil if teams were named and none exists. Missing teams are reported.
  init?(_ call: Invocation, _ context: Context) throws(Failure) {
    self.call = call
    self.context = context
    isPostseason = NBA.isPostseason(call)
    today = context.leagueDay
    since = call[NBA.since]?.day(today: today)
    until = call[NBA.until]?.day(today: today)
    if let since, let until, until < since { throw Failure(.usage, "'--until' is before '--since'") }
    try GameListing.refuseContradictions(call)
    progress = Progress(context, "row", inEach: "page", whileRows: true)
    client = try NBA.client(context)
    guard let teams = try GameListing.teams(call, context, client) else { return nil }
    self.teams = teams
  }

  private static func refuseContradictions(_ call: Invocation) throws(Failure) {
    if call[NBA.on] == nil, call.isGiven(ListOptions.watch) {
      throw Failure(.usage, "'--watch' requires '--on'", hint: "add '--on today'")
    }
    if call[NBA.on] == nil, call[NBA.playerOption] == nil, try call[NBA.teamsOperand].isEmpty {
      throw Failure(
        .usage, "missing operand TEAM", hint: "'hw nba teams' lists the teams; '--on today' needs no team")
    }
  }

  private static func teams(
    _ call: Invocation, _ context: Context, _ client: NBAClient
  ) throws(Failure) -> [Team]? {
    if let id = call[NBA.playerOption] {
      let player = try client.player(id, next: "GET /games with team_ids[]=ID of the team")
      guard let team = player.team else {
        throw Failure(.notFound, "\(player.firstName) \(player.lastName) (\(id)) plays for no team")
      }
      return [team]
    }
    let names = try call[NBA.teamsOperand]
    guard !names.isEmpty else { return [] }
    let known = try client.teams(next: "GET /games with team_ids[]=ID of each team")
    var teams: [Team] = []
    for name in names {
      let team = try context.attempt(oneOf: names.count) { () throws(Failure) in
        try TeamSearch.find(name, among: known)
      }
      if let team { teams.append(team) }
    }
    return teams.isEmpty ? nil : teams
  }

  // MARK: Lists

  func printDay(_ day: DayValue) throws(Failure) {
    try write(games(day: day.day(today: today)), inOrder: { $0.startsBefore($1) })
  }

  func printUpcoming() throws(Failure) {
    let games = try games(since: max(today, since ?? today)).filter { $0.isUpcoming(on: today) }
    try write(games, inOrder: { $0.startsBefore($1) })
  }

  /// The games of a day or a period, of all seasons.
  private func games(since: CalendarDay? = nil, day: CalendarDay? = nil) throws(Failure) -> [Game] {
    let request = NBAClient.GamesRequest(
      teams: teams.map(\.id), since: since, until: until, isPostseason: isPostseason, day: day)
    return try client.all(request) { progress.add($0) }.filter(GameFilter(isPostseason: isPostseason).matches)
  }

  private func write(_ games: [Game], inOrder precedes: (Game, Game) -> Bool) throws(Failure) {
    try context.output.write(games.sorted(by: precedes).map { GameRow(game: $0, time: context.time) })
  }

  func printNewestFirst() throws(Failure) {
    let newest = call[NBA.season] ?? Season.of(until ?? today)
    let oldest = oldestSeason(newest: newest)
    let period = GameFilter(since: since, until: until, isPostseason: isPostseason)
    var filter = period
    filter.isPlayed = true
    if oldest ?? 0 < newest, !teams.contains(where: \.isCurrent) {
      // A former club has few games, and none in most seasons.
      let games = try games(since: since).filter { $0.season <= newest }
      reportUnplayed(games, period)
      return try write(games.filter(filter.matches), inOrder: { $0.precedes($1) })
    }
    var seasons = GamesBySeason(newest: newest, oldest: oldest, filter) { season throws(Failure) in
      let games = try client.season(season, of: teams.map(\.id), today: today) { progress.add($0) }
      reportUnplayed(games, period)
      return games
    }
    try context.output.write(each: GameRow.self) { rows throws(Failure) in
      while !rows.isFull, let games = try seasons.next() {
        for game in games where !rows.isFull { try rows.write(GameRow(game: game, time: context.time)) }
        if !rows.isFull, seasons.hasNext { try rows.awaitReader() }
      }
    }
  }

  /// Oldest season to list; nil for all seasons, until several in a row have no games.
  private func oldestSeason(newest: Int) -> Int? {
    let earliest = since.map(Season.earliest)
    // A former club has games decades before the others.
    if call[NBA.all] { return earliest ?? (teams.allSatisfy(\.isCurrent) ? nil : Season.first) }
    if let season = call[NBA.season] { return max(season, earliest ?? season) }
    return earliest ?? until.map(Season.earliest) ?? newest
  }

  private func reportUnplayed(_ games: [Game], _ filter: GameFilter) {
    NBA.reportUndecided(games.filter { !$0.hasBegun && filter.matches($0) }, "listed", context)
  }
}
