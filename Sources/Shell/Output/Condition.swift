import JSON
import System

/// `--where 'FIELD OP VALUE'`: which rows are wanted. Values compare as JSON has them, never as they are displayed.
public struct Condition: Sendable {
  public enum Operator: String, CaseIterable, Sendable {
    case notEqual = "!="
    case atMost = "<="
    case atLeast = ">="
    /// A part of a text, in upper or lower case.
    case contains = "*="
    case equal = "="
    case less = "<"
    case greater = ">"
  }

  public let field: String
  let operation: Operator
  let value: String
  /// The value where it is written as a number.
  private let number: JSON.Number?

  private typealias Spelling = (text: String, operation: Operator)

  /// The longer ones first. `==` is what most languages say: read as `=` and a value with another, it would find nothing.
  private static let spellings: [Spelling] =
    [("==", .equal)] + Operator.allCases.map { ($0.rawValue, $0) }

  /// Nil where there is no operator, or no field before it.
  public init?(_ text: String) {
    guard let (start, spelling) = Condition.firstOperator(in: text) else { return nil }
    let field = String(text[..<start]).trimmed
    let rest = text[text.utf8.index(start, offsetBy: spelling.text.utf8.count)...]
    guard !field.isEmpty else { return nil }
    self.field = field
    operation = spelling.operation
    // `a >= 1` is `a>=1`; a blank behind an operator that follows its field at once is part of the value.
    value = String(text[..<start].last == " " && rest.first == " " ? rest.dropFirst() : rest)
    number = JSON.Number(value)
  }

  /// The first operator outside the quotes around a name.
  private static func firstOperator(in text: String) -> (String.Index, Spelling)? {
    let bytes = Array(text.utf8)
    func found(_ at: Int) -> Spelling? {
      spellings.first { bytes[at...].starts(with: $0.text.utf8) }
    }
    guard let at = PathText.firstIndex(in: bytes[...], from: 0, where: { found($0) != nil }),
      let spelling = found(at)
    else { return nil }
    return (text.utf8.index(text.startIndex, offsetBy: at), spelling)
  }

  public var text: String { "\(field)\(operation.rawValue)\(value)" }

  /// Whether the cell is as wanted. Nothing is less or greater than a value that is not there.
  func matches(_ cell: FieldValue) -> Bool {
    let isThere =
      if !value.isEmpty, let elements = cell.elements {
        elements.contains { matchesPositively($0) }
      } else {
        matchesPositively(cell)
      }
    return operation == .notEqual ? !isThere : isThere
  }

  /// Whether rows are wanted by one value, or all but those.
  private var isEquality: Bool { operation == .equal || operation == .notEqual }

  /// The same, with `!=` read as `=`.
  private func matchesPositively(_ cell: FieldValue) -> Bool {
    if value.isEmpty, isEquality { return cell.isEmpty }
    switch SortValue(cell) {
    case .nothing: return isEquality && value == "null" && cell.isNull
    case .flag(let flag): return isEquality && value == (flag ? "true" : "false")
    case .number(let found):
      if operation == .contains {
        var digits: [UInt8] = []
        cell.appendText(to: &digits)
        return String(decoding: digits, as: UTF8.self).contains(value)
      }
      guard let number else { return false }
      return compare(found, number)
    case .text(let found):
      if operation == .contains { return found.lowercased().contains(value.lowercased()) }
      if let number, let found = SortValue.number(found) { return compare(found, number) }
      return compare(SortValue.text(found), .text(value))
    }
  }

  private func compare<Value: Comparable>(_ a: Value, _ b: Value) -> Bool {
    switch operation {
    case .equal, .notEqual: a == b
    case .less: a < b
    case .atMost: a < b || a == b
    case .greater: b < a
    case .atLeast: b < a || a == b
    case .contains: false
    }
  }

  /// Refuses what could never hold: a number that is compared with a text finds nothing, and fails at once.
  func check(against column: Column) throws(Failure) {
    guard !value.isEmpty, operation != .contains, !(isEquality && value == "null") else { return }
    switch column.type {
    case .integer, .number, .time:
      guard number == nil else { return }
      throw Failure(.usage, "'--where \(text)': '\(field)' is a number, and '\(value)' is none")
    case .flag:
      guard value != "true" && value != "false" else { return }
      throw Failure(.usage, "'--where \(text)': '\(field)' is true or false")
    case .choice(let names):
      guard isEquality, !names.contains(value) else { return }
      throw Failure(
        .usage, "'--where \(text)': '\(field)' is never '\(value)'",
        hint: Suggestion.phrase(for: value, among: names) ?? "values: \(names.joined(separator: ", "))")
    case .day:
      guard !CalendarDay.isBeginning(value) else { return }
      throw Failure(
        .usage, "'--where \(text)': '\(field)' is a day, and '\(value)' is none",
        hint: "write YYYY-MM-DD, YYYY-MM or YYYY")
    case .text, .list, .record, .byName, .object, .any: return
    }
  }
}

extension FieldValue {
  /// Null or missing.
  fileprivate var isNull: Bool {
    switch self {
    case .null: true
    case .json(let json): json.kind == .null || json.kind == .absent
    case .text, .list, .flag, .integer, .number, .record: false
    }
  }

  /// Null, missing, an empty text or an empty list.
  fileprivate var isEmpty: Bool {
    switch self {
    case .null: true
    case .text(let text): text.isEmpty
    case .list(let cells): cells.isEmpty
    case .json(let json):
      switch json.kind {
      case .null, .absent: true
      case .string: (try? json.string) == ""
      case .array: (try? json.array.isEmpty) == true
      case .bool, .number, .object: false
      }
    case .flag, .integer, .number, .record: false
    }
  }

  /// The elements of a list: a condition holds for a list if it holds for one of them.
  fileprivate var elements: [FieldValue]? {
    switch self {
    case .list(let cells): cells
    case .json(let json) where json.kind == .array: (try? json.array)?.map(FieldValue.json)
    default: nil
    }
  }
}
