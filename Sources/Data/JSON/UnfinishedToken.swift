import CLibraries

/// Incomplete token, scanned from where the last scan ended. The indexer reads a token from its first byte. Repeating
/// this for each piece of a long token would take quadratic time, so the indexer continues only when the token may be
/// complete or invalid. Each byte is then read a fixed number of times, however small the pieces are.
struct UnfinishedToken {
  private enum State {
    case blanks, digits, string
    /// A token of a few bytes: the indexer reads it again at once.
    case short
  }

  private var position: Int
  private var state: State
  /// Whether the last byte of a string was the backslash of an escape.
  private var isEscaped = false
  /// Number of examined bytes, for tests of the growth.
  private(set) var bytesVisited = 0

  /// The token that begins at `position`, or behind the white space there, and reaches `limit`. A token that begins
  /// with a quote is an unfinished string only if `problem` is the missing closing quote. Otherwise it is a complete
  /// name, and the white space behind it reaches the limit.
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

  /// Whether the token may be complete at `limit`, where the sentinel is. Ignores invalid escapes in a string.
  mutating func mayEnd(in bytes: UnsafePointer<UInt8>, limit: Int) -> Bool {
    let start = position
    defer { bytesVisited += position - start }
    switch state {
    case .blanks: unsafe Indexer.skipBlanks(bytes, &position)
    case .digits: unsafe Indexer.skipDigits(bytes, &position)
    case .string: unsafe skipString(bytes, limit)
    case .short: return true
    }
    return position < limit
  }

  /// Moves to the first byte that ends the string or may not be in it, at most to `limit`.
  private mutating func skipString(_ bytes: UnsafePointer<UInt8>, _ limit: Int) {
    var stops = StringStops()
    while position < limit {
      if !isEscaped {
        position = min(unsafe stops.next(bytes, position), limit)
        guard unsafe position < limit && bytes[position] == UInt8(ascii: "\\") else { return }
      }
      isEscaped.toggle()
      position += 1
    }
  }
}
