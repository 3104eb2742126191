import JSON
import System

extension Output {
  /// Writes JSON values as rows, one at a time, and returns the names of `--fields`, `--where` and `--sort` that no
  /// row had.
  ///
  /// Without `--fields`, JSON formats write each value unchanged. CSV and TSV have the names of the first written row
  /// as columns, and fail (`usage`) at a row with another name, because its value would be lost. Tables, also in
  /// Markdown, have the names of all written rows, like every format with `--fields all`. If no row is written, the
  /// columns are those of the first row of the input.
  @discardableResult
  public func write(next: () throws(Failure) -> UndeclaredRow?) throws(Failure) -> [String] {
    let list = settings.list ?? ListSelection()
    let selection = try RowSelection(undeclared: list)
    let chosen = settings.fields.map(FieldSelection.names)
    if let chosen, chosen.isEmpty { throw Failure(.usage, "'--fields' names no field") }
    var names = (chosen ?? []).filter { $0 != UndeclaredRowsWriter.all }
    names += list.conditions.map(\.field) + (list.order?.keys ?? []).map(\.field)
    let conditions = list.conditions.map { (condition: $0, column: UndeclaredColumn(named: $0.field)) }
    let keys = (list.order?.keys ?? []).map { UndeclaredColumn(named: $0.field) }
    var unseen = UnseenNames(names)
    var writer = UndeclaredRowsWriter(self, chosen)
    var left = selection.limit

    func write(_ row: UndeclaredRow) throws(Failure) {
      try writer.write(row)
      rowCount += 1
      left -= 1
    }
    func read() throws(Failure) -> UndeclaredRow? {
      do throws(Failure) {
        return try next()
      } catch {
        // The rows before invalid input are complete, so their array is closed.
        if error.kind == .usage { writer.close() }
        throw error
      }
    }
    var unsorted: [UndeclaredRow] = []
    // With `--limit 0`, the header has the columns of the first row.
    if left == 0, writer.needsRow, let row = try read() { try writer.skip(row) }
    while left > 0, let row = try read() {
      unseen.update(with: row.json)
      guard try row.meets(conditions) else {
        try writer.skip(row)
        continue
      }
      guard selection.isSorted else {
        try write(row)
        continue
      }
      for key in keys { try row.checkOrder(of: key) }
      unsorted.append(try row.copied())
    }
    let sorted = selection.sortedValues(of: unsorted) ?? []
    for (a, b) in zip(sorted, sorted.dropFirst()) {
      try unsorted[b.offset].checkQuantities(of: keys, b.values, after: a.values)
    }
    for row in sorted where left > 0 { try write(unsorted[row.offset]) }
    try writer.finish()
    return unseen.names
  }
}

private struct UndeclaredRowsWriter {
  /// Name in `--fields` that selects every field.
  static let all = "all"

  // At most one of these is set. A change of the value in an enumeration would cost a copy for each row.

  private var unchanged: RowWriter?
  /// Writes known columns. If nothing is set, the first row determines them.
  private var rows: ColumnsWriter?
  private var collected: CollectedRows?
  /// Columns of the first row that was not written, for the header if no row is.
  private var columnsOfSkipped: [UndeclaredColumn]?

  private let outlet: Outlet
  private let layout: RowWriter.Layout
  private let chosen: [String]

  init(_ output: Output, _ chosen: [String]?) {
    let format = output.settings.format ?? .table
    layout = output.layout(format, isSingle: false)
    outlet = output.outlet
    self.chosen = chosen ?? [UndeclaredRowsWriter.all]
    if let chosen, !chosen.contains(UndeclaredRowsWriter.all) {
      rows = ColumnsWriter(chosen.map { UndeclaredColumn(named: $0) }, layout)
    } else if chosen != nil || format.isForPeople {
      collected = CollectedRows()
    } else if format.isJSON {
      unchanged = RowWriter(layout, columns: [])
    }
  }

  mutating func write(_ row: UndeclaredRow) throws(Failure) {
    if unchanged != nil {
      try unchanged?.write(whole: row.json, to: outlet)
    } else if collected != nil {
      try collected?.append(row.json)
    } else {
      if rows == nil {
        var first = ColumnUnion()
        try first.add(row.json)
        rows = ColumnsWriter(first.columns, layout, isComplete: true)
      }
      try rows?.write(row, to: outlet)
    }
  }

  /// Whether the columns are those of rows.
  var needsRow: Bool { rows == nil && unchanged == nil }

  /// Keeps the columns of the first row that is not written.
  mutating func skip(_ row: UndeclaredRow) throws(Failure) {
    guard columnsOfSkipped == nil else { return }
    var first = ColumnUnion()
    try first.add(row.json)
    columnsOfSkipped = first.columns
  }

  /// Ends an output whose other rows cannot be read. An output that was not begun stays empty.
  func close() {
    unchanged?.close(outlet)
    rows?.writer.close(outlet)
  }

  mutating func finish() throws(Failure) {
    if unchanged != nil {
      try unchanged?.finish(to: outlet)
      return
    }
    let others = columnsOfSkipped ?? []
    if let collected {
      let found = collected.isEmpty ? others : collected.union.columns
      let columns = chosen.flatMap {
        $0 == UndeclaredRowsWriter.all ? found : [UndeclaredColumn(named: $0)]
      }
      var all = ColumnsWriter(columns, layout)
      var stream = collected.stream()
      while let json = try stream.next() { try all.write(UndeclaredRow(json, number: 0), to: outlet) }
      rows = all
    }
    if rows == nil { rows = ColumnsWriter(others, layout) }
    try rows?.writer.finish(to: outlet)
  }
}

private struct CollectedRows {
  private(set) var union = ColumnUnion()
  private var bytes: [UInt8] = [UInt8(ascii: "[")]

  var isEmpty: Bool { bytes.count == 1 }

  mutating func append(_ row: JSON) throws(Failure) {
    try union.add(row)
    if !isEmpty { bytes.append(UInt8(ascii: ",")) }
    row.appendRaw(to: &bytes)
  }

  func stream() -> JSONStream { JSONStream(MemorySource(bytes + [UInt8(ascii: "]")])) }
}

/// Writes the values of undeclared rows at the paths of known columns.
private struct ColumnsWriter {
  var writer: RowWriter
  private let paths: [JSON.Path]
  private let pathsInNonObjects: [JSON.Path]
  /// Lookup for more columns than `few`, and for rows with other names.
  private var values: JSON.Projection?
  private var valuesInNonObjects: JSON.Projection?
  /// Whether a row with another name is a failure.
  private let isComplete: Bool
  private let hasWhole: Bool

  init(_ columns: [UndeclaredColumn], _ layout: RowWriter.Layout, isComplete: Bool = false) {
    self.isComplete = isComplete
    hasWhole = columns.contains { $0.column.path == UndeclaredColumn.whole }
    paths = columns.map(\.path)
    pathsInNonObjects = columns.map(\.pathInNonObject)
    if isComplete || columns.count > ColumnsWriter.few {
      (values, valuesInNonObjects) = (JSON.Projection(paths), JSON.Projection(pathsInNonObjects))
    }
    writer = RowWriter(layout, columns: columns.map(\.column))
  }

  mutating func write(_ row: UndeclaredRow, to outlet: Outlet) throws(Failure) {
    let json = row.json
    let isObject = json.kind == .object
    if isObject { values?.find(in: json) } else { valuesInNonObjects?.find(in: json) }
    if isComplete { try check(row, isObject) }
    if let found = isObject ? values : valuesInNonObjects {
      try writer.write(found.count, to: outlet) {
        found.appendBare($0, to: &$1)
      } value: {
        found[$0].map(FieldValue.json) ?? .null
      }
    } else {
      let paths = isObject ? paths : pathsInNonObjects
      try writer.write(paths.count, to: outlet) {
        json.appendBare(paths[$0], to: &$1)
      } value: {
        .json(json[paths[$0]])
      }
    }
  }

  private func check(_ row: UndeclaredRow, _ isObject: Bool) throws(Failure) {
    let other = isObject ? values?.otherName : hasWhole ? nil : UndeclaredColumn.whole
    guard let other else { return }
    var failure = UndeclaredRow.failure(
      "the header has no field '\(other)'", number: row.number, file: row.file)
    failure.hint = "choose fields with --fields, or read all rows before the header with --fields all"
    failure.details.append(.init("field", .text(other)))
    throw failure
  }

  private static let few = 8
}
