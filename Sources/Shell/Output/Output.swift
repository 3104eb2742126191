import JSON
import System

/// The output of a command. A command hands over rows; which format, which fields, how wide and in what color
/// was settled before it ran.
public final class Output {
  public struct Settings: Sendable {
    /// Chosen format; nil stands for the row's own text if it has one, otherwise a table.
    public var format: Format?
    /// The value of `--fields`.
    public var fields: String?
    public var header = true
    public var terminator = UInt8(ascii: "\n")
    public var screen: Screen?
    /// Selected rows of a list; nil for commands whose output is no list.
    public var list: ListSelection?

    public init() {}

    /// Refuses NUL at the end of records for a format that is one value.
    public func checkTerminator() throws(Failure) {
      guard format == .json, terminator == 0 else { return }
      throw Failure(
        .usage, "'--null' does not go with '--json', which is one value", hint: "use '--jsonl'")
    }
  }

  public let settings: Settings
  public let outlet: Outlet
  private let requestOutlet: Outlet
  /// Whether `explain` has printed a request.
  public private(set) var hasExplained = false
  /// Receiver of rows in place of the outlet: a watch, which compares them with those before.
  let capture: RowCapture?
  /// How many rows of a list there were, after `--where` and `--limit`.
  public private(set) var rowCount = 0
  /// Report for an empty list.
  public var noteIfEmpty: String?
  /// Whether `--limit` left out a row that was there.
  public private(set) var isCut = false

  public init(_ settings: Settings, _ outlet: Outlet) {
    self.settings = settings
    self.outlet = outlet
    requestOutlet = outlet
    capture = nil
  }

  /// An output of which only the requests are printed.
  public init(requestsOnly settings: Settings, _ outlet: Outlet) {
    self.settings = settings
    self.outlet = Outlet(MemorySink())
    requestOutlet = outlet
    capture = nil
  }

  /// An output whose rows go to `capture`.
  init(_ settings: Settings, to capture: RowCapture) {
    self.settings = settings
    outlet = Outlet(MemorySink())
    requestOutlet = outlet
    self.capture = capture
  }

  /// Prints lines about a request that is not sent, for `--explain`.
  public func explain(_ text: String) throws(Failure) {
    hasExplained = true
    try requestOutlet.write(text)
  }

  /// Many rows: a table, an array, a line each.
  public func write<R: Row>(_ rows: some Sequence<R>) throws(Failure) {
    try write(each: R.self) { out throws(Failure) in
      for row in rows where !isCut { try out.write(row) }
    }
  }

  /// Many rows, made one at a time: each is written before the next is asked for (a table waits for the last).
  public func write<R: Row>(next: () throws(Failure) -> R?) throws(Failure) {
    try write(each: R.self) { rows throws(Failure) in
      while !rows.isFull, let row = try next() { try rows.write(row) }
    }
  }

  /// The rows of a list that are to be shown, for a command that draws them itself: cards, bars, a screen.
  public func selected<R: Row>(_ rows: [R]) throws(Failure) -> [R] {
    let selected = try settings.list.map { list throws(Failure) in try RowSelection<R>(list).applied(to: rows)
    }
    rowCount = (selected ?? rows).count
    return selected ?? rows
  }

  func countRow() { rowCount += 1 }

  func noteCut() { isCut = true }

  /// Many rows, for a producer that pushes them.
  public func write<R: Row>(
    each row: R.Type, _ produce: (inout Rows<R>) throws(Failure) -> Void
  ) throws(Failure) {
    var rows = try Rows<R>(self, isSingle: false)
    try produce(&rows)
    try rows.finish()
  }

  /// Writes a row that is the whole output: JSON is an object, not an array of one.
  public func write<R: Row>(_ row: R) throws(Failure) {
    var rows = try Rows<R>(self, isSingle: true)
    try rows.write(row)
    try rows.finish()
  }

  /// The bytes of a row in the chosen format, without what separates rows.
  public func rendered<R: Row>(_ row: R) throws(Failure) -> [UInt8] {
    var settings = settings
    settings.header = false
    let sink = MemorySink()
    let output = Output(settings, Outlet(sink))
    try output.write(row)
    try output.outlet.finish()
    return sink.bytes.dropLast()
  }

  /// Whether rows of this kind are written as their own text: no format and no fields were chosen.
  public func printsText<R: Row>(of row: R.Type) -> Bool {
    R.text != nil && settings.format == nil && settings.fields == nil
  }

  func layout(_ format: Format, isSingle: Bool) throws(Failure) -> RowWriter.Layout {
    try settings.checkTerminator()
    return RowWriter.Layout(
      format: format, isSingle: isSingle, header: settings.header, terminator: settings.terminator,
      screen: settings.screen)
  }
}

/// Rows of one kind on their way out.
public struct Rows<R: Row> {
  private let output: Output
  private let selection: RowSelection<R>?
  /// Writer of fields; nil if rows are written as their own text, which saves the cost of creating it.
  private var fields: FieldRows<R>?
  /// The rows of a list that is sorted, until all are there.
  private var unsorted: [R] = []
  private var written = 0
  /// A row that is the whole output is none of a list, which may be within it.
  private let isSingle: Bool

  init(_ output: Output, isSingle: Bool) throws(Failure) {
    self.isSingle = isSingle
    let layout = try output.layout(output.settings.format ?? .table, isSingle: isSingle)
    self.output = output
    let list = isSingle ? nil : output.settings.list
    selection = try list.map { list throws(Failure) in try RowSelection(list) }
    fields = output.printsText(of: R.self) ? nil : try FieldRows(output, layout)
  }

  /// Whether `--limit` leaves no room for another row: a producer can stop.
  public var isFull: Bool {
    guard let selection else { return false }
    return written >= selection.limit
  }

  /// How many more rows are needed, for a producer that requests them; `.max` if that is unknown.
  public var rowsNeeded: Int {
    guard let selection, selection.passesAll else { return .max }
    return selection.limit - written
  }

  public mutating func write(_ row: R) throws(Failure) {
    if let selection {
      guard selection.includes(row) else { return }
      guard !isFull else { return output.noteCut() }
      if selection.isSorted {
        unsorted.append(row)
        return
      }
    }
    try pass(row)
  }

  /// Writes a row of which the caller appends the bytes, as `Output.rendered` returns them. The format is one for
  /// programs, and the rows are no list.
  public mutating func write(rendered append: (inout [UInt8]) -> Void) throws(Failure) {
    try fields?.write(rendered: append, to: output.outlet)
  }

  private mutating func pass(_ row: R) throws(Failure) {
    written += 1
    if !isSingle { output.countRow() }
    guard try fields?.write(row, to: output.outlet) == nil else { return }
    let end = String(UnicodeScalar(output.settings.terminator))
    try output.outlet.write((R.text?(row, output.settings.screen) ?? "") + end)
  }

  /// Puts out what was written so far: for a producer that is about to wait for more. A table's columns are as wide
  /// from then on as they had to be until now, or wider.
  public mutating func pause() throws(Failure) {
    try fields?.startStreaming(to: output.outlet)
    try output.outlet.flush()
  }

  /// Like `pause`, and waits until the reader has taken everything: for a producer that makes more only where more is
  /// needed. Fails as `closedPipe` where the reader has gone away.
  public mutating func awaitReader() throws(Failure) {
    try pause()
    try output.outlet.awaitReader()
  }

  mutating func finish() throws(Failure) {
    if let selection {
      for row in selection.sorted(unsorted).prefix(selection.limit) { try pass(row) }
      if unsorted.count > selection.limit { output.noteCut() }
    }
    try fields?.finish(to: output.outlet)
  }
}

/// Rows that are written field by field. How each column is read was settled beforehand: a row costs one call a cell.
private struct FieldRows<R: Row> {
  private var writer: RowWriter
  private let columns: Columns
  private var cells: [FieldValue] = []

  private enum Columns {
    case shown([@Sendable (R) -> TableCell])
    case plain([@Sendable (R) -> FieldValue])
    case json(JSONRow.Append<R>)
    case captured(RowCapture, RowCapture.Readers<R>)
  }

  init(_ output: Output, _ layout: RowWriter.Layout) throws(Failure) {
    let fields = R.fields
    // A closure: in generic code the runtime makes a key path anew, at ten times the cost.
    let all = fields.map { $0.column }
    let selection =
      if let list = output.settings.fields {
        try FieldSelection(list, of: all)
      } else {
        FieldSelection(all, standardFor: layout.format)
      }
    writer = RowWriter(layout, columns: selection.columns)
    columns =
      if let capture = output.capture {
        .captured(capture, capture.readers(of: selection, fields))
      } else if layout.format.isForPeople {
        .shown(selection.choices.map { fields[$0.field].shownReader(inside: $0.inside) })
      } else if layout.format.isJSON {
        .json(
          writer.joined(
            selection.choices.map { fields[$0.field].reader(inside: $0.inside, isFlat: false).append }))
      } else {
        .plain(selection.choices.map { fields[$0.field].reader(inside: $0.inside, isFlat: true).cell })
      }
  }

  mutating func write(_ row: R, to outlet: Outlet) throws(Failure) {
    switch columns {
    case .shown(let readers): try writer.write(shown: readers.map { $0(row) }, to: outlet)
    case .plain(let readers):
      cells.removeAll(keepingCapacity: true)
      let readers = readers.span
      for place in readers.indices { cells.append(readers[place](row)) }
      try writer.write(cells, to: outlet)
    case .json(let append): try writer.write(rendered: { append(row, &$0) }, to: outlet)
    case .captured(let capture, let readers): capture.append(row, readers)
    }
  }

  mutating func write(rendered append: (inout [UInt8]) -> Void, to outlet: Outlet) throws(Failure) {
    try writer.write(rendered: append, to: outlet)
  }

  mutating func startStreaming(to outlet: Outlet) throws(Failure) {
    try writer.startStreaming(to: outlet)
  }

  mutating func finish(to outlet: Outlet) throws(Failure) {
    try writer.finish(to: outlet)
  }
}

extension Field {
  /// How a cell of a program's format is read: `flat` where a cell has room for one value alone.
  func reader(inside path: JSON.Path?, isFlat: Bool) -> FieldReader<Row> {
    if let path { return reader.inside(path) }
    return isFlat ? flat.map { .cell($0) } ?? reader : reader
  }

  /// How a cell of a table is read.
  func shownReader(inside path: JSON.Path?) -> Read<TableCell> {
    if path == nil, let shown { return shown }
    let read = reader(inside: path, isFlat: true).cell
    return { TableCell(read($0)) }
  }
}

/// The terminal that the output is shown on; nil for a pipe or a file.
public struct Screen: Equatable, Sendable {
  /// Columns; nil when output goes elsewhere and only color was forced.
  public var width: Int?
  public var color: Bool

  public init(width: Int?, color: Bool) {
    self.width = width
    self.color = color
  }
}

extension String {
  /// A text that a program needs as it is, such as a path: only a terminal gets it with control characters replaced.
  public func shown(on screen: Screen?) -> String { screen?.width == nil ? self : terminalSafe }
}
