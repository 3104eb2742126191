import Output
import System

extension Score: Row {
  static let fields: Fields<Score> = [
    .integer("id", "No.", "Wordle's number of the game") { $0.id },
    .day("date", "Date", "the day of the game") { $0.date },
    .text("word", "Word", "the word to be found") { $0.word },
    .list("tries", "Tries", "the words that were tried, in order") { $0.tries },
    Field<Score>.text("result", "Result", "tries out of six, X after six without the word, or unfinished") {
      $0.result.text
    }.measured(by: .result),
    Field<Score>.flag("solved", "Solved", "whether the word was found") { $0.isSolved }.hiddenByDefault,
    Field<Score>.flag("hard", "Hard", "played in hard mode") { $0.isHard }.hiddenByDefault,
    Field<Score>.flag(
      "initial", "Initial", "one of the three scores of a new account, which count in no statistics"
    ) { $0.isInitial }.hiddenByDefault,
    Field<Score>.tileRows("tiles", "Tiles", "the tiles of each guess") { $0.tiles.map(Array.init) }
      .hiddenByDefault,
  ]
}

extension Scale {
  /// Compares results by their tries, `3` or `3/6`. A lost game is larger, and an unfinished one the largest.
  static let result = Scale("a result: 4/6, X/6 or unfinished") { text in
    let results = (1...Score.mostTries).map(GameResult.solved) + [.failed, .unfinished]
    return results.firstIndex { [$0.text, $0.mark].contains { Letters.areSame($0, text) } }.map(Int64.init)
  }
}

struct GuessRow: Row {
  let row: TileRow
  let rendered: String

  init(_ row: TileRow, _ style: TileStyle) {
    self.row = row
    rendered = style.row(row.tiles, guess: row.guess)
  }

  static let fields: Fields<GuessRow> = [
    .text("guess", "Guess", "the word that was tried") { $0.row.guess },
    .text("word", "Word", "the word to be found") { $0.row.word },
    .list("tiles", "Tiles", "the tile of each letter", of: .choice(Tile.allCases.map(\.name))) {
      $0.row.tiles.map(\.name)
    },
    .text("text", "Text", "the row of tiles in the chosen style") { $0.rendered },
  ]

  static let text: (@Sendable (GuessRow, Screen?) -> String)? = { row, _ in row.rendered }
}

extension Field {
  static func tileRows(
    _ path: String, _ title: String, _ meaning: String, _ read: @escaping Read<[[Tile]]>
  ) -> Field {
    let type = CellType.list(.list(.choice(Tile.allCases.map(\.name))))
    return Field(Column(path, title: title, meaning: meaning, type: type)) { row in
      .list(read(row).map { tiles in .list(tiles.map { .text($0.name) }) })
    }
  }
}

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
    Field<ImportedGame>.tileRows(
      "tiles", "Tiles", "the rows of tiles; none where only the title was passed on"
    ) { $0.game.rows }.hiddenByDefault,
  ]
}

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
    ).hiddenByDefault,
  ]
}
