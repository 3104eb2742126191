/// How a row of tiles is written.
public struct TileStyle: Equatable, Sendable {
  public var form: Form
  public var colors: TileColors

  public init(_ form: Form = .emoji, _ colors: TileColors = TileColors()) {
    self.form = form
    self.colors = colors
  }

  public enum Form: String, CaseIterable, Sendable {
    /// A coloured square a tile.
    case emoji
    /// `g`, `y` or `b` a tile, green, yellow and black, as solvers read and write them; no colours change these.
    case letters
    /// The letters of the guess on coloured cells.
    case ansi
  }

  /// The row, without a line end. A letter is shown as it was given, whatever its case.
  public func row(_ tiles: Tiles, guess: String) -> String {
    var row = ""
    for (tile, letter) in zip(tiles, guess) {
      row += before(tile)
      if showsLetters { row += "\(letter)\(TileStyle.after)" }
    }
    return row
  }

  var showsLetters: Bool { form == .ansi }

  /// What stands for a tile, or before its letter in a form that shows the letters.
  func before(_ tile: Tile) -> String {
    switch (form, tile) {
    case (.emoji, _): colors.square(tile)
    case (.letters, .correct): "g"
    case (.letters, .present): "y"
    case (.letters, .absent): "b"
    case (.ansi, _): "\u{1B}[\(colors.letterColors(tile))m "
    }
  }

  /// What comes after a letter that is shown.
  static let after = " \(reset)"
  static let reset = "\u{1B}[0m"
}
