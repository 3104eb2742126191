import Command
import Output
import System

/// One run of `hw nba games`.
struct GameListing {
  private let call: Invocation
  private let context: Context
  private let client: NBAClient
  private let teams: [Int]
  private let clock: @Sendable (Timestamp) -> WallTime
  private let progress: Progress

  init(_ call: Invocation, _ context: Context) throws(Failure) {
    self.call = call
    self.context = context
    try GameListing.refuseContradictions(call)
    clock = context.wallClock(utc: call[NBA.utc])
    progress = Progress(context)
    client = try NBA.client(call, progress.context)
    teams = try GameListing.teams(call, client)
  }

  private static func refuseContradictions(_ call: Invocation) throws(Failure) {
    if call[NBA.postseason], call[NBA.regular] {
      throw Failure(.usage, "'--postseason' and '--regular' exclude each other")
    }
    if let since = call[NBA.since], let until = call[NBA.until], until < since {
      throw Failure(.usage, "'--until' is before '--since'")
    }
    let isDump = call[NBA.order] == .service
    if call[NBA.cursor] != nil, !isDump {
      throw Failure(.usage, "'--cursor' is a place in the service's order", hint: "add '--order service'")
    }
    if call[NBA.playerOption] != nil, try !call[NBA.teamsOperand].isEmpty {
      throw Failure(.usage, "either TEAM or '--player', not both")
    }
    if !isDump, call[NBA.playerOption] == nil, try call[NBA.teamsOperand].isEmpty {
      throw Failure(.usage, "missing operand TEAM", hint: "'hw nba teams' lists them")
    }
  }

  private static func teams(_ call: Invocation, _ client: NBAClient) throws(Failure) -> [Int] {
    if let id = call[NBA.playerOption] {
      let player = try client.player(id)
      guard let team = player.team else {
        throw Failure(.notFound, "\(player.firstName) \(player.lastName) (\(id)) plays for no team")
      }
      return [team.id]
    }
    return try client.teamIDs(call[NBA.teamsOperand])
  }

  private var isPostseason: Bool? { call[NBA.postseason] ? true : call[NBA.regular] ? false : nil }

  // MARK: Newest first

  func printNewestFirst() throws(Failure) {
    let today = context.today(utc: call[NBA.utc])
    let newest = call[NBA.season] ?? Season.of(call[NBA.until] ?? today)
    let oldest = call[NBA.all] ? Season.first : call[NBA.season] ?? call[NBA.since].map(Season.of) ?? newest
    let choice = GameWalk.Choice(since: call[NBA.since], until: call[NBA.until], isPostseason: isPostseason)
    let since = call[NBA.since].map(Season.of) ?? Season.first
    var walk = GameWalk(newest: newest, oldest: max(oldest, since), choice) { season throws(Failure) in
      try client.season(season, of: teams, today: today) { count in progress.addPage(of: count) }
    }
    var left = call[NBA.limit] ?? .max
    do throws(Failure) {
      try context.output.write(each: GameRow.self) { rows throws(Failure) in
        while left > 0, let games = try walk.next() {
          progress.clear()
          for game in games.prefix(left) { try rows.write(GameRow(game: game, clock: clock)) }
          left -= games.count
          if left > 0 { try rows.awaitReader() }
        }
        progress.clear()
      }
    } catch {
      progress.clear()
      if call[NBA.all] { tell("'--season \(walk.season)'", after: error) }
      throw error
    }
  }

  // MARK: As the service has them

  func printAsServed() throws(Failure) {
    let filter = NBAClient.GameFilter(
      teams: teams, season: call[NBA.season], since: call[NBA.since], until: call[NBA.until],
      isPostseason: isPostseason)
    var known = KnownTeams()
    let client = client
    var pages = Pages<Game>(from: call[NBA.cursor]) { place throws(Failure) in
      try client.games(filter, place, &known)
    }
    var left = call[NBA.limit] ?? .max
    do throws(Failure) {
      try context.output.write(each: GameRow.self) { rows throws(Failure) in
        while left > 0, let games = try pages.next(atMost: left) {
          progress.clear()
          for game in games.prefix(left) { try rows.write(GameRow(game: game, clock: clock)) }
          left -= games.count
          try rows.pause()
          progress.addPage(of: games.count)
        }
        progress.clear()
      }
    } catch {
      progress.clear()
      if let cursor = pages.cursor { tell("'--cursor \(cursor)'", after: error) }
      throw error
    }
    guard let cursor = pages.cursor, !pages.isOver else { return }
    context.messages.tell("next cursor: \(cursor)", verbosity: 1)
  }

  /// Where to go on, when something broke off that was under way.
  private func tell(_ option: String, after failure: Failure) {
    guard failure.kind != .closedPipe, failure.kind != .usage else { return }
    context.messages.tell("broken off; \(option) goes on from here")
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

extension Context {
  func wallClock(utc: Bool) -> @Sendable (Timestamp) -> WallTime {
    let time = time
    return { instant in utc ? WallTime(instant) : time.local(instant) }
  }

  func today(utc: Bool) -> CalendarDay { wallClock(utc: utc)(time.now()).day }
}
