import Output
import System

/// A deleted score of the account or game of an imported player. Imported games have neither day nor words.
struct DeletedGame: Row {
  let id: Int
  let result: GameResult
  let isHard: Bool
  let score: Score?
  let player: String?

  init(_ score: Score) {
    (id, result, isHard, player) = (score.id, score.result, score.isHard, nil)
    self.score = score
  }

  init(id: Int, _ result: GameResult, isHard: Bool, of player: String) {
    (self.id, self.result, self.isHard, self.player) = (id, result, isHard, player)
    score = nil
  }

  static let fields: Fields<DeletedGame> = [
    .integer("id", "No.", "Wordle's number of the game") { $0.id },
    Field(
      Column("date", title: "Date", meaning: "the day of a score, or null", type: .day, isOptional: true)
    ) { $0.score.map { .text($0.date.description) } ?? .null },
    .text("word", "Word", "the word of a score, or null", orNull: { $0.score?.word }),
    Field(
      Column(
        "tries", title: "Tries", meaning: "the words that were tried, or null", type: .list(.text),
        isOptional: true)
    ) { $0.score.map { .list($0.tries.map { .text($0) }) } ?? .null },
    .text("result", "Result", "tries out of six, X after six without the word, or unfinished") {
      $0.result.text
    },
    Field<DeletedGame>.flag("hard", "Hard", "played in hard mode") { $0.isHard }.hiddenByDefault,
    Field<DeletedGame>.text(
      "player", "Player", "the player of an imported game, or null", orNull: { $0.player }
    )
    .hiddenByDefault,
  ]
}
