import JSON
import System

extension Output {
  /// Rows whose fields are the input's own: any JSON values, handed over one at a time.
  ///
  /// Without `--fields`, JSON formats pass each value on as it is, and the others take the names of the first row for
  /// their columns.
  public func write(next: () throws(Failure) -> JSON?) throws(Failure) {
    let format = settings.format ?? .table
    guard format != .text else { throw Output.noTextForm }
    let layout = try layout(format, isSingle: false)
    let chosen = settings.fields.map(FieldSelection.names)
    if let chosen, chosen.isEmpty { throw Failure(.usage, "'--fields' names no field") }

    if format.isJSON, chosen == nil {
      var writer = try RowWriter(layout, columns: [], to: outlet)
      while let row = try next() { try writer.write(whole: row, to: outlet) }
      return try writer.finish(to: outlet)
    }
    var rows: ForeignRows?
    if let chosen { rows = try ForeignRows(paths: chosen, layout, outlet) }
    while let row = try next() {
      if rows == nil { rows = try ForeignRows(like: row, layout, outlet) }
      try rows?.write(row, to: outlet)
    }
    if rows == nil { rows = try ForeignRows(paths: [], layout, outlet) }
    try rows?.writer.finish(to: outlet)
  }
}

/// Rows of foreign JSON on their way out, with the paths of their columns prepared.
private struct ForeignRows {
  var writer: RowWriter
  private let columns: [(name: String, path: JSON.Path)]
  private var cells: [Cell] = []

  /// The columns that somebody chose.
  init(paths: [String], _ layout: RowWriter.Layout, _ outlet: Outlet) throws(Failure) {
    try self.init(paths.map { ($0, JSON.Path($0)) }, layout, outlet)
  }

  /// The members of the first row, by their names as they are; a row that is no object is one column, `value`.
  init(like row: JSON, _ layout: RowWriter.Layout, _ outlet: Outlet) throws(Failure) {
    guard row.kind == .object else {
      try self.init([(ForeignRows.whole, JSON.Path(""))], layout, outlet)
      return
    }
    var seen: Set<String> = []
    let names = try row.members.map(\.key).filter { seen.insert($0).inserted }
    try self.init(names.map { ($0, JSON.Path(names: [$0])) }, layout, outlet)
  }

  private init(
    _ columns: [(name: String, path: JSON.Path)], _ layout: RowWriter.Layout, _ outlet: Outlet
  ) throws(Failure) {
    self.columns = columns
    let declared = columns.map { Column($0.name, title: $0.name, meaning: "", type: .any, isOptional: true) }
    writer = try RowWriter(layout, columns: declared, to: outlet)
  }

  mutating func write(_ row: JSON, to outlet: Outlet) throws(Failure) {
    let isObject = row.kind == .object
    for column in columns {
      let isWhole = !isObject && column.name == ForeignRows.whole
      cells.append(.json(isWhole ? row : row[column.path]))
    }
    try writer.write(cells, to: outlet)
    // At once: a stream may use its buffer again as soon as nobody holds a view of it.
    cells.removeAll(keepingCapacity: true)
  }

  /// The column of a row that is no object.
  private static let whole = "value"
}
