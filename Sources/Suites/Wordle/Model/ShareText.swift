import System

/// A game as a share text contains it: the result and the rows of tiles, but no letters.
struct SharedGame: Equatable, Sendable {
  /// Wordle's own number of the game.
  var id: Int
  var result: GameResult
  /// Hard mode: letters that were found must be used in later tries.
  var isHard = false
  /// Empty if only the first line of the share text was given.
  var rows: [[Tile]]
}

extension SharedGame {
  init(_ score: Score) {
    self.init(id: score.id, result: score.result, isHard: score.isHard, rows: score.tiles.map(Array.init))
  }

  /// The share text as Wordle writes it: title, empty line, rows.
  func text(_ colors: TileColors) -> String {
    let lines = rows.map { row in row.map(colors.square).joined() }
    return ([GameResult.title(of: id, result) + (isHard ? "*" : ""), ""] + lines).joined(separator: "\n")
  }
}
