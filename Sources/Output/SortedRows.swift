extension SortOrder {
  /// Rows in this order, by what the field holds; as they came where they have no such field.
  public func sorted<R: Row>(_ rows: [R]) -> [R] {
    guard let read = R.fields.first(where: { $0.column.path == field })?.value else { return rows }
    return sorted(rows, by: read)
  }
}

extension Row {
  /// The fields that rows can be sorted by: those whose values have an order.
  public static var sortable: [String] {
    fields.map(\.column).filter { column in
      switch column.type {
      case .list, .object, .any: false
      default: true
      }
    }.map(\.path)
  }
}
