import HTTP

/// The query of a request: `name=value` pairs in the order they came, names repeated or not.
public struct Query: Sendable {
  public let items: [Item]

  public struct Item: Equatable, Sendable {
    public let name: String
    public let value: String
  }

  /// Percent-encoding and `+` are decoded; bytes that are no encoding of anything stand for themselves, since a
  /// service ignores what it does not understand.
  public init(_ bytes: ArraySlice<UInt8>) {
    var items: [Item] = []
    items.reserveCapacity(4)
    var rest = bytes
    while !rest.isEmpty {
      let pair = rest[..<(rest.firstIndex(of: UInt8(ascii: "&")) ?? rest.endIndex)]
      rest = rest[pair.endIndex...].dropFirst()
      guard !pair.isEmpty else { continue }
      let name = pair[..<(pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex)]
      let value = pair[name.endIndex...].dropFirst()
      items.append(Item(name: Query.decode(name), value: Query.decode(value)))
    }
    self.items = items
  }

  /// The first value of that name.
  public subscript(_ name: String) -> String? {
    items.first { $0.name == name }?.value
  }

  /// Every value of that name: `team_ids[]=1&team_ids[]=2`.
  public func all(_ name: String) -> [String] {
    items.filter { $0.name == name }.map(\.value)
  }

  private static func decode(_ bytes: ArraySlice<UInt8>) -> String {
    // Mostly nothing is encoded.
    guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    let spaced = bytes.map { $0 == UInt8(ascii: "+") ? Byte.space : $0 }
    let text = String(decoding: spaced, as: UTF8.self)
    return PercentEncoding.decode(text) ?? text
  }
}
