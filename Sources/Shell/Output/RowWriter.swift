import JSON
import System

/// Writes the rows of one output in one format. Every format but the table writes each row at once.
struct RowWriter {
  let layout: Layout
  private var table: TableLayout
  let object: JSONRow
  private var count = 0
  /// Columns of the header, which precedes the first row: a command that fails earlier writes nothing.
  private var pendingHeader: [Column]?

  struct Layout: Sendable {
    var format: Format
    var isSingle: Bool
    var header: Bool
    /// End of a record: a newline, or NUL under `--null`.
    var terminator: UInt8
    var screen: Screen?
  }

  init(_ layout: Layout, columns: [Column]) {
    self.layout = layout
    // Made only for the formats that need them: they would cost the greater part of a short output.
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

  mutating func write(_ values: [FieldValue], to outlet: Outlet) throws(Failure) {
    try writeHeader(to: outlet)
    switch layout.format {
    case .table, .markdown: try write(shown: values.map { TableCell($0) }, to: outlet)
    case .json, .jsonl:
      let object = object
      try write(rendered: { object.append(values, to: &$0) }, to: outlet)
    case .csv, .tsv:
      let values = values.span
      try writeDelimited(values.count, to: outlet) { values[$0].appendText(to: &$1) }
    }
  }

  /// Writes an undeclared row of `columns` values. `bare` appends the text of one (`JSON.appendBare`) for CSV and TSV,
  /// `value` returns one for the other formats.
  @inline(__always)
  mutating func write(
    _ columns: Int, to outlet: Outlet, bare: (Int, inout [UInt8]) -> Bool, value: (Int) -> FieldValue
  ) throws(Failure) {
    try writeHeader(to: outlet)
    switch layout.format {
    case .csv, .tsv: try writeDelimited(columns, to: outlet, bare)
    default: try write((0..<columns).map(value), to: outlet)
    }
  }

  /// Writes a record of CSV or TSV. `field` appends a bare text, and returns false if it certainly needs no escape.
  @inline(__always)
  private func writeDelimited(
    _ columns: Int, to outlet: Outlet, _ field: (Int, inout [UInt8]) -> Bool
  ) throws(Failure) {
    func append(_ column: Int, _ bytes: inout [UInt8]) -> Bool {
      let start = bytes.count
      let mayNeedEscape = field(column, &bytes)
      replaceUnsafeBytes(&bytes, from: start)
      return mayNeedEscape
    }
    if layout.format == .csv {
      DelimitedText.appendCSV(columns, terminator: layout.terminator, to: &outlet.buffer) {
        _ = append($0, &$1)
      }
    } else {
      DelimitedText.appendTSV(columns, terminator: layout.terminator, to: &outlet.buffer, field: append)
    }
    try outlet.flushIfFull()
  }

  /// Replaces unsafe characters in a field of CSV or TSV on a terminal; programs receive the value unchanged. Line
  /// feeds and tabs stay: the format quotes or escapes them.
  private func replaceUnsafeBytes(_ bytes: inout [UInt8], from start: Int) {
    // NUL ends a record.
    if layout.terminator == 0, bytes[start...].contains(0) {
      let parts = bytes[start...].split(separator: 0, omittingEmptySubsequences: false)
      bytes.replaceSubrange(start..., with: Array(parts.joined(separator: "\u{FFFD}".utf8)))
    }
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

  /// Writes a row or a value whose bytes `append` adds.
  mutating func write(rendered append: (inout [UInt8]) -> Void, to outlet: Outlet) throws(Failure) {
    try writeHeader(to: outlet)
    if layout.format == .json { begin(outlet) }
    append(&outlet.buffer)
    if layout.format != .json { outlet.buffer.append(layout.terminator) }
    count += 1
    try outlet.flushIfFull()
  }

  /// Writes an unchanged value: for JSON formats without selected fields. JSON Lines have it on one line.
  mutating func write(whole json: JSON, to outlet: Outlet) throws(Failure) {
    let isCompacted = layout.format == .jsonl && json.hasLineBreak
    try write(
      rendered: { bytes in
        if isCompacted { JSONWriter.append(json, to: &bytes) } else { json.appendSafely(to: &bytes) }
      }, to: outlet)
  }

  /// Writes the text before a value of an array, such as the bracket before the first.
  private func begin(_ outlet: Outlet) {
    guard !layout.isSingle else { return }
    if count > 0 {
      outlet.buffer.append(contentsOf: JSONRow.separator)
    } else {
      outlet.buffer.append(UInt8(ascii: "["))
    }
  }

  func close(_ outlet: Outlet) {
    guard layout.format == .json, !layout.isSingle, count > 0 else { return }
    outlet.buffer.append(contentsOf: "]\n".utf8)
  }

  mutating func write(shown cells: [TableCell], to outlet: Outlet) throws(Failure) {
    guard layout.format == .markdown else { return table.append(cells) }
    try writeHeader(to: outlet)
    MarkdownTable.append(cells.map(\.text), terminator: layout.terminator, to: &outlet.buffer)
    try outlet.flushIfFull()
  }

  mutating func startStreaming(to outlet: Outlet) throws(Failure) {
    // Headings alone would not have the widths of the rows.
    if layout.format == .table, table.hasRows { try writeTable(to: outlet) }
  }

  private mutating func writeTable(to outlet: Outlet) throws(Failure) {
    let terminator = layout.terminator
    try table.writeLines(layout.screen) { line throws(Failure) in
      outlet.buffer.append(contentsOf: line.utf8)
      outlet.buffer.append(terminator)
      try outlet.flushIfFull()
    }
    outlet.omittedColumns = table.omittedColumns
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
