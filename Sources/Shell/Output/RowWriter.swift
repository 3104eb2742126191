import JSON
import System

/// Writes the rows of one output, in one format. Every format but the table passes each row on at once.
struct RowWriter {
  let layout: Layout
  private var table: TableLayout
  private let object: JSONRow
  private var count = 0
  /// The columns whose header is written before the first row, or at the end: a command that fails earlier writes nothing.
  private var pendingHeader: [Column]?

  struct Layout: Sendable {
    var format: Format
    /// Whether the output is one object instead of an array.
    var isSingle: Bool
    var header: Bool
    /// End of a record: a newline, or NUL under `--null`.
    var terminator: UInt8
    var screen: Screen?
  }

  init(_ layout: Layout, columns: [Column]) {
    self.layout = layout
    // Each made for the formats that it serves alone: it would be the greater part of a short output.
    table = TableLayout(columns: layout.format == .table ? columns : [], header: layout.header)
    object = JSONRow(layout.format.isJSON ? columns : [])
    pendingHeader = layout.header ? columns : nil
  }

  private mutating func writeHeader(to outlet: Outlet) throws(Failure) {
    guard let columns = pendingHeader else { return }
    pendingHeader = nil
    switch layout.format {
    case .csv, .tsv: try write(columns.map { .text($0.path) }, to: outlet)
    case .markdown:
      MarkdownTable.appendHeader(columns, terminator: layout.terminator, to: &outlet.buffer)
    default: break
    }
  }

  mutating func write(_ cells: [FieldValue], to outlet: Outlet) throws(Failure) {
    try writeHeader(to: outlet)
    switch layout.format {
    case .table, .markdown:
      return try write(shown: cells.map { TableCell($0) }, to: outlet)
    case .json:
      begin(outlet)
      object.append(cells, to: &outlet.buffer)
    case .jsonl:
      object.append(cells, to: &outlet.buffer)
      outlet.buffer.append(layout.terminator)
    case .csv:
      let cells = cells.span
      DelimitedText.appendCSV(cells.count, terminator: layout.terminator, to: &outlet.buffer) {
        let start = $1.count
        cells[$0].appendText(to: &$1)
        replaceUnsafeBytes(&$1, from: start)
      }
    case .tsv:
      let cells = cells.span
      DelimitedText.appendTSV(cells.count, terminator: layout.terminator, to: &outlet.buffer) {
        let start = $1.count
        let mayNeedEscape = cells[$0].appendText(to: &$1)
        replaceUnsafeBytes(&$1, from: start)
        return mayNeedEscape
      }
    }
    count += 1
    try outlet.flushIfFull()
  }

  /// A foreign row of `columns` values. `bare` appends one as `JSON.appendBare` does: of the formats that hold bare text,
  /// none needs a cell for it.
  @inline(__always)
  mutating func write(
    _ columns: Int, to outlet: Outlet, bare: (Int, inout [UInt8]) -> Bool, cell: (Int) -> FieldValue
  ) throws(Failure) {
    try writeHeader(to: outlet)
    switch layout.format {
    case .csv:
      DelimitedText.appendCSV(columns, terminator: layout.terminator, to: &outlet.buffer) {
        let start = $1.count
        _ = bare($0, &$1)
        replaceUnsafeBytes(&$1, from: start)
      }
    case .tsv:
      DelimitedText.appendTSV(columns, terminator: layout.terminator, to: &outlet.buffer) {
        let start = $1.count
        let mayNeedEscape = bare($0, &$1)
        replaceUnsafeBytes(&$1, from: start)
        return mayNeedEscape
      }
    default: return try write((0..<columns).map(cell), to: outlet)
    }
    try outlet.flushIfFull()
  }

  /// Makes a field of CSV or TSV safe if a terminal shows it; a program receives the value itself. Line feeds and tabs
  /// stay: the format quotes or escapes them.
  private func replaceUnsafeBytes(_ bytes: inout [UInt8], from start: Int) {
    if layout.terminator == 0 { replaceNULs(&bytes, from: start) }
    guard layout.screen?.width != nil else { return }
    func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t") }
    guard bytes[start...].contains(where: { ($0 < 0x20 || $0 > 0x7E) && !isSeparator($0) }) else { return }
    var cleaned: [UInt8] = []
    var rest = bytes[start...]
    while true {
      let piece = rest.prefix { !isSeparator($0) }
      cleaned += String(decoding: piece, as: UTF8.self).terminalSafe.utf8
      rest = rest[piece.endIndex...]
      guard let separator = rest.popFirst() else { break }
      cleaned.append(separator)
    }
    bytes.replaceSubrange(start..., with: cleaned)
  }

  /// NUL ends a record, so none is inside a field.
  private func replaceNULs(_ bytes: inout [UInt8], from start: Int) {
    guard bytes[start...].contains(0) else { return }
    let parts = bytes[start...].split(separator: 0, omittingEmptySubsequences: false)
    bytes.replaceSubrange(start..., with: Array(parts.joined(separator: "\u{FFFD}".utf8)))
  }

  /// Joins the appenders of the columns into one for a row in a JSON format.
  func joined<R>(_ appenders: [JSONRow.Append<R>]) -> JSONRow.Append<R> { object.joined(appenders) }

  /// Writes a row of which `append` appends the bytes, in a format for programs.
  mutating func write(rendered append: (inout [UInt8]) -> Void, to outlet: Outlet) throws(Failure) {
    try writeHeader(to: outlet)
    if layout.format == .json { begin(outlet) }
    append(&outlet.buffer)
    if layout.format != .json { outlet.buffer.append(layout.terminator) }
    count += 1
    try outlet.flushIfFull()
  }

  /// A whole value passed on as it came: what JSON formats do with a filter's input when no fields are chosen. JSON
  /// lines put it on one line.
  mutating func write(whole json: JSON, to outlet: Outlet) throws(Failure) {
    if layout.format == .json { begin(outlet) }
    // A line of JSON lines is a whole value.
    if layout.format == .jsonl && json.hasLineBreak {
      JSONWriter.append(json, to: &outlet.buffer)
    } else {
      json.appendSafely(to: &outlet.buffer)
    }
    if layout.format == .jsonl { outlet.buffer.append(layout.terminator) }
    count += 1
    try outlet.flushIfFull()
  }

  /// The text before a value of an array. The bracket comes with the first one: a command that fails before has
  /// written nothing.
  private func begin(_ outlet: Outlet) {
    guard !layout.isSingle else { return }
    if count > 0 {
      outlet.buffer.append(contentsOf: JSONRow.separator)
    } else {
      outlet.buffer.append(UInt8(ascii: "["))
    }
  }

  /// Closes the array, if it was begun.
  func close(_ outlet: Outlet) {
    guard layout.format == .json, !layout.isSingle, count > 0 else { return }
    outlet.buffer.append(contentsOf: "]\n".utf8)
  }

  /// A row of cells for people: of a table, in either of its formats.
  mutating func write(shown cells: [TableCell], to outlet: Outlet) throws(Failure) {
    guard layout.format == .markdown else { return table.append(cells) }
    try writeHeader(to: outlet)
    MarkdownTable.append(cells.map(\.text), terminator: layout.terminator, to: &outlet.buffer)
    try outlet.flushIfFull()
  }

  /// Hands on what a format keeps back, as far as it can be known before the end.
  mutating func startStreaming(to outlet: Outlet) throws(Failure) {
    // Headings alone would have the widths of no row.
    if layout.format == .table, table.hasRows { try writeTable(to: outlet) }
  }

  private mutating func writeTable(to outlet: Outlet) throws(Failure) {
    let terminator = layout.terminator
    try table.writeLines(layout.screen) { line throws(Failure) in
      outlet.buffer.append(contentsOf: line.utf8)
      outlet.buffer.append(terminator)
      try outlet.flushIfFull()
    }
  }

  mutating func finish(to outlet: Outlet) throws(Failure) {
    try writeHeader(to: outlet)
    switch layout.format {
    case .table: try writeTable(to: outlet)
    case .json:
      if count == 0 { begin(outlet) }
      if !layout.isSingle { outlet.buffer.append(UInt8(ascii: "]")) }
      outlet.buffer.append(UInt8(ascii: "\n"))
    case .jsonl, .csv, .tsv, .markdown: break
    }
  }
}
