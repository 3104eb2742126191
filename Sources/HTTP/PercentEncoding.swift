/// The `%41` of addresses (RFC 3986, section 2.1).
public enum PercentEncoding {
  /// Encodes everything but letters, digits and `-._~`, so that the text can stand anywhere in an address.
  public static func encode(_ text: String) -> String { encode(text, keeping: unreserved) }

  /// Nil when a `%` is not followed by two hexadecimal digits, or the bytes are not UTF-8.
  public static func decode(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.next().flatMap(nibble), let low = rest.next().flatMap(nibble) else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  static func encode(_ text: some StringProtocol, keeping kept: (UInt8) -> Bool) -> String {
    let bytes = text.utf8.flatMap { byte in
      kept(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func unreserved(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || "-._~".utf8.contains(byte)
  }

  /// What may stand in a path unencoded, the slash included.
  static func path(_ byte: UInt8) -> Bool {
    unreserved(byte) || "/!$&'()*+,;=:@".utf8.contains(byte)
  }

  /// What a reader leaves as it is in a path or query: encoded parts stay encoded, and the square brackets of
  /// `team_ids[]=14`, which no grammar allows, are sent as people write them.
  static func written(_ byte: UInt8) -> Bool {
    path(byte) || "%?[]".utf8.contains(byte)
  }

  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }

  /// The value of a hexadecimal digit.
  static func nibble(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  private static let digits = Array("0123456789ABCDEF".utf8)
}
