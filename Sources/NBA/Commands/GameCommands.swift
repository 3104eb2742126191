import Command
import Output
import System

extension NBA {
  static let teamsOperand = Operand(
    rest: "TEAM", ValueKind<String>.text("TEAM"), "Whose games; of several teams, the games of all")
  static let season = Option(
    "season", ValueKind<Int>.count(Season.first...2200, "YEAR"), "Show the season that began in YEAR",
    details: "Without it the one that is being played; a new one begins with October.")
  static let since = Option("since", .day, "Leave out games before DAY")
  static let until = Option("until", .day, "Leave out games after DAY")
  static let postseason = Option("postseason", "Show only the play-offs")
  static let regular = Option("regular", "Show only the regular season")
  static let all = Option("all", "Show season after season, until the service has no more")
  static let upcoming = Option("upcoming", "Show the games that have not begun, the next one first")
  static let on = Option(
    "on", ValueKind<GameDay>.gameDay, "Show the games of DAY, of the whole league without TEAM",
    details: """
      A date such as 2026-11-21, 'today' or 'yesterday'. The dates of games are those of the American East coast, where \
      a day ends five hours after it ends in UTC.
      """)
  static let order = Option("order", .choice, default: GameOrder.newest, "Choose which games come first")
  static let cursor = Option(
    "cursor", .count(0 ... .max, "CURSOR"), "Go on behind CURSOR, with --order service")
  static let playerOption = Option(
    "player", .count(1 ... .max, "ID"), "Show the games of the team that this player plays for")

  /// The value of '--postseason' and '--regular'. Nil for the games of both.
  static func isPostseason(_ call: Invocation) throws(Failure) -> Bool? {
    guard !(call[postseason] && call[regular]) else {
      throw Failure(.usage, "'--postseason' and '--regular' exclude each other")
    }
    return call[postseason] ? true : call[regular] ? false : nil
  }

  static let games = Command(
    "games", "List games, newest first",
    discussion: """
      Lists the played games of a team in one season, the newest first, games in progress included; with --all the \
      seasons before it as well, until three in a row have no games. --upcoming lists the games that have not begun. \
      Pages are requested as they are read: 'hw nba games LAL --all | head -5' costs one page.

      --on DAY lists the games of a day in the order of their start, with one request; with --watch the scores are \
      updated.

      When something breaks off, the options are told with which the same command goes on behind the rows that are \
      out: no game is left out then, and none comes twice but those that were being written at that moment.

      --order service is for dumps. Games come as the service keeps them, by id, in pages of a hundred straight \
      through; an id says when the service took a game in, not when it was played. Without TEAM it is every game there \
      is. With -v the cursor that follows is told on standard error; --cursor takes it to go on from there.

      Tables show a dash for the points of a game that has not begun, and for its status when it begins, by the local \
      clock or, with --utc, in UTC. Every other format has what the service sent.
      """,
    operands: [teamsOperand],
    options: [season, since, until, on, upcoming, postseason, regular, all, order, cursor, playerOption, utc]
      + access,
    output: .pagedList(
      GameRow.self, order: "newest first", key: "id",
      watch: .init(atLeast: .seconds(15), because: "the free plan has five requests a minute")),
    needs: [.network, .pager],
    examples: [
      Example("hw nba games LAL --limit 5", "the last five games"),
      Example("hw nba games LAL --upcoming --limit 1", "the next game"),
      Example("hw nba games --on yesterday", "all games of a day"),
      Example("hw nba games LAL --all | head -5", "the same, for the price of one page"),
      Example("hw nba games BOS --postseason --all --csv", "all their play-offs"),
      Example(
        "hw nba games 14 --order service --limit 200 --jsonl", "a dump, and the cursor to go on with"),
      Example("hw nba games --since 2024-02-30 LAL", "a day that does not exist", exits: 2),
    ],
    failures: [.notFound, .conflict]
  ) { call, context throws(Failure) in
    let listing = try GameListing(call, context)
    if let day = call[on] { return try listing.printDay(day) }
    if call[upcoming] { return try listing.printUpcoming() }
    switch call[order] {
    case .newest: try listing.printNewestFirst()
    case .service: try listing.printAsServed()
    }
  }
}

enum GameOrder: String, ChoiceValue {
  case newest
  case service

  var meaning: String {
    switch self {
    case .newest: "season by season, the newest game first"
    case .service: "by the service's id, page by page"
    }
  }
}

/// The value of `--on`.
enum GameDay: Sendable {
  case today
  case yesterday
  case date(CalendarDay)

  func day(today: CalendarDay) -> CalendarDay {
    switch self {
    case .today: today
    case .yesterday: CalendarDay(daysSinceEpoch: today.daysSinceEpoch - 1)
    case .date(let day): day
    }
  }
}

extension ValueKind where Value == GameDay {
  static var gameDay: ValueKind {
    ValueKind("DAY", wants: "a day like 2022-03-08, today or yesterday") { text in
      switch text {
      case "today": .today
      case "yesterday": .yesterday
      default: CalendarDay(text).map(GameDay.date)
      }
    }
  }
}
