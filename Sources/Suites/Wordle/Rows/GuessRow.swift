import Output

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
  static func rows(
    _ path: String, _ title: String, _ meaning: String, _ read: @escaping Read<[[Tile]]>
  ) -> Field {
    let type = CellType.list(.list(.choice(Tile.allCases.map(\.name))))
    return Field(Column(path, title: title, meaning: meaning, type: type)) { row in
      .list(read(row).map { tiles in .list(tiles.map { .text($0.name) }) })
    }
  }
}
