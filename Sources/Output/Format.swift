/// What an answer is written as. It never depends on whether standard output is a terminal.
public enum Format: String, CaseIterable, Sendable {
  /// The command's own text, for those that have one: a row of tiles, a card.
  case text
  case table
  case json
  case jsonl
  case csv
  case tsv

  public var meaning: String {
    switch self {
    case .text: "the command's own text, for commands whose answer is not a table"
    case .table: "columns for people; all rows are held until their widths are known"
    case .json: "one array, or one object where the answer is one thing"
    case .jsonl: "one object a line, each written as soon as it is known"
    case .csv: "comma-separated (RFC 4180)"
    case .tsv: "tab-separated; tab, newline, return and backslash as \\t \\n \\r \\\\"
    }
  }

  /// Errors are JSON as well.
  public var isJSON: Bool { self == .json || self == .jsonl }
}
