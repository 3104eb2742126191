import System

/// Grid of styled cells, redrawn for every frame. Text is made safe, placed by its display width, and clipped at
/// the edges; a wide character is never cut in half.
public struct Canvas: Equatable, Sendable {
  public let columns: Int
  public let rows: Int

  public struct Cell: Equatable, Sendable {
    /// Grapheme cluster; empty in the second column of a wide one.
    public var text: String
    public var style: Style

    static let blank = Cell(text: " ", style: .plain)
    var isTail: Bool { text.isEmpty }
  }

  private(set) var cells: [Cell]

  /// Position of the cursor, for a line that is being typed; nil hides it.
  public var cursor: Position?

  public struct Position: Hashable, Sendable {
    public var row: Int
    public var column: Int

    public init(row: Int, column: Int) {
      self.row = row
      self.column = column
    }
  }

  public init(_ size: WindowSize) {
    columns = max(0, size.columns)
    rows = max(0, size.rows)
    cells = Array(repeating: .blank, count: columns * rows)
  }

  public var size: WindowSize { WindowSize(columns: columns, rows: rows) }

  /// Cell, or a blank one beyond the edges.
  public subscript(row row: Int, column column: Int) -> Cell {
    guard contains(row, column) else { return .blank }
    return cells[row * columns + column]
  }

  /// Writes at most `limit` columns of text, clipped at column 0, and returns the column after them.
  @discardableResult
  public mutating func write(
    _ text: String, row: Int, column: Int, style: Style = .plain, limit: Int = .max
  ) -> Int {
    var column = max(-Canvas.far, min(column, Canvas.far))
    let end = column + max(0, min(limit, Canvas.far))
    for character in text.terminalSafe {
      let width = DisplayWidth.of(character)
      guard width > 0 else { continue }
      guard column + width <= end else { break }
      place(String(character), width, row, column, style)
      column += width
      if column >= columns { break }
    }
    return column
  }

  public mutating func fill(row: Int, column: Int, width: Int, height: Int = 1, style: Style = .plain) {
    let filled = Canvas.range(column, width, upTo: columns)
    for row in Canvas.range(row, height, upTo: rows) {
      for column in filled { place(" ", 1, row, column, style) }
    }
  }

  /// Compares a row through spans, in place: most rows are equal, so frames spend their time here.
  func differs(from other: Canvas, inRow row: Int) -> Bool {
    let (mine, others) = (cells.span, other.cells.span)
    for index in row * columns..<(row + 1) * columns where mine[index] != others[index] { return true }
    return false
  }

  /// Limit of positions, so that no sum overflows; no screen is that wide.
  private static let far = 1 << 20

  private static func range(_ start: Int, _ count: Int, upTo limit: Int) -> Range<Int> {
    let start = max(-far, min(start, far))
    let low = max(0, start)
    return low..<max(low, min(start + max(0, min(count, 2 * far)), limit))
  }

  private func contains(_ row: Int, _ column: Int) -> Bool {
    (0..<rows).contains(row) && (0..<columns).contains(column)
  }

  private mutating func place(_ text: String, _ width: Int, _ row: Int, _ column: Int, _ style: Style) {
    guard width == 1 || (contains(row, column) && contains(row, column + 1)) else {
      // Half of the character would be outside: the other half stays blank.
      for column in column...(column + 1) { put(Cell(text: " ", style: style), row, column) }
      return
    }
    put(Cell(text: text, style: style), row, column)
    if width == 2 { put(Cell(text: "", style: style), row, column + 1) }
  }

  private mutating func put(_ cell: Cell, _ row: Int, _ column: Int) {
    guard contains(row, column) else { return }
    let index = row * columns + column
    // The rest of a wide character that loses a half becomes blank. Its second half is never in column 0.
    if cells[index].isTail { cells[index - 1].text = " " }
    if column + 1 < columns, cells[index + 1].isTail { cells[index + 1].text = " " }
    cells[index] = cell
  }
}
