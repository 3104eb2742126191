import CLibraries

/// A line and a column, both from 1; a column is a Unicode scalar.
struct Place: Equatable {
  var line = 1
  var column = 1

  mutating func advance(over bytes: UnsafeBufferPointer<UInt8>) {
    guard let first = bytes.baseAddress else { return }
    let lines = unsafe hw_count_newlines(first, bytes.count)
    var start = 0
    if lines > 0, let newline = unsafe bytes.lastIndex(of: UInt8(ascii: "\n")) {
      line += lines
      column = 1
      start = newline + 1
    }
    column += unsafe hw_count_characters(first + start, bytes.count - start)
  }
}
