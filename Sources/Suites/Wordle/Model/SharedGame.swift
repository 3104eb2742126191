/// The game of a share text: result and rows of tiles, without letters.
struct SharedGame: Equatable, Sendable {
  var id: Int
  var result: GameResult
  /// Hard mode: found letters must be used in later tries.
  var isHard = false
  /// Empty if the share text was only a title.
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
