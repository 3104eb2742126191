import CLibraries
import System

/// Incomplete token, scanned from where the last scan ended.
///
/// The indexer reads a token from its first byte. Repeating this for each piece of a long token would take quadratic
/// time, so the indexer continues only when the token may be complete or invalid. Each byte is then read a fixed
/// number of times, however small the pieces are.
struct UnfinishedToken {
  /// State after the bytes up to `position`. The hexadecimal digits of an escape carry their number so far and their
  /// value; `half` is the first half of a surrogate pair, whose second is due.
  private enum State {
    case blanks
    case digits
    case string, backslash, hexadecimal(Int, UInt32), half, halfBackslash, halfDigits(Int, UInt32)
    /// A token of a few bytes: the indexer reads it again at once.
    case short
  }

  /// The first byte that was not looked at.
  private var position: Int
  private var state: State
  /// How many bytes were looked at, for tests of the growth.
  private(set) var bytesVisited = 0

  /// The token that begins at `position`, or behind the white space there, and reaches `limit`. With the quote missing
  /// it is a string; otherwise what reaches the limit may also be the white space behind a name.
  init(in bytes: UnsafePointer<UInt8>, from position: Int, limit: Int, problem: SyntaxError) {
    var start = position
    unsafe Indexer.skipBlanks(bytes, &start)
    bytesVisited = start - position
    self.position = limit
    let byte = unsafe bytes[start]
    switch (byte, problem) {
    case _ where start >= limit: state = .blanks
    case (UInt8(ascii: "\""), .quote):
      self.position = start + 1
      state = .string
      _ = unsafe mayEnd(in: bytes, limit: limit)
    case (UInt8(ascii: "\""), _): state = .blanks
    case (UInt8(ascii: "-"), _), (UInt8(ascii: "0")...UInt8(ascii: "9"), _): state = .digits
    default: state = .short
    }
  }

  /// Looks at the bytes up to `limit`, where the sentinel is: whether the indexer can make something of the token.
  mutating func mayEnd(in bytes: UnsafePointer<UInt8>, limit: Int) -> Bool {
    let start = position
    defer { bytesVisited += position - start }
    switch state {
    case .blanks:
      unsafe Indexer.skipBlanks(bytes, &position)
      return position < limit
    case .digits:
      unsafe Indexer.skipDigits(bytes, &position)
      return position < limit
    case .short: return true
    default: break
    }
    var stops = StringStops()
    while position < limit {
      if case .string = state {
        position = min(unsafe stops.next(bytes, position), limit)
        if position == limit { return false }
      }
      guard let next = unsafe state(after: bytes[position]) else { return true }
      state = next
      position += 1
    }
    return false
  }

  /// The state inside a string after this byte; nil if the string ends there or may not have it.
  private func state(after byte: UInt8) -> State? {
    switch state {
    case .string: return byte == UInt8(ascii: "\\") ? .backslash : nil
    case .backslash:
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
        UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
        return .string
      default: return byte == UInt8(ascii: "u") ? .hexadecimal(0, 0) : nil
      }
    case .hexadecimal(let count, let value):
      guard let digit = byte.hexDigitValue else { return nil }
      let code = value << 4 | UInt32(digit)
      guard count == 3 else { return .hexadecimal(count + 1, code) }
      switch code {
      case 0xD800...0xDBFF: return .half
      case 0xDC00...0xDFFF: return nil
      default: return .string
      }
    case .half: return byte == UInt8(ascii: "\\") ? .halfBackslash : nil
    case .halfBackslash: return byte == UInt8(ascii: "u") ? .halfDigits(0, 0) : nil
    case .halfDigits(let count, let value):
      guard let digit = byte.hexDigitValue else { return nil }
      let code = value << 4 | UInt32(digit)
      guard count == 3 else { return .halfDigits(count + 1, code) }
      return (0xDC00...0xDFFF).contains(code) ? .string : nil
    case .blanks, .digits, .short: return nil
    }
  }
}
