import CLibraries
import System

/// Ends of the plain parts of strings, found 64 bytes at a time. The processor computes a mask for several strings at
/// once; a search from the start of each string could begin only after the end of the string before.
struct StringStops {
  private var base = Int.min / 2
  private var mask: UInt64 = 0

  /// First offset from `at` on without a plain character. The sentinel is not plain, so there always is one.
  @inline(__always)
  mutating func next(_ bytes: UnsafePointer<UInt8>, _ at: Int) -> Int {
    var at = at
    while true {
      if UInt(bitPattern: at &- base) >= 64 {
        base = at
        mask = unsafe hw_string_stops(bytes + at)
      }
      let left = mask &>> UInt64(truncatingIfNeeded: at &- base)
      if left != 0 { return at &+ left.trailingZeroBitCount }
      at = base &+ 64
    }
  }
}

/// Tokens of JSON: each function skips one from its first byte, or stops at its error.
extension Indexer {
  @inline(__always)
  static func skipBlanks(_ bytes: UnsafePointer<UInt8>, _ at: inout Int) {
    guard unsafe bytes[at] <= 0x20 else { return }
    while true {
      let run = unsafe Int(hw_blank_run(bytes + at))
      at &+= run
      if run < 16 { return }
    }
  }

  @inline(__always)
  static func string(
    _ bytes: UnsafePointer<UInt8>, _ at: inout Int, _ stops: inout StringStops, _ complex: inout UInt32
  ) -> SyntaxError? {
    at &+= 1
    while true {
      at = unsafe stops.next(bytes, at)
      let byte = unsafe bytes[at]
      if byte == UInt8(ascii: "\"") {
        at &+= 1
        return nil
      }
      guard byte == UInt8(ascii: "\\") else { return .controlCharacter }
      complex = IndexEntry.complex
      let (end, syntaxError) = unsafe escape(bytes, at)
      at = end
      if let syntaxError { return syntaxError }
    }
  }

  /// Returns the end of the escape at `at`. For an invalid escape, returns its start; for one that a zero byte ends,
  /// which may be the sentinel of an unfinished text, returns that byte. Functions that are not inlined take the offset
  /// by value: a variable whose address is taken lives in memory, and the whole loop would wait for it.
  @inline(never)
  static func escape(_ bytes: UnsafePointer<UInt8>, _ at: Int) -> (end: Int, SyntaxError?) {
    var end = at + 1
    var syntaxError: SyntaxError?
    switch unsafe bytes[end] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      end += 1
    case UInt8(ascii: "u"):
      end += 1
      switch unsafe hexadecimal(bytes, &end) {
      case nil: syntaxError = .escape
      case .some(0xDC00...0xDFFF): syntaxError = .loneSurrogate
      case .some(0xD800...0xDBFF):
        let isSecond = unsafe skipIfPresent("\\", bytes, &end) && skipIfPresent("u", bytes, &end)
        let isPair = unsafe isSecond && (0xDC00...0xDFFF).contains(hexadecimal(bytes, &end) ?? 0)
        syntaxError = isPair ? nil : .loneSurrogate
      default: break
      }
    default: syntaxError = .escape
    }
    return unsafe syntaxError == nil || bytes[end] == 0 ? (end, syntaxError) : (at, syntaxError)
  }

  static func skipIfPresent(
    _ character: Unicode.Scalar, _ bytes: UnsafePointer<UInt8>, _ at: inout Int
  ) -> Bool {
    guard unsafe bytes[at] == UInt8(ascii: character) else { return false }
    at &+= 1
    return true
  }

  static func hexadecimal(_ bytes: UnsafePointer<UInt8>, _ at: inout Int) -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = unsafe bytes[at].hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
      at &+= 1
    }
    return value
  }

  @inline(__always)
  static func number(
    _ bytes: UnsafePointer<UInt8>, _ at: inout Int, _ complex: inout UInt32
  ) -> SyntaxError? {
    if unsafe bytes[at] == UInt8(ascii: "-") { at &+= 1 }
    let first = at
    unsafe skipDigits(bytes, &at)
    if at == first { return .digit }
    if unsafe bytes[first] == UInt8(ascii: "0") && at &- first > 1 {
      at = first
      return .leadingZero
    }
    let byte = unsafe bytes[at]
    guard byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") else { return nil }
    complex = IndexEntry.complex
    let (end, syntaxError) = unsafe fraction(bytes, at)
    at = end
    return syntaxError
  }

  /// Returns the end of the fraction and the exponent at `at`, or the position of their error.
  @inline(never)
  static func fraction(_ bytes: UnsafePointer<UInt8>, _ at: Int) -> (end: Int, SyntaxError?) {
    var end = at
    if unsafe bytes[end] == UInt8(ascii: ".") {
      end += 1
      let first = end
      unsafe skipDigits(bytes, &end)
      if end == first { return (end, .digit) }
    }
    if unsafe bytes[end] | 0x20 == UInt8(ascii: "e") {
      end += 1
      if unsafe bytes[end] == UInt8(ascii: "+") || bytes[end] == UInt8(ascii: "-") { end += 1 }
      let first = end
      unsafe skipDigits(bytes, &end)
      if end == first { return (end, .digit) }
    }
    return (end, nil)
  }

  @inline(__always)
  static func skipDigits(_ bytes: UnsafePointer<UInt8>, _ at: inout Int) {
    while true {
      let run = unsafe Int(hw_digit_run(bytes + at))
      at &+= run
      if run < 16 { return }
    }
  }

  /// Skips `null`, `true` or `false`. If the text ends within one, `at` moves there.
  @inline(__always)
  static func literal(_ bytes: UnsafePointer<UInt8>, _ at: inout Int) -> Bool {
    let word = unsafe UInt32(littleEndian: UnsafeRawPointer(bytes + at).loadUnaligned(as: UInt32.self))
    if word == 0x6C6C_756E || word == 0x6575_7274 {  // "null", "true"
      at &+= 4
      return true
    }
    if unsafe word == 0x736C_6166 && bytes[at + 4] == UInt8(ascii: "e") {  // "fals", "e"
      at &+= 5
      return true
    }
    at = unsafe endOfUnfinishedLiteral(bytes, at)
    return false
  }

  /// Returns the offset of the zero byte that ends a literal too early; `at` without one. The caller has excluded
  /// complete literals, so no comparison reads behind the end of its literal.
  @inline(never)
  static func endOfUnfinishedLiteral(_ bytes: UnsafePointer<UInt8>, _ at: Int) -> Int {
    for literal: StaticString in ["null", "true", "false"] {
      var end = at
      while unsafe bytes[end] == literal.utf8Start[end - at] { end += 1 }
      if unsafe bytes[end] == 0 { return end }
    }
    return at
  }
}
