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
    // Wordle's own colours; the letter is black or white, whichever is easier to read on them.
    case (.ansi, .standard, .correct): "\u{1B}[1;38;2;255;255;255;48;2;83;141;78m "
    case (.ansi, .standard, .present): "\u{1B}[1;38;2;255;255;255;48;2;181;159;59m "
    case (.ansi, .highContrast, .correct): "\u{1B}[1;38;2;0;0;0;48;2;245;121;58m "
    case (.ansi, .highContrast, .present): "\u{1B}[1;38;2;0;0;0;48;2;133;192;249m "
    case (.ansi, _, .absent): "\u{1B}[1;38;2;255;255;255;48;2;58;58;60m "
    }
  }

  /// What comes after a letter that is shown.
  static let after = " \u{1B}[0m"
}
