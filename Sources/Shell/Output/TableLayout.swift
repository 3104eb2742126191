import JSON
import System
import Terminal

/// Aligns columns. Keeps the rows until `writeLines`, when the widths are known. If rows are written in several calls,
/// each column keeps its width or grows.
struct TableLayout {
  private let titles: [String]
  private let types: [CellType]
  private let titleWidths: [Int]
  /// Whether a column is right-aligned; nil before the first value of a column of any type.
  private var isNumeric: [Bool?]
  private var rows = SparseRows()
  private var widths: [Int]
  private var needsTitles: Bool
  private(set) var omittedColumns = 0

  fileprivate static let gap = 2
  /// Texts are cut to this width before the last columns are left out.
  private static let narrowest = 3
  /// Texts keep this width if the screen has room for it in each column.
  private static let nameWidth = 16
  private static let dayWidth = 10
  /// Wider texts do not widen the other rows, so that one long text does not multiply by the number of rows.
  private static let widestPadded = 500
  /// `2025-01-15 18:00`
  private static let minutesWidth = 16

  init(columns: [Column], header: Bool) {
    titles = columns.map { $0.title.cellText }
    types = columns.map(\.type)
    titleWidths = titles.map { header ? DisplayWidth.of($0) : 0 }
    isNumeric = columns.map { $0.type == .any ? nil : $0.isNumeric }
    widths = columns.map { _ in 0 }
    needsTitles = header
  }

  var hasRows: Bool { !rows.isEmpty }

  mutating func append(_ cells: [TableCell]) { rows.append(cells) }

  /// Writes the rows since the last call, with the headings before the first. On a `screen`, lines fit its width.
  mutating func writeLines(_ screen: Screen?, _ write: (String) throws(Failure) -> Void) throws(Failure) {
    guard !types.isEmpty else { return }
    defer { (needsTitles, rows) = (false, SparseRows()) }
    for (index, width) in titleWidths.enumerated() { widen(index, width) }
    rows.forEachCell { column, text in
      widen(column, DisplayWidth.of(text))
      guard types[column] == .any, isNumeric[column] != false, text != TableCell.missing.text else { return }
      isNumeric[column] = JSON.Number(text) != nil
    }
    let foundTypes: [CellType] = zip(types, isNumeric).map { $1 == true ? .number : $0 }
    let widths =
      screen?.width.map { TableLayout.fitted(self.widths, foundTypes, titles: titleWidths, to: $0) }
      ?? self.widths
    omittedColumns = self.widths.count - widths.count
    let color = screen?.color ?? false
    func piece(_ column: Int, _ cell: TableCell) -> String {
      text(of: cell, in: column, widths, color: color)
    }
    if needsTitles { try write(widths.indices.map { piece($0, TableCell(titles[$0], .bold)) }.joined()) }
    let missing = widths.indices.map { piece($0, .missing) }
    var next = 0
    for end in rows.ends {
      var line = ""
      for column in widths.indices {
        if next < end, rows.columns[next] == column {
          line += piece(column, rows.cells[next])
          next += 1
        } else {
          line += missing[column]
        }
      }
      // The columns without room have cells, too.
      next = end
      try write(line)
    }
  }

  private mutating func widen(_ column: Int, _ width: Int) { widths[column] = max(widths[column], width) }

  /// Cell with the gap before it and its padding; the last column needs none after it.
  private func text(of cell: TableCell, in column: Int, _ widths: [Int], color: Bool) -> String {
    let gap = String(repeating: " ", count: column > 0 ? TableLayout.gap : 0)
    let width = widths[column]
    let hasMinutes = types[column] == .time && cell.text.utf8.count == TableLayout.minutesWidth
    let isShortened = hasMinutes && width < TableLayout.minutesWidth
    let text = (isShortened ? String(cell.text.prefix(TableLayout.dayWidth)) : cell.text).truncated(to: width)
    let padded = min(width, TableLayout.widestPadded)
    let padding = String(repeating: " ", count: max(0, padded - DisplayWidth.of(text)))
    let styled = color ? cell.style?.applied(to: text) ?? text : text
    if isNumeric[column] == true { return gap + padding + styled }
    return gap + styled + (column == widths.count - 1 ? "" : padding)
  }

  /// Widths for a screen. Times are shortened to days first. Then the widest texts are cut to a common width, but not
  /// below that of their title. Numbers are never cut: if there is not enough room, the last columns are left out.
  static func fitted(_ wanted: [Int], _ types: [CellType], titles: [Int], to screen: Int) -> [Int] {
    var widths = wanted.map { min($0, screen) }
    var least = zip(widths, types).map { width, type in
      type.canBeCut ? min(width, narrowest) : type == .time && width == minutesWidth ? dayWidth : width
    }
    least = zip(least, titles).map { min(max($0, $1), screen) }
    var sum = least.reduce(0, +) + gap * (widths.count - 1)
    while widths.count > 1, sum > screen {
      sum -= least.removeLast() + gap
      widths.removeLast()
    }
    let room = screen - gap * (widths.count - 1)
    if widths.reduce(0, +) > room {
      for index in widths.indices where types[index] == .time && widths[index] == minutesWidth {
        widths[index] = dayWidth
      }
    }
    var floors = zip(widths, least).map { max(min($0, nameWidth), $1) }
    if floors.reduce(0, +) > room { floors = least }
    // Finds the smallest limit of the widths with which the line fills the room, by bisection.
    func total(_ limit: Int) -> Int { zip(widths, floors).reduce(0) { $0 + max($1.1, min($1.0, limit)) } }
    var (short, limit) = (-1, screen)
    while limit - short > 1 {
      let middle = short + (limit - short) / 2
      if total(middle) < room { short = middle } else { limit = middle }
    }
    // The first of the widest columns lose the rest.
    var excess = total(limit) - room
    return zip(widths, floors).map { width, floor in
      guard min(width, limit) > floor, width >= limit, excess > 0 else {
        return max(floor, min(width, limit))
      }
      excess -= 1
      return limit - 1
    }
  }
}

/// Rows of a table without missing cells, so that rows with different names need no more memory than values.
private struct SparseRows {
  private(set) var cells: [TableCell] = []
  /// Column of each cell, ascending within a row.
  private(set) var columns: [Int32] = []
  /// End of each row in `cells`.
  private(set) var ends: [Int] = []
  private var columnCount = 0

  var isEmpty: Bool { ends.isEmpty }

  mutating func append(_ row: [TableCell]) {
    columnCount = row.count
    for (column, cell) in row.enumerated() where cell != .missing {
      cells.append(TableCell(cell.text.cellText, cell.style))
      columns.append(Int32(column))
    }
    ends.append(cells.count)
  }

  func forEachCell(_ body: (Int, String) -> Void) {
    var counts = [Int](repeating: 0, count: columnCount)
    for (cell, column) in zip(cells, columns) {
      counts[Int(column)] += 1
      body(Int(column), cell.text)
    }
    for (column, count) in counts.enumerated() where count < ends.count {
      body(column, TableCell.missing.text)
    }
  }
}

extension CellType {
  /// Whether a part of the value is useful, unlike a part of a number, a day or a short word.
  fileprivate var canBeCut: Bool {
    switch self {
    case .text, .list, .record, .byName, .object, .any: true
    case .choice, .integer, .number, .flag, .time, .day: false
    }
  }
}

extension String {
  /// Safe text in one line, with spaces for line breaks and tabs.
  fileprivate var cellText: String {
    guard utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) else { return terminalSafe }
    return String(map { ["\t", "\n", "\r", "\r\n"].contains($0) ? " " : $0 }).terminalSafe
  }
}

/// Table for a screen: start and width of each column, for cells that are drawn one by one.
public struct ScreenTable {
  public struct PlacedColumn: Sendable {
    public let start: Int
    public let width: Int
    public let isRightAligned: Bool
    public let title: String
  }

  public let columns: [PlacedColumn]

  /// Fits these rows into `width` columns of the screen. Columns without room are left out.
  public init(_ columns: [Column], _ rows: [[TableCell]], width: Int) {
    let wanted = columns.indices.map { index in
      rows.reduce(DisplayWidth.of(columns[index].title)) {
        max($0, DisplayWidth.of($1[index].text.terminalSafe))
      }
    }
    var start = 0
    let titles = columns.map { DisplayWidth.of($0.title) }
    let widths = TableLayout.fitted(wanted, columns.map(\.type), titles: titles, to: width)
    self.columns = widths.enumerated().map { index, width in
      defer { start += width + TableLayout.gap }
      return PlacedColumn(
        start: start, width: width, isRightAligned: columns[index].isNumeric, title: columns[index].title)
    }
  }
}
