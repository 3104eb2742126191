import System

/// The lines of a source, one after the other, out of one buffer that is used again and again.
struct LineReader {
  /// What the buffer holds, and so the longest line there may be.
  static let longest = 64 * 1024

  private let source: any ByteSource
  /// What to do about a line that is too long.
  private let hint: String
  private(set) var buffer = [UInt8](repeating: 0, count: longest)
  /// Where in the buffer the bytes not yet taken stand, and how far they are known to hold no line end.
  private var start = 0
  private var end = 0
  private var searched = 0
  private var ended = false
  /// How many lines were taken: the number of the last one.
  private(set) var number = 0

  init(_ source: any ByteSource, hint: String = "give a pair a line, blanks between the two") {
    self.source = source
    self.hint = hint
  }

  /// Reads once, whatever that brings; false when everything was taken. A last line without a line end gets one.
  mutating func refill() throws(Failure) -> Bool {
    guard !ended else { return false }
    makeRoom()
    guard end < buffer.count else {
      throw Failure(
        .usage, "line \(number + 1): longer than \(LineReader.longest) bytes",
        hint: hint, details: [.init("line", .integer(number + 1))])
    }
    let count = try LineReader.read(source, into: &buffer, from: end)
    if count > 0 {
      end += count
    } else {
      ended = true
      guard start < end else { return false }
      buffer[end] = UInt8(ascii: "\n")
      end += 1
    }
    return true
  }

  private static func read(
    _ source: any ByteSource, into buffer: inout [UInt8], from start: Int
  ) throws(Failure) -> Int {
    var span = buffer.mutableSpan
    // Sound: any bits are a byte.
    var bytes = unsafe span.mutableBytes
    var room = bytes._mutatingExtracting(droppingFirst: start)
    return try source.read(into: &room)
  }

  private mutating func makeRoom() {
    guard start > 0 else { return }
    for index in start..<end {
      buffer[index - start] = buffer[index]
    }
    searched -= start
    end -= start
    start = 0
  }

  /// The next line, as far as one is in the buffer, without its end (LF or CR LF).
  mutating func next() -> Line? {
    while searched < end {
      searched += 1
      guard buffer[searched - 1] == UInt8(ascii: "\n") else { continue }
      number += 1
      let first = start
      start = searched
      var last = searched - 1
      if last > first, buffer[last - 1] == UInt8(ascii: "\r") { last -= 1 }
      return Line(number: number, range: first..<last)
    }
    return nil
  }

  /// A line's bytes stand in `buffer` at `range`, until the next `refill`.
  struct Line {
    let number: Int
    let range: Range<Int>
  }

  /// Where in `buffer` everything not yet taken stands.
  var rest: Range<Int> { start..<end }

  /// Counts `lines` whole lines, `bytes` bytes in all, as taken by somebody who read them in `rest`.
  mutating func skip(lines: Int, bytes: Int) {
    number += lines
    start += bytes
    searched = max(searched, start)
  }
}
