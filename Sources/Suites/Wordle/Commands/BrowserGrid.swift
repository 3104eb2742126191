import Terminal

struct GridPosition: Hashable, Sendable {
  var card = 0
  var row = 0
  var column = 0
}

/// The layout of cards in a browser: equal cells, as many side by side as fit. Lines and columns count from 0.
struct BrowserGrid: Equatable, Sendable {
  let count: Int
  let cardWidth: Int
  let cardHeight: Int
  let perRow: Int

  static let tileWidth = 3
  static let headLines = 2

  init(_ scores: [Score], width: Int) {
    count = scores.count
    let letters = scores.flatMap(\.tries).reduce(0) { max($0, $1.count) }
    let heads = scores.flatMap { [$0.title, $0.revealingSubtitle] }.map(DisplayWidth.of).max() ?? 0
    cardWidth = max(min(letters, Letters.most) * BrowserGrid.tileWidth, min(heads, 40))
    cardHeight = BrowserGrid.headLines + (scores.map(\.tries.count).max() ?? 0)
    perRow = max(1, (width + CardSheet.gap) / (cardWidth + CardSheet.gap))
  }

  var height: Int { max(0, (count + perRow - 1) / perRow * (cardHeight + 1) - 1) }

  func corner(of card: Int) -> (line: Int, column: Int) {
    (card / perRow * (cardHeight + 1), card % perRow * (cardWidth + CardSheet.gap))
  }

  func position(of cell: GridPosition) -> (line: Int, column: Int) {
    let corner = corner(of: cell.card)
    return (
      corner.line + BrowserGrid.headLines + cell.row, corner.column + cell.column * BrowserGrid.tileWidth
    )
  }

  func cards(in lines: Range<Int>) -> Range<Int> {
    let first = lines.lowerBound / (cardHeight + 1) * perRow
    let last = (lines.upperBound + cardHeight) / (cardHeight + 1) * perRow
    return min(first, count)..<min(last, count)
  }

  /// The cell at a point, the nearest one on the head of a card; nil between cards.
  func cell(line: Int, column: Int) -> GridPosition? {
    guard line >= 0, column >= 0 else { return nil }
    let indexInRow = column / (cardWidth + CardSheet.gap)
    let card = line / (cardHeight + 1) * perRow + indexInRow
    guard card < count else { return nil }
    let corner = corner(of: card)
    guard line < corner.line + cardHeight, column < corner.column + cardWidth else { return nil }
    return GridPosition(
      card: card, row: max(0, line - corner.line - BrowserGrid.headLines),
      column: (column - corner.column) / BrowserGrid.tileWidth)
  }
}

struct CellSelection {
  private(set) var cell = GridPosition()
  private let counts: [[Int]]

  init(_ scores: [Score]) { counts = scores.map { $0.tries.map { min($0.count, Letters.most) } } }

  private func count(_ card: Int, _ row: Int) -> Int {
    counts[card].indices.contains(row) ? counts[card][row] : 0
  }

  func contains(_ cell: GridPosition) -> Bool { (0..<count(cell.card, cell.row)).contains(cell.column) }

  func cells(of card: Int) -> [GridPosition] {
    counts[card].enumerated().flatMap { row, count in
      (0..<count).map { GridPosition(card: card, row: row, column: $0) }
    }
  }

  /// Moves to the next (1) or previous (-1) cell, and at the edge of a card to the card beside it.
  mutating func moveColumn(_ direction: Int) {
    let (column, card) = (cell.column + direction, cell.card + direction)
    if (0..<count(cell.card, cell.row)).contains(column) {
      cell.column = column
    } else if counts.indices.contains(card) {
      go(to: GridPosition(card: card, row: cell.row, column: direction == 1 ? 0 : .max))
    }
  }

  /// Moves to the row below (1) or above (-1), and at the edge of a card to the card `perRow` before or after it.
  mutating func moveRow(_ direction: Int, perRow: Int) {
    let row = cell.row + direction
    let card = cell.card + direction * perRow
    if counts[cell.card].indices.contains(row) {
      go(to: GridPosition(card: cell.card, row: row, column: cell.column))
    } else if counts.indices.contains(card) {
      go(to: GridPosition(card: card, row: direction == 1 ? 0 : .max, column: cell.column))
    }
  }

  /// Moves by a number of cards, and stops at the first and the last card.
  mutating func moveCard(_ distance: Int) {
    let card = min(max(0, cell.card + distance), counts.count - 1)
    go(to: GridPosition(card: card, row: cell.row, column: cell.column))
  }

  /// Moves to a cell, or to the nearest one that its card has.
  mutating func go(to target: GridPosition) {
    let row = max(0, min(target.row, counts[target.card].count - 1))
    let column = max(0, min(target.column, count(target.card, row) - 1))
    cell = GridPosition(card: target.card, row: row, column: column)
  }
}

/// Cells that show their letters, and the animation of cells that were just turned over.
struct CellFaces {
  /// Applies to the cells that are not in `turned`.
  private var letters: CardStyle.Letters
  private let isAnimated: Bool
  private var turned: Set<GridPosition> = []
  private var flips: [GridPosition: Duration] = [:]
  private var now = Duration.zero

  private static let flipTime = Duration.milliseconds(150)

  init(_ letters: CardStyle.Letters, isAnimated: Bool) {
    self.letters = letters
    self.isAnimated = isAnimated
  }

  func showsLetter(_ cell: GridPosition) -> Bool { (letters == .shown) != turned.contains(cell) }

  mutating func advance(to uptime: Duration) {
    now = uptime
    flips = flips.filter { uptime - $0.value < CellFaces.flipTime }
  }

  /// The uptime of the next frame; nil without an animation.
  var alarm: Duration? { flips.isEmpty ? nil : now + CellFaces.flipTime / 3 }

  func progress(_ cell: GridPosition) -> Double? {
    flips[cell].map { max(0, (now - $0) / CellFaces.flipTime) }
  }

  mutating func turn(_ cells: [GridPosition]) {
    for cell in cells where turned.remove(cell) == nil { turned.insert(cell) }
    animate(cells)
  }

  /// Shows the hidden letters of a card, or hides all letters if none is hidden.
  mutating func turnCard(_ cells: [GridPosition]) {
    let hidden = cells.filter { !showsLetter($0) }
    turn(hidden.isEmpty ? cells : hidden)
  }

  /// Shows all letters, or hides them if all are shown. Animates only the `visible` cells.
  mutating func turnAll(visible: [GridPosition]) {
    letters = letters == .shown && turned.isEmpty ? .hidden : .shown
    turned = []
    animate(visible)
  }

  private mutating func animate(_ cells: [GridPosition]) {
    guard isAnimated else { return }
    for cell in cells { flips[cell] = now }
  }
}
