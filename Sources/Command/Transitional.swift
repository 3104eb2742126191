import Output

extension Needs {
  public static let list = Needs(rawValue: 1 << 13)
  public static let report = Needs(rawValue: 1 << 14)
}
extension ValueKind where Value == SortOrder {
  public static func sortOrder(by fields: [String]) -> ValueKind { .sortOrder }
}
extension Row { public static var sortable: [String] { [] } }
extension SortOrder {
  public func sorted<R: Row>(_ rows: [R]) -> [R] { rows }
}
