/// How a row of tiles is written.
struct TileStyle: Equatable, Sendable {
  var form: Form
  var colors: TileColors

  init(_ form: Form = .emoji, _ colors: TileColors = TileColors()) {
    self.form = form
    self.colors = colors
  }

  enum Form: String, CaseIterable, Sendable {
    /// A coloured square a tile.
    case emoji
    /// `g`, `y` or `b` a tile, green, yellow and black, as solvers read and write them; no colours change these.
    case letters
    /// The letters of the guess on coloured cells.
    case ansi
  }

  /// The row, without a line end. A letter is shown as it was given, whatever its case.
  func row(_ tiles: Tiles, guess: String) -> String {
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

/// What the tiles are coloured with: Wordle's settings of that name.
struct TileColors: Equatable, Sendable {
  var palette: Palette
  var background: Background

  init(_ palette: Palette = .standard, on background: Background = .dark) {
    self.palette = palette
    self.background = background
  }

  enum Palette: String, CaseIterable, Sendable {
    case standard
    /// Orange and blue, which do not depend on telling red from green.
    case highContrast = "high-contrast"
  }

  enum Background: String, CaseIterable, Sendable {
    case dark
    case light
  }

  /// As a share text has it.
  func square(_ tile: Tile) -> String {
    switch (tile, palette, background) {
    case (.correct, .standard, _): "🟩"
    case (.correct, .highContrast, _): "🟧"
    case (.present, .standard, _): "🟨"
    case (.present, .highContrast, _): "🟦"
    case (.absent, _, .dark): "⬛"
    case (.absent, _, .light): "⬜"
    }
  }

  /// Wordle's own: red, green and blue of a tile, as an SGR sequence has them.
  func color(_ tile: Tile) -> String {
    switch (tile, palette, background) {
    case (.correct, .standard, .dark): "83;141;78"
    case (.correct, .standard, .light): "106;170;100"
    case (.present, .standard, .dark): "181;159;59"
    case (.present, .standard, .light): "201;180;88"
    case (.correct, .highContrast, _): "245;121;58"
    case (.present, .highContrast, _): "133;192;249"
    case (.absent, _, .dark): "58;58;60"
    case (.absent, _, .light): "120;124;126"
    }
  }

  /// A bold letter on a tile, as the parameters of an SGR sequence: black or white, whichever is easier to read.
  func letterColors(_ tile: Tile) -> String {
    let letter = palette == .highContrast && tile != .absent ? "0;0;0" : "255;255;255"
    return "1;38;2;\(letter);48;2;\(color(tile))"
  }
}
