import System
import Terminal

extension ScoreBrowser {
  func draw(on canvas: inout Canvas) {
    if mode == .help { return drawHelp(on: &canvas) }
    if scores.isEmpty {
      canvas.write("no scores", row: contentRows.lowerBound, column: 0)
    }
    for card in grid.cards(in: window) { draw(card, on: &canvas) }
    drawFrame(on: &canvas)
  }

  private func draw(_ card: Int, on canvas: inout Canvas) {
    let score = scores[card]
    let corner = grid.corner(of: card)
    let isSelected = card == selected.card
    write(score.title, .bold + (isSelected ? .underlined : .plain), at: corner, on: &canvas)
    write(subtitle(card), .dim, at: (corner.line + 1, corner.column), on: &canvas)
    for (row, guess) in score.tries.enumerated() {
      for (column, cell) in zip(Tiles(loosely: guess, word: score.word), guess).enumerated() {
        draw(Place(card: card, row: row, column: column), cell.0, cell.1, on: &canvas)
      }
    }
  }

  /// The word that was not found is kept back until every letter of the card is shown.
  private func subtitle(_ card: Int) -> String {
    let score = scores[card]
    let allShown = score.tries.enumerated().allSatisfy { row, guess in
      (0..<min(guess.count, Letters.most)).allSatisfy { showsLetter(Place(card: card, row: row, column: $0)) }
    }
    return allShown && !score.tries.isEmpty ? score.revealingSubtitle : score.date.description
  }

  private func draw(_ place: Place, _ tile: Tile, _ letter: Character, on canvas: inout Canvas) {
    let position = grid.position(of: place)
    if let row = row(position.line), place == selected {
      canvas.cursor = Canvas.Position(row: row, column: position.column - left + 1)
    }
    if let progress = flip(place) {
      return write(edge(progress), Style("38;2;\(look.colors.color(tile))"), at: position, on: &canvas)
    }
    let shown = showsLetter(place)
    if look.color {
      let face = shown ? ScoreCard.letter(letter) : "  "
      let text = place == selected ? "›\(face.last == " " ? "\(face.dropLast())‹" : face)" : " \(face)"
      write(text, Style(look.colors.letterColors(tile)), at: position, on: &canvas)
    } else {
      let text = shown ? ScoreCard.plain(tile, letter) : ScoreBrowser.back(tile)
      write(text, place == selected ? .reversed : .plain, at: position, on: &canvas)
    }
  }

  /// The hidden side of a cell on a screen without colours.
  private static func back(_ tile: Tile) -> String {
    switch tile {
    case .correct: "[ ]"
    case .present: "( )"
    case .absent: " · "
    }
  }

  /// A cell seen from above, from its edge, and from below.
  private func edge(_ progress: Double) -> String {
    progress < 1.0 / 3 ? "▄▄▄" : progress < 2.0 / 3 ? "━━━" : "▀▀▀"
  }

  private func write(
    _ text: String, _ style: Style, at place: (line: Int, column: Int), on canvas: inout Canvas
  ) {
    guard let row = row(place.line) else { return }
    canvas.write(text, row: row, column: place.column - left, style: style, limit: grid.cardWidth)
  }

  /// The screen's row of a line of the sheet; nil out of sight.
  private func row(_ line: Int) -> Int? {
    window.contains(line) ? line - top + contentRows.lowerBound : nil
  }

  /// The title above the cards and the line of hints below, where there is room; what is being typed, in any case.
  private func drawFrame(on canvas: inout Canvas) {
    let last = canvas.rows - 1
    if contentRows.lowerBound > 0 {
      canvas.write("Wordle scores", row: 0, column: 0, style: .bold)
      let position = scores.isEmpty ? "" : "\(selected.card + 1) of \(scores.count)"
      let column = canvas.columns - position.count
      if column >= 15 { canvas.write(position, row: 0, column: column, style: .dim) }
    }
    switch (mode, note) {
    case (.searching(let text), _):
      canvas.fill(row: last, column: 0, width: canvas.columns)
      let end = canvas.write("/" + text, row: last, column: 0)
      canvas.cursor = Canvas.Position(row: last, column: min(end, max(0, canvas.columns - 1)))
    case (_, let note?):
      canvas.fill(row: last, column: 0, width: canvas.columns)
      canvas.write(note, row: last, column: 0)
    case (_, nil):
      guard contentRows.upperBound <= last else { return }
      canvas.write("q quit  ? help  space turn  r card  R all  / find", row: last, column: 0, style: .dim)
    }
  }

  private func drawHelp(on canvas: inout Canvas) {
    for (row, line) in ScoreBrowser.help.enumerated() {
      let end = canvas.write(line.keys, row: row, column: 0, style: .bold)
      canvas.write(line.meaning, row: row, column: max(end + 2, 22))
    }
  }

  private static let help: [(keys: String, meaning: String)] = [
    ("arrows, h j k l", "move, cell by cell"),
    ("Page Up, Page Down", "move by a screen"),
    ("Home, End", "the first card, the last card"),
    ("Tab, Shift-Tab", "the next card, the one before"),
    ("Space, Enter, click", "turn a cell over, and back"),
    ("r", "turn the whole card over"),
    ("R", "turn every card over"),
    ("/", "find a word, a number or a day"),
    ("n", "find the next"),
    ("?", "these keys"),
    ("q", "quit"),
    ("", ""),
    ("any key", "back to the cards"),
  ]
}
