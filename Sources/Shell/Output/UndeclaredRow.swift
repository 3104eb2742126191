import JSON
import System

/// JSON value of an input as a row: no command declares its columns. `number` is its place in the input, from 1.
public struct UndeclaredRow {
  public let json: JSON
  let number: Int
  let file: String?

  public init(_ json: JSON, number: Int, file: String? = nil) {
    self.json = json
    self.number = number
    self.file = file
  }

  public static func failure(_ message: String, number: Int, file: String?) -> Failure {
    Failure(
      .usage, "\(file.map { "'\($0)', " } ?? "")row \(number): \(message)",
      details: [.init("row", .integer(number))] + (file.map { [.init("file", .text($0))] } ?? []))
  }

  /// Whether the row meets all conditions. Fails (`usage`) if the row meets the others and one cannot be decided.
  func meets(_ conditions: [(condition: Condition, column: UndeclaredColumn)]) throws(Failure) -> Bool {
    var found: (condition: Condition, problem: String)?
    for (condition, column) in conditions {
      let cell = FieldValue.json(column.value(in: json))
      let isMet = condition.matches(cell)
      if isMet, condition.needsNoCheckIfMet { continue }
      let problem =
        cell.elements.map { $0.lazy.compactMap(condition.problem).first } ?? condition.problem(with: cell)
      if let problem {
        found = found ?? (condition, problem)
      } else if !isMet {
        return false
      }
    }
    guard let found else { return true }
    throw UndeclaredRow.failure(
      "'--where \(found.condition.text)': \(found.problem)", number: number, file: file)
  }

  /// Fails (`usage`) for a list or an object, which have no order.
  func checkOrder(of key: UndeclaredColumn) throws(Failure) {
    let kind = key.value(in: json).kind
    guard kind == .array || kind == .object else { return }
    throw UndeclaredRow.failure(
      "'\(key.column.path)' is \(kind == .array ? "a list" : "an object"), and rows cannot be sorted by it",
      number: number, file: file)
  }

  /// Fails (`usage`) if the first key that differs from the row before has quantities in unknown order: `10 kg`, `9 kg`.
  func checkQuantities(
    of keys: [UndeclaredColumn], _ values: [SortValue], after before: [SortValue]
  ) throws(Failure) {
    guard let place = before.indices.first(where: { before[$0] != values[$0] }) else { return }
    let (found, other): (String, String)
    switch (before[place], values[place]) {
    case (.text(let a), .text(let b)) where QuantityOrder.isUnknownForSorting(a, b):
      (found, other) = (b, "'\(a)'")
    case (.number, .text(let text)), (.text(let text), .number):
      guard QuantityOrder.isQuantity(text) else { return }
      (found, other) = (text, "numbers")
    case (.instant(let time, _), .text(let text)), (.text(let text), .instant(let time, _)):
      guard QuantityOrder.isQuantity(text), !CalendarDay.isBeginning(text) else { return }
      (found, other) = (text, "the time '\(time.utc)'")
    case (.number, .instant(let time, _)), (.instant(let time, _), .number):
      (found, other) = (time.utc, "numbers")
    case (.instant(_, let a), .instant(let time, let b)) where a != b:
      (found, other) = (time.utc, "times \(b ? "with" : "without") an offset")
    default: return
    }
    throw UndeclaredRow.failure(
      "'\(keys[place].column.path)' is '\(found)', whose order to \(other) is unknown", number: number,
      file: file)
  }

  /// The row in memory of its own: a retained one must not retain the stream's whole buffer.
  func copied() throws(Failure) -> UndeclaredRow {
    var bytes: [UInt8] = []
    json.appendRaw(to: &bytes)
    return UndeclaredRow(try JSON.parse(bytes), number: number, file: file)
  }
}

/// Column of undeclared rows. A row that is no object has one member, `value`: itself.
struct UndeclaredColumn: Sendable {
  let column: Column
  let path: JSON.Path
  /// Path of the value in rows that are no objects.
  let pathInNonObject: JSON.Path

  static let whole = "value"

  init(member name: String) { self.init(name, JSON.Path(names: [name])) }

  init(named text: String) {
    let path = JSON.Path(text)
    let names = path.memberNames
    self.init(names.count == 1 ? names[0] : text, path)
  }

  private init(_ title: String, _ path: JSON.Path) {
    column = Column(undeclared: title, memberNames: path.memberNames)
    self.path = path
    pathInNonObject = path.memberNames == [UndeclaredColumn.whole] ? .whole : path
  }

  func value(in row: JSON) -> JSON { row[row.kind == .object ? path : pathInNonObject] }
}

/// Columns of all rows so far, in the order of their first appearance.
struct ColumnUnion {
  private(set) var columns: [UndeclaredColumn] = []
  private var names: Set<String> = []
  /// Finds in one pass whether a row has an unknown name. Made again only after many rows with one: otherwise the total
  /// time would be quadratic if each row has a new name.
  private var known = JSON.Projection([])
  private var rowsWithOthers = 0

  static let limit = 10_000

  mutating func add(_ row: JSON) throws(Failure) {
    guard row.kind == .object else { return try insert(UndeclaredColumn.whole) }
    known.find(in: row)
    guard known.otherName != nil else { return }
    for member in try row.members { try insert(member.key) }
    rowsWithOthers += 1
    guard rowsWithOthers > known.count / 2 else { return }
    known = JSON.Projection(columns.map(\.path))
    rowsWithOthers = 0
  }

  private mutating func insert(_ name: String) throws(Failure) {
    guard names.insert(name).inserted else { return }
    guard columns.count < ColumnUnion.limit else {
      throw Failure(
        .usage, "the rows have more than \(ColumnUnion.limit) names", hint: "choose the fields with --fields")
    }
    columns.append(UndeclaredColumn(member: name))
  }
}

/// Names that no row has had so far.
struct UnseenNames {
  private var columns: [(name: String, column: UndeclaredColumn)]
  private var isEmpty = true

  init(_ names: [String]) {
    var seen: Set<String> = []
    columns = names.filter { seen.insert($0).inserted }.map { ($0, UndeclaredColumn(named: $0)) }
  }

  mutating func update(with row: JSON) {
    isEmpty = false
    columns.removeAll { $0.column.value(in: row).kind != .absent }
  }

  /// Names of the remaining columns; empty if there was no row.
  var names: [String] { isEmpty ? [] : columns.map(\.name) }
}
