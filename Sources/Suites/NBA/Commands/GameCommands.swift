import Command
import Output
import System

extension NBA {
  static let teamsOperand = Operand(
    rest: "TEAM", ValueKind<String>.text("TEAM", .words(teamNames)), "Teams such as LAL, lakers or 14")
  static let season = Option(
    "season", ValueKind<Int>.season, "Select the season that began in YEAR",
    details: "The default is the current season. A season begins in October.")
  static let since = Option("since", .day, "Include games on or after DAY")
  static let until = Option("until", .day, "Include games on or before DAY")
  static let postseason = Option("postseason", "Select only the playoffs")
  static let regular = Option("regular", "Select only the regular season, without the Cup final")
  static let all = Option("all", "List the games of all seasons")
  static let upcoming = Option("upcoming", "List future games, the next one first")
  static let on = Option("on", ValueKind<DayValue>.day, "List the games of DAY; all teams without TEAM")
  static let playerOption = Option("player", .playerID, "List the games of this player's team")

  /// The filter of '--postseason' and '--regular'; nil without them.
  static func isPostseason(_ call: Invocation) -> Bool? {
    call[postseason] ? true : call[regular] ? false : nil
  }

  static let games = Command(
    "games", "List games, newest first",
    discussion: """
      Lists the played games of a team in one season, or in the seasons of --since and --until; with several teams, \
      the games of any of them. --all adds the earlier seasons, until three in a row have no games; with a former \
      club among several teams, until 1946. A season is one request or two, and all games of a former club together. \
      --upcoming lists future games. Pages are requested as needed: 'hw nba games LAL --all | head -5' requests one.

      --on DAY lists the games of a day in the order of their start, with one request; --watch updates the scores. \
      Postponed and canceled games are listed with --on only. Other games of earlier days without a result are \
      reported. Days are those of New York, also in --where 'date=today'.

      For future games tables show the start in local time. The other formats contain the values of the service.
      """,
    operands: [teamsOperand],
    options: [season, since, until, on, upcoming, postseason, regular, all, playerOption] + access,
    exclusions: [
      Exclusion(teamsOperand, playerOption), Exclusion(postseason, regular),
      Exclusion(on, from: season, since, until, upcoming, all),
      Exclusion(upcoming, from: season, all),
    ],
    output: .list(
      GameRow.self, order: "newest first", key: "id", arrival: .paged,
      watch: .init(atLeast: .seconds(15), because: "the free plan allows five requests per minute"),
      today: { Season.americanDay($0.now()) }
    )
    .schemaVersion(2),
    needs: [.network],
    examples: [
      Example("hw nba games LAL --limit 5", "the latest five games"),
      Example("hw nba games LAL --upcoming --limit 1", "the next game"),
      Example("hw nba games --on yesterday", "all games of a day"),
      Example("hw nba games LAL --all | head -5", "the latest games, with one request"),
      Example("hw nba games BOS --postseason --all --csv", "all playoff games of a team"),
    ]
  ) { call, context throws(Failure) in
    guard let listing = try GameListing(call, context) else { return try context.output.write([GameRow]()) }
    if let day = call[on] { return try listing.printDay(day) }
    if call[upcoming] { return try listing.printUpcoming() }
    try listing.printNewestFirst()
  }
}

extension ValueKind where Value == Int {
  /// The year in which a season began, or both years: `2023-24`.
  fileprivate static var season: ValueKind {
    let years = Season.first...2200
    return ValueKind(
      "YEAR", expects: "a year such as 2023 or 2023-24, from \(years.lowerBound) to \(years.upperBound)"
    ) { text in
      let parts = text.split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count <= 2, parts.allSatisfy({ $0.utf8.allSatisfy(\.isASCIIDigit) }),
        let year = Int(parts[0]), years.contains(year),
        parts.count == 1 || parts[1].utf8.count == 2 && Int(parts[1]) == (year + 1) % 100
      else { return nil }
      return year
    }
  }
}
