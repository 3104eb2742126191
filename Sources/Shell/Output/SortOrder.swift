import JSON
import System

/// Order of `--sort FIELD[,-FIELD...]`. Equal rows keep their order.
public struct SortOrder: Sendable {
  public struct Key: Equatable, Sendable {
    public let field: String
    public let isDescending: Bool
  }

  public let keys: [Key]

  /// Parses an order; nil if a field has no name.
  public init?(_ text: String) {
    var keys: [Key] = []
    for part in PathText.list(text).map({ $0.trimmed }) {
      let isDescending = part.hasPrefix("-")
      let field = isDescending ? String(part.dropFirst()) : part
      guard !field.isEmpty else { return nil }
      keys.append(Key(field: field, isDescending: isDescending))
    }
    self.keys = keys
  }

  /// Sorts by `values`, one per key, and returns them with the offsets of the elements. Elements without a value, such
  /// as a blank text, come last in both directions. A text that is a number compares as one.
  func sortedValues<Element>(
    of elements: [Element], by values: (Element) -> [FieldValue]
  ) -> [(values: [SortValue], offset: Int)] {
    elements.enumerated().map { (values($1).map { SortValue(ordering: $0) }, $0) }
      .sorted { a, b in precedes(a.values, b.values) }
  }

  /// Returns false for equal keys: the sort is stable.
  private func precedes(_ a: [SortValue], _ b: [SortValue]) -> Bool {
    for (place, key) in keys.enumerated() where a[place] != b[place] {
      if a[place] == .nothing || b[place] == .nothing { return b[place] == .nothing }
      return key.isDescending ? b[place] < a[place] : a[place] < b[place]
    }
    return false
  }
}

/// Value for ordering and comparing: as JSON has it, never as it is displayed. Flags come before numbers, then texts.
/// Among texts, an instant, with or without an offset, compares by its text in UTC: it follows its day and its month.
/// Numbers compare by exact value, texts by the code points of their normal form (NFC), in every locale alike.
enum SortValue: Comparable {
  case flag(Bool)
  case number(JSON.Number)
  case instant(Timestamp, isLocal: Bool)
  case text(String)
  case nothing

  init(_ value: FieldValue) {
    switch value {
    case .null, .list, .record: self = .nothing
    case .flag(let flag): self = .flag(flag)
    case .integer(let integer): self = .number(.int64(integer))
    case .number(let number): self = number.isFinite ? .number(.double(number)) : .nothing
    case .text(let text): self = .text(text)
    case .json(let json): self = (try? SortValue(json)) ?? .nothing
    }
  }

  private init(_ json: JSON) throws(Failure) {
    switch json.kind {
    case .string: self = .text(try json.string)
    case .bool: self = .flag(try json.bool)
    case .number: self = .number(try json.number)
    case .null, .absent, .array, .object: self = .nothing
    }
  }

  /// Number of a text; nil for any other text.
  static func number(_ text: String) -> JSON.Number? {
    // Rejects most texts at once, and also blanks around a number, which `JSON.Number` would accept.
    guard let first = text.utf8.first, first.isASCIIDigit || "+-.".utf8.contains(first),
      text.utf8.last?.isASCIIDigit == true
    else { return nil }
    return JSON.Number(text) ?? Condition.number(separated: text)
  }

  /// Value for `--sort`, which also reads numbers and instants in texts.
  init(ordering value: FieldValue) { self = SortValue(value).ordered }

  private var ordered: SortValue {
    guard case .text(let text) = self else { return self }
    if let instant = Timestamp(exactly: text) { return .instant(instant, isLocal: false) }
    if let time = Timestamp(exactly: text, isLocal: true) { return .instant(time, isLocal: true) }
    if TextMatch.withoutBlanks(text).isEmpty { return .nothing }
    return SortValue.orderedNumber(text).map { .number($0) } ?? self
  }

  /// Like `number(_:)`, also with leading zeros: a postal code, or numbers of one width.
  static func orderedNumber(_ text: String) -> JSON.Number? {
    let digits = text.utf8.allSatisfy(\.isASCIIDigit) ? text.drop { $0 == "0" } : text[...]
    return number(digits.isEmpty && !text.isEmpty ? "0" : String(digits))
  }

  static func < (a: SortValue, b: SortValue) -> Bool {
    switch (a, b) {
    case (.flag(let a), .flag(let b)): !a && b
    case (.number(let a), .number(let b)): a < b
    case (.instant(let a, _), .instant(let b, _)): a < b
    case (.instant(let a, _), .text(let b)): SortValue.text(a.utc) < .text(b)
    case (.text(let a), .instant(let b, _)): SortValue.text(a) < .text(b.utc)
    case (.text(let a), .text(let b)): a < b
    default: a.rank < b.rank
    }
  }

  private var rank: Int {
    switch self {
    case .flag: 0
    case .number: 1
    case .instant, .text: 2
    case .nothing: 3
    }
  }
}
