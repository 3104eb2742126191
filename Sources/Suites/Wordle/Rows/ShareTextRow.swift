import Output

struct ShareTextRow: Row {
  let score: Score
  let text: String

  static let fields: Fields<ShareTextRow> = [
    .integer("id", "No.", "Wordle's number of the game") { $0.score.id },
    .text("result", "Result", "tries out of six, X after six without the word") {
      $0.score.result.text
    },
    .text("text", "Text", "the share text") { $0.text },
  ]

  static let text: (@Sendable (ShareTextRow, Screen?) -> String)? = { row, _ in row.text }
}

extension ImportedGame: Row {
  static let fields: Fields<ImportedGame> = [
    .integer("id", "No.", "Wordle's number of the game") { $0.game.id },
    .text("result", "Result", "tries out of six, or X") { $0.game.result.text },
    .flag("hard", "Hard", "played in hard mode") { $0.game.isHard },
    .text(
      "player", "Player", "the player whose game it is, or null if it is not stored", orNull: { $0.player }),
    Field(
      Column(
        "outcome", title: "Outcome", meaning: "what became of it; null for a game without a player",
        type: .choice(ImportedGame.Outcome.allCases.map(\.rawValue)), isOptional: true)
    ) { $0.outcome.map { .text($0.rawValue) } ?? .null },
    Field<ImportedGame>.rows("tiles", "Tiles", "the rows of tiles; none where only the title was passed on") {
      $0.game.rows
    }
    .hiddenByDefault,
  ]
}
