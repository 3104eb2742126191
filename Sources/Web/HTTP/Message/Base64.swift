/// RFC 4648.
public enum Base64 {
  public static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
      for place in 0..<4 {
        text.append(place <= group.count ? letters[Int(bits >> (18 - 6 * UInt32(place)) & 63)] : padding)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns nil for malformed text; line breaks are allowed.
  public static func decode(_ text: String) -> [UInt8]? {
    var letters = text.utf8.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    guard letters.count % 4 == 0 else { return nil }
    let missing = letters.suffix(2).count { $0 == padding }
    letters.removeLast(missing)
    var bytes: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for letter in letters {
      guard let value = Base64.letters.firstIndex(of: letter) else { return nil }
      (bits, count) = (bits << 6 | UInt32(value), count + 6)
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }

  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")
}
