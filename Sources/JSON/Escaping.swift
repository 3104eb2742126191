import CLibraries
import System

extension JSONWriter {
  /// Appends the text as a JSON string, quotes included. What must be escaped is escaped as `jq` does: `\n`, `\"`,
  /// `\u001b`; everything else, DEL included, is unchanged.
  public static func appendString(_ text: some StringProtocol, to output: inout [UInt8]) {
    appendString(utf8: text.utf8, to: &output)
  }

  /// The same for the usual kind of text, which needs no look-ups of its type.
  public static func appendString(_ text: String, to output: inout [UInt8]) {
    let done: Void? = unsafe text.utf8.withContiguousStorageIfAvailable {
      unsafe appendString(bytes: $0, to: &output)
    }
    // A string of another system's making.
    if done == nil { appendString(utf8: Array(text.utf8), to: &output) }
  }

  /// The same for text that is there as UTF-8 already.
  public static func appendString(utf8 text: some Sequence<UInt8>, to output: inout [UInt8]) {
    let done: Void? = text.withContiguousStorageIfAvailable { unsafe appendString(bytes: $0, to: &output) }
    if done == nil { appendString(utf8: Array(text), to: &output) }
  }

  private static func appendString(bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    var plain = 0
    var index = 0
    while let base = bytes.baseAddress, index < bytes.count {
      // Sixteen bytes at a time, as far as sixteen are there.
      if bytes.count - index >= 16 {
        let run = unsafe Int(hw_plain_run(base + index))
        index += run
        if run == 16 { continue }
      } else if unsafe !needsEscape(bytes[index]) {
        index += 1
        continue
      }
      if plain == 0 { output.append(quote) }
      unsafe output.append(few: UnsafeBufferPointer(rebasing: bytes[plain..<index]))
      unsafe appendEscape(bytes[index], to: &output)
      index += 1
      plain = index
    }
    // Most have no escape, and are appended at once.
    if plain == 0 { return unsafe output.append(few: bytes, quote: quote) }
    unsafe output.append(few: UnsafeBufferPointer(rebasing: bytes[plain...]))
    output.append(quote)
  }

  private static let quote = UInt8(ascii: "\"")

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
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
      for digit in [byte >> 4, byte & 15] { output.append(digit < 10 ? digit + 0x30 : digit + 0x57) }
    default: output.append(byte)
    }
  }
}
