/// CSV (RFC 4180) and TSV with backslash escapes, one record per line. A record without fields is omitted.
enum DelimitedText {
  /// Appends a record of `count` fields; `field` appends the bare text of one.
  @inline(__always)
  static func appendCSV(
    _ count: Int, terminator: UInt8, to bytes: inout [UInt8], field: (Int, inout [UInt8]) -> Void
  ) {
    guard count > 0 else { return }
    let start = bytes.count
    for index in 0..<count {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      let start = bytes.count
      field(index, &bytes)
      quoteField(&bytes, from: start)
    }
    // A record of one empty field would be an empty line, which readers skip.
    if bytes.count == start { bytes.append(contentsOf: [quote, quote]) }
    bytes.append(terminator)
  }

  /// Appends a record; `field` returns false if its text certainly needs no escape.
  @inline(__always)
  static func appendTSV(
    _ count: Int, terminator: UInt8, to bytes: inout [UInt8], field: (Int, inout [UInt8]) -> Bool
  ) {
    guard count > 0 else { return }
    for index in 0..<count {
      if index > 0 { bytes.append(UInt8(ascii: "\t")) }
      let start = bytes.count
      if field(index, &bytes) { escapeField(&bytes, from: start) }
    }
    bytes.append(terminator)
  }

  private static func quoteField(_ bytes: inout [UInt8], from start: Int) {
    guard bytes[start...].contains(where: needsQuotes) else { return }
    var quoted: [UInt8] = [quote]
    for byte in bytes[start...] {
      if byte == quote { quoted.append(quote) }
      quoted.append(byte)
    }
    quoted.append(quote)
    bytes.replaceSubrange(start..., with: quoted)
  }

  private static func escapeField(_ bytes: inout [UInt8], from start: Int) {
    guard bytes[start...].contains(where: { escape(of: $0) != nil }) else { return }
    var escaped: [UInt8] = []
    for byte in bytes[start...] {
      if let letter = escape(of: byte) {
        escaped.append(UInt8(ascii: "\\"))
        escaped.append(letter)
      } else {
        escaped.append(byte)
      }
    }
    bytes.replaceSubrange(start..., with: escaped)
  }

  private static let quote = UInt8(ascii: "\"")

  private static func needsQuotes(_ byte: UInt8) -> Bool {
    byte == quote || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  /// Letter after the backslash for a byte that would end the line or the field.
  static func escape(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "\t"): UInt8(ascii: "t")
    case UInt8(ascii: "\n"): UInt8(ascii: "n")
    case UInt8(ascii: "\r"): UInt8(ascii: "r")
    case UInt8(ascii: "\\"): UInt8(ascii: "\\")
    default: nil
    }
  }
}
