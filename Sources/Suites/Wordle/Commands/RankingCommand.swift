import Command
import Output
import System

extension Wordle {
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
    let imported = try Players(context.localData(of: service)).all()
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
