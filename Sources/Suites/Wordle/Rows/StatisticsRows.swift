import Output
import Terminal

extension Statistics: Row {
  static let fields: Fields<Statistics> =
    [
      .integer("played", "Played", "games played") { $0.played },
      .integer("solved", "Solved", "games in which the word was found") { $0.solved },
      .integer(
        "solvedPercent", "Solved %", "solved games in percent; null without a game",
        orNull: { $0.solvedPercent }
      ),
      .integer("currentStreak", "Streak", "solved games in a row, up to today or yesterday") {
        $0.currentStreak
      },
      .integer("longestStreak", "Longest", "the longest row of solved games") { $0.longestStreak },
      .number("mean", "Mean", "mean tries, 7 for a lost game; null without a game", orNull: { $0.mean }),
    ]
    + (1...Score.mostTries).map { tries in
      .integer(
        "distribution.\(tries)", "\(tries)", "games solved with \(tries == 1 ? "one try" : "\(tries) tries")"
      ) { $0.distribution[tries - 1] }
    } + [.integer("distribution.X", "X", "games that were not solved") { $0.failed }]

  static let text: (@Sendable (Statistics, Screen?) -> String)? = { row, screen in
    row.lines(width: screen?.width ?? 80, color: screen?.color ?? false).joined(separator: "\n")
  }

  private func lines(width: Int, color: Bool) -> [String] {
    numbers(width: width) + ["", "Guess distribution"] + bars(width: min(width, 60), color: color)
  }

  private func numbers(width: Int) -> [String] {
    let all = [
      "played \(played)", solvedPercent.map { "solved \($0) %" }, "current streak \(currentStreak)",
      "longest streak \(longestStreak)", mean.map { "mean tries \(Statistics.shown($0))" },
    ].compactMap(\.self)
    var lines: [String] = []
    for figure in all {
      if let last = lines.last, last.count + 3 + figure.count <= width {
        lines[lines.count - 1] += "   \(figure)"
      } else {
        lines.append(figure)
      }
    }
    return lines
  }

  /// A bar for each number of tries. The bar of the newest game is green.
  private func bars(width: Int, color: Bool) -> [String] {
    let counts = distribution + [failed]
    let labels = (1...Score.mostTries).map(String.init) + ["X"]
    let bars = zip(labels, counts).map { (label: $0, value: Double($1), text: String($1)) }
    let newest = self.newest.map { $0.tries.map { $0 - 1 } ?? Score.mostTries }
    return BarChart.lines(bars, width: width).enumerated().map { index, line in
      color && index == newest ? (Style.bold + .green).applied(to: line) : line
    }
  }
}
