import Command
import Output
import System
import Terminal

extension Wordle {
  static let since = Option("since", ValueKind<CalendarDay>.day, "Leave out games before DAY")
  static let until = Option("until", ValueKind<CalendarDay>.day, "Leave out games after DAY")
  static let onlySolved = Option("solved", "Show games in which the word was found")
  static let onlyFailed = Option("failed", "Show games in which it was not")
  static let reveal = Option(
    "reveal", short: "r", "Show the letters",
    details: """
      With colour they stand on cells of Wordle's colours. Without, [N] is right, (Y) is elsewhere in the word, and a \
      bare letter is not in it.
      """)
  static let plainList = Option("list", "Write a plain table in place of cards")
  static let interactive = Option(
    "interactive", short: "i", "Browse the cards on the whole screen, and turn letters over",
    details: """
      Arrow keys or h j k l move from cell to cell and from card to card, Page Up, Page Down, Home and End further. \
      A click or Enter turns the letters of a whole card over and back, Space the letter under the cursor, r all of \
      them. / looks for a word, a number or a \
      day, n for the next. ? shows the keys, q leaves.
      """)
  static let animation = Option(
    "animation", default: true, setting: true, "Show what changes at once, without an animation")

  static let statsPlayer = Option(
    "player", ValueKind<String>.playerOrAccount, "Count the games of NAME", details: "Case does not matter.")

  static let scores = Command(
    "scores", "Show the scores as cards",
    discussion: """
      Cards in Wordle's own way stand side by side, as many as the width holds (80 columns where the output is no \
      terminal), the newest first. Their letters are hidden until --reveal shows them all, or -i turns them over \
      one by one. Tables and JSON hide nothing.

      An invalid score of the service is reported after the others (status 6); 'hw wordle delete' deletes it by its \
      number.
      """,
    options: [
      reveal, interactive, animation, plainList, since, until, onlySolved, onlyFailed, palette, background,
      tokenFile,
    ],
    output: .list(
      Score.self, order: "by day, newest first",
      text: "The cards, with an empty line between two rows of them."),
    needs: [.network],
    examples: [
      Example("hw wordle scores", "every card, the newest first"),
      Example("hw wordle scores --reveal --since 2022-03-20 --limit 4", "four cards with their letters"),
      Example("hw wordle scores --json --failed", "for a program, with the tiles of each try"),
      Example("hw wordle scores --list --sort result", "a table, the best games first"),
      Example("hw wordle scores --since 2022-13-99", "no such day", exits: 2),
    ],
    failures: [.invalidData]
  ) { call, context throws(Failure) in
    let filter = try filter(call)
    guard !call[interactive] || context.host.hasScreen else {
      throw Failure(
        .usage, "'--interactive' wants a terminal", hint: "'--reveal' shows the letters without one")
    }
    let needed = filter.includesAll ? context.output.settings.list?.rowsNeeded : nil
    let list = try client(context).scores(atMost: needed)
    let scores = list.valid.filter(filter.includes)
    if call[interactive] {
      try browse(context.output.selected(scores), call, context)
    } else if !call[plainList], printsCards(context) {
      try write(context.output.selected(scores), cardStyle(call, context), context)
    } else {
      try context.output.write(scores)
    }
    if let failure = list.invalidScores { throw failure }
  }

  static let score = Command(
    "score", "Show one score",
    operands: [id],
    options: [reveal, palette, background, tokenFile],
    output: .one(Score.self, text: "The card."),
    needs: [.network],
    examples: [
      Example("hw wordle score 264 --reveal", "one card with its letters"),
      Example("hw wordle score latest", "the newest one"),
      Example("hw wordle score 264 --json | jq -r .word", "the word"),
      Example("hw wordle score 1", "a game that was not played", exits: 3),
    ],
    failures: [.notFound]
  ) { call, context throws(Failure) in
    let score = try call[id].score(client(context))
    if printsCards(context) {
      try write([score], cardStyle(call, context), context)
    } else {
      try context.output.write(score)
    }
  }

  static let stats = Command(
    "stats", "Add the scores up: streaks, mean, distribution",
    discussion: """
      A streak is a row of Wordle's numbers that were all solved; the current one includes today's or yesterday's game. \
      The mean counts the tries of the games that were solved. Percentages are whole, as Wordle's own.

      With --player they are of a player with imported texts, or for 'you' of the account with \
      the share texts that were imported as one's own.
      """,
    options: [statsPlayer, since, until, tokenFile],
    output: .one(StatisticsRow.self, text: "The figures, and the distribution as bars."),
    needs: [.network],
    examples: [
      Example("hw wordle stats", "as Wordle shows them"),
      Example("hw wordle stats --json | jq .distribution", "for a chart of one's own"),
      Example("hw wordle stats --player Ann --demo", "of a player with imported texts"),
    ],
    failures: [.notFound, .invalidData]
  ) { call, context throws(Failure) in
    let (period, today) = (try period(call), context.today.wordle)
    if let name = call[statsPlayer] {
      let player = try player(name, context).playing(in: period)
      return try context.output.write(StatisticsRow(statistics: player.statistics.asOf(today)))
    }
    let (statistics, invalid) = try client(context).statistics(of: period, today: today)
    try context.output.write(StatisticsRow(statistics: statistics))
    if let invalid { throw invalid }
  }

  /// A player of the share texts, or the account for 'you'.
  private static func player(_ name: String, _ context: Context) throws(Failure) -> Player {
    let players = try Players(context.localData(of: service))
    if PlayerName.key(name) == you { return try account(context).player.adding(players.player(you)) }
    guard let player = try players.player(name) else {
      throw Failure(
        .notFound, "no games of '\(name)' are kept", hint: "'hw wordle ranking' lists the players")
    }
    return player
  }

  /// The games of the account.
  static func account(_ context: Context) throws(Failure) -> (player: Player, invalid: Failure?) {
    let games = try client(context).games()
    return (Player(you, games.valid), games.invalidScores)
  }

  private static func filter(_ call: Invocation) throws(Failure) -> ScoreFilter {
    guard !call[onlySolved] || !call[onlyFailed] else {
      throw Failure(.usage, "'--solved' and '--failed' leave nothing over", hint: "give one of them, or none")
    }
    return ScoreFilter(
      period: try period(call), outcome: call[onlySolved] ? .solved : call[onlyFailed] ? .failed : .any)
  }

  /// The period of `--since` and `--until`.
  static func period(_ call: Invocation) throws(Failure) -> Period {
    if let since = call[since], let until = call[until], since > until {
      throw Failure(.usage, "'--since \(since)' is after '--until \(until)'", hint: "exchange the two")
    }
    return Period(since: call[since], until: call[until])
  }

  /// Whether no other format was chosen.
  private static func printsCards(_ context: Context) -> Bool {
    let settings = context.output.settings
    return settings.format == .text || settings.format == nil && settings.fields == nil
  }

  private static func cardStyle(_ call: Invocation, _ context: Context) -> CardStyle {
    let screen = context.output.settings.screen
    return CardStyle(
      letters: call[reveal] ? .shown : .hidden, colors: colors(call), color: screen?.color ?? false,
      width: screen?.width ?? 80)
  }

  private static func write(_ scores: [Score], _ style: CardStyle, _ context: Context) throws(Failure) {
    if scores.isEmpty { context.messages.report("no scores") }
    try CardSheet(scores, style).each { line throws(Failure) in try context.output.outlet.write(line + "\n") }
  }

  private static func browse(_ scores: [Score], _ call: Invocation, _ context: Context) throws(Failure) {
    let color = context.output.settings.screen?.color ?? false
    var browser = ScoreBrowser(
      scores, style: BrowserStyle(colors: colors(call), color: color, isAnimated: call[animation]),
      letters: call[reveal] ? .shown : .hidden)
    try context.show(&browser)
  }
}
