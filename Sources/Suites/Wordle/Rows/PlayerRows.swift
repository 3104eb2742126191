import Output
import System
import Terminal

extension PlayerResults: Row {
  static let fields: Fields<PlayerResults> = [
    .text("name", "Name", "the name of the player") { $0.name },
    .integer("played", "Played", "imported games") { $0.results.count },
    .integer("first", "First", "the number of the first game", orNull: { $0.results.keys.min() }),
    .integer("last", "Last", "the number of the last game", orNull: { $0.results.keys.max() }),
  ]
}

extension Comparison: Row {
  static let fields: Fields<Comparison> = [
    .rows("players", "Players", "the totals of each player", of: Total.fields) { $0.totals },
    .rows("games", "Games", "the results of each game, in the order shown", of: ComparedGame.fields) {
      comparison in
      let names = comparison.totals.map(\.name)
      return comparison.games.map { ComparedGame(game: $0, names: names) }
    },
  ]

  static let text: (@Sendable (Comparison, Screen?) -> String)? = { comparison, screen in
    comparison.lines(color: screen?.color ?? false).joined(separator: "\n")
  }

  /// A table with a column per player, a line per game, and totals.
  private func lines(color: Bool) -> [String] {
    let names = totals.map { $0.name.terminalSafe.truncated(to: 16) }
    let rows = games.map { game in
      [(GameResult.grouped(game.id), false)]
        + game.results.enumerated().map { index, result in
          let isBest = game.best.contains(index)
          return (result.map { isBest ? "[\($0.text)]" : " \($0.text) " } ?? " -  ", isBest)
        }
    }
    let sums: [[(String, Bool)]] = [
      sum("wins") { "\($0.wins)" }, sum("ties") { "\($0.ties)" }, sum("played") { "\($0.played)" },
      sum("mean") { Statistics.shown($0.mean) },
    ]
    let header = [("Wordle", false)] + names.map { ("\($0) ", false) }
    let all = [header] + rows + sums
    let widths = header.enumerated().map { column, title in
      (rows + sums).reduce(DisplayWidth.of(title.0)) { max($0, DisplayWidth.of($1[column].0)) }
    }
    let drawn = all.map { line($0, widths, color: color) }
    return drawn.prefix(1 + rows.count) + (rows.isEmpty ? [] : [""]) + drawn.suffix(sums.count)
  }

  private func sum(_ name: String, _ read: (Total) -> String) -> [(String, Bool)] {
    [(name, false)] + totals.map { (read($0) + " ", false) }
  }

  private func line(_ cells: [(text: String, isBest: Bool)], _ widths: [Int], color: Bool) -> String {
    var line = zip(cells, widths).map { cell, width in
      let padding = String(repeating: " ", count: width - DisplayWidth.of(cell.text))
      return padding + (color && cell.isBest ? (Style.bold + .green).applied(to: cell.text) : cell.text)
    }.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line
  }
}

extension Comparison.Total: Row {
  static let fields: Fields<Comparison.Total> = [
    .text("name", "Name", "the name of the player") { $0.name },
    .integer("played", "Played", "games played, of those shown") { $0.played },
    .integer("wins", "Wins", "games that this player won alone") { $0.wins },
    .integer("ties", "Ties", "games in which several were the best") { $0.ties },
    .number("mean", "Mean", "mean tries, 7 for a lost game; null without a game", orNull: { $0.mean }),
  ]
}

struct ComparedGame: Row {
  let game: Comparison.Game
  let names: [String]

  static let fields: Fields<ComparedGame> = [
    .integer("id", "No.", "Wordle's number of the game") { $0.game.id },
    Field(
      Column("results", title: "Results", meaning: "the result of each who played", type: .byName(.text))
    ) { compared in
      .record(
        zip(compared.names, compared.game.results).compactMap { name, result in
          result.map { (name, .text($0.text)) }
        })
    },
    Field.list("best", "Best", "the players with the fewest tries; sorted by that number") { compared in
      compared.game.best.map { compared.names[$0] }
    }
    .sorted { compared in
      .integer(Int64(compared.game.results.compactMap { $0 }.min()?.tries ?? Score.mostTries + 1))
    },
  ]
}

extension PlayerRanking.Place: Row {
  static let fields: Fields<PlayerRanking.Place> = [
    .integer("rank", "Rank", "from 1; the same for players who are equal in all that counts") { $0.rank },
    .text("name", "Name", "the name of the player") { $0.name },
    .integer("played", "Played", "games played") { $0.statistics.played },
    .integer("solved", "Solved", "games in which the word was found") { $0.statistics.solved },
    .integer("solvedPercent", "Solved %", "solved games in percent", orNull: { $0.statistics.solvedPercent }),
    .number("mean", "Mean", "mean tries; 7 for a lost game", orNull: { $0.statistics.mean })
      .shown { TableCell(Statistics.shown($0.statistics.mean)) },
    .integer("wins", "Wins", "games of several players that this one won alone") { $0.wins },
    .integer("currentStreak", "Streak", "solved games in a row, up to today or yesterday") { $0.streak },
    .integer("hard", "Hard", "games played in hard mode") { $0.hard },
  ]
}
