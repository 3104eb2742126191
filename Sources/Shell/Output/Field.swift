import JSON
import System

/// Column and its reader. Every format, `--fields`, the schema and the manual are derived from a list of fields.
public struct Field<Row>: Sendable {
  public var column: Column
  let reader: FieldReader<Row>
  /// Text in a table, if it differs from the value.
  var shown: Read<TableCell>?
  /// Value in CSV and TSV, if JSON has an object.
  var flat: Read<FieldValue>?
  private var sortValue: Read<FieldValue>?
  private var comparedValue: Read<FieldValue>?

  public init(_ column: Column, value: @escaping Read<FieldValue>) {
    self.init(column, .value(value))
  }

  private init(_ column: Column, _ reader: FieldReader<Row>) {
    self.column = column
    self.reader = reader
  }

  public typealias Read<Value> = @Sendable (Row) -> Value

  public static func text(
    _ path: String, _ title: String, _ meaning: String, _ read: @escaping Read<String>
  ) -> Field {
    Field(Column(path, title: title, meaning: meaning, type: .text), .text(read))
  }

  public static func text(
    _ path: String, _ title: String, _ meaning: String, orNull read: @escaping Read<String?>
  ) -> Field {
    Field(Column(path, title: title, meaning: meaning, type: .text, isOptional: true), .textOrNull(read))
  }

  public static func integer(
    _ path: String, _ title: String, _ meaning: String, _ read: @escaping Read<Int>
  ) -> Field {
    Field(Column(path, title: title, meaning: meaning, type: .integer), .integer(read))
  }

  public static func integer(
    _ path: String, _ title: String, _ meaning: String, orNull read: @escaping Read<Int?>
  ) -> Field {
    Field(
      Column(path, title: title, meaning: meaning, type: .integer, isOptional: true), .integerOrNull(read))
  }

  public static func number(
    _ path: String, _ title: String, _ meaning: String, _ read: @escaping Read<Double>
  ) -> Field {
    Field(Column(path, title: title, meaning: meaning, type: .number)) { .number(read($0)) }
  }

  public static func number(
    _ path: String, _ title: String, _ meaning: String, orNull read: @escaping Read<Double?>
  ) -> Field {
    Field(Column(path, title: title, meaning: meaning, type: .number, isOptional: true)) {
      read($0).map(FieldValue.number) ?? .null
    }
  }

  public static func flag(
    _ path: String, _ title: String, _ meaning: String, _ read: @escaping Read<Bool>
  ) -> Field {
    Field(Column(path, title: title, meaning: meaning, type: .flag)) { .flag(read($0)) }
  }

  public static func flag(
    _ path: String, _ title: String, _ meaning: String, orNull read: @escaping Read<Bool?>
  ) -> Field {
    Field(Column(path, title: title, meaning: meaning, type: .flag, isOptional: true)) {
      read($0).map(FieldValue.flag) ?? .null
    }
  }

  public static func choice<Value: CaseIterable & RawRepresentable & Sendable>(
    _ path: String, _ title: String, _ meaning: String, _ read: @escaping Read<Value>
  ) -> Field where Value.RawValue == String {
    let type = CellType.choice(Value.allCases.map(\.rawValue))
    return Field(Column(path, title: title, meaning: meaning, type: type), .text { read($0).rawValue })
  }

  public static func day(
    _ path: String, _ title: String, _ meaning: String, _ read: @escaping Read<CalendarDay>
  ) -> Field {
    Field(Column(path, title: title, meaning: meaning, type: .day), .text { read($0).description })
  }

  public static func time(
    _ path: String, _ title: String, _ meaning: String, _ read: @escaping Read<Timestamp>
  ) -> Field {
    Field(Column(path, title: title, meaning: meaning, type: .time)) { .integer(read($0).seconds) }
  }

  public static func time(
    _ path: String, _ title: String, _ meaning: String, orNull read: @escaping Read<Timestamp?>
  ) -> Field {
    Field(Column(path, title: title, meaning: meaning, type: .time, isOptional: true)) {
      read($0).map { .integer($0.seconds) } ?? .null
    }
  }

  public static func list(
    _ path: String, _ title: String, _ meaning: String, of type: CellType = .text,
    _ read: @escaping Read<[String]>
  ) -> Field {
    Field(Column(path, title: title, meaning: meaning, type: .list(type))) {
      .list(read($0).map(FieldValue.text))
    }
  }

  public static func rows<Part>(
    _ path: String, _ title: String, _ meaning: String, of fields: Fields<Part>,
    _ read: @escaping Read<[Part]>
  ) -> Field {
    var field = rowsOrNull(path, title, meaning, of: fields) { read($0) }
    field.column.isOptional = false
    return field
  }

  /// List of objects that may be null. A trailing closure has no label to distinguish it from `rows`.
  public static func rowsOrNull<Part>(
    _ path: String, _ title: String, _ meaning: String, of fields: Fields<Part>,
    _ read: @escaping Read<[Part]?>
  ) -> Field {
    let type = CellType.list(.record(fields.map(\.column)))
    let record = record(fields)
    return Field(Column(path, title: title, meaning: meaning, type: type, isOptional: true)) { row in
      read(row).map { .list($0.map(record)) } ?? .null
    }
  }

  /// Reads a row as a record, nested by its dotted paths, as the schema describes it.
  private static func record<Part>(_ fields: Fields<Part>) -> @Sendable (Part) -> FieldValue {
    @Sendable func value(_ tree: ColumnTree, _ part: Part) -> FieldValue {
      .record(
        tree.nodes.map { node in
          switch node {
          case .leaf(let name, let column): (name, fields[column].reader.value(part))
          case .branch(let name, let tree): (name, value(tree, part))
          }
        })
    }
    let tree = ColumnTree(fields.map(\.column))
    return { value(tree, $0) }
  }

  public static func object(
    _ path: String, _ title: String, _ meaning: String, orNull read: @escaping Read<JSON?>
  ) -> Field {
    Field(Column(path, title: title, meaning: meaning, type: .object, isOptional: true)) {
      read($0).map(FieldValue.json) ?? .null
    }
  }

  /// Text of the row's value in a table; nil if it is null.
  public func text(of row: Row) -> String? {
    let value = flat?(row) ?? reader.value(row)
    if case .null = value { return nil }
    return (shown?(row) ?? TableCell(value)).text
  }

  public func shown(as text: @escaping Read<TableCell>) -> Field { with { $0.shown = text } }

  /// Returns the field with a single value in CSV, TSV and tables: JSON keeps the whole object.
  public func flattened(to value: @escaping Read<FieldValue>) -> Field {
    with {
      $0.flat = value
      $0.column.isFlattened = true
    }
  }

  /// Returns the field with another value for sorting, such as the full name of a nickname.
  public func sorted(by value: @escaping Read<FieldValue>) -> Field {
    with {
      $0.sortValue = value
      $0.column.hasSortValue = true
    }
  }

  /// Returns the field with all names of its value for `--where`: a condition is true if one name meets it.
  public func compared(to names: @escaping Read<[String]?>) -> Field {
    with { $0.comparedValue = { names($0).map { .list($0.map(FieldValue.text)) } ?? .null } }
  }

  /// Returns the field for a type that contains such a row.
  public func of<Whole>(_ part: @escaping @Sendable (Whole) -> Row) -> Field<Whole> {
    var field = Field<Whole>(column, reader.of(part))
    if let shown { field.shown = { shown(part($0)) } }
    if let flat { field.flat = { flat(part($0)) } }
    if let sortValue { field.sortValue = { sortValue(part($0)) } }
    if let comparedValue { field.comparedValue = { comparedValue(part($0)) } }
    return field
  }

  /// Reader for `--where`: of all names of the value (`compared(to:)`), or else of the value that CSV has. With several
  /// names, `<` and `>` compare the value of `--sort`, and a condition with an empty value examines the value that CSV
  /// has.
  func comparedReader(inside path: JSON.Path?, for condition: Condition? = nil) -> Read<FieldValue> {
    if let path { return reader.inside(path).value }
    if let condition, comparedValue != nil {
      if condition.comparesOrder { return sortReader(inside: nil) }
      if condition.value.isEmpty { return flat ?? reader.value }
    }
    return comparedValue ?? flat ?? reader.value
  }

  func sortReader(inside path: JSON.Path?) -> Read<FieldValue> {
    path == nil ? sortValue ?? flat ?? reader.value : comparedReader(inside: path)
  }

  public func unit(_ name: String, of factor: Int64) -> Field {
    with { $0.column.units.append(Column.Unit(name: name, factor: factor)) }
  }

  /// Returns the field with all its values, in upper or lower case: a condition on another one is refused.
  public func among(_ values: [String]) -> Field { with { $0.column.values = values } }

  /// Returns the field with an order of quantities for a text: `6-9` is less than `6-10`.
  public func measured(by scale: Scale) -> Field {
    let field = with { $0.column.scale = scale }
    let (value, today) = (reader.value, CalendarDay(daysSinceEpoch: 0))
    return field.sorted { row in
      guard case .text(let text) = value(row) else { return .null }
      return scale.range(text, today).map { .integer($0.lowerBound) } ?? .null
    }
  }

  /// Returns the field without an order for conditions, which its texts do not have by their characters.
  public func unordered(hint: String) -> Field { with { $0.column.hintForOrder = hint } }

  /// Returns the field without its place in tables, CSV and TSV, unless `--fields` selects it.
  public var hiddenByDefault: Field { with { $0.column.isShown = false } }

  public var aligningNumbers: Field { with { $0.column.isNumericText = true } }

  private func with(_ change: (inout Field) -> Void) -> Field {
    var field = self
    change(&field)
    return field
  }
}

public typealias Fields<Row> = [Field<Row>]

public protocol Row: SendableMetatype {
  static var fields: Fields<Self> { get }

  /// Text format of a row that is not printed as a table: a row of tiles, a card. Nil for other rows.
  static var text: (@Sendable (Self, Screen?) -> String)? { get }
}

extension Row {
  public static var text: (@Sendable (Self, Screen?) -> String)? { nil }
}

/// Reader of a value. The usual types are written as JSON without a `FieldValue`, which would cost more than its text.
struct FieldReader<Row>: Sendable {
  let value: @Sendable (Row) -> FieldValue
  let append: @Sendable (Row, inout [UInt8]) -> Void

  static func value(_ read: @escaping @Sendable (Row) -> FieldValue) -> FieldReader {
    FieldReader(value: read) { read($0).appendJSON(to: &$1) }
  }

  static func text(_ read: @escaping @Sendable (Row) -> String) -> FieldReader {
    FieldReader(value: { .text(read($0)) }) { JSONWriter.appendString(read($0), to: &$1) }
  }

  static func textOrNull(_ read: @escaping @Sendable (Row) -> String?) -> FieldReader {
    FieldReader(value: { read($0).map(FieldValue.text) ?? .null }) { row, bytes in
      guard let text = read(row) else { return JSONWriter.appendNull(to: &bytes) }
      JSONWriter.appendString(text, to: &bytes)
    }
  }

  static func integer(_ read: @escaping @Sendable (Row) -> Int) -> FieldReader {
    FieldReader(value: { .integer(Int64(read($0))) }) { JSONWriter.append(Int64(read($0)), to: &$1) }
  }

  static func integerOrNull(_ read: @escaping @Sendable (Row) -> Int?) -> FieldReader {
    FieldReader(value: { read($0).map { .integer(Int64($0)) } ?? .null }) { row, bytes in
      guard let integer = read(row) else { return JSONWriter.appendNull(to: &bytes) }
      JSONWriter.append(Int64(integer), to: &bytes)
    }
  }

  func of<Whole>(_ part: @escaping @Sendable (Whole) -> Row) -> FieldReader<Whole> {
    let (value, append) = (value, append)
    return FieldReader<Whole>(value: { value(part($0)) }) { append(part($0), &$1) }
  }

  func inside(_ path: JSON.Path) -> FieldReader {
    let value = value
    return .value { row in
      if case .json(let json) = value(row) { return .json(json[path]) }
      return .null
    }
  }
}
