import JSON
import System

extension Output {
  /// Rows whose fields are the input's own: any JSON values, handed over one at a time.
  ///
  /// Without `--fields`, JSON formats pass each value on as it is, and the others take the names of the first row for
  /// their columns.
  public func write(next: () throws(Failure) -> JSON?) throws(Failure) {
    let format = settings.format ?? .table
    guard format != .text else { throw Failure(.usage, "there is no text form of foreign rows") }
    let layout = try layout(format, isSingle: false)
    let chosen = settings.fields.map(FieldSelection.names)
    if let chosen, chosen.isEmpty { throw Failure(.usage, "'--fields' names no field") }

    if format.isJSON, chosen == nil {
      var writer = try RowWriter(layout, columns: [], to: outlet)
      while let row = try next() { try writer.write(whole: row, to: outlet) }
      return try writer.finish(to: outlet)
    }
    var rows: ForeignRows?
    if let chosen { rows = try ForeignRows(chosen, layout, outlet) }
    while let row = try next() {
      if rows == nil { rows = try ForeignRows(ForeignRows.names(of: row), layout, outlet) }
      try rows?.write(row, to: outlet)
    }
    if rows == nil { rows = try ForeignRows([], layout, outlet) }
    try rows?.writer.finish(to: outlet)
  }
}

/// Rows of foreign JSON on their way out, with the paths of their columns prepared.
private struct ForeignRows {
  var writer: RowWriter
  private let paths: [JSON.Path]
  private var cells: [Cell] = []

  init(_ names: [String], _ layout: RowWriter.Layout, _ outlet: Outlet) throws(Failure) {
    paths = names.map { $0 == ForeignRows.whole ? JSON.Path("") : JSON.Path($0) }
    let columns = names.map { Column($0, title: $0, meaning: "", type: .any, isOptional: true) }
    writer = try RowWriter(layout, columns: columns, to: outlet)
  }

  mutating func write(_ row: JSON, to outlet: Outlet) throws(Failure) {
    for path in paths { cells.append(.json(row[path])) }
    try writer.write(cells, to: outlet)
    // At once: a stream may use its buffer again as soon as nobody holds a view of it.
    cells.removeAll(keepingCapacity: true)
  }

  /// The column of a row that is no object.
  private static let whole = "value"

  static func names(of row: JSON) throws(Failure) -> [String] {
    guard row.kind == .object else { return [whole] }
    return try row.members.map(\.key)
  }
}
