import System
import Terminal

/// A cell of a card.
struct GridPosition: Hashable, Sendable {
  var card = 0
  var row = 0
  var column = 0
}

/// The layout of the cards in a browser: a grid of equal cells, as many side by side as fit, on a sheet that is as
/// long
/// as it has to be. Rows and columns of the sheet count from 0.
struct BrowserGrid: Equatable, Sendable {
  let count: Int
  let cardWidth: Int
  let cardHeight: Int
  let perRow: Int

  static let tileWidth = 3
  /// Title and day.
  static let headLines = 2
  private static let gap = 4

  init(_ scores: [Score], width: Int) {
    count = scores.count
    let letters = scores.map { $0.tries.map(\.count).max() ?? 0 }.max() ?? 0
    let heads = scores.flatMap { [$0.title, $0.revealingSubtitle] }.map(DisplayWidth.of).max() ?? 0
    cardWidth = max(min(letters, Letters.most) * BrowserGrid.tileWidth, min(heads, 40))
    cardHeight = BrowserGrid.headLines + (scores.map(\.tries.count).max() ?? 0)
    perRow = max(1, (width + BrowserGrid.gap) / (cardWidth + BrowserGrid.gap))
  }

  /// The lines of the sheet.
  var height: Int { max(0, (count + perRow - 1) / perRow * (cardHeight + 1) - 1) }

  /// The upper left corner of a card.
  func corner(of card: Int) -> (line: Int, column: Int) {
    (card / perRow * (cardHeight + 1), card % perRow * (cardWidth + BrowserGrid.gap))
  }

  /// The left end of a cell.
  func position(of cell: GridPosition) -> (line: Int, column: Int) {
    let corner = corner(of: cell.card)
    return (
      corner.line + BrowserGrid.headLines + cell.row, corner.column + cell.column * BrowserGrid.tileWidth
    )
  }

  /// The cards that have a line in this range.
  func cards(in lines: Range<Int>) -> Range<Int> {
    let first = min(count, max(0, lines.lowerBound / (cardHeight + 1) * perRow))
    let last = (lines.upperBound + cardHeight) / (cardHeight + 1) * perRow
    return first..<max(first, min(count, last))
  }

  /// The cell at a point of the sheet; nil between cards and on the head of a card.
  func cell(line: Int, column: Int) -> GridPosition? {
    guard line >= 0, column >= 0 else { return nil }
    let across = column / (cardWidth + BrowserGrid.gap)
    let card = line / (cardHeight + 1) * perRow + across
    guard across < perRow, card < count else { return nil }
    let corner = corner(of: card)
    guard line >= corner.line + BrowserGrid.headLines else { return nil }
    return GridPosition(
      card: card, row: line - corner.line - BrowserGrid.headLines,
      column: (column - corner.column) / BrowserGrid.tileWidth)
  }
}
