import Output

extension Ranking.Place: Row {
  static let fields: Fields<Ranking.Place> = [
    .integer("rank", "Rank", "from 1; equal players have the same rank") { $0.rank },
    .text("name", "Name", "who it is") { $0.name },
    .integer("played", "Played", "games played") { $0.statistics.played },
    .integer("solved", "Solved", "games in which the word was found") { $0.statistics.solved },
    .integer(
      "solvedPercent", "Solved %", "the same in hundredths", orNull: { $0.statistics.solvedPercent }),
    .number(
      "mean", "Mean", "tries for a game that was solved; null without one", orNull: { $0.statistics.mean }
    )
    .shown { TableCell(Statistics.shown($0.statistics.mean)) },
    .integer("streak", "Streak", "games solved one after the other, up to today or yesterday") { $0.streak },
    .integer("hard", "Hard", "games played in hard mode") { $0.hard },
  ]
}
