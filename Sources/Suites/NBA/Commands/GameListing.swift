import Command
import Output
import System

struct GameListing {
  private let call: Invocation
  private let context: Context
  private let client: NBAClient
  private let teams: [Int]
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
  ) throws(Failure) -> [Int]? {
    if let id = call[NBA.playerOption] {
      let player = try client.player(id, next: "GET /games with team_ids[]=ID of the team")
      guard let team = player.team else {
        throw Failure(.notFound, "\(player.firstName) \(player.lastName) (\(id)) plays for no team")
      }
      return [team.id]
    }
    let names = try call[NBA.teamsOperand]
    guard !names.isEmpty else { return [] }
    let known = try client.teams(next: "GET /games with team_ids[]=ID of each team")
    var ids: [Int] = []
    for name in names {
      let team = try context.attempt(oneOf: names.count) { () throws(Failure) in
        try TeamSearch.find(name, among: known)
      }
      if let team { ids.append(team.id) }
    }
    return ids.isEmpty ? nil : ids
  }

  // MARK: The orders

  func printDay(_ day: DayValue) throws(Failure) {
    let request = NBAClient.GamesRequest(teams: teams, isPostseason: isPostseason, day: day.day(today: today))
    try printByStart(client.all(request) { count in progress.add(count) })
  }

  func printUpcoming() throws(Failure) {
    let request = NBAClient.GamesRequest(
      teams: teams, since: max(today, since ?? today), until: until, isPostseason: isPostseason)
    let games = try client.all(request) { count in progress.add(count) }
    try printByStart(games.filter { $0.isUpcoming(on: today) })
  }

  private func printByStart(_ games: [Game]) throws(Failure) {
    try context.output.write(
      games.sorted { $0.startsBefore($1) }.map { GameRow(game: $0, time: context.time) })
  }

  func printNewestFirst() throws(Failure) {
    let newest = call[NBA.season] ?? Season.of(until ?? today)
    let first = since.map(Season.earliest)
    let last = first ?? until.map(Season.earliest) ?? newest
    let oldest = call[NBA.all] ? Season.first : call[NBA.season] ?? last
    let filter = GameFilter(since: since, until: until, isPostseason: isPostseason, isPlayed: true)
    var seasons = GamesBySeason(newest: newest, oldest: max(oldest, first ?? oldest), filter) {
      season throws(Failure) in
      try client.season(season, of: teams, today: today) { count in progress.add(count) }
    }
    try context.output.write(each: GameRow.self) { rows throws(Failure) in
      while !rows.isFull, let games = try seasons.next() {
        for game in games where !rows.isFull { try rows.write(GameRow(game: game, time: context.time)) }
        try rows.pause()
        if !rows.isFull, seasons.hasNext { try rows.awaitReader() }
      }
    }
  }
}
