import JSON
import Output
import System
import Terminal

/// A comparison as it is printed.
struct ComparisonAnswer: Row {
  let comparison: Comparison

  init(_ comparison: Comparison) {
    self.comparison = comparison
  }

  static let fields: Fields<ComparisonAnswer> = [
    Field(
      Column(
        "players", title: "Players", meaning: "name, played, wins, ties and mean of each",
        type: .list(.object))
    ) { answer in .list(answer.comparison.totals.map { object(answer.write($0)) }) },
    Field(
      Column(
        "games", title: "Games", meaning: "id, the results by name, and the names of the best",
        type: .list(.object))
    ) { answer in .list(answer.comparison.games.map { object(answer.write($0)) }) },
  ]

  static let text: (@Sendable (ComparisonAnswer, Screen?) -> String)? = { answer, screen in
    answer.lines(color: screen?.color ?? false).joined(separator: "\n")
  }

  private static func object(_ write: (inout JSONWriter) -> Void) -> Cell {
    var writer = JSONWriter()
    writer.object(write)
    // What was just written is JSON.
    return (try? JSON.parse(writer.bytes)).map(Cell.json) ?? .null
  }

  private func write(_ total: Comparison.Total) -> (inout JSONWriter) -> Void {
    { writer in
      writer.key("name")
      writer.string(total.name)
      for (name, count) in [("played", total.played), ("wins", total.wins), ("ties", total.ties)] {
        writer.key(name)
        writer.integer(count)
      }
      writer.key("mean")
      if let mean = total.mean { writer.double(mean) } else { writer.null() }
    }
  }

  private func write(_ game: Comparison.Game) -> (inout JSONWriter) -> Void {
    { writer in
      writer.key("id")
      writer.integer(game.id)
      writer.key("results")
      writer.object { writer in
        for (total, result) in zip(comparison.totals, game.results) {
          guard let result else { continue }
          writer.key(total.name)
          writer.string(result.text)
        }
      }
      writer.key("best")
      writer.array { writer in
        for place in game.best { writer.string(comparison.totals[place].name) }
      }
    }
  }
}

extension ComparisonAnswer {
  /// One column a player, one line a game, and what it adds up to below.
  private func lines(color: Bool) -> [String] {
    let names = comparison.totals.map { $0.name.neutralised.truncated(to: 16) }
    let games = comparison.games.map { game in
      [(GameResult.grouped(game.id), false)]
        + game.results.enumerated().map { place, result in
          let isBest = game.best.contains(place)
          return (result.map { isBest ? "[\($0.text)]" : " \($0.text) " } ?? " -  ", isBest)
        }
    }
    let totals: [[(String, Bool)]] = [
      total("wins") { "\($0.wins)" }, total("ties") { "\($0.ties)" }, total("played") { "\($0.played)" },
      total("mean") { Statistics.shown($0.mean) },
    ]
    let header = [("Wordle", false)] + names.map { ("\($0) ", false) }
    let all = [header] + games + totals
    let widths = header.indices.map { column in all.map { DisplayWidth.of($0[column].0) }.max() ?? 0 }
    let drawn = all.map { line($0, widths, color: color) }
    return [drawn[0]] + drawn[1...games.count] + (games.isEmpty ? [] : [""]) + drawn[(games.count + 1)...]
  }

  private func total(
    _ name: String, _ read: (Comparison.Total) -> String
  ) -> [(String, Bool)] {
    [(name, false)] + comparison.totals.map { (read($0) + " ", false) }
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
