import System
import Terminal

/// Rows as aligned columns. It holds the rows until their lines are needed: only then are the widths known.
///
/// Lines may be needed in parts. Each part has the widths of the ones before it, or wider ones where it must.
struct TableLayout {
  private let titles: [String]
  private let flushRight: [Bool]
  private var rows: [[TableCell]] = []
  private var widths: [Int]
  private var hasTitles: Bool

  fileprivate static let gap = 2
  /// No column is squeezed below this while another is still wider.
  private static let narrowest = 3

  init(columns: [Column], header: Bool) {
    titles = columns.map { $0.title.cellText }
    flushRight = columns.map(\.type.isNumeric)
    widths = columns.map { _ in 0 }
    hasTitles = header
  }

  /// Rows wait for their lines.
  var hasRows: Bool { !rows.isEmpty }

  mutating func append(_ cells: [TableCell]) {
    rows.append(cells.map { TableCell($0.text.cellText, $0.style) })
  }

  /// The lines of the rows since the last call, with the headings before the first. On a `screen`, lines fit its
  /// width.
  mutating func takeLines(_ screen: Screen?) -> [String] {
    guard !flushRight.isEmpty else { return [] }
    let lines = hasTitles ? [titles.map { TableCell($0, .bold) }] + rows : rows
    hasTitles = false
    rows = []
    for line in lines {
      for (index, cell) in line.enumerated() {
        widths[index] = max(widths[index], DisplayWidth.of(cell.text))
      }
    }
    let widths = screen?.width.map { TableLayout.fitted(self.widths, to: $0) } ?? self.widths
    let color = screen?.color ?? false
    return lines.map { line($0, widths, color: color) }
  }

  /// As many cells as there are widths; the last one needs no padding after it.
  private func line(_ cells: [TableCell], _ widths: [Int], color: Bool) -> String {
    var line = ""
    for (index, width) in widths.enumerated() {
      if index > 0 { line += String(repeating: " ", count: TableLayout.gap) }
      let cell = cells[index]
      let text = cell.text.truncated(to: width)
      let padding = String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
      let styled = color ? cell.style?.applied(to: text) ?? text : text
      if flushRight[index] {
        line += padding + styled
      } else {
        line += index == widths.count - 1 ? styled : styled + padding
      }
    }
    return line
  }

  /// When even narrow columns are too many for the screen, the last ones are not shown. Of the others the widest give
  /// way first, one column of the screen at a time, until the line fits.
  static func fitted(_ wanted: [Int], to screen: Int) -> [Int] {
    var widths = wanted.map { min($0, screen) }
    var least = widths.reduce(0) { $0 + min($1, narrowest) } + gap * (widths.count - 1)
    while widths.count > 1, least > screen { least -= min(widths.removeLast(), narrowest) + gap }
    let room = screen - gap * (widths.count - 1)
    // The smallest limit of the widths that does not make the line short of the room, by halving.
    func total(_ limit: Int) -> Int { widths.reduce(0) { $0 + min($1, limit) } }
    var (short, limit) = (-1, screen)
    while limit - short > 1 {
      let middle = short + (limit - short) / 2
      if total(middle) < room { short = middle } else { limit = middle }
    }
    // What is still too wide is taken from the first of the widest.
    var excess = total(limit) - room
    return widths.map { width in
      guard width >= limit, excess > 0 else { return min(width, limit) }
      excess -= 1
      return limit - 1
    }
  }
}

extension String {
  /// The text of a cell: safe, on a terminal or not, and in one line, with spaces for line breaks and tabs.
  fileprivate var cellText: String {
    guard utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) else { return terminalSafe }
    return String(map { ["\t", "\n", "\r", "\r\n"].contains($0) ? " " : $0 }).terminalSafe
  }
}

/// A table for a screen: where each column begins and how wide it is, for cells that are drawn one by one.
public struct ScreenTable {
  public struct PlacedColumn: Sendable {
    public let start: Int
    public let width: Int
    public let isFlushRight: Bool
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
    self.columns = TableLayout.fitted(wanted, to: width).enumerated().map { index, width in
      defer { start += width + TableLayout.gap }
      return PlacedColumn(
        start: start, width: width, isFlushRight: columns[index].type.isNumeric, title: columns[index].title)
    }
  }
}
