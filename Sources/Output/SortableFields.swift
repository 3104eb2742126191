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
