import Output

extension Score: Row {
  static let fields: Fields<Score> = [
    .integer("id", "No.", "Wordle's number of the game") { $0.id },
    .day("date", "Date", "the day of the game") { $0.date },
    .text("word", "Word", "the word to be found") { $0.word },
    .list("tries", "Tries", "the words that were tried, in order") { $0.tries },
    Field<Score>.text("result", "Result", "tries out of six, X after six without the word, or unfinished") {
      $0.result.text
    }
    .measured(by: .result),
    Field<Score>.flag("solved", "Solved", "whether the word was found") { $0.isSolved }.hiddenByDefault,
    Field<Score>.flag("hard", "Hard", "played in hard mode") { $0.isHard }.hiddenByDefault,
    Field<Score>.flag(
      "initial", "Initial", "one of the three scores of a new account, which count in no statistics"
    ) { $0.isInitial }.hiddenByDefault,
    Field<Score>.rows("tiles", "Tiles", "the tiles of each guess") { $0.tiles.map(Array.init) }
      .hiddenByDefault,
  ]
}

extension Scale {
  /// Compares results by their tries, `3` or `3/6`. A lost game is larger, and an unfinished one the largest.
  static let result = Scale("a result: 4/6, X/6 or unfinished") { text in
    let results = (1...Score.mostTries).map(GameResult.solved) + [.failed, .unfinished]
    return results.firstIndex { [$0.text, $0.mark].contains { GameResult.isSame($0, text) } }.map(Int64.init)
  }
}
