import Terminal

/// Rows as aligned columns. It holds every row until the last one: only then are the widths known.
struct TableLayout {
  private let titles: [String]
  private let flushRight: [Bool]
  private var rows: [[TableCell]] = []
  private var widths: [Int]

  private static let gap = 2
  /// No column is squeezed below this while another is still wider.
  private static let narrowest = 3

  init(columns: [Column], header: Bool) {
    titles = header ? columns.map(\.title) : []
    flushRight = columns.map(\.type.isNumeric)
    widths = header ? titles.map(DisplayWidth.of) : columns.map { _ in 0 }
  }

  mutating func append(_ cells: [TableCell]) {
    // A row is a line in every case, on a terminal or not.
    let row = cells.map { TableCell($0.text.onOneLine, $0.style) }
    for (index, cell) in row.enumerated() {
      widths[index] = max(widths[index], DisplayWidth.of(cell.text))
    }
    rows.append(row)
  }

  /// The lines. `screen` is there on a terminal, and only there: lines then fit its width and text is neutralised.
  func lines(_ screen: Screen?) -> [String] {
    guard !widths.isEmpty else { return [] }
    let rows = screen == nil ? rows : rows.map { $0.map { TableCell($0.text.neutralised, $0.style) } }
    let widths = screen?.width.map(fitted) ?? self.widths
    let color = screen?.color ?? false
    let heading = titles.map { TableCell($0, .bold) }
    return ((titles.isEmpty ? [] : [heading]) + rows).map { line($0, widths, color: color) }
  }

  private func line(_ cells: [TableCell], _ widths: [Int], color: Bool) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() where widths[index] > 0 || index == 0 {
      if index > 0 { line += String(repeating: " ", count: TableLayout.gap) }
      let text = cell.text.truncated(to: widths[index])
      let padding = String(repeating: " ", count: max(0, widths[index] - DisplayWidth.of(text)))
      let styled = color ? cell.style?.applied(to: text) ?? text : text
      if flushRight[index] {
        line += padding + styled
      } else {
        line += index == cells.count - 1 ? styled : styled + padding
      }
    }
    return line
  }

  /// The widest columns give way first, one column of the screen at a time, until the line fits; when even narrow
  /// columns are too many, the last ones are not shown.
  private func fitted(to screen: Int) -> [Int] {
    var widths = widths
    func total() -> Int {
      let shown = widths.filter { $0 > 0 }
      return shown.reduce(0, +) + TableLayout.gap * max(0, shown.count - 1)
    }
    while total() > screen {
      let widest = widths.indices.reduce(0) { widths[$1] > widths[$0] ? $1 : $0 }
      if widths[widest] > TableLayout.narrowest {
        widths[widest] -= 1
      } else if let last = widths.lastIndex(where: { $0 > 0 }), last > 0 {
        widths[last] = 0
      } else {
        widths[0] = max(1, min(widths[0], screen))
        break
      }
    }
    return widths
  }
}

extension String {
  /// Line breaks and tabs as spaces: a table's row is a line.
  fileprivate var onOneLine: String {
    guard utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) else { return self }
    return String(map { $0.isNewline || $0 == "\t" ? " " : $0 })
  }
}
