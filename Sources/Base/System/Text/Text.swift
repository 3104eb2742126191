import CLibraries

// Byte-wise search: the standard library's own functions link the regex engine, a third of a small binary. Where
// those are imported, as in tests, they take precedence: these are disfavored.

extension StringProtocol {
  @_disfavoredOverload
  public func contains(_ part: some StringProtocol) -> Bool {
    var (text, part) = (String(self), String(part))
    return text.withUTF8 { text in
      part.withUTF8 { part in
        guard let start = text.baseAddress, let wanted = part.baseAddress else { return part.isEmpty }
        return unsafe hw_contains(start, text.count, wanted, part.count) != 0
      }
    }
  }

  @_disfavoredOverload
  public func replacing(_ old: String, with new: String) -> String {
    let old = Array(old.utf8)
    var rest = Array(utf8)[...]
    var result: [UInt8] = []
    while let first = rest.first {
      if !old.isEmpty, rest.starts(with: old) {
        result.append(contentsOf: new.utf8)
        rest = rest.dropFirst(old.count)
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  public var markupEscaped: String {
    [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")].reduce("\(self)") {
      $0.replacing($1.0, with: $1.1)
    }
  }

  /// Parts between the separators, without empty ones.
  public func split(by separator: String) -> [String] {
    replacing(separator, with: "\0").split(separator: "\0").map(String.init)
  }

  public var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}

extension UInt8 {
  @inlinable @inline(__always)
  public var isASCIIDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  @inlinable
  public var isLowercaseHexDigit: Bool { isASCIIDigit || self &- UInt8(ascii: "a") < 6 }

  /// Value of a hexadecimal digit in either case; nil for any other byte.
  @inlinable @inline(__always)
  public var hexDigitValue: UInt8? {
    if isASCIIDigit { return self &- UInt8(ascii: "0") }
    let letter = (self | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter &+ 10 : nil
  }

  @inlinable
  public init(hexDigitOf value: UInt8) { self = value < 10 ? value &+ 0x30 : value &+ 0x57 }

  @inlinable
  public var isASCIIAlphanumeric: Bool { isASCIIDigit || (self | 0x20) &- UInt8(ascii: "a") < 26 }
}

extension [UInt8] {
  mutating func withMutableBytes<Result, Problem: Error>(
    from start: Int, _ body: (inout MutableRawSpan) throws(Problem) -> Result
  ) throws(Problem) -> Result {
    var span = mutableSpan
    // Sound: any bits are a byte.
    var bytes = unsafe span.mutableBytes
    var room = bytes._mutatingExtracting(droppingFirst: start)
    return try body(&room)
  }

  /// Makes an array of the bytes that `read` stores at the front of a block of `count`; it returns their number.
  init<Problem: Error>(
    atMost count: Int, _ read: (inout MutableRawSpan) throws(Problem) -> Int
  ) throws(Problem) {
    self.init(repeating: 0, count: count)
    removeLast(count - (try withMutableBytes(from: 0, read)))
  }

  /// Appends a few bytes, between two `quote`s if given. Faster than `append(contentsOf:)`, which chooses a way to copy
  /// at each call: most of the time of a JSON row.
  @inlinable @inline(__always)
  public mutating func append(few bytes: UnsafeBufferPointer<UInt8>, quote: UInt8? = nil) {
    let extra = quote == nil ? 0 : 2
    append(addingCapacity: bytes.count + extra) { output in
      unsafe output.withUnsafeMutableBufferPointer { room, used in
        guard var end = unsafe room.baseAddress.map({ unsafe $0 + used }) else { return }
        if let quote {
          unsafe end.pointee = quote
          unsafe end += 1
        }
        if let start = bytes.baseAddress { unsafe end.update(from: start, count: bytes.count) }
        if let quote { unsafe end[bytes.count] = quote }
        used += bytes.count + extra
      }
    }
  }
}
