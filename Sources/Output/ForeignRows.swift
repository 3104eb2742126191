import JSON
import System

extension Output {
  /// Writes rows of any JSON values, one at a time.
  ///
  /// Without `--fields`, JSON formats write each value unchanged; the other formats use the names of the first row as
  /// columns.
  public func write(next: () throws(Failure) -> JSON?) throws(Failure) {
    guard let list = settings.list else { return try write(every: next) }
    let selection = try RowSelection(foreign: list)
    var left = selection.limit
    func nextIncluded() throws(Failure) -> JSON? {
      while left > 0, let row = try next() {
        guard selection.includes(row) else { continue }
        if !selection.isSorted { left -= 1 }
        return row
      }
      return nil
    }
    guard selection.isSorted else { return try write(every: nextIncluded) }
    var rows: [JSON] = []
    while let row = try nextIncluded() { rows.append(try row.copied()) }
    var sorted = selection.sorted(rows).prefix(selection.limit).makeIterator()
    try write(every: { () throws(Failure) -> JSON? in sorted.next() })
  }

  private func write(every row: () throws(Failure) -> JSON?) throws(Failure) {
    func next() throws(Failure) -> JSON? {
      let row = try row()
      if row != nil { countRow() }
      return row
    }
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

/// Writes rows of foreign JSON, with the paths of their columns prepared.
private struct ForeignRows {
  var writer: RowWriter
  private let paths: [JSON.Path]
  /// The path of each column in a row that is not an object: `value` is the whole row.
  private let pathsOfOthers: [JSON.Path]
  /// Set for more columns than `few`, which are not looked up one by one.
  private var values: JSON.Projection?
  private var valuesOfOthers: JSON.Projection?

  /// The columns of `--fields`.
  init(paths: [String], _ layout: RowWriter.Layout, _ outlet: Outlet) throws(Failure) {
    try self.init(paths.map { ($0, JSON.Path($0)) }, layout, outlet)
  }

  /// The members of the first row, in its order; a row that is not an object is one column, `value`.
  init(like row: JSON, _ layout: RowWriter.Layout, _ outlet: Outlet) throws(Failure) {
    guard row.kind == .object else {
      try self.init([(ForeignRows.whole, .whole)], layout, outlet)
      return
    }
    var seen: Set<String> = []
    let names = try row.members.map(\.key).filter { seen.insert($0).inserted }
    try self.init(names.map { ($0, JSON.Path(names: [$0])) }, layout, outlet)
  }

  private init(
    _ columns: [(name: String, path: JSON.Path)], _ layout: RowWriter.Layout, _ outlet: Outlet
  ) throws(Failure) {
    paths = columns.map(\.path)
    pathsOfOthers = columns.map { $0.name == ForeignRows.whole ? .whole : $0.path }
    if columns.count > ForeignRows.few {
      (values, valuesOfOthers) = (JSON.Projection(paths), JSON.Projection(pathsOfOthers))
    }
    let declared = columns.map { Column($0.name, title: $0.name, meaning: "", type: .any, isOptional: true) }
    writer = try RowWriter(layout, columns: declared, to: outlet)
  }

  mutating func write(_ row: JSON, to outlet: Outlet) throws(Failure) {
    let isObject = row.kind == .object
    if values != nil {
      if isObject { values?.find(in: row) } else { valuesOfOthers?.find(in: row) }
    }
    if let found = isObject ? values : valuesOfOthers {
      try writer.write(found.count, to: outlet) {
        found.appendBare($0, to: &$1)
      } cell: {
        found[$0].map(FieldValue.json) ?? .null
      }
    } else {
      let paths = isObject ? paths : pathsOfOthers
      try writer.write(paths.count, to: outlet) {
        row.appendBare(paths[$0], to: &$1)
      } cell: {
        .json(row[paths[$0]])
      }
    }
  }

  private static let few = 8
  /// The column of a row that is not an object.
  private static let whole = "value"
}

extension JSON {
  /// The value in its own memory: a retained row must not retain the stream's whole buffer.
  fileprivate func copied() throws(Failure) -> JSON {
    var bytes: [UInt8] = []
    appendRaw(to: &bytes)
    return try JSON.parse(bytes)
  }
}
