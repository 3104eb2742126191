/// Header fields in the order they came; names compare without case.
public struct Headers: Equatable, Sendable, ExpressibleByDictionaryLiteral {
  public private(set) var fields: [Field]

  public struct Field: Equatable, Sendable {
    public var name: String
    public var value: String
  }

  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }

  /// The first value of that name; setting replaces every one of them.
  public subscript(_ name: String) -> String? {
    get { fields.first { Headers.same($0.name, name) }?.value }
    set {
      fields.removeAll { Headers.same($0.name, name) }
      if let newValue { fields.append(Field(name: name, value: newValue)) }
    }
  }

  /// Every value of that name, in order.
  public func values(_ name: String) -> [String] {
    fields.filter { Headers.same($0.name, name) }.map(\.value)
  }

  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  private static func same(_ a: String, _ b: String) -> Bool {
    a.utf8.count == b.utf8.count && zip(a.utf8, b.utf8).allSatisfy { lower($0) == lower($1) }
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
