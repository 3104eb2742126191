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
  public init(_ bytes: some Sequence<UInt8>) {
    items = Array(bytes).split(separator: UInt8(ascii: "&")).map { pair in
      let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return Item(name: Query.decode(halves[0]), value: halves.count > 1 ? Query.decode(halves[1]) : "")
    }
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
    var bytes = Array(bytes)
    for index in bytes.indices where bytes[index] == UInt8(ascii: "+") { bytes[index] = Byte.space }
    return String(decoding: PercentBytes.decode(bytes) ?? bytes, as: UTF8.self)
  }
}

/// Percent-decoding of bytes, where the client's side has it for text.
enum PercentBytes {
  /// Nil when a `%` is not followed by two hexadecimal digits.
  static func decode(_ bytes: some Collection<UInt8>) -> [UInt8]? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var rest = bytes.makeIterator()
    while let byte = rest.next() {
      if byte == UInt8(ascii: "%") {
        guard let high = rest.next().flatMap(Byte.nibble), let low = rest.next().flatMap(Byte.nibble) else {
          return nil
        }
        decoded.append(high << 4 | low)
      } else {
        decoded.append(byte)
      }
    }
    return decoded
  }
}
