import Command
import Output
import System

extension NBA {
  static let opponent = Option("vs", ValueKind<String>.text("TEAM"), "Count only the games against TEAM")

  static let standings = Command(
    "standings", "Rank the teams of each conference",
    discussion: """
      Counted from the games of the regular season, of which there are some 1230: the first time that is 13 requests, \
      three minutes on the free plan, with the progress told on a terminal. A season that is over is kept for good. Each \
      row says from how many games it is counted. The league's own tie-breaks are not kept: teams with an equal \
      share of wins stand by wins, then by name. A season without a played game is an empty list.
      """,
    options: [season, conference, utc] + access,
    output: .list(Standing.self, order: "by conference, then by rank").schemaVersion(2),
    needs: [.network],
    examples: [
      Example("hw nba standings --conference West", "the season that is being played"),
      Example(
        "hw nba standings --json | jq '[.[] | select(.rank == 1) | .team.full_name]'", "the two leaders"),
    ]
  ) { call, context throws(Failure) in
    let progress = Progress(context, "rows", inEach: "page", whileRows: true)
    let client = try client(call, progress.watching(context))
    let today = context.today(utc: call[utc])
    let teams = try context.response { () throws(Failure) in try client.teams() } ?? []
    let games = try client.season(
      call[season] ?? Season.of(today), of: [], isPostseason: false, today: today
    ) { progress.add($0) }
    let (standings, counted) = Standing.tables(games, teams: teams)
    context.messages.report("counted from \(counted) games", verbosity: 1)
    // Of a season without games nobody has a rank.
    let ranked = counted == 0 ? [] : standings
    let chosen = ranked.filter { standing in
      call[conference].map { $0 == standing.team.conference } ?? true
    }
    try context.output.write(chosen)
  }

  static let record = Command(
    "record", "Show what a team has won and lost",
    discussion: """
      Counted from the games of a season that have a winner, play-offs included unless --regular or --postseason says \
      which; how many those were stands in the answer.
      """,
    operands: [teamOperand], options: [opponent, season, postseason, regular, utc] + access,
    output: .one(TeamRecord.self).schemaVersion(2),
    needs: [.network],
    examples: [
      Example("hw nba record LAL", "this season"),
      Example("hw nba record LAL --vs BOS --json", "against one team"),
    ],
    failures: [.notFound, .conflict]
  ) { call, context throws(Failure) in
    let filter = GameFilter(isPostseason: try isPostseason(call))
    let client = try client(call, context)
    let today = context.today(utc: call[utc])
    let year = call[season] ?? Season.of(today)
    let teams = try client.teams(next: "GET /games with seasons[]=\(year) and team_ids[]=ID of the team")
    let team = try TeamSearch.find(call[teamOperand], among: teams)
    let other = try call[opponent].map { name throws(Failure) in try TeamSearch.find(name, among: teams) }
    guard other?.id != team.id else { throw Failure(.usage, "a team does not play against itself") }
    let games = try client.season(year, of: [team.id], today: today).filter(filter.matches)
    try context.output.write(TeamRecord(of: team, against: other, season: year, games))
  }
}
