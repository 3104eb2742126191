import JSON
import System

/// `--sort FIELD[:desc]`: by which field, and which way. Equal rows keep the order they came in.
public struct SortOrder: Sendable {
  public let field: String
  public let isDescending: Bool

  /// Nil when there is no field, or something other than a direction after the colon.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard !parts[0].isEmpty else { return nil }
    field = parts[0]
    switch parts.count > 1 ? parts[1] : "asc" {
    case "asc": isDescending = false
    case "desc": isDescending = true
    default: return nil
    }
  }

  /// Sorts by the cell that `cell` takes from an element; those without a value come last either way.
  public func sorted<Element>(_ elements: [Element], by cell: (Element) -> Cell) -> [Element] {
    let keyed = elements.enumerated().map { (key: SortKey(cell($0.element)), offset: $0.offset) }
    return keyed.sorted { a, b in
      if a.key == b.key { return a.offset < b.offset }
      if a.key.isNothing || b.key.isNothing { return b.key.isNothing }
      return isDescending ? b.key < a.key : a.key < b.key
    }.map { elements[$0.offset] }
  }
}

extension SortOrder {
  /// Sorts rows by one of their own fields; a field that they do not have leaves their order as it is.
  public func sorted<R: Row>(_ rows: [R]) -> [R] {
    guard let field = R.fields.first(where: { $0.column.path == field }) else { return rows }
    return sorted(rows, by: field.reader.cell)
  }
}

/// What a cell is sorted by. Numbers stand before texts; texts compare by their code points, in every locale alike.
private enum SortKey: Comparable {
  case flag(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  case nothing

  init(_ cell: Cell) {
    switch cell {
    case .null, .list, .record: self = .nothing
    case .flag(let flag): self = .flag(flag)
    case .integer(let integer): self = .integer(integer)
    case .number(let number): self = .number(number)
    case .text(let text): self = .text(text)
    case .json(let json): self.init(json)
    }
  }

  private init(_ json: JSON) {
    do throws(Failure) {
      switch json.kind {
      case .string: self = .text(try json.string)
      case .bool: self = .flag(try json.bool)
      case .number:
        switch try json.number {
        case .int64(let integer): self = .integer(integer)
        case .uint64, .double, .digits: self = .number(try json.double)
        }
      case .null, .absent, .array, .object: self = .nothing
      }
    } catch {
      // A number beyond the largest double: larger than every other.
      self = .number(.infinity)
    }
  }

  var isNothing: Bool { self == .nothing }

  static func < (a: SortKey, b: SortKey) -> Bool {
    switch (a, b) {
    case (.flag(let a), .flag(let b)): !a && b
    case (.integer(let a), .integer(let b)): a < b
    case (.text(let a), .text(let b)): a.unicodeScalars.lexicographicallyPrecedes(b.unicodeScalars)
    default:
      if let x = a.double, let y = b.double { x < y } else { a.rank < b.rank }
    }
  }

  private var double: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    case .flag, .text, .nothing: nil
    }
  }

  private var rank: Int {
    switch self {
    case .flag: 0
    case .integer, .number: 1
    case .text: 2
    case .nothing: 3
    }
  }
}
