import System

/// Selection of a list's rows and their order: first `--where`, then `--sort`, then `--limit`.
public struct ListSelection: Sendable {
  public var conditions: [Condition] = []
  public var order: SortOrder?
  public var limit: Int?

  public init(conditions: [Condition] = [], order: SortOrder? = nil, limit: Int? = nil) {
    self.conditions = conditions
    self.order = order
    self.limit = limit
  }

  /// Number of first rows that suffice; nil if all are needed.
  public var rowsNeeded: Int? { conditions.isEmpty && order == nil ? limit : nil }

  /// Parses the values for their fields. Throws for an unknown field, an ambiguous prefix, and a value that the field
  /// never has. `today` is the current day of UTC. `dayOfList` is the current day for fields that are days.
  public mutating func resolve(
    against columns: [Column], today: CalendarDay, dayOfList: CalendarDay? = nil
  ) throws(Failure) {
    for index in conditions.indices {
      let choice = try FieldSelection.one(conditions[index].field, of: columns)
      conditions[index] = conditions[index].resolved(
        for: choice.column, today: choice.column.type == .day ? dayOfList ?? today : today)
      try conditions[index].check(against: choice.column)
    }
    for key in order?.keys ?? [] {
      let choice = try FieldSelection.one(key.field, of: columns)
      guard !choice.column.isSortable else { continue }
      let sortable = columns.filter(\.isSortable).map(\.path)
      throw Failure(
        .usage, "rows cannot be sorted by '\(key.field)'", hint: "fields: \(sortable.joined(separator: ", "))"
      )
    }
  }

  public mutating func resolveForAnyFields(today: CalendarDay) {
    conditions = conditions.map { $0.resolved(for: .any, today: today) }
  }
}

/// Selection that is applied to rows of one type, one at a time or all at once.
struct RowSelection<R> {
  /// Whether a row meets all conditions; nil without conditions, so that no row pays for an empty list of them.
  private let meetsAll: (@Sendable (R) -> Bool)?
  private let keys: [@Sendable (R) -> FieldValue]
  private let order: SortOrder?
  let limit: Int

  private init(
    _ list: ListSelection, meeting tests: [@Sendable (R) -> Bool],
    sorted: (String) throws(Failure) -> @Sendable (R) -> FieldValue
  ) throws(Failure) {
    meetsAll = if tests.isEmpty { nil } else { { row in tests.allSatisfy { $0(row) } } }
    keys = try (list.order?.keys ?? []).map { key throws(Failure) in try sorted(key.field) }
    order = list.order
    limit = list.limit ?? .max
  }

  var isSorted: Bool { order != nil }

  func includes(_ row: R) -> Bool { meetsAll?(row) ?? true }

  func sortedValues(of rows: [R]) -> [(values: [SortValue], offset: Int)]? {
    order?.sortedValues(of: rows) { row in keys.map { $0(row) } }
  }

  func sorted(_ rows: [R]) -> [R] { sortedValues(of: rows)?.map { rows[$0.offset] } ?? rows }

  func applied(to rows: some Sequence<R>) -> [R] { Array(sorted(rows.filter(includes)).prefix(limit)) }
}

extension RowSelection where R: Row {
  init(_ list: ListSelection) throws(Failure) {
    let fields = R.fields
    let columns = fields.map { $0.column }
    let tests = try list.conditions.map { condition throws(Failure) -> @Sendable (R) -> Bool in
      let chosen = try FieldSelection.one(condition.field, of: columns)
      let value = fields[chosen.field].comparedReader(inside: chosen.inside, for: condition)
      return { condition.matches(value($0)) }
    }
    try self.init(list, meeting: tests) { name throws(Failure) in
      let chosen = try FieldSelection.one(name, of: columns)
      return fields[chosen.field].sortReader(inside: chosen.inside)
    }
  }
}

extension RowSelection where R == UndeclaredRow {
  /// Order and limit: `UndeclaredRow.meets` has the conditions, which can fail for a row.
  init(undeclared list: ListSelection) throws(Failure) {
    try self.init(list, meeting: []) { name in
      let column = UndeclaredColumn(named: name)
      return { .json(column.value(in: $0.json)) }
    }
  }
}
