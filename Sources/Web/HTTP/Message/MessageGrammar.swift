public enum MessageError: Error, Equatable, Sendable {
  /// A violation of RFC 9112; the text completes the sentence "the message …".
  case malformed(String)
  case tooLarge(limit: Int)
  case cutShort
}

/// A set of ASCII bytes, stored as 128 bits: membership is a shift, fast enough for every byte of a request. Inlinable,
/// like all of the grammar, because the server's parser is in another module.
@frozen public struct ByteSet: Sendable {
  @usableFromInline let low: UInt64
  @usableFromInline let high: UInt64

  @inlinable public init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  @inlinable @inline(__always)
  public func contains(_ byte: UInt8) -> Bool {
    let half = byte < 64 ? low : high
    return byte < 128 && half &>> UInt64(byte & 63) & 1 == 1
  }

  @inlinable public func containsAll(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    for index in range where !contains(bytes[index]) { return false }
    return true
  }

  // Computed, so that the optimizer sees the literals; a test compares them with the grammar's character lists.

  /// Bytes of methods and header names (RFC 9110, 5.6.2).
  @inlinable public static var token: ByteSet {
    ByteSet(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE)
  }
  /// Visible ASCII except `#`. The grammar is stricter; clients are not (`team_ids[]=14`).
  @inlinable public static var target: ByteSet {
    ByteSet(low: 0xFFFF_FFF6_0000_0000, high: 0x7FFF_FFFF_FFFF_FFFF)
  }
  /// Visible ASCII, space and tab. Header values may also contain bytes from 0x80 on (`UInt8.isFieldText`).
  @inlinable public static var value: ByteSet {
    ByteSet(low: 0xFFFF_FFFF_0000_0200, high: 0x7FFF_FFFF_FFFF_FFFF)
  }
  /// Bytes of host and port (RFC 3986).
  @inlinable public static var host: ByteSet {
    ByteSet(low: 0x2FFF_6FF2_0000_0000, high: 0x47FF_FFFE_AFFF_FFFE)
  }
}

public enum Byte {
  @inlinable public static var tab: UInt8 { 0x09 }
  @inlinable public static var lineFeed: UInt8 { 0x0A }
  @inlinable public static var carriageReturn: UInt8 { 0x0D }
  @inlinable public static var space: UInt8 { 0x20 }

  @inlinable public static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }
}

extension UInt8 {
  /// Whether the byte may be part of a method or a header name (RFC 9110, 5.6.2).
  @inlinable public var isToken: Bool { ByteSet.token.contains(self) }

  /// Whether the byte may be part of a header value: visible, space, tab, or beyond ASCII.
  @inlinable public var isFieldText: Bool { self >= 0x80 || ByteSet.value.contains(self) }
}

/// A header line (RFC 9112, 5), checked byte by byte: the ranges of its name and of its value without blanks at the ends.
@frozen public struct HeaderLine: Equatable, Sendable {
  public let name: Range<Int>
  public let value: Range<Int>

  public enum Malformation: Error, Equatable, Sendable {
    /// The line begins with a space or tab, which once continued the line before.
    case folded
    /// The name is empty, contains a byte that is not a token's, or is not followed by a colon.
    case name
    case value
  }

  @inlinable public init(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(Malformation) {
    var colon = line.lowerBound
    while colon < line.upperBound, ByteSet.token.contains(bytes[colon]) { colon += 1 }
    guard colon < line.upperBound, colon > line.lowerBound, bytes[colon] == UInt8(ascii: ":") else {
      guard !line.isEmpty else { throw .name }
      let first = bytes[line.lowerBound]
      throw first == Byte.space || first == Byte.tab ? .folded : .name
    }
    for index in colon + 1..<line.upperBound where !bytes[index].isFieldText { throw .value }
    name = line.lowerBound..<colon
    value = bytes.trimmed(colon + 1..<line.upperBound)
  }
}

extension Span<UInt8> {
  @inlinable public func matches(_ word: StaticString, _ range: Range<Int>) -> Bool {
    guard range.count == word.utf8CodeUnitCount else { return false }
    let letters = unsafe Span<UInt8>(_unsafeStart: word.utf8Start, count: word.utf8CodeUnitCount)
    for offset in 0..<range.count {
      if Byte.lowercased(self[range.lowerBound + offset]) != Byte.lowercased(letters[offset]) { return false }
    }
    return true
  }

  @inlinable public func equals(_ other: [UInt8], _ range: Range<Int>) -> Bool {
    guard range.count == other.count else { return false }
    for offset in 0..<range.count where self[range.lowerBound + offset] != other[offset] { return false }
    return true
  }

  @inlinable public func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, self[start] == Byte.space || self[start] == Byte.tab { start += 1 }
    while start < end, self[end - 1] == Byte.space || self[end - 1] == Byte.tab { end -= 1 }
    return start..<end
  }

  /// Parses digits; nil for any other text. A number above `Int.max` becomes `Int.max`, so every limit catches it.
  @inlinable public func decimal(_ range: Range<Int>) -> Int? {
    guard !range.isEmpty else { return nil }
    var number = 0
    for index in range {
      let digit = self[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      let (tenfold, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, isStillTooLarge) = tenfold.addingReportingOverflow(Int(digit))
      number = isTooLarge || isStillTooLarge ? .max : sum
    }
    return number
  }
}

extension [UInt8] {
  mutating func append(_ bytes: Span<UInt8>) {
    // Array accepts only sequences, and Span is not one; the pointer does not leave the closure.
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
