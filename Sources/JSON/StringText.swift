/// The text of strings: their bytes between the quotes, with escapes resolved.
extension Document {
  /// Appends the string's UTF-8. The indexer has checked the escapes.
  func appendText(_ index: Int, to output: inout [UInt8]) {
    let entry = entry(index)
    let bytes = unsafe UnsafeBufferPointer(start: base + Int(entry.start) + 1, count: entry.length - 2)
    guard entry.isComplex else {
      unsafe output.append(contentsOf: bytes)
      return
    }
    var rest = unsafe bytes[...]
    while let backslash = unsafe rest.firstIndex(of: UInt8(ascii: "\\")) {
      unsafe output.append(contentsOf: rest[..<backslash])
      unsafe rest = rest[(backslash + 1)...]
      unsafe Document.appendEscape(&rest, to: &output)
    }
    unsafe output.append(contentsOf: rest)
  }

  private static func appendEscape(
    _ rest: inout Slice<UnsafeBufferPointer<UInt8>>, to output: inout [UInt8]
  ) {
    switch unsafe rest.removeFirst() {
    case UInt8(ascii: "b"): output.append(0x08)
    case UInt8(ascii: "f"): output.append(0x0C)
    case UInt8(ascii: "n"): output.append(0x0A)
    case UInt8(ascii: "r"): output.append(0x0D)
    case UInt8(ascii: "t"): output.append(0x09)
    case UInt8(ascii: "u"):
      var code = unsafe hexadecimal(&rest)
      if code & 0xF800 == 0xD800 {
        unsafe rest = rest.dropFirst(2)
        code = unsafe 0x10000 + (code & 0x3FF) << 10 + hexadecimal(&rest) & 0x3FF
      }
      if let scalar = Unicode.Scalar(code) { output.append(contentsOf: UTF8.encode(scalar) ?? .init()) }
    case let itself: output.append(itself)
    }
  }

  private static func hexadecimal(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> UInt32 {
    let value = unsafe rest.prefix(4).reduce(0) { $0 << 4 | (Indexer.hexadecimalDigit($1) ?? 0) }
    unsafe rest = rest.dropFirst(4)
    return value
  }
}
