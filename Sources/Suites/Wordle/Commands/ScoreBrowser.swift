import System
import Terminal

/// A screen of cards whose cells are turned over one by one. A state machine over terminal events.
struct ScoreBrowser: InteractiveScreen {
  private let scores: [Score]
  private let style: CardStyle
  private(set) var size = WindowSize(columns: 80, rows: 24)
  private var grid: BrowserGrid
  private var selection: CellSelection
  private var top = 0
  private(set) var showsHelp = false
  private var faces: CellFaces

  init(_ scores: [Score], style: CardStyle, isAnimated: Bool) {
    self.scores = scores
    self.style = style
    selection = CellSelection(scores)
    faces = CellFaces(style.letters, isAnimated: isAnimated)
    grid = BrowserGrid(scores, width: size.columns)
  }

  mutating func handle(_ event: ScreenEvent<Never>, at uptime: Duration) throws(Failure) -> Next<Never> {
    faces.advance(to: uptime)
    switch event {
    case .resized(let size):
      self.size = size
      grid = BrowserGrid(scores, width: size.columns)
      follow()
    case .key(let key):
      guard showsHelp else { return browse(key) }
      showsHelp = false
    case .tick, .completed: break
    }
    return .stay
  }

  var selected: GridPosition { selection.cell }

  var alarm: Duration? { faces.alarm }

  private mutating func browse(_ key: Key) -> Next<Never> {
    switch key {
    case .character("q"): return .leave
    case .character("?"): showsHelp = true
    default:
      guard !scores.isEmpty else { return .stay }
      if !move(key) { turn(key) }
      follow()
    }
    return .stay
  }

  // MARK: Moving the selection

  /// Returns false for a key that does not move the selection.
  private mutating func move(_ key: Key) -> Bool {
    switch key {
    case .left, .character("h"): selection.moveColumn(-1)
    case .right, .character("l"): selection.moveColumn(1)
    case .up, .character("k"): selection.moveRow(-1, perRow: grid.perRow)
    case .down, .character("j"): selection.moveRow(1, perRow: grid.perRow)
    case .pageUp: selection.moveCard(-page * grid.perRow)
    case .pageDown: selection.moveCard(page * grid.perRow)
    case .tab: selection.moveCard(1)
    case .backTab: selection.moveCard(-1)
    case .home: selection.go(to: GridPosition())
    case .end: selection.go(to: GridPosition(card: scores.count - 1))
    case .mouse(let mouse): return scroll(mouse)
    default: return false
    }
    return true
  }

  private mutating func scroll(_ mouse: Mouse) -> Bool {
    switch mouse.action {
    case .wheelUp: selection.moveCard(-grid.perRow)
    case .wheelDown: selection.moveCard(grid.perRow)
    case .press, .release: return false
    }
    return true
  }

  private var page: Int { max(1, window.count / (grid.cardHeight + 1)) }

  /// Scrolls to the selected cell, and to the head of its card if there is room.
  private mutating func follow() {
    let height = window.count
    let head = grid.corner(of: selected.card).line
    top = min(max(top, head + grid.cardHeight - height), head)
    top = max(top, grid.position(of: selected).line + 1 - height)
    // A taller window shows no empty lines while there are cards above.
    top = max(0, min(top, grid.height - height))
  }

  // MARK: Turning cells over

  private mutating func turn(_ key: Key) {
    switch key {
    case .character(" "):
      if selection.contains(selected) { faces.turn([selected]) }
    case .enter: faces.turnCard(selection.cells(of: selected.card))
    case .character("r"), .character("R"):
      faces.turnAll(visible: grid.cards(in: window).flatMap(selection.cells))
    case .mouse(let mouse) where mouse.action == .press && mouse.button == .left: click(mouse)
    default: break
    }
  }

  private mutating func click(_ mouse: Mouse) {
    guard contentRows.contains(mouse.row) else { return }
    let line = mouse.row - contentRows.lowerBound + top
    guard let cell = grid.cell(line: line, column: mouse.column + left) else { return }
    selection.go(to: cell)
    faces.turnCard(selection.cells(of: cell.card))
  }

  // MARK: Layout

  private var contentRows: Range<Int> { size.rows < 6 ? 0..<size.rows : 2..<size.rows - 1 }

  private var window: Range<Int> { top..<top + contentRows.count }

  /// Columns that are scrolled out on a screen that is narrower than a card.
  private var left: Int { max(0, grid.position(of: selected).column + BrowserGrid.tileWidth - size.columns) }

  // MARK: Drawing

  func draw(on canvas: inout Canvas) {
    if showsHelp { return drawHelp(on: &canvas) }
    if scores.isEmpty { canvas.write("no scores", row: contentRows.lowerBound, column: 0) }
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
      for (column, (tile, letter)) in zip(Tiles(loosely: guess, word: score.word), guess).enumerated() {
        draw(GridPosition(card: card, row: row, column: column), tile, letter, on: &canvas)
      }
    }
  }

  /// Hides a word that was not found until all letters are shown.
  private func subtitle(_ card: Int) -> String {
    let score = scores[card]
    let allShown = selection.cells(of: card).allSatisfy(faces.showsLetter)
    return allShown && !score.tries.isEmpty ? score.revealingSubtitle : score.date.description
  }

  private func draw(_ cell: GridPosition, _ tile: Tile, _ letter: Character, on canvas: inout Canvas) {
    let position = grid.position(of: cell)
    if let row = row(position.line), cell == selected {
      canvas.cursor = Canvas.Position(row: row, column: max(0, position.column - left + 1))
    }
    if let progress = faces.progress(cell) {
      return write(edge(progress), Style("38;2;\(style.tileColors.color(tile))"), at: position, on: &canvas)
    }
    let shown = faces.showsLetter(cell)
    if style.color {
      let face = shown ? ScoreCard.letter(letter) : "  "
      let text = cell == selected ? "›\(face.last == " " ? "\(face.dropLast())‹" : face)" : " \(face)"
      write(text, Style(style.tileColors.letterColors(tile)), at: position, on: &canvas)
    } else {
      let text = shown ? ScoreCard.plain(tile, letter) : ScoreBrowser.back(tile)
      write(text, cell == selected ? .reversed : .plain, at: position, on: &canvas)
    }
  }

  /// The hidden side of a cell without colors.
  private static func back(_ tile: Tile) -> String {
    switch tile {
    case .correct: "[ ]"
    case .present: "( )"
    case .absent: " · "
    }
  }

  private func edge(_ progress: Double) -> String {
    progress < 1.0 / 3 ? "▄▄▄" : progress < 2.0 / 3 ? "━━━" : "▀▀▀"
  }

  private func write(
    _ text: String, _ style: Style, at position: (line: Int, column: Int), on canvas: inout Canvas
  ) {
    guard let row = row(position.line) else { return }
    canvas.write(text, row: row, column: position.column - left, style: style, limit: grid.cardWidth)
  }

  private func row(_ line: Int) -> Int? { window.contains(line) ? line - top + contentRows.lowerBound : nil }

  /// Draws the title and the keys if there is room.
  private func drawFrame(on canvas: inout Canvas) {
    guard contentRows.lowerBound > 0 else { return }
    canvas.write("Wordle scores", row: 0, column: 0, style: .bold)
    let position = scores.isEmpty ? "" : "\(selected.card + 1) of \(scores.count)"
    let column = canvas.columns - position.count
    if column >= 15 { canvas.write(position, row: 0, column: column, style: .dim) }
    canvas.write(
      "q quit  ? help  space turn  ⏎ card  r all", row: contentRows.upperBound, column: 0, style: .dim)
  }

  private func drawHelp(on canvas: inout Canvas) {
    for (row, line) in ScoreBrowser.help.enumerated() {
      canvas.write(line.keys, row: row, column: 0, style: .bold)
      canvas.write(line.meaning, row: row, column: 22)
    }
  }

  private static let help: [(keys: String, meaning: String)] = [
    ("arrows, h j k l", "move, cell by cell"),
    ("Page Up, Page Down", "move by a screen"),
    ("Home, End", "the first card, the last card"),
    ("Tab, Shift-Tab", "the next card, the one before"),
    ("Space", "turn a letter over, and back"),
    ("Enter, click", "turn the whole card over"),
    ("r", "turn every card over"),
    ("?", "these keys"),
    ("q", "quit"),
    ("", ""),
    ("any key", "back to the cards"),
  ]
}
