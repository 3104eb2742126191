import Output

extension Score: Row {
  static let fields: Fields<Score> = [
    .integer("id", "No.", "Wordle's number of the game") { $0.id },
    .day("date", "Date", "the day of the game") { $0.date },
    .text("word", "Word", "the word to be found") { $0.word },
    .list("tries", "Tries", "the words that were tried, in order") { $0.tries },
    // A game that was not solved is the largest result.
    Field<Score>.text("result", "Result", "tries out of six, X after six without the word, or unfinished") {
      $0.result.text
    }
    .sorted { .integer(Int64($0.result.tries ?? Score.mostTries + 1)) },
    Field<Score>.flag("solved", "Solved", "whether the word was found") { $0.isSolved }.hiddenByDefault,
    Field<Score>.flag("hard", "Hard", "played in hard mode") { $0.isHard }.hiddenByDefault,
    Field<Score>.flag(
      "initial", "Initial", "one of the three scores of a new account, which count in no statistics"
    ) { $0.isInitial }.hiddenByDefault,
    Field<Score>.rows("tiles", "Tiles", "the tiles of each guess") { $0.tiles.map(Array.init) }
      .hiddenByDefault,
  ]
}
