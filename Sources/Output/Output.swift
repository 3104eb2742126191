import JSON
import System

/// Where a command's answer goes. A command hands over rows; which format, which fields, how wide and in what colour
/// was settled before it ran.
public final class Output {
  public struct Settings: Sendable {
    /// Nil when nobody chose: the row's own text where it has one, a table otherwise.
    public var format: Format?
    /// The value of `--fields`.
    public var fields: String?
    public var header = true
    public var terminator = UInt8(ascii: "\n")
    public var screen: Screen?

    public init() {}
  }

  public let settings: Settings
  public let outlet: Outlet

  public init(_ settings: Settings, _ outlet: Outlet) {
    self.settings = settings
    self.outlet = outlet
  }

  /// Many rows: a table, an array, a line each.
  public func write<R: Row>(_ rows: some Sequence<R>) throws(Failure) {
    var iterator = rows.makeIterator()
    try write { () throws(Failure) in iterator.next() }
  }

  /// Many rows, made one at a time: each is written before the next is asked for (a table waits for the last).
  public func write<R: Row>(next: () throws(Failure) -> R?) throws(Failure) {
    try write(each: R.self) { rows throws(Failure) in
      while let row = try next() { try rows.write(row) }
    }
  }

  /// Many rows, for a producer that pushes them.
  public func write<R: Row>(
    each row: R.Type, _ produce: (inout Rows<R>) throws(Failure) -> Void
  ) throws(Failure) {
    var rows = try Rows<R>(self, isSingle: false)
    try produce(&rows)
    try rows.finish()
  }

  /// One row that is the whole answer: JSON is an object, not an array of one.
  public func write<R: Row>(_ row: R) throws(Failure) {
    var rows = try Rows<R>(self, isSingle: true)
    try rows.write(row)
    try rows.finish()
  }

  /// The format that rows of this kind are written in.
  public func format<R: Row>(for row: R.Type) throws(Failure) -> Format {
    let ownText = R.text != nil && settings.fields == nil
    let format = settings.format ?? (ownText ? .text : .table)
    guard format != .text || R.text != nil else {
      throw Output.noTextForm
    }
    return format
  }

  static let noTextForm = Failure(
    .usage, "this command has no text form", hint: "choose table, json, jsonl, csv or tsv")

  func layout(_ format: Format, isSingle: Bool) throws(Failure) -> RowWriter.Layout {
    if format == .json, settings.terminator == 0 {
      throw Failure(
        .usage, "'--null' does not go with '--json', which is one value", hint: "use '--jsonl'")
    }
    return RowWriter.Layout(
      format: format, isSingle: isSingle, header: settings.header, terminator: settings.terminator,
      screen: settings.screen)
  }
}

/// Rows of one kind on their way out.
public struct Rows<R: Row> {
  private let output: Output
  private var form: Form

  private enum Form {
    /// The rows' own text. It has no fields, so a run that prints nothing else pays for none.
    case text(terminator: String)
    case fields(FieldRows<R>)
  }

  init(_ output: Output, isSingle: Bool) throws(Failure) {
    let format = try output.format(for: R.self)
    let layout = try output.layout(format, isSingle: isSingle)
    self.output = output
    form =
      if format == .text {
        .text(terminator: String(UnicodeScalar(layout.terminator)))
      } else {
        .fields(try FieldRows(output, layout))
      }
  }

  public mutating func write(_ row: R) throws(Failure) {
    switch form {
    case .text(let terminator):
      try output.outlet.write((R.text?(row, output.settings.screen) ?? "") + terminator)
    case .fields(var rows):
      // Taken out while it changes, so that nothing of it is copied.
      form = .text(terminator: "")
      defer { form = .fields(rows) }
      try rows.write(row, to: output.outlet)
    }
  }

  func finish() throws(Failure) {
    if case .fields(let rows) = form { try rows.finish(to: output.outlet) }
  }
}

/// Rows that are written field by field.
private struct FieldRows<R: Row> {
  private let fields = R.fields
  private let selection: FieldSelection
  private var writer: RowWriter
  private var cells: [Cell] = []

  init(_ output: Output, _ layout: RowWriter.Layout) throws(Failure) {
    let columns = fields.map(\.column)
    selection =
      if let list = output.settings.fields {
        try FieldSelection(list, of: columns)
      } else {
        FieldSelection(columns, standardFor: layout.format)
      }
    writer = try RowWriter(layout, columns: selection.columns, to: output.outlet)
  }

  mutating func write(_ row: R, to outlet: Outlet) throws(Failure) {
    if writer.layout.format == .table {
      writer.write(
        table: selection.choices.map { choice in
          let field = fields[choice.field]
          if choice.inside == nil, let shown = field.shown { return shown(row) }
          return TableCell(flatCell(choice, row))
        })
    } else {
      cells.removeAll(keepingCapacity: true)
      let isJSON = writer.layout.format.isJSON
      for choice in selection.choices {
        cells.append(isJSON ? cell(choice, row) : flatCell(choice, row))
      }
      try writer.write(cells, to: outlet)
    }
  }

  func finish(to outlet: Outlet) throws(Failure) {
    try writer.finish(to: outlet)
  }

  /// The value where a cell has room for one alone: in a table, CSV or TSV.
  private func flatCell(_ choice: FieldSelection.Choice, _ row: R) -> Cell {
    if choice.inside == nil, let flat = fields[choice.field].flat { return flat(row) }
    return cell(choice, row)
  }

  private func cell(_ choice: FieldSelection.Choice, _ row: R) -> Cell {
    let cell = fields[choice.field].value(row)
    guard let inside = choice.inside else { return cell }
    if case .json(let json) = cell { return .json(json[inside]) }
    return .null
  }
}
