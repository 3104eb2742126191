import Command
import Output
import System

extension Wordle {
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
    let imported = try Players(context.localData(of: service)).all()
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
}
