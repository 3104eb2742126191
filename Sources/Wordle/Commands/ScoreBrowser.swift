import System
import Terminal

/// How a browser looks.
struct BrowserLook: Sendable {
  var colors = TileColors()
  var color = true
  var isAnimated = true
}

/// The cards on a whole screen, whose cells are turned over one by one: a value that takes events.
struct ScoreBrowser: InteractiveScreen {
  typealias Place = BrowserGrid.Place

  let scores: [Score]
  let look: BrowserLook
  private(set) var size = WindowSize(columns: 80, rows: 24)
  private(set) var grid: BrowserGrid
  private(set) var selected = Place()
  /// The line of the sheet that the window begins with.
  private(set) var top = 0
  private(set) var mode = Mode.cards
  /// What the last key came to, where that cannot be seen.
  private(set) var note: String?
  private var search = ""
  /// Whether letters are shown, but for those that are in `turned`.
  private var letters: CardLook.Letters
  private var turned: Set<Place> = []
  /// Cells that are being turned, and since when.
  private var flips: [Place: Duration] = [:]
  private var now = Duration.zero

  enum Mode: Equatable, Sendable {
    case cards
    case help
    case searching(String)
  }

  init(_ scores: [Score], look: BrowserLook, letters: CardLook.Letters = .hidden) {
    self.scores = scores
    self.look = look
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
      case .searching(let text): take(key, searching: text)
      case .cards: return browse(key)
      }
    case .tick, .answered: break
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

// Moving about.
extension ScoreBrowser {
  /// False when the key is none for it.
  private mutating func move(_ key: Key) -> Bool {
    switch key {
    case .left, .character("h"): step(-1)
    case .right, .character("l"): step(1)
    case .up, .character("k"): climb(-1)
    case .down, .character("j"): climb(1)
    case .pageUp: jump(-page * grid.perRow)
    case .pageDown: jump(page * grid.perRow)
    case .tab: jump(1)
    case .backTab: jump(-1)
    case .home: go(to: Place())
    case .end: go(to: Place(card: scores.count - 1))
    case .mouse(let mouse): return scroll(mouse)
    default: return false
    }
    return true
  }

  /// To the next cell, and at the edge of a card to the card beside it.
  private mutating func step(_ way: Int) {
    let column = selected.column + way
    if (0..<cells(selected.card, selected.row)).contains(column) {
      selected.column = column
    } else if scores.indices.contains(selected.card + way) {
      let card = selected.card + way
      let row = min(selected.row, max(0, scores[card].tries.count - 1))
      go(to: Place(card: card, row: row, column: way > 0 ? 0 : cells(card, row) - 1))
    }
  }

  /// To the row above or below, and at the edge of a card to the card there.
  private mutating func climb(_ way: Int) {
    let row = selected.row + way
    let card = selected.card + way * grid.perRow
    if scores[selected.card].tries.indices.contains(row) {
      go(to: Place(card: selected.card, row: row, column: selected.column))
    } else if scores.indices.contains(card) {
      let entry = way > 0 ? 0 : scores[card].tries.count - 1
      go(to: Place(card: card, row: entry, column: selected.column))
    }
  }

  /// So many cards on, or as far as there are any.
  private mutating func jump(_ distance: Int) {
    go(
      to: Place(
        card: min(max(0, selected.card + distance), scores.count - 1), row: selected.row,
        column: selected.column))
  }

  /// To the place, or the nearest cell of its card.
  private mutating func go(to place: Place) {
    let row = min(max(0, place.row), max(0, scores[place.card].tries.count - 1))
    let column = min(max(0, place.column), max(0, cells(place.card, row) - 1))
    selected = Place(card: place.card, row: row, column: column)
  }

  private mutating func scroll(_ mouse: Mouse) -> Bool {
    switch mouse.action {
    case .wheelUp: jump(-grid.perRow)
    case .wheelDown: jump(grid.perRow)
    case .press, .release: return false
    }
    return true
  }

  /// How many rows of cards the window holds.
  private var page: Int { max(1, window.count / (grid.cardHeight + 1)) }

  /// How many cells a row of a card has.
  private func cells(_ card: Int, _ row: Int) -> Int {
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

// Turning over.
extension ScoreBrowser {
  static let flipTime = Duration.milliseconds(150)

  func showsLetter(_ place: Place) -> Bool { (letters == .shown) != turned.contains(place) }

  /// How far a cell is turned, from 0 up to 1; nil when it lies still.
  func flip(_ place: Place) -> Double? {
    flips[place].map { max(0, (now - $0) / ScoreBrowser.flipTime) }
  }

  var alarm: Duration? { flips.isEmpty ? nil : now + ScoreBrowser.flipTime / 3 }

  private mutating func turn(_ key: Key) {
    switch key {
    case .character(" "), .enter:
      if cells(selected.card, selected.row) > 0 { turn([selected]) }
    case .character("r"): turnCard()
    case .character("R"): turnAll()
    case .mouse(let mouse) where mouse.action == .press && mouse.button == .left: click(mouse)
    default: break
    }
  }

  private mutating func turn(_ places: [Place]) {
    for place in places {
      if turned.remove(place) == nil { turned.insert(place) }
      if look.isAnimated { flips[place] = now }
    }
  }

  /// Shows what is hidden of the card, or hides all of it again.
  private mutating func turnCard() {
    let places = places(of: selected.card)
    let hidden = places.filter { !showsLetter($0) }
    turn(hidden.isEmpty ? places : hidden)
  }

  private mutating func turnAll() {
    letters = letters == .shown && turned.isEmpty ? .hidden : .shown
    turned = []
    guard look.isAnimated else { return }
    for card in grid.cards(in: window) {
      for place in places(of: card) { flips[place] = now }
    }
  }

  private func places(of card: Int) -> [Place] {
    scores[card].tries.indices.flatMap { row in
      (0..<cells(card, row)).map { Place(card: card, row: row, column: $0) }
    }
  }

  private mutating func click(_ mouse: Mouse) {
    guard contentRows.contains(mouse.row) else { return }
    let line = mouse.row - contentRows.lowerBound + top
    guard let place = grid.place(line: line, column: mouse.column + left),
      (0..<cells(place.card, place.row)).contains(place.column)
    else { return }
    selected = place
    turn([place])
  }
}

// Looking for a game.
extension ScoreBrowser {
  private mutating func take(_ key: Key, searching text: String) {
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
        go(to: Place(card: card))
        return follow()
      }
    }
    note = "no game has '\(text)'"
  }
}

// What of the screen is whose.
extension ScoreBrowser {
  /// The rows that the cards have: all of a screen that is too low for a title and a line of hints.
  var contentRows: Range<Int> {
    size.rows < 6 ? 0..<max(1, size.rows) : 2..<size.rows - 1
  }

  /// The lines of the sheet that can be seen.
  var window: Range<Int> { top..<top + contentRows.count }

  /// How much of the sheet's left side is out of sight, on a screen that is too narrow for a card.
  var left: Int {
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
