import Command
import Output
import System
import Terminal

extension Wordle {
  static let since = Option("since", ValueKind<DayValue>.day, "Include games on or after DAY")
  static let until = Option("until", ValueKind<DayValue>.day, "Include games on or before DAY")
  static let reveal = Option(
    "reveal", short: "r", "Show the letters",
    details: """
      With color the cells have the colors of Wordle. Without color, [N] is in the right place and (Y) elsewhere in \
      the word.
      """)
  static let interactive = Option(
    "interactive", short: "i", "Browse the cards in full screen",
    details: """
      Arrow keys or h j k l move between cells and cards. A click or Enter turns a card, Space the letter under the \
      cursor, r all cards. ? shows all keys, q quits.
      """)
  static let animation = Setting("animation", default: true, "Do not animate changes")

  static let statsPlayer = Option(
    "player", ValueKind<String>.playerOrAccount, "Show the statistics of player NAME",
    details: "Case does not matter.")

  static let scores = Command(
    "scores", "Show scores as cards",
    discussion: """
      Prints cards side by side, as many as fit the terminal (80 columns in a pipe). The letters are hidden: --reveal \
      shows them, and with -i you turn the cards. -o table prints a table, with letters, as does JSON. Days are local, \
      also in --where 'date=today'.

      Invalid scores of the service are reported after the others (status 6); 'hw wordle delete ID' deletes them.
      """,
    options: [reveal, interactive, since, until, tokenFile],
    settings: [animation, palette, background],
    exclusions: [Exclusion(interactive, from: StandardOptions.output, StandardOptions.fields)],
    output: .list(
      Score.self, order: "by day, newest first", today: { $0.local($0.now()).day },
      text: "The cards, with an empty line between rows."
    ).schemaVersion(2),
    needs: [.network],
    examples: [
      Example("hw wordle scores", "all cards, newest first"),
      Example("hw wordle scores --reveal --since 2022-03-20 --limit 4", "four cards with letters"),
      Example(
        "hw wordle scores --json --where result=X/6", "lost games as JSON, with the tiles of each guess"),
      Example("hw wordle scores -o table --sort result", "a table sorted by result"),
    ]
  ) { call, context throws(Failure) in
    let period = try period(call, context)
    if call[interactive] {
      try context.requireScreen(for: interactive, hint: "'--reveal' shows the letters without one")
    }
    let needed = period.isEverything ? context.output.settings.list?.rowsNeeded : nil
    let list = try client(context).scores(atMost: needed)
    let scores = list.valid.filter { period.contains($0.date) }
    if call[interactive] {
      var browser = ScoreBrowser(
        try context.output.selected(scores), style: cardStyle(call, context), isAnimated: call[animation])
      try context.show(&browser)
    } else if printsCards(context) {
      try write(context.output.selected(scores), cardStyle(call, context), context)
    } else {
      try context.output.write(scores)
    }
    if let failure = list.invalidScores { throw failure }
  }

  static let score = Command(
    "score", "Show one score as a card",
    operands: [id],
    options: [reveal, tokenFile], settings: [palette, background],
    output: .one(Score.self, text: "The card.").schemaVersion(2),
    needs: [.network],
    examples: [
      Example("hw wordle score 264 --reveal", "one card with letters"),
      Example("hw wordle score latest", "the newest score"),
      Example("hw wordle score 264 --json | jq -r .word", "the solution of a game"),
    ]
  ) { call, context throws(Failure) in
    let score = try call[id].score(client(context))
    if printsCards(context) {
      try write([score], cardStyle(call, context), context)
    } else {
      try context.output.write(score)
    }
  }

  static let stats = Command(
    "stats", "Show statistics: streaks, mean, distribution",
    discussion: """
      A streak is a row of consecutive games that were all solved; the current one includes the game of today or \
      yesterday. The mean is guesses per game; a lost game counts 7. Unfinished games and the three initial scores \
      of a new account do not count.

      Your own games are those of the account and of 'hw wordle import --me'.
      """,
    options: [statsPlayer, since, until, tokenFile],
    output: .one(Statistics.self, text: "The numbers, and the distribution as bars.").schemaVersion(2),
    needs: [.network, .store],
    examples: [
      Example("hw wordle stats", "the statistics of the account"),
      Example("hw wordle stats --json | jq .distribution", "the distribution as JSON"),
      Example("hw wordle stats --player Ann --demo", "the statistics of an imported player"),
    ]
  ) { call, context throws(Failure) in
    let (period, today) = (try period(call, context), context.today.wordle)
    let name = call[statsPlayer] ?? you
    let imported = try Players(existing: context.localData(of: service)).player(name)
    if PlayerName.key(name) != you {
      guard let imported else { throw noImportedGames(of: name) }
      return try context.output.write(imported.playing(in: period).statistics(today: today))
    }
    var (statistics, invalid): (Statistics, Failure?)
    if let imported {
      let own: PlayerResults
      (own, invalid) = try account(context)
      let both = combined(own, imported) { context.messages.report($0) }
      statistics = both.playing(in: period).statistics(today: today)
    } else {
      // Without imported games the service can count.
      (statistics, invalid) = try client(context).statistics(of: period, today: today)
    }
    try context.output.write(statistics)
    if statistics.played == 0, period.isEverything {
      context.messages.report("the three initial scores do not count")
    }
    if let invalid { throw invalid }
  }

  static func noImportedGames(of name: String) -> Failure {
    Failure(
      .notFound, "there are no imported games of '\(name)'", hint: "'hw wordle players' lists the players")
  }

  static func account(_ context: Context) throws(Failure) -> (player: PlayerResults, invalid: Failure?) {
    let scores = try client(context).scores()
    return (PlayerResults(you, scores.valid.filter { !$0.isInitial }), scores.invalidScores)
  }

  static func period(_ call: Invocation, _ context: Context) throws(Failure) -> Period {
    let (since, until, today) = (call[since], call[until], context.today)
    let period = Period(since: since?.day(today: today), until: until?.day(today: today))
    if let since, let until, let first = period.since, let last = period.until, first > last {
      throw Failure(.usage, "'--since \(since)' is after '--until \(until)'", hint: "swap the dates")
    }
    return period
  }

  private static func printsCards(_ context: Context) -> Bool {
    let settings = context.output.settings
    return settings.format == nil && settings.fields == nil
  }

  private static func cardStyle(_ call: Invocation, _ context: Context) -> CardStyle {
    let screen = context.output.settings.screen
    return CardStyle(
      letters: call[reveal] ? .shown : .hidden, tileColors: colors(call), color: screen?.color ?? false,
      width: screen?.width ?? 80)
  }

  private static func write(_ scores: [Score], _ style: CardStyle, _ context: Context) throws(Failure) {
    context.output.noteIfEmpty = "no scores"
    try CardSheet(scores, style).each { line throws(Failure) in try context.output.outlet.write(line + "\n") }
  }

  static let share = Command(
    "share", "Print the share text of a score",
    discussion: """
      Prints the title, an empty line and one row of squares per guess, as Wordle does. An unfinished game is \
      refused: its share text could not be imported.
      """,
    operands: [id],
    options: [hard, tokenFile], settings: [palette, background],
    output: .one(ShareTextRow.self, text: "The share text."),
    needs: [.network],
    examples: [
      Example("hw wordle share 264", "a share text to paste; a pipe to wl-copy or xclip copies it"),
      Example("hw wordle share latest --hard", "the newest game, in hard mode"),
      Example("HW_WORDLE_PALETTE=high-contrast hw wordle share 264", "with orange and blue squares"),
      Example("HW_WORDLE_BACKGROUND=light hw wordle share 264", "with white squares"),
    ]
  ) { call, context throws(Failure) in
    var score = try call[id].score(client(context))
    guard !score.isUnfinished else {
      let tries = "\(score.tries.count) of \(Score.mostTries) tries"
      throw Failure(
        .usage, "Wordle \(score.id) is not finished: it is not solved after \(tries)",
        hint: "add the finished game with 'hw wordle add --replace'")
    }
    if call[hard] { score.isHard = true }
    try context.output.write(ShareTextRow(score: score, text: SharedGame(score).text(colors(call))))
  }
}

enum ScoreReference: Equatable, Sendable {
  case number(Int)
  case latest

  func score(_ client: WordleClient) throws(Failure) -> Score {
    switch self {
    case .number(let id): try client.score(id)
    case .latest: try client.latestScore()
    }
  }
}

extension ValueKind where Value == ScoreReference {
  static var scoreReference: ValueKind {
    ValueKind("ID", expects: "a whole number, 0 or more, or 'latest'") { text in
      if text == "latest" { return .latest }
      guard text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
      return Int(text).map(ScoreReference.number)
    }
  }
}

extension ValueKind where Value == Int {
  /// The number of a score to delete. Invalid scores can have negative numbers.
  static var anyScoreID: ValueKind {
    ValueKind("ID", expects: "a whole number") { text in
      text.utf8.drop { $0 == UInt8(ascii: "-") }.allSatisfy(\.isASCIIDigit) ? Int(text) : nil
    }
  }
}
