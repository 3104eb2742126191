import JSON
import System

/// The columns of the output, and the field of the row that each is read from.
public struct FieldSelection: Sendable {
  /// A column of the output: one of the row's own, or a value inside one that holds an object.
  struct SelectedField: Sendable {
    var column: Column
    var field: Int
    var inside: JSON.Path?
  }

  let choices: [SelectedField]

  var columns: [Column] { choices.map(\.column) }

  /// The default: everything in JSON, the fields that are shown by default elsewhere.
  init(_ columns: [Column], standardFor format: Format) {
    choices = columns.indices.filter { format.isJSON || columns[$0].isShown }
      .map { SelectedField(column: columns[$0], field: $0) }
  }

  /// Reads `--fields`: names, dotted paths or titles, in the order wanted. A name that several paths begin with selects
  /// them all, one that goes on below an object reaches into it, and `all` is every field.
  init(_ list: String, of columns: [Column]) throws(Failure) {
    var choices: [SelectedField] = []
    for name in FieldSelection.names(in: list) {
      let found = FieldSelection.matches(name, columns)
      guard !found.isEmpty else { throw FieldSelection.unknown(name, columns) }
      choices.append(contentsOf: found)
    }
    guard !choices.isEmpty else { throw Failure(.usage, "'--fields' names no field") }
    self.choices = choices
  }

  /// Throws for a name that no field has.
  public static func check(_ list: String, of columns: [Column]) throws(Failure) {
    _ = try FieldSelection(list, of: columns)
  }

  /// Whether a list selects the field of that path. Throws for a name that no field has.
  public static func isSelected(
    _ path: String, by list: String, of columns: [Column]
  ) throws(Failure) -> Bool {
    try FieldSelection(list, of: columns).columns.contains { $0.path == path }
  }

  /// The one field of that name, or the value below an object that a longer path names.
  static func one(_ name: String, of columns: [Column]) throws(Failure) -> SelectedField {
    let found = matches(name, columns)
    guard let first = found.first else { throw unknown(name, columns) }
    guard found.count == 1 else {
      if let titled = withTitle(name, columns) { return titled }
      throw Failure(
        .usage, "'\(name)' is several fields",
        hint: "fields: \(found.map(\.column.path).joined(separator: ", "))")
    }
    return first
  }

  private static func unknown(_ name: String, _ columns: [Column]) -> Failure {
    let parts = name.split(separator: ":")
    if parts.count == 2, parts[1] == "desc" || parts[1] == "asc", !matches(String(parts[0]), columns).isEmpty
    {
      return Failure(
        .usage, "unknown field '\(name)'", hint: "write '\(parts[1] == "desc" ? "-" : "")\(parts[0])'")
    }
    // A misspelled member is looked for among the members of its object.
    let object = columns.first { $0.type == .object && name.hasPrefix($0.path + ".") }
    let paths = object.map { object in object.values.map { "\(object.path).\($0)" } } ?? columns.map(\.path)
    return Failure(
      .usage, "unknown field '\(name)'",
      hint: Suggestion.phrase(for: name, among: paths) ?? "fields: \(paths.joined(separator: ", "))")
  }

  static func names(in list: String) -> [String] {
    PathText.list(list).map { $0.trimmed }.filter { !$0.isEmpty }
  }

  private static func matches(_ name: String, _ columns: [Column]) -> [SelectedField] {
    if name == "all" { return columns.indices.map { SelectedField(column: columns[$0], field: $0) } }
    if let exact = columns.firstIndex(where: { $0.path == name }) {
      return [SelectedField(column: columns[exact], field: exact)]
    }
    let below = columns.indices.filter { columns[$0].path.hasPrefix(name + ".") }
    if !below.isEmpty { return below.map { SelectedField(column: columns[$0], field: $0) } }
    for (index, column) in columns.enumerated() {
      guard column.type == .object || column.type == .any, name.hasPrefix(column.path + ".") else { continue }
      let rest = String(name.dropFirst(column.path.count + 1))
      guard column.values.isEmpty || column.values.contains(rest) else { return [] }
      let inner = Column(name, title: name, meaning: column.meaning, type: .any, isOptional: true)
      return [SelectedField(column: inner, field: index, inside: JSON.Path(rest))]
    }
    return withTitle(name, columns).map { [$0] } ?? []
  }

  /// The field that a table has under this title, in upper or lower case.
  private static func withTitle(_ title: String, _ columns: [Column]) -> SelectedField? {
    let title = title.lowercased()
    return columns.firstIndex { $0.title.lowercased() == title }
      .map { SelectedField(column: columns[$0], field: $0) }
  }
}
