/// A set of ASCII bytes, as 128 bits: membership is a shift, quick enough for every byte of a request.
struct ByteSet: Sendable {
  let low: UInt64
  let high: UInt64

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    let half = byte < 64 ? low : high
    return byte < 128 && half &>> UInt64(byte & 63) & 1 == 1
  }

  func containsAll(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    for index in range where !contains(bytes[index]) { return false }
    return true
  }

  // Computed, so that the optimizer sees the literals; a test holds them against the grammar's own words.

  /// RFC 9110, 5.6.2: what methods and header names are made of.
  static var token: ByteSet { ByteSet(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE) }
  /// Visible ASCII but `#`. The grammar is stricter; clients are not (`team_ids[]=14`).
  static var target: ByteSet { ByteSet(low: 0xFFFF_FFF6_0000_0000, high: 0x7FFF_FFFF_FFFF_FFFF) }
  /// Visible ASCII, space and tab; header values may hold bytes from 0x80 on beside it.
  static var value: ByteSet { ByteSet(low: 0xFFFF_FFFF_0000_0200, high: 0x7FFF_FFFF_FFFF_FFFF) }
  /// RFC 3986: the bytes of host and port.
  static var host: ByteSet { ByteSet(low: 0x2FFF_6FF2_0000_0000, high: 0x47FF_FFFE_AFFF_FFFE) }
}

/// The bytes that the grammar names.
enum Byte {
  static var tab: UInt8 { 0x09 }
  static var lineFeed: UInt8 { 0x0A }
  static var carriageReturn: UInt8 { 0x0D }
  static var space: UInt8 { 0x20 }

  /// A letter of ASCII in lower case; any other byte as it is.
  static func lowered(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

extension Span<UInt8> {
  /// Whether the bytes of `range` are `word`, letters of either case being the same.
  func matches(_ word: StaticString, _ range: Range<Int>) -> Bool {
    guard range.count == word.utf8CodeUnitCount else { return false }
    let letters = unsafe Span<UInt8>(_unsafeStart: word.utf8Start, count: word.utf8CodeUnitCount)
    for offset in 0..<range.count {
      if Byte.lowered(self[range.lowerBound + offset]) != Byte.lowered(letters[offset]) { return false }
    }
    return true
  }

  /// Whether the bytes of `range` are exactly `other`.
  func equals(_ other: [UInt8], _ range: Range<Int>) -> Bool {
    guard range.count == other.count else { return false }
    for offset in 0..<range.count where self[range.lowerBound + offset] != other[offset] { return false }
    return true
  }

  /// `range` without spaces and tabs at its ends.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, self[start] == Byte.space || self[start] == Byte.tab { start += 1 }
    while start < end, self[end - 1] == Byte.space || self[end - 1] == Byte.tab { end -= 1 }
    return start..<end
  }
}
