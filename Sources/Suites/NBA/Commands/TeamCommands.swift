import Command
import Output
import System

extension NBA {
  static let conference = Option(
    "conference", ValueKind<String>.word(of: Team.conferences), "List only teams of a conference")
  static let historic = Option("historic", "List the 15 former teams too")
  static let teamNames = WordSource { _, _ in
    League.current.map { Choice($0.abbreviation, $0.fullName) }
  }
  static let teamOperand = Operand(
    "TEAM", ValueKind<String>.text("TEAM", .words(teamNames)), "A name, an abbreviation or an id")

  static let teams = Command(
    "teams", "List the teams",
    options: [conference, historic] + access,
    output: .list(Team.self, order: "by full name"),
    needs: [.network],
    examples: [
      Example("hw nba teams --sort conference,full_name", "the teams by conference and name"),
      Example(
        "hw nba teams --conference West --fields abbreviation --no-header",
        "the abbreviations of a conference"),
    ]
  ) { call, context throws(Failure) in
    let chosen = try client(context).teams().filter { team in
      (team.isCurrent || call[historic])
        && (call[conference].map { $0 == team.conference } ?? true)
    }
    try context.output.write(chosen.sorted { ($0.fullName, $0.id) < ($1.fullName, $1.id) })
  }

  static let team = Command(
    "team", "Show a team",
    discussion: """
      The text shows the team, its record with playoffs and the NBA Cup final, the last games, one in progress and the \
      next ones: with the list of teams that is two requests. Games that are over without a winner, an opponent or a \
      status are reported. Other formats print the fields of the team alone.
      """,
    operands: [teamOperand], options: access,
    output: .one(TeamPage.self, text: "The team, its record, and its games."),
    needs: [.network],
    examples: [
      Example("hw nba team lakers", "a team and its games"),
      Example("hw nba team 14 --json", "by id"),
      Example("hw nba team 'los angeles l' --fields abbreviation", "by a part of the name"),
    ]
  ) { call, context throws(Failure) in
    let client = try client(context)
    let year = Season.of(context.leagueDay)
    let team = try TeamSearch.find(
      call[teamOperand],
      among: client.teams(
        next: "GET /games with seasons[]=\(year) and team_ids[]=ID of the team, for the text"))
    var page = TeamPage(team: team)
    if context.output.printsText(of: TeamPage.self) { page.season = try season(of: team, client, context) }
    try context.output.write(page)
  }

  /// The current season of a team, with one request.
  static func season(of team: Team, _ client: NBAClient, _ context: Context) throws(Failure) -> TeamSeason {
    let today = context.leagueDay
    let year = Season.of(today)
    let games = try client.season(year, of: [team.id], today: today)
    reportUndecided(games, "counted", context)
    return TeamSeason(of: team, year, games, today: today, time: context.time)
  }
}

extension ValueKind where Value == String {
  /// A choice of words, ignoring case.
  static func word(of words: [String]) -> ValueKind {
    ValueKind(
      words.joined(separator: "|"), expects: "one of \(words.joined(separator: ", "))",
      choices: words.map { Choice($0, "") }
    ) { text in words.first { $0.lowercased() == text.lowercased() } }
  }
}
