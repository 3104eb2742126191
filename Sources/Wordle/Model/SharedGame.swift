/// A game as a share text tells of it: how it ended and its rows of tiles, but no letters.
struct SharedGame: Equatable, Sendable {
  /// Wordle's own number of the game.
  var id: Int
  var result: GameResult
  /// Played in hard mode: what was found had to be used.
  var isHard = false
  /// Empty where only the first line was passed on.
  var rows: [[Tile]]
}

extension SharedGame {
  init(_ score: Score) {
    self.init(id: score.id, result: score.result, rows: score.tiles.map(Array.init))
  }

  /// As Wordle shares it: title, an empty line, the rows.
  func text(_ colors: TileColors) -> String {
    let lines = rows.map { row in row.map(colors.square).joined() }
    return ([GameResult.title(of: id, result) + (isHard ? "*" : ""), ""] + lines).joined(separator: "\n")
  }
}
