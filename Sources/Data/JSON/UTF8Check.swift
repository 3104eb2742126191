import CLibraries

/// Check of UTF-8 (RFC 3629): nothing overlong, no surrogate, nothing above U+10FFFF.
enum UTF8Check {
  /// Offset of the first invalid byte, or the end of the range, which must begin with a character. Reads up to three
  /// bytes before the range, which the document's margin allows.
  static func firstInvalid(in bytes: UnsafePointer<UInt8>, _ range: Range<Int>) -> Int {
    let raw = unsafe UnsafeRawPointer(bytes)
    var offset = range.lowerBound
    while range.upperBound - offset >= 64 {
      if unsafe isASCII(raw + offset) && isComplete(raw + offset) {
        offset += 64
        continue
      }
      let faults =
        unsafe hw_utf8_faults(bytes + offset) | hw_utf8_faults(bytes + offset + 16)
        | hw_utf8_faults(bytes + offset + 32) | hw_utf8_faults(bytes + offset + 48)
      if faults != 0 { break }
      offset += 64
    }
    // The rest, and a block with an invalid byte, one by one, from the start of the character that reaches into it.
    if offset > range.lowerBound { offset -= 1 }
    while offset > range.lowerBound, unsafe bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
    while offset < range.upperBound {
      let length = unsafe length(at: bytes + offset, atMost: range.upperBound - offset)
      if length == 0 { return offset }
      offset += length
    }
    return offset
  }

  /// Number of bytes at the end of the range that begin an incomplete character.
  static func openTail(of bytes: UnsafePointer<UInt8>, _ range: Range<Int>) -> Int {
    for back in 1...3 where back <= range.count {
      let byte = unsafe bytes[range.upperBound - back]
      if byte & 0xC0 != 0x80 {
        let needed = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
        return needed > back ? back : 0
      }
    }
    return 0
  }

  /// Length of the character at `bytes`; 0 if it is invalid.
  static func length(at bytes: UnsafePointer<UInt8>, atMost limit: Int) -> Int {
    let lead = unsafe bytes[0]
    if lead < 0x80 { return 1 }
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: length = 4
    default: return 0
    }
    guard length <= limit, second.contains(unsafe bytes[1]) else { return 0 }
    for index in 2..<length where unsafe bytes[index] & 0xC0 != 0x80 { return 0 }
    return length
  }

  @inline(__always)
  private static func isASCII(_ bytes: UnsafeRawPointer) -> Bool {
    var all: SIMD2<UInt64> = unsafe bytes.loadUnaligned(as: SIMD2<UInt64>.self)
    all |= unsafe bytes.loadUnaligned(fromByteOffset: 16, as: SIMD2<UInt64>.self)
    all |= unsafe bytes.loadUnaligned(fromByteOffset: 32, as: SIMD2<UInt64>.self)
    all |= unsafe bytes.loadUnaligned(fromByteOffset: 48, as: SIMD2<UInt64>.self)
    return (all[0] | all[1]) & 0x8080_8080_8080_8080 == 0
  }

  /// Whether no character before `bytes` continues there.
  @inline(__always)
  private static func isComplete(_ bytes: UnsafeRawPointer) -> Bool {
    unsafe bytes.load(fromByteOffset: -1, as: UInt8.self) < 0xC0
      && bytes.load(fromByteOffset: -2, as: UInt8.self) < 0xE0
      && bytes.load(fromByteOffset: -3, as: UInt8.self) < 0xF0
  }
}
