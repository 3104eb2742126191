import System

/// Header fields in the order of their receipt. Names are compared ignoring case.
public struct Headers: Equatable, Sendable, ExpressibleByDictionaryLiteral {
  public private(set) var fields: [Field]

  public struct Field: Equatable, Sendable {
    public var name: String
    public var value: String
  }

  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }

  /// Returns the first value of a name. Setting replaces all values.
  public subscript(_ name: String) -> String? {
    get { fields.first { Headers.isSameName($0.name, name) }?.value }
    set {
      fields.removeAll { Headers.isSameName($0.name, name) }
      if let newValue { fields.append(Field(name: name, value: newValue)) }
    }
  }

  public func values(_ name: String) -> [String] {
    fields.filter { Headers.isSameName($0.name, name) }.map(\.value)
  }

  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  private static func isSameName(_ a: String, _ b: String) -> Bool {
    a.utf8.count == b.utf8.count
      && zip(a.utf8, b.utf8).allSatisfy { Byte.lowercased($0) == Byte.lowercased($1) }
  }

  /// Members of a list field, of all its lines, in lower case.
  func list(_ name: String) -> [String] {
    values(name).flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
      .map { $0.lowercased().trimmed }
  }
}

extension FixedWidthInteger {
  /// Parses the number in a header field; nil for other text. A large one is clamped far from overflow.
  init?(fieldText text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    self = Swift.min(Self(text) ?? .max, 999_999_999_999)
  }
}

extension StringProtocol {
  var splitField: (name: String, value: String)? {
    guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let value = self[index(after: colon)...]
    return (String(self[..<colon]), String(value.drop { $0 == " " }))
  }
}
