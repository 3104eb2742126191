import Output

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
