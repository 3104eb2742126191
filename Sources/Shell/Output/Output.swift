import JSON
import System

/// Output of a command, which writes rows; format, fields, width and color were decided before.
public final class Output {
  public struct Settings: Sendable {
    /// Chosen format; nil stands for the row's own text if it has one, otherwise a table.
    public var format: Format?
    public var fields: String?
    public var header = true
    public var terminator = UInt8(ascii: "\n")
    public var screen: Screen?
    public var list: ListSelection?

    public init() {}

    /// Refuses NUL at the end of records for a format that is one value.
    public func checkTerminator() throws(Failure) {
      guard format == .json, terminator == 0 else { return }
      throw Failure(.usage, "'--null' does not go with '--json', which is one value", hint: "use '--jsonl'")
    }
  }

  public let settings: Settings
  public let outlet: Outlet
  private let requestOutlet: Outlet
  public private(set) var hasExplained = false
  let capture: RowCapture?
  /// Number of rows of a list, after `--where` and `--limit`.
  public internal(set) var rowCount = 0
  public var noteIfEmpty: String?
  /// End of `noteIfEmpty`: the place of the search, and how to choose another.
  public var searchedIfEmpty = ""
  /// Path of a field that is hidden by default, and that tables of these rows show.
  public var alsoShown: String?
  /// Whether `--limit` left out a row.
  public internal(set) var isTruncated = false

  /// Without an outlet the rows are discarded. `requests` receives the output of `--explain`, by default it is the
  /// outlet. `capture` receives the rows of a poll instead of the outlet.
  public init(
    _ settings: Settings, _ outlet: Outlet = Outlet(MemorySink()), requests: Outlet? = nil,
    capture: RowCapture? = nil
  ) {
    self.settings = settings
    self.outlet = outlet
    requestOutlet = requests ?? outlet
    self.capture = capture
  }

  public func explain(_ text: String) throws(Failure) {
    hasExplained = true
    try requestOutlet.write(text)
  }

  public func write<R: Row>(_ rows: some Sequence<R>) throws(Failure) {
    try write(each: R.self) { out throws(Failure) in
      for row in rows where !isTruncated { try out.write(row) }
    }
  }

  /// Selected rows of a list, for a command that draws them itself: cards, bars, a screen.
  public func selected<R: Row>(_ rows: [R]) throws(Failure) -> [R] {
    var rows = rows
    if let list = settings.list { rows = try RowSelection(list).applied(to: rows) }
    rowCount = rows.count
    return rows
  }

  public func write<R: Row>(
    each row: R.Type, _ produce: (inout RowOutput<R>) throws(Failure) -> Void
  ) throws(Failure) {
    var rows = try RowOutput<R>(self, isSingle: false)
    try produce(&rows)
    try rows.finish()
  }

  /// Writes a row that is the whole output: JSON is an object instead of an array.
  public func write<R: Row>(_ row: R) throws(Failure) {
    var rows = try RowOutput<R>(self, isSingle: true)
    try rows.write(row)
    try rows.finish()
  }

  /// Bytes of a row in the chosen format, without the separator of rows.
  public func rendered<R: Row>(_ row: R) throws(Failure) -> [UInt8] {
    var settings = settings
    settings.header = false
    let sink = MemorySink()
    let output = Output(settings, Outlet(sink))
    try output.write(row)
    try output.outlet.finish()
    return sink.bytes.dropLast()
  }

  /// Whether rows of this type are written as their own text: no format and no fields were chosen.
  public func printsText<R: Row>(of row: R.Type) -> Bool {
    R.text != nil && settings.format == nil && settings.fields == nil
  }

  func layout(_ format: Format, isSingle: Bool) -> RowWriter.Layout {
    RowWriter.Layout(
      format: format, isSingle: isSingle, header: settings.header, terminator: settings.terminator,
      screen: settings.screen)
  }
}

/// Selects, sorts and limits the rows of one output, and passes them to the writer of the format.
public struct RowOutput<R: Row> {
  private let output: Output
  private let selection: RowSelection<R>?
  /// Writer of fields; nil if rows are written as their own text, which saves its creation.
  private var fields: FieldRows<R>?
  private var unsorted: [R] = []
  private var written = 0
  /// The row is the whole output, so it is no element of a list, which it may contain.
  private let isSingle: Bool

  init(_ output: Output, isSingle: Bool) throws(Failure) {
    self.isSingle = isSingle
    let layout = output.layout(output.settings.format ?? .table, isSingle: isSingle)
    self.output = output
    let list = isSingle ? nil : output.settings.list
    selection = try list.map { list throws(Failure) in try RowSelection(list) }
    fields = output.printsText(of: R.self) ? nil : try FieldRows(output, layout)
  }

  /// Whether `--limit` excludes further rows, so a producer can stop.
  public var isFull: Bool {
    guard let selection else { return false }
    return written >= selection.limit
  }

  /// Number of further needed rows, for a producer that requests them; `.max` if it is unknown.
  public var rowsNeeded: Int {
    guard !isSingle, let needed = output.settings.list?.rowsNeeded else { return .max }
    return needed - written
  }

  public mutating func write(_ row: R) throws(Failure) {
    if let selection {
      guard selection.includes(row) else { return }
      guard !isFull else {
        output.isTruncated = true
        return
      }
      if selection.isSorted {
        unsorted.append(row)
        return
      }
    }
    try pass(row)
  }

  /// Writes a row in a format for programs. `append` adds its bytes, which `Output.rendered` has returned.
  public mutating func write(rendered append: (inout [UInt8]) -> Void) throws(Failure) {
    try fields?.writer.write(rendered: append, to: output.outlet)
  }

  private mutating func pass(_ row: R) throws(Failure) {
    written += 1
    if !isSingle { output.rowCount += 1 }
    if fields == nil { try writeText(of: row) } else { try fields?.write(row, to: output.outlet) }
  }

  private func writeText(of row: R) throws(Failure) {
    let end = String(UnicodeScalar(output.settings.terminator))
    var text = R.text?(row, output.settings.screen) ?? ""
    // An empty line separates rows whose text ends with one.
    if text.hasSuffix("\n") { text = (written > 1 ? "\n" : "") + text.dropLast() }
    try output.outlet.write(text + end)
  }

  /// Writes the rows so far, for a producer that waits. The columns of a table keep their widths or grow.
  public mutating func pause() throws(Failure) {
    try fields?.writer.startStreaming(to: output.outlet)
    try output.outlet.flush()
  }

  /// Like `pause`, and waits until the reader has read everything, for a producer that makes rows on demand. Fails as
  /// `closedPipe` if the pipe has no reader any more.
  public mutating func awaitReader() throws(Failure) {
    try pause()
    try output.outlet.awaitReader()
  }

  mutating func finish() throws(Failure) {
    if let selection {
      for row in selection.sorted(unsorted).prefix(selection.limit) { try pass(row) }
      if unsorted.count > selection.limit { output.isTruncated = true }
    }
    try fields?.writer.finish(to: output.outlet)
  }
}

/// Writer of rows field by field. The readers are chosen beforehand: a row costs one call per cell.
private struct FieldRows<R: Row> {
  var writer: RowWriter
  private let readers: Readers
  private var values: [FieldValue] = []

  private enum Readers {
    case shown([@Sendable (R) -> TableCell])
    case plain([@Sendable (R) -> FieldValue])
    case json(JSONRow.Append<R>)
    case captured(RowCapture, RowCapture.Readers<R>)
  }

  init(_ output: Output, _ layout: RowWriter.Layout) throws(Failure) {
    let fields = R.fields
    // In generic code, the runtime would make a key path each time, at ten times the cost of the closure.
    let all = fields.map { $0.column }
    let selection =
      if let list = output.settings.fields {
        try FieldSelection(list, of: all)
      } else {
        FieldSelection(all, standardFor: layout.format, alsoShown: output.alsoShown)
      }
    writer = RowWriter(layout, columns: selection.columns)
    readers =
      if let capture = output.capture {
        .captured(capture, capture.readers(of: selection, fields))
      } else if layout.format.isForPeople {
        .shown(selection.choices.map { fields[$0.field].shownReader(inside: $0.inside) })
      } else if layout.format.isJSON {
        .json(
          writer.object.joined(
            selection.choices.map { fields[$0.field].reader(inside: $0.inside, isFlat: false).append }))
      } else {
        .plain(selection.choices.map { fields[$0.field].reader(inside: $0.inside, isFlat: true).value })
      }
  }

  mutating func write(_ row: R, to outlet: Outlet) throws(Failure) {
    switch readers {
    case .shown(let readers): try writer.write(shown: readers.map { $0(row) }, to: outlet)
    case .plain(let readers):
      values.removeAll(keepingCapacity: true)
      let readers = readers.span
      for place in readers.indices { values.append(readers[place](row)) }
      try writer.write(values, to: outlet)
    case .json(let append): try writer.write(rendered: { append(row, &$0) }, to: outlet)
    case .captured(let capture, let readers): capture.append(row, readers)
    }
  }
}

extension Field {
  /// Reader for a format for programs; `isFlat` if a field of the format has room for one value alone.
  func reader(inside path: JSON.Path?, isFlat: Bool) -> FieldReader<Row> {
    if let path { return reader.inside(path) }
    return isFlat ? flat.map { .value($0) } ?? reader : reader
  }

  func shownReader(inside path: JSON.Path?) -> Read<TableCell> {
    if path == nil, let shown { return shown }
    let read = reader(inside: path, isFlat: true).value
    return { TableCell(read($0)) }
  }
}

/// Terminal of the output; nil for a pipe or a file.
public struct Screen: Equatable, Sendable {
  /// Number of columns; nil if the output is no terminal, but color was forced.
  public var width: Int?
  public var color: Bool

  public init(width: Int?, color: Bool) {
    self.width = width
    self.color = color
  }
}

extension String {
  /// Text that programs need unchanged, such as a path: a terminal shows it without control characters.
  public func shown(on screen: Screen?) -> String { screen?.width == nil ? self : terminalSafe }
}

/// Format of the output that an option chooses; independent of whether standard output is a terminal.
public enum Format: String, CaseIterable, Sendable {
  case table, json, jsonl, csv, tsv, markdown

  public var meaning: String {
    switch self {
    case .table: "columns for people"
    case .json: "one array; one object from a command that prints a single object"
    case .jsonl: "one object per line, written as soon as it is known"
    case .csv: "comma-separated, quoted as in RFC 4180"
    case .tsv: "tab-separated; tab, newline, return and backslash as \\t \\n \\r \\\\"
    case .markdown: "a table of GitHub Flavored Markdown: the text of a table, with markup escaped"
    }
  }

  /// Whether cells are human-readable: units, names of days, local times.
  public var isForPeople: Bool { self == .table || self == .markdown }

  public var isJSON: Bool { self == .json || self == .jsonl }
}
