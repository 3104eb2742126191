import JSON

/// How a value is read from a row, by its type: the usual ones become JSON text with no cell in between, which would
/// cost more than the text.
enum FieldReader<Row>: Sendable {
  case text(@Sendable (Row) -> String)
  case textOrNull(@Sendable (Row) -> String?)
  case integer(@Sendable (Row) -> Int)
  case integerOrNull(@Sendable (Row) -> Int?)
  case flag(@Sendable (Row) -> Bool)
  case flagOrNull(@Sendable (Row) -> Bool?)
  case cell(@Sendable (Row) -> Cell)

  /// Reads the value as a cell.
  var cell: @Sendable (Row) -> Cell {
    switch self {
    case .text(let read): { .text(read($0)) }
    case .textOrNull(let read): { read($0).map(Cell.text) ?? .null }
    case .integer(let read): { .integer(Int64(read($0))) }
    case .integerOrNull(let read): { read($0).map { .integer(Int64($0)) } ?? .null }
    case .flag(let read): { .flag(read($0)) }
    case .flagOrNull(let read): { read($0).map(Cell.flag) ?? .null }
    case .cell(let read): read
    }
  }

  /// Appends the value as JSON text. Asked for once, it serves all rows: to look at the case again for each would cost
  /// more than to call what it leads to.
  var append: @Sendable (Row, inout [UInt8]) -> Void {
    switch self {
    case .text(let read): { JSONWriter.appendString(read($0), to: &$1) }
    case .textOrNull(let read):
      { row, bytes in
        if let text = read(row) { return JSONWriter.appendString(text, to: &bytes) }
        JSONWriter.appendNull(to: &bytes)
      }
    case .integer(let read): { JSONWriter.append(Int64(read($0)), to: &$1) }
    case .integerOrNull(let read):
      { row, bytes in
        if let integer = read(row) { return JSONWriter.append(Int64(integer), to: &bytes) }
        JSONWriter.appendNull(to: &bytes)
      }
    case .flag(let read): { JSONWriter.append(read($0), to: &$1) }
    case .flagOrNull(let read):
      { row, bytes in
        if let flag = read(row) { return JSONWriter.append(flag, to: &bytes) }
        JSONWriter.appendNull(to: &bytes)
      }
    case .cell(let read): { read($0).appendJSON(to: &$1) }
    }
  }

  /// The same value, read from something that holds such a row.
  func of<Whole>(_ part: @escaping @Sendable (Whole) -> Row) -> FieldReader<Whole> {
    switch self {
    case .text(let read): .text { read(part($0)) }
    case .textOrNull(let read): .textOrNull { read(part($0)) }
    case .integer(let read): .integer { read(part($0)) }
    case .integerOrNull(let read): .integerOrNull { read(part($0)) }
    case .flag(let read): .flag { read(part($0)) }
    case .flagOrNull(let read): .flagOrNull { read(part($0)) }
    case .cell(let read): .cell { read(part($0)) }
    }
  }

  /// What stands at the path in an object that is read so.
  func inside(_ path: JSON.Path) -> FieldReader {
    let cell = cell
    return .cell { row in
      if case .json(let json) = cell(row) { return .json(json[path]) }
      return .null
    }
  }
}
