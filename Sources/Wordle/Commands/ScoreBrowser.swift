import System
import Terminal

/// The appearance of a browser.
struct BrowserStyle: Sendable {
  var colors = TileColors()
  var color = true
  var isAnimated = true
}

/// The cards on a full screen, whose cells are turned over one by one: a state machine over terminal events.
struct ScoreBrowser: InteractiveScreen {
  private let scores: [Score]
  private let style: BrowserStyle
  private(set) var size = WindowSize(columns: 80, rows: 24)
  private var grid: BrowserGrid
  private(set) var selected = GridPosition()
  /// The line of the sheet that the window begins with.
  private var top = 0
  private(set) var mode = Mode.cards
  /// A message about the last key, shown on the last line.
  private var note: String?
  private var search = ""
  /// Whether the letters of the cells that are not in `turned` are shown.
  private var letters: CardStyle.Letters
  private var turned: Set<GridPosition> = []
  /// Cells whose animation is running, and when it began.
  private var flips: [GridPosition: Duration] = [:]
  private var now = Duration.zero

  enum Mode: Equatable, Sendable {
    case cards
    case help
    case searching(String)
  }

  init(_ scores: [Score], style: BrowserStyle, letters: CardStyle.Letters = .hidden) {
    self.scores = scores
    self.style = style
    self.letters = letters
    grid = BrowserGrid(scores, width: size.columns)
  }

  mutating func handle(_ event: ScreenEvent<Never>, at uptime: Duration) throws(Failure) -> Next<Never> {
    now = uptime
    flips = flips.filter { uptime - $0.value < ScoreBrowser.flipTime }
    switch event {
    case .resized(let size):
      self.size = size
      grid = BrowserGrid(scores, width: size.columns)
      follow()
    case .key(let key):
      note = nil
      switch mode {
      case .help: mode = .cards
      case .searching(let text): edit(search: text, key)
      case .cards: return browse(key)
      }
    case .tick, .completed: break
    }
    return .stay
  }

  private mutating func browse(_ key: Key) -> Next<Never> {
    switch key {
    case .character("q"): return .leave
    case .character("?"): mode = .help
    case .character("/"): mode = .searching("")
    case .character("n"): find(search)
    default:
      guard !scores.isEmpty else { return .stay }
      if !move(key) { turn(key) }
      follow()
    }
    return .stay
  }
}

// Moving the selection.
extension ScoreBrowser {
  /// False for a key that does not move the selection.
  private mutating func move(_ key: Key) -> Bool {
    switch key {
    case .left, .character("h"): moveColumn(-1)
    case .right, .character("l"): moveColumn(1)
    case .up, .character("k"): moveRow(-1)
    case .down, .character("j"): moveRow(1)
    case .pageUp: moveCard(-page * grid.perRow)
    case .pageDown: moveCard(page * grid.perRow)
    case .tab: moveCard(1)
    case .backTab: moveCard(-1)
    case .home: go(to: GridPosition())
    case .end: go(to: GridPosition(card: scores.count - 1))
    case .mouse(let mouse): return scroll(mouse)
    default: return false
    }
    return true
  }

  /// To the next cell, and at the edge of a card to the card beside it.
  private mutating func moveColumn(_ direction: Int) {
    let column = selected.column + direction
    if (0..<cellCount(selected.card, selected.row)).contains(column) {
      selected.column = column
    } else if scores.indices.contains(selected.card + direction) {
      let card = selected.card + direction
      let row = min(selected.row, max(0, scores[card].tries.count - 1))
      go(to: GridPosition(card: card, row: row, column: direction > 0 ? 0 : cellCount(card, row) - 1))
    }
  }

  /// To the row above or below, and at the edge of a card to the card there.
  private mutating func moveRow(_ direction: Int) {
    let row = selected.row + direction
    let card = selected.card + direction * grid.perRow
    if scores[selected.card].tries.indices.contains(row) {
      go(to: GridPosition(card: selected.card, row: row, column: selected.column))
    } else if scores.indices.contains(card) {
      let entry = direction > 0 ? 0 : scores[card].tries.count - 1
      go(to: GridPosition(card: card, row: entry, column: selected.column))
    }
  }

  /// Moves by this number of cards, and stops at the first and the last.
  private mutating func moveCard(_ distance: Int) {
    go(
      to: GridPosition(
        card: min(max(0, selected.card + distance), scores.count - 1), row: selected.row,
        column: selected.column))
  }

  /// To this cell, or to the nearest one that its card has.
  private mutating func go(to cell: GridPosition) {
    let row = min(max(0, cell.row), max(0, scores[cell.card].tries.count - 1))
    let column = min(max(0, cell.column), max(0, cellCount(cell.card, row) - 1))
    selected = GridPosition(card: cell.card, row: row, column: column)
  }

  private mutating func scroll(_ mouse: Mouse) -> Bool {
    switch mouse.action {
    case .wheelUp: moveCard(-grid.perRow)
    case .wheelDown: moveCard(grid.perRow)
    case .press, .release: return false
    }
    return true
  }

  /// How many rows of cards the window holds.
  private var page: Int { max(1, window.count / (grid.cardHeight + 1)) }

  /// How many cells a row of a card has.
  private func cellCount(_ card: Int, _ row: Int) -> Int {
    let tries = scores[card].tries
    return tries.indices.contains(row) ? min(tries[row].count, Letters.most) : 0
  }

  /// Moves the window so that the selected cell is in it, with the head of its card if there is room.
  private mutating func follow() {
    guard !scores.isEmpty else { return }
    let line = grid.position(of: selected).line
    let head = grid.corner(of: selected.card).line
    let end = head + grid.cardHeight
    if end > top + window.count { top = end - window.count }
    if head < top { top = head }
    if line >= top + window.count { top = line - window.count + 1 }
    top = max(0, min(top, max(line, grid.height - window.count)))
  }
}

// Turning cells over.
extension ScoreBrowser {
  private static let flipTime = Duration.milliseconds(150)

  private func showsLetter(_ cell: GridPosition) -> Bool { (letters == .shown) != turned.contains(cell) }

  /// The progress of the animation of a cell, from 0 up to 1; nil when none is running.
  private func flip(_ cell: GridPosition) -> Double? {
    flips[cell].map { max(0, (now - $0) / ScoreBrowser.flipTime) }
  }

  var alarm: Duration? { flips.isEmpty ? nil : now + ScoreBrowser.flipTime / 3 }

  private mutating func turn(_ key: Key) {
    switch key {
    case .character(" "), .enter:
      if cellCount(selected.card, selected.row) > 0 { turn([selected]) }
    case .character("r"): turnCard()
    case .character("R"): turnAll()
    case .mouse(let mouse) where mouse.action == .press && mouse.button == .left: click(mouse)
    default: break
    }
  }

  private mutating func turn(_ cells: [GridPosition]) {
    for cell in cells {
      if turned.remove(cell) == nil { turned.insert(cell) }
      if style.isAnimated { flips[cell] = now }
    }
  }

  /// Shows what is hidden of the card, or hides all of it again.
  private mutating func turnCard() {
    let cells = cells(of: selected.card)
    let hidden = cells.filter { !showsLetter($0) }
    turn(hidden.isEmpty ? cells : hidden)
  }

  private mutating func turnAll() {
    letters = letters == .shown && turned.isEmpty ? .hidden : .shown
    turned = []
    guard style.isAnimated else { return }
    for card in grid.cards(in: window) {
      for cell in cells(of: card) { flips[cell] = now }
    }
  }

  private func cells(of card: Int) -> [GridPosition] {
    scores[card].tries.indices.flatMap { row in
      (0..<cellCount(card, row)).map { GridPosition(card: card, row: row, column: $0) }
    }
  }

  private mutating func click(_ mouse: Mouse) {
    guard contentRows.contains(mouse.row) else { return }
    let line = mouse.row - contentRows.lowerBound + top
    guard let cell = grid.cell(line: line, column: mouse.column + left),
      (0..<cellCount(cell.card, cell.row)).contains(cell.column)
    else { return }
    selected = cell
    turn([cell])
  }
}

// Searching for a game.
extension ScoreBrowser {
  private mutating func edit(search text: String, _ key: Key) {
    switch key {
    case .character(let character): mode = .searching(text + String(character))
    case .paste(let pasted): mode = .searching(text + pasted)
    case .backspace: mode = text.isEmpty ? .cards : .searching(String(text.dropLast()))
    case .escape: mode = .cards
    case .enter:
      mode = .cards
      search = text
      find(text)
    default: break
    }
  }

  /// Selects the next card with the text in its word, or at the beginning of its number or day.
  private mutating func find(_ text: String) {
    let wanted = text.lowercased()
    guard !wanted.isEmpty, !scores.isEmpty else { return }
    for distance in 1...scores.count {
      let card = (selected.card + distance) % scores.count
      let score = scores[card]
      if score.word.lowercased().contains(wanted) || "\(score.id)".hasPrefix(wanted)
        || score.date.description.hasPrefix(wanted)
      {
        go(to: GridPosition(card: card))
        return follow()
      }
    }
    note = "no game has '\(text)'"
  }
}

// Layout of the screen.
extension ScoreBrowser {
  /// The rows for the cards: all rows of a screen that is too low for a title and a line of hints.
  private var contentRows: Range<Int> {
    size.rows < 6 ? 0..<max(1, size.rows) : 2..<size.rows - 1
  }

  /// The visible lines of the sheet.
  private var window: Range<Int> { top..<top + contentRows.count }

  /// The columns of the sheet that are scrolled out on the left of a screen that is too narrow for a card.
  private var left: Int {
    guard !scores.isEmpty else { return 0 }
    return max(0, grid.position(of: selected).column + BrowserGrid.tileWidth - size.columns)
  }
}

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
      for (column, face) in zip(Tiles(loosely: guess, word: score.word), guess).enumerated() {
        draw(GridPosition(card: card, row: row, column: column), face.0, face.1, on: &canvas)
      }
    }
  }

  /// The word that was not found is hidden until every letter of the card is shown.
  private func subtitle(_ card: Int) -> String {
    let score = scores[card]
    let allShown = score.tries.enumerated().allSatisfy { row, guess in
      (0..<min(guess.count, Letters.most)).allSatisfy {
        showsLetter(GridPosition(card: card, row: row, column: $0))
      }
    }
    return allShown && !score.tries.isEmpty ? score.revealingSubtitle : score.date.description
  }

  private func draw(_ cell: GridPosition, _ tile: Tile, _ letter: Character, on canvas: inout Canvas) {
    let position = grid.position(of: cell)
    if let row = row(position.line), cell == selected {
      canvas.cursor = Canvas.Position(row: row, column: position.column - left + 1)
    }
    if let progress = flip(cell) {
      return write(edge(progress), Style("38;2;\(style.colors.color(tile))"), at: position, on: &canvas)
    }
    let shown = showsLetter(cell)
    if style.color {
      let face = shown ? ScoreCard.letter(letter) : "  "
      let text = cell == selected ? "›\(face.last == " " ? "\(face.dropLast())‹" : face)" : " \(face)"
      write(text, Style(style.colors.letterColors(tile)), at: position, on: &canvas)
    } else {
      let text = shown ? ScoreCard.plain(tile, letter) : ScoreBrowser.back(tile)
      write(text, cell == selected ? .reversed : .plain, at: position, on: &canvas)
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

  /// The three steps of the animation.
  private func edge(_ progress: Double) -> String {
    progress < 1.0 / 3 ? "▄▄▄" : progress < 2.0 / 3 ? "━━━" : "▀▀▀"
  }

  private func write(
    _ text: String, _ style: Style, at position: (line: Int, column: Int), on canvas: inout Canvas
  ) {
    guard let row = row(position.line) else { return }
    canvas.write(text, row: row, column: position.column - left, style: style, limit: grid.cardWidth)
  }

  /// The screen row of a line of the sheet; nil for a line that is not visible.
  private func row(_ line: Int) -> Int? {
    window.contains(line) ? line - top + contentRows.lowerBound : nil
  }

  /// Draws the title above the cards and the line of hints below where there is room, and the search text always.
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
