/// The text of strings: their bytes between the quotes, with escapes resolved.
extension Document {
  func string(_ index: Int) -> String {
    guard entry(index).isComplex else { return plainString(index) }
    var text: [UInt8] = []
    appendText(index, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// The text of a string that has no escapes.
  func plainString(_ index: Int) -> String {
    unsafe String(
      decoding: UnsafeBufferPointer(rebasing: text(index).dropFirst().dropLast()), as: UTF8.self)
  }

  /// Appends the string's UTF-8. The indexer has checked the escapes.
  func appendText(_ index: Int, to output: inout [UInt8]) {
    let entry = entry(index)
    let bytes = unsafe UnsafeBufferPointer(start: base + Int(entry.start) + 1, count: entry.length - 2)
    guard entry.isComplex else {
      unsafe output.append(contentsOf: bytes)
      return
    }
    output.reserveCapacity(output.count + bytes.count)
    var (plain, at) = (0, 0)
    while at < bytes.count {
      guard unsafe bytes[at] == UInt8(ascii: "\\") else {
        at += 1
        continue
      }
      unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[plain..<at]))
      at = unsafe Document.appendEscape(bytes, at + 1, to: &output)
      plain = at
    }
    unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[plain...]))
  }

  /// Appends what the escape stands for whose backslash is before `at`; the result is the place behind it.
  private static func appendEscape(
    _ bytes: UnsafeBufferPointer<UInt8>, _ at: Int, to output: inout [UInt8]
  ) -> Int {
    switch unsafe bytes[at] {
    case UInt8(ascii: "b"): output.append(0x08)
    case UInt8(ascii: "f"): output.append(0x0C)
    case UInt8(ascii: "n"): output.append(0x0A)
    case UInt8(ascii: "r"): output.append(0x0D)
    case UInt8(ascii: "t"): output.append(0x09)
    case UInt8(ascii: "u"):
      var end = at + 5
      var code = unsafe hexadecimal(bytes[(at + 1)..<end])
      if code & 0xF800 == 0xD800 {
        code = unsafe 0x10000 + (code & 0x3FF) << 10 + hexadecimal(bytes[(end + 2)..<(end + 6)]) & 0x3FF
        end += 6
      }
      if let scalar = Unicode.Scalar(code) { output.append(contentsOf: UTF8.encode(scalar) ?? .init()) }
      return end
    case let itself: output.append(itself)
    }
    return at + 1
  }

  private static func hexadecimal(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> UInt32 {
    unsafe digits.reduce(0) { $0 << 4 | (Indexer.hexadecimalDigit($1) ?? 0) }
  }
}
