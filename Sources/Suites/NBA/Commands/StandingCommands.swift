import Command
import Output
import System

extension NBA {
  static let opponent = Option(
    "vs", ValueKind<String>.text("TEAM", .words(teamNames)), "Count only games against TEAM")

  static let standings = Command(
    "standings", "Rank the teams of each conference",
    discussion: """
      Computed from the games that the service does not mark as playoffs, without the final of the NBA Cup. The first \
      time that takes 13 requests, three minutes on the free plan; finished seasons stay in the cache. A season \
      without played games is an empty list.

      Conferences are those of today, also in earlier seasons; a former team is in none. Teams with the same winning \
      percentage are ordered by wins, then by name: the league's tie-breakers are not applied. A team without games \
      comes last, without a rank. Games that are over without a winner, an opponent or a status are reported and not \
      counted.
      """,
    options: [season, conference] + access,
    output: .list(Standing.self, order: "by conference, then by rank").schemaVersion(4),
    needs: [.network],
    examples: [
      Example("hw nba standings --conference West", "the current season"),
      Example("hw nba standings --sort -home_wins --limit 1", "the team with the most wins at home"),
      Example(
        "hw nba standings --json | jq '[.[] | select(.rank == 1) | .team.full_name]'",
        "the leaders of both conferences"),
    ]
  ) { call, context throws(Failure) in
    let progress = Progress(context, "row", inEach: "page", whileRows: true)
    let client = try client(context)
    let today = context.leagueDay
    let teams = try context.response { () throws(Failure) in try client.teams() } ?? []
    let games = try client.season(
      call[season] ?? Season.of(today), of: [], isPostseason: false, today: today
    ) { progress.add($0) }
    reportUndecided(games.filter { !$0.isCupFinal }, "counted", context)
    let (standings, counted) = Standing.tables(games, teams: teams)
    context.messages.report("counted from \(counted) games", verbosity: 1)
    // In a season without games no team has a rank.
    let ranked = counted == 0 ? [] : standings
    let chosen = ranked.filter { standing in
      call[conference].map { $0 == standing.team.conference } ?? true
    }
    try context.output.write(chosen)
  }

  static let record = Command(
    "record", "Show wins and losses of a team",
    discussion: """
      Counts the games of a season, playoffs included; --regular and --postseason select one part. The final of the \
      NBA Cup belongs to neither. Games that are over without a winner, an opponent or a status are reported and not \
      counted.
      """,
    operands: [teamOperand], options: [opponent, season, postseason, regular] + access,
    exclusions: [Exclusion(postseason, regular)],
    output: .one(TeamRecord.self).schemaVersion(3),
    needs: [.network],
    examples: [
      Example("hw nba record LAL", "the current season"),
      Example("hw nba record LAL --vs BOS --json", "against one team"),
    ]
  ) { call, context throws(Failure) in
    let client = try client(context)
    let today = context.leagueDay
    let year = call[season] ?? Season.of(today)
    let teams = try client.teams(next: "GET /games with seasons[]=\(year) and team_ids[]=ID of the team")
    let team = try TeamSearch.find(call[teamOperand], among: teams)
    let other = try call[opponent].map { name throws(Failure) in try TeamSearch.find(name, among: teams) }
    guard other?.id != team.id else { throw Failure(.usage, "a team does not play against itself") }
    let games = try client.season(year, of: [team.id], today: today)
      .filter(GameFilter(isPostseason: isPostseason(call)).matches)
    let counted =
      other.map { other in games.filter { [$0.home?.id, $0.visitor?.id].contains(other.id) } } ?? games
    reportUndecided(counted, "counted", context)
    try context.output.write(TeamRecord(of: team, against: other, season: year, games))
  }

  /// `participle` completes the message: `5 not counted`.
  static func reportUndecided(_ games: [Game], _ participle: String, _ context: Context) {
    let undecided = games.filter { $0.isUndecided(at: context.time.now()) }
    guard !undecided.isEmpty else { return }
    let ids = undecided.prefix(5).map { "\($0.id)" }.joined(separator: ", ")
    context.messages.report(
      "\(undecided.count) not \(participle), without a winner, status or opponent: \(ids)\(undecided.count > 5 ? ", …" : "")"
    )
  }
}
