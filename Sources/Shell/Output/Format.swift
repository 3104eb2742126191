/// Format of the output that an option chooses; independent of whether standard output is a terminal.
public enum Format: String, CaseIterable, Sendable {
  case table, json, jsonl, csv, tsv, markdown

  public var meaning: String {
    switch self {
    case .table: "columns for people"
    case .json: "one array; one object from a command that prints a single object"
    case .jsonl: "one object per line, written as soon as it is known"
    case .csv: "comma-separated, quoted as in RFC 4180"
    case .tsv: "tab-separated; tab, newline, return and backslash as \\t \\n \\r \\\\"
    case .markdown: "a table of GitHub Flavored Markdown: the text of a table, with markup escaped"
    }
  }

  /// Whether cells are human-readable: units, names of days, local times.
  public var isForPeople: Bool { self == .table || self == .markdown }

  public var isJSON: Bool { self == .json || self == .jsonl }
}
