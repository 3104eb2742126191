struct TileStyle: Equatable, Sendable {
  var form: Form
  var colors: TileColors

  init(_ form: Form = .emoji, _ colors: TileColors = TileColors()) {
    self.form = form
    self.colors = colors
  }

  enum Form: String, CaseIterable, Sendable {
    case emoji
    /// `g`, `y` or `b` (green, yellow, black) per tile, as in solver programs, independent of the colors.
    case letters
    case ansi
  }

  /// The row without a line feed. Letters keep their case.
  func row(_ tiles: Tiles, guess: String) -> String {
    var row = ""
    for (tile, letter) in zip(tiles, guess) {
      row += symbol(tile)
      if showsLetters { row += "\(letter)\(TileStyle.after)" }
    }
    return row
  }

  var showsLetters: Bool { form == .ansi }

  /// The text of a tile. In a form that shows letters, the letter and `after` follow it.
  func symbol(_ tile: Tile) -> String {
    switch (form, tile) {
    case (.emoji, _): colors.square(tile)
    case (.letters, .correct): "g"
    case (.letters, .present): "y"
    case (.letters, .absent): "b"
    case (.ansi, _): "\u{1B}[\(colors.letterColors(tile))m "
    }
  }

  static let after = " \(reset)"
  static let reset = "\u{1B}[0m"
}

struct TileColors: Equatable, Sendable {
  var palette: Palette
  var background: Background

  init(_ palette: Palette = .standard, on background: Background = .dark) {
    self.palette = palette
    self.background = background
  }

  enum Palette: String, CaseIterable, Sendable {
    case standard
    /// Orange and blue, for people who cannot distinguish red from green.
    case highContrast = "high-contrast"
  }

  enum Background: String, CaseIterable, Sendable {
    case dark
    case light
  }

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

  /// The color of a tile in Wordle: red, green and blue for an SGR sequence.
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

  /// SGR parameters of a bold letter on a tile, in black or white depending on the contrast.
  func letterColors(_ tile: Tile) -> String {
    let letter = palette == .highContrast && tile != .absent ? "0;0;0" : "255;255;255"
    return "1;38;2;\(letter);48;2;\(color(tile))"
  }
}
