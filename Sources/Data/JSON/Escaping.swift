import CLibraries
import System

extension JSONWriter {
  /// Appends the text as a JSON string with quotes, escaped like `jq`: `\n`, `\"`, `\u001b`. C1 and bidirectional
  /// control characters are escaped too, because terminals react to them. DEL is unchanged.
  public static func appendString(_ text: some StringProtocol, to output: inout [UInt8]) {
    appendString(utf8: text.utf8, to: &output)
  }

  /// Appends a `String` without the generic version's type look-ups.
  public static func appendString(_ text: String, to output: inout [UInt8]) {
    appendString(utf8: text.utf8, to: &output)
  }

  public static func appendString(utf8 text: some Sequence<UInt8>, to output: inout [UInt8]) {
    let done: Void? = text.withContiguousStorageIfAvailable { unsafe appendString(bytes: $0, to: &output) }
    if done == nil { appendString(utf8: Array(text), to: &output) }
  }

  private static func appendString(bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    var plain = 0
    var index = 0
    while let base = bytes.baseAddress, index < bytes.count {
      if bytes.count - index >= 16 {
        let run = unsafe Int(hw_unescaped_run(base + index))
        index += run
        if run == 16 { continue }
      }
      let length = unsafe lengthOfEscaped(bytes, at: index)
      if length == 0 {
        index += 1
        continue
      }
      if plain == 0 { output.append(quote) }
      unsafe output.append(few: UnsafeBufferPointer(rebasing: bytes[plain..<index]))
      if length == 1 {
        unsafe appendEscape(bytes[index], to: &output)
      } else {
        unsafe appendControlEscape(bytes, at: index, to: &output)
      }
      index += length
      plain = index
    }
    if plain == 0 { return unsafe output.append(few: bytes, quote: quote) }
    unsafe output.append(few: UnsafeBufferPointer(rebasing: bytes[plain...]))
    output.append(quote)
  }

  private static let quote = UInt8(ascii: "\"")

  /// Length of the character at `index` if it must be escaped; otherwise 0.
  @inline(__always)
  private static func lengthOfEscaped(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let byte = unsafe bytes[index]
    if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return 1 }
    return byte < 0xC2 ? 0 : unsafe lengthOfControl(bytes, at: index)
  }

  private static func appendEscape(_ byte: UInt8, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: output.append(UInt8(ascii: "b"))
    case 0x09: output.append(UInt8(ascii: "t"))
    case 0x0A: output.append(UInt8(ascii: "n"))
    case 0x0C: output.append(UInt8(ascii: "f"))
    case 0x0D: output.append(UInt8(ascii: "r"))
    case 0x00..<0x20:
      output.append(contentsOf: "u00".utf8)
      for digit in [byte >> 4, byte & 15] { output.append(UInt8(hexDigitOf: digit)) }
    default: output.append(byte)
    }
  }

  // MARK: C1 and bidirectional controls

  /// Length of the C1 or bidirectional control character at `index`; otherwise 0.
  private static func lengthOfControl(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    func byte(_ offset: Int) -> UInt8 { index + offset < bytes.count ? unsafe bytes[index + offset] : 0 }
    switch byte(0) {
    // U+0080 to U+009F.
    case 0xC2: return (0x80...0x9F).contains(byte(1)) ? 2 : 0
    // U+061C.
    case 0xD8: return byte(1) == 0x9C ? 2 : 0
    // U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069.
    case 0xE2:
      switch (byte(1), byte(2)) {
      case (0x80, 0x8E...0x8F), (0x80, 0xAA...0xAE), (0x81, 0xA6...0xA9): return 3
      default: return 0
      }
    default: return 0
    }
  }

  /// Appends `\u202e` for the control character of two or three bytes at `index`.
  private static func appendControlEscape(
    _ bytes: UnsafeBufferPointer<UInt8>, at index: Int, to output: inout [UInt8]
  ) {
    let lead = unsafe bytes[index]
    let second = unsafe UInt16(bytes[index + 1] & 0x3F)
    let scalar =
      lead < 0xE0
      ? UInt16(lead & 0x1F) << 6 | second
      : unsafe UInt16(lead & 0x0F) << 12 | second << 6 | UInt16(bytes[index + 2] & 0x3F)
    output.append(contentsOf: "\\u".utf8)
    for shift in stride(from: 12, through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: scalar >> UInt16(shift)) & 15
      output.append(UInt8(hexDigitOf: digit))
    }
  }

  /// Appends JSON text with C1 and bidirectional control characters, which occur only in strings, escaped.
  static func appendText(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    var done = 0
    var index = 0
    while let base = text.baseAddress, index < text.count {
      if text.count - index >= 16 {
        let run = unsafe Int(hw_uncontrolled_run(base + index))
        index += run
        if run == 16 { continue }
      }
      let length = unsafe lengthOfControl(text, at: index)
      if length == 0 {
        index += 1
        continue
      }
      unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: text[done..<index]))
      unsafe appendControlEscape(text, at: index, to: &output)
      index += length
      done = index
    }
    unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: text[done...]))
  }
}
