import JSON
import System

/// Columns of the output, with the field of the row that each is read from.
public struct FieldSelection: Sendable {
  /// Column of the output: a field of the row, or a value `inside` a field that is an object.
  struct SelectedField: Sendable {
    var column: Column
    var field: Int
    var inside: JSON.Path?
  }

  let choices: [SelectedField]

  var columns: [Column] { choices.map(\.column) }

  /// Default: everything in JSON, otherwise the fields that are shown by default, and in a table `alsoShown`.
  init(_ columns: [Column], standardFor format: Format, alsoShown: String? = nil) {
    choices = columns.indices
      .filter { format.isJSON || columns[$0].isShown || format == .table && columns[$0].path == alsoShown }
      .map { SelectedField(column: columns[$0], field: $0) }
  }

  /// Parses `--fields`: names, dotted paths or titles in output order. A prefix of several paths selects all of them,
  /// a path below an object reaches into it, and `all` is every field.
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

  public static func check(_ list: String, of columns: [Column]) throws(Failure) {
    _ = try FieldSelection(list, of: columns)
  }

  /// Whether a list selects the field of that path. Throws for an unknown name.
  public static func isSelected(
    _ path: String, by list: String, of columns: [Column]
  ) throws(Failure) -> Bool {
    try FieldSelection(list, of: columns).columns.contains { $0.path == path }
  }

  /// Field of that name, or the value below an object that a longer path names.
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
    // The members of an object are suggested for a misspelled one.
    let object = columns.first { $0.type == .object && name.hasPrefix($0.path + ".") }
    let paths = object.map { object in object.values.map { "\(object.path).\($0)" } } ?? columns.map(\.path)
    let similar = paths.filter { $0.contains(name) }
    return Failure(
      .usage, "unknown field '\(name)'",
      hint: Suggestion.phrase(for: name, among: paths)
        ?? "fields: \((similar.isEmpty ? paths : similar).joined(separator: ", "))")
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

  private static func withTitle(_ title: String, _ columns: [Column]) -> SelectedField? {
    let title = title.lowercased()
    return columns.firstIndex { $0.title.lowercased() == title }
      .map { SelectedField(column: columns[$0], field: $0) }
  }
}
