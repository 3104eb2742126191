import Command
import Output
import System

extension Wordle {
  static let players = Command(
    "players", "List the players of imported games",
    discussion:
      "The games of 'hw wordle import --me' are those of '\(you)'; the scores of the account are not included.",
    output: .list(PlayerResults.self, order: "by name"),
    needs: [.store, .address],
    examples: [Example("hw wordle players --demo", "the players and the numbers of their games")]
  ) { _, context throws(Failure) in
    try context.output.write(Players(existing: context.localData(of: service)).all())
  }

  static let formerName = Operand("OLD", ValueKind<String>.playerOrAccount, "The name of a player")
  static let newName = Operand("NEW", ValueKind<String>.playerOrAccount, "The new name")

  static let rename = Command(
    "rename", "Change the name of a player, or merge two players",
    discussion: """
      If there is a player NEW, the players are merged, after a confirmation or with --yes. Of two results of a game \
      the first with rows counts, or that of NEW if both have them. The other result is reported. With 'you' as NEW \
      the games become your own.
      """,
    operands: [formerName, newName],
    options: [Confirmation.yes, Confirmation.dryRun],
    output: .rows(PlayerResults.self),
    needs: [.store, .address, .loss],
    examples: [
      Example("hw wordle rename Ann Anna --demo", "rename a player"),
      Example("hw wordle rename Ben you --demo", "make imported games your own"),
    ]
  ) { call, context throws(Failure) in
    let (old, new) = (try call[formerName], try call[newName])
    let players = try players(call, context)
    guard let player = try players.player(old) else { throw noImportedGames(of: old) }
    let isSame = PlayerName.key(old) == PlayerName.key(new)
    let other = isSame ? nil : try players.player(new)
    if let other {
      if !call[Confirmation.dryRun] {
        try context.confirm("Merge \(player.name.terminalSafe) into \(other.name.terminalSafe)?")
      }
      for (id, result) in player.results.sorted(by: { $0.key < $1.key }) {
        guard let known = other.results[id], known != result else { continue }
        context.messages.report(
          "Wordle \(id) is \(result.text) of '\(player.name)' and \(known.text) of '\(other.name)': one result counts"
        )
      }
    }
    guard !call[Confirmation.dryRun] else {
      return try context.output.write([(other ?? PlayerResults(new)).adding(player)])
    }
    try players.rename(old, to: new)
    try context.output.write(players.all().filter { PlayerName.key($0.name) == PlayerName.key(new) })
  }

  /// The players for a command that changes them, which with `--dry-run` creates no database.
  static func players(_ call: Invocation, _ context: Context) throws(Failure) -> Players {
    let settings = try context.localData(of: service)
    return try call[Confirmation.dryRun] ? Players(existing: settings) : Players(settings)
  }

  static let compare = Command(
    "compare", "Compare players game by game",
    discussion: """
      Compares your games with those of imported players ('hw wordle import'): the games that several of them \
      played. The player with the fewest tries wins a game, marked [3/6]; equal results are a tie. A lost game (X/6) \
      never wins. Totals count the games that are shown. CSV, TSV and Markdown have one row per game, with the \
      fields id, results and best.
      """,
    options: [since, until, tokenFile],
    output: .one(
      Comparison.self, listing: ComparedGame.self, order: "by number, newest game first",
      text: "A matrix of players and games."),
    needs: [.network, .store],
    examples: [
      Example("hw wordle compare --limit 10", "the ten newest games of several players"),
      Example("hw wordle compare --since 2022-04-01", "the games since a day"),
      Example("hw wordle compare --json | jq '.players[] | {name, wins}'", "the wins of each player"),
    ]
  ) { call, context throws(Failure) in
    let period = try period(call, context)
    let (own, invalid) =
      try context.response { () throws(Failure) in try account(context) }
      ?? (PlayerResults(you), nil)
    let imported = try Players(existing: context.localData(of: service)).all()
    let players = withAccount(own, imported) { context.messages.report($0) }
      .map { $0.playing(in: period) }
      .filter { $0.name == you || !$0.results.isEmpty }
    let comparison = Comparison(players)
    context.output.noteIfEmpty = "no game was played by several players"
    let names = comparison.totals.map(\.name)
    let games = try context.output.selected(comparison.games.map { ComparedGame(game: $0, names: names) })
    if [.csv, .tsv, .markdown].contains(context.output.settings.format) {
      try context.output.write(games)
    } else {
      try context.output.write(comparison.keeping(games.map(\.game)))
    }
    if let invalid { throw invalid }
  }

  static let rankedBy = Option(
    "by", .choice, default: PlayerRanking.Order.mean, "Rank by mean, solved games, wins or streak")

  static let ranking = Command(
    "ranking", "Rank the players",
    discussion: """
      Ranks all imported players and you: the account and the games of 'hw wordle import --me'. The mean is guesses \
      per game; a lost game counts 7. Unfinished games and the three initial scores of a new account do not count. A \
      win is a game of several players that one of them solved with fewer guesses than all others. A streak includes \
      the game of today or yesterday; it counts all games, regardless of --since and --until.

      Players who are equal in the value of --by are ranked by their mean and their solved games.
      """,
    options: [rankedBy, since, until, tokenFile],
    output: .list(PlayerRanking.Place.self, order: "by rank").schemaVersion(3),
    needs: [.network, .store],
    examples: [
      Example("hw wordle ranking --demo", "by the mean of all games"),
      Example("hw wordle ranking --by streak", "by the longest current streak"),
      Example("hw wordle ranking --since 6d --json", "the last seven days as JSON"),
    ]
  ) { call, context throws(Failure) in
    let period = try period(call, context)
    let imported = try Players(existing: context.localData(of: service)).all()
    let (own, invalid) = try account(context)
    let ranking = PlayerRanking(
      withAccount(own, imported) { context.messages.report($0) }, call[rankedBy], in: period,
      today: context.today.wordle)
    try context.output.write(ranking.places)
    if let invalid { throw invalid }
  }

  /// The account with the games of --me, followed by the other players.
  static func withAccount(
    _ own: PlayerResults, _ imported: [PlayerResults], report: (String) -> Void
  ) -> [PlayerResults] {
    let mine = imported.first { PlayerName.key($0.name) == you }
    return [combined(own, mine, report: report)] + imported.filter { PlayerName.key($0.name) != you }
  }

  /// Merges games of the account and of --me. Reports different results of a game.
  static func combined(
    _ own: PlayerResults, _ imported: PlayerResults?, report: (String) -> Void
  ) -> PlayerResults {
    let both = own.adding(imported)
    for (id, result) in (imported?.results ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard let counted = both.results[id], counted != result else { continue }
      report("Wordle \(id) is \(counted.text) of the account and \(result.text) imported: the account counts")
    }
    return both
  }
}

extension PlayerRanking.Order: ChoiceValue {
  var meaning: String {
    switch self {
    case .mean: "the fewest guesses per game first"
    case .solved: "the most solved games first"
    case .wins: "the most wins first"
    case .streak: "the longest current streak first"
    }
  }
}
