import JSON
import System
import Terminal

/// Value of a field. A table shows it, unless the field has a text of its own for tables.
public enum FieldValue {
  case null
  case flag(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  case list([FieldValue])
  case record([(name: String, value: FieldValue)])
  case json(JSON)
}

public struct TableCell: Equatable, Sendable {
  public var text: String
  public var style: Style?

  public init(_ text: String, _ style: Style? = nil) {
    self.text = text
    self.style = style
  }

  static let missing = TableCell("-", .dim)

  public init(_ value: FieldValue) {
    switch value {
    case .null: self = .missing
    case .json(let json) where json.orNull == nil: self = .missing
    case .text(let text): self.init(text)
    case .list(let elements): self.init(elements.map { TableCell($0).text }.joined(separator: ", "))
    default: self.init(value.bareText)
    }
  }
}

extension FieldValue {
  /// Appends the value as bare text for CSV and TSV: null is empty, a list or an object compact JSON. Returns false
  /// if the text certainly has no control character and no backslash.
  @discardableResult func appendText(to bytes: inout [UInt8]) -> Bool {
    switch self {
    case .null: return false
    case .text(let text): bytes.append(contentsOf: text.utf8)
    case .json(let json): return json.appendBare(to: &bytes)
    case .number(let number) where number.isFinite:
      bytes.append(contentsOf: number.plain.utf8)
      return false
    case .flag, .integer, .number:
      appendJSON(to: &bytes)
      return false
    case .list, .record: appendJSON(to: &bytes)
    }
    return true
  }

  var bareText: String {
    var bytes: [UInt8] = []
    appendText(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  func appendJSON(to bytes: inout [UInt8]) {
    switch self {
    case .null: JSONWriter.appendNull(to: &bytes)
    case .flag(let flag): JSONWriter.append(flag, to: &bytes)
    case .integer(let integer): JSONWriter.append(integer, to: &bytes)
    case .number(let number): JSONWriter.append(number, to: &bytes)
    case .text(let text): JSONWriter.appendString(text, to: &bytes)
    case .list(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.appendJSON(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .record(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        JSONWriter.appendString(member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.appendJSON(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    case .json(let json): JSONWriter.append(json, to: &bytes)
    }
  }
}

extension FieldValue {
  var isNull: Bool {
    switch self {
    case .null: true
    case .json(let json): json.kind == .null || json.kind == .absent
    case .text, .list, .flag, .integer, .number, .record: false
    }
  }

  var isEmpty: Bool {
    switch self {
    case .null: true
    case .text(let text): TextMatch.withoutBlanks(text).isEmpty
    case .list(let elements): elements.isEmpty
    case .json(let json):
      switch json.kind {
      case .null, .absent: true
      case .string: (try? json.string).map(TextMatch.withoutBlanks) == ""
      case .array: (try? json.array.isEmpty) == true
      case .bool, .number, .object: false
      }
    case .flag, .integer, .number, .record: false
    }
  }

  /// The elements of a list: a condition holds for a list if it holds for one of them.
  var elements: [FieldValue]? {
    switch self {
    case .list(let elements): elements
    case .json(let json) where json.kind == .array: (try? json.array)?.map(FieldValue.json)
    default: nil
    }
  }
}
