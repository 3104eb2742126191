/// How a row of tiles is written.
public struct TileStyle: Equatable, Sendable {
  public var form: Form
  public var palette: Palette

  public init(_ form: Form = .emoji, palette: Palette = .standard) {
    self.form = form
    self.palette = palette
  }

  public enum Form: String, CaseIterable, Sendable {
    /// A coloured square a tile.
    case emoji
    /// `g`, `y` or `b` a tile, green, yellow and black, as solvers read and write them; no palette changes these.
    case letters
    /// The letters of the guess on coloured cells.
    case ansi
  }

  public enum Palette: String, CaseIterable, Sendable {
    case standard
    /// Orange and blue, which do not depend on telling red from green.
    case highContrast = "high-contrast"
  }

  /// The row, without a line end. A letter is shown as it was given, whatever its case.
  public func row(_ tiles: Tiles, guess: String) -> String {
    zip(tiles, guess).map { tile, letter in
      before(tile) + (showsLetters ? String(letter) + TileStyle.after : "")
    }.joined()
  }

  var showsLetters: Bool { form == .ansi }

  /// What stands for a tile, or before its letter in a form that shows the letters.
  func before(_ tile: Tile) -> String {
    switch (form, palette, tile) {
    case (.emoji, .standard, .correct): "🟩"
    case (.emoji, .standard, .present): "🟨"
    case (.emoji, .highContrast, .correct): "🟧"
    case (.emoji, .highContrast, .present): "🟦"
    case (.emoji, _, .absent): "⬛"
    case (.letters, _, .correct): "g"
    case (.letters, _, .present): "y"
    case (.letters, _, .absent): "b"
    case (.ansi, _, _): "\u{1B}[\(letterColors(tile))m "
    }
  }

  /// Wordle's own colours, as the parameters of an SGR sequence; the bold letter is black or white, whichever is easier
  /// to read on them.
  func letterColors(_ tile: Tile) -> String {
    let letter = palette == .highContrast && tile != .absent ? "0;0;0" : "255;255;255"
    return "1;38;2;\(letter);48;2;\(color(tile))"
  }

  /// Red, green and blue of a tile.
  func color(_ tile: Tile) -> String {
    switch (palette, tile) {
    case (.standard, .correct): "83;141;78"
    case (.standard, .present): "181;159;59"
    case (.highContrast, .correct): "245;121;58"
    case (.highContrast, .present): "133;192;249"
    case (_, .absent): "58;58;60"
    }
  }

  /// What comes after a letter that is shown.
  static let after = " \(reset)"
  static let reset = "\u{1B}[0m"
}
