import Output
import System

extension ValueKind where Value == SortOrder {
  /// `FIELD[:desc]`, any field.
  public static var sortOrder: ValueKind {
    ValueKind(
      "FIELD[:desc]", wants: "a field, with ':desc' for the largest first", show: { $0.text }
    ) { SortOrder($0) }
  }

  /// `FIELD[:desc]`, one of these fields.
  public static func sortOrder(by fields: [String]) -> ValueKind {
    ValueKind(
      "FIELD[:desc]", wants: "one of \(fields.joined(separator: ", ")), with ':desc' for the largest first",
      show: { $0.text }
    ) { text in SortOrder(text).flatMap { fields.contains($0.field) ? $0 : nil } }
  }
}

extension SortOrder {
  fileprivate var text: String { field + (isDescending ? ":desc" : "") }
}
