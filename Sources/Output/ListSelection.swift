import JSON
import System

/// Which rows of a list are printed, and in what order: first `--where`, then `--sort`, then `--limit`.
public struct ListSelection: Sendable {
  public var conditions: [Condition] = []
  public var order: SortOrder?
  /// Nil for all.
  public var limit: Int?

  public init(conditions: [Condition] = [], order: SortOrder? = nil, limit: Int? = nil) {
    self.conditions = conditions
    self.order = order
    self.limit = limit
  }

  /// How many of the first rows are enough to select from; nil where all are needed.
  public var rowsNeeded: Int? { conditions.isEmpty && order == nil ? limit : nil }

  /// Refuses a name that is no field of these columns, one that several fields begin with, and a value that the
  /// field never has.
  public func check(against columns: [Column]) throws(Failure) {
    for condition in conditions {
      let choice = try FieldSelection.one(condition.field, of: columns)
      try condition.check(against: choice.column)
    }
    for key in order?.keys ?? [] {
      let choice = try FieldSelection.one(key.field, of: columns)
      guard !choice.column.isOrdered else { continue }
      let sortable = columns.filter(\.isOrdered).map(\.path)
      throw Failure(
        .usage, "rows cannot be sorted by '\(key.field)'", hint: "fields: \(sortable.joined(separator: ", "))"
      )
    }
  }
}

extension Column {
  /// Whether its values have an order.
  public var isOrdered: Bool {
    if isFlattened || hasSortValue { return true }
    return switch type {
    case .list, .object, .record, .byName: false
    case .text, .choice, .integer, .number, .flag, .time, .day, .any: true
    }
  }
}

/// A selection that is applied to rows of one kind, one at a time or all at once.
struct RowSelection<R: Row> {
  private let conditions: [(condition: Condition, cell: @Sendable (R) -> FieldValue)]
  private let keys: [@Sendable (R) -> FieldValue]
  private let order: SortOrder?
  let limit: Int

  init(_ list: ListSelection) throws(Failure) {
    let fields = R.fields
    let columns = fields.map { $0.column }
    func choice(_ name: String) throws(Failure) -> FieldSelection.SelectedField {
      try FieldSelection.one(name, of: columns)
    }
    conditions = try list.conditions.map { condition throws(Failure) in
      let choice = try choice(condition.field)
      return (condition, fields[choice.field].comparedReader(inside: choice.inside))
    }
    keys = try (list.order?.keys ?? []).map { key throws(Failure) in
      let choice = try choice(key.field)
      return fields[choice.field].sortReader(inside: choice.inside)
    }
    order = list.order
    limit = list.limit ?? .max
  }

  /// Rows cannot be passed on before all are there.
  var isSorted: Bool { order != nil }

  /// Whether the first rows are those that are printed.
  var passesAll: Bool { conditions.isEmpty && !isSorted }

  func includes(_ row: R) -> Bool {
    conditions.allSatisfy { $0.condition.matches($0.cell(row)) }
  }

  func sorted(_ rows: [R]) -> [R] {
    order?.sorted(rows) { row in keys.map { $0(row) } } ?? rows
  }

  func applied(to rows: some Sequence<R>) -> [R] {
    Array(sorted(rows.filter(includes)).prefix(limit))
  }
}

/// The same for rows of foreign JSON, whose fields are paths into them.
struct ForeignSelection {
  private let conditions: [(condition: Condition, path: JSON.Path)]
  private let keys: [JSON.Path]
  private let order: SortOrder?
  let limit: Int

  init(_ list: ListSelection) {
    conditions = list.conditions.map { ($0, JSON.Path($0.field)) }
    keys = (list.order?.keys ?? []).map { JSON.Path($0.field) }
    order = list.order
    limit = list.limit ?? .max
  }

  var isSorted: Bool { order != nil }

  func includes(_ row: JSON) -> Bool {
    conditions.allSatisfy { $0.condition.matches(.json(row[$0.path])) }
  }

  func sorted(_ rows: [JSON]) -> [JSON] {
    order?.sorted(rows) { row in keys.map { .json(row[$0]) } } ?? rows
  }
}
