/// A line and a column, both from 1; a column is a Unicode scalar.
struct Place: Equatable {
  var line = 1
  var column = 1

  mutating func advance(over bytes: UnsafeBufferPointer<UInt8>) {
    var lastLine = 0
    if let newline = unsafe bytes.lastIndex(of: UInt8(ascii: "\n")) {
      lastLine = newline + 1
      column = 1
      line += unsafe Place.count(UnsafeBufferPointer(rebasing: bytes[..<lastLine])) { $0 .== 0x0A }
    }
    // What is not a continuation byte begins a character.
    column += unsafe Place.count(UnsafeBufferPointer(rebasing: bytes[lastLine...])) { ($0 & 0xC0) .!= 0x80 }
  }

  /// How many bytes satisfy `test`, sixteen at a time.
  @inline(__always)
  private static func count(
    _ bytes: UnsafeBufferPointer<UInt8>, where test: (SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>>
  ) -> Int {
    let raw = UnsafeRawBufferPointer(bytes)
    var total = 0
    var offset = 0
    while offset + 16 <= raw.count {
      // A lane counts to 255 before it must be emptied.
      let end = min(raw.count - 15, offset + 255 * 16)
      var lanes = SIMD16<UInt8>(repeating: 0)
      while offset < end {
        let block = unsafe raw.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
        lanes.replace(with: lanes &+ 1, where: test(block))
        offset += 16
      }
      for lane in 0..<16 { total += Int(lanes[lane]) }
    }
    while offset < raw.count {
      if test(SIMD16(repeating: unsafe raw[offset]))[0] { total += 1 }
      offset += 1
    }
    return total
  }
}
