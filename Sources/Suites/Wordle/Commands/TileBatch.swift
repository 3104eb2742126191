import Output
import System

/// Pairs in, rows out: a line with a guess and a word becomes a line with their tiles, in order.
///
/// The two words are separated by spaces and tabs, any number of them, before and after them too; lines end in LF or
/// CR LF, the last one perhaps in nothing. A blank line has no row. Every other line is an error.
struct TileBatch {
  static let longestLine = 64 << 10

  /// The terminator of input lines and output rows: NUL for `-0`.
  var separator = UInt8(ascii: "\n")

  private func lines(of source: any ByteSource) -> LineReader {
    LineReader(
      source, longest: TileBatch.longestLine, hint: "give one pair per line, blanks between the two words",
      separator: separator)
  }

  /// Writes a row a line. What was read is answered before more is read, so a program that feeds a pipe gets its rows at
  /// once. At the first bad line it fails (`usage`, with the line's number), after everything before it was written.
  func run(_ source: any ByteSource, to sink: any ByteSink, style: TileStyle) throws(Failure) {
    var lines = lines(of: source)
    var rows = TileRowWriter(sink, style: style, terminator: separator)
    while try lines.refill() {
      do throws(Failure) {
        repeat {
          rows.appendCommon(from: &lines)
        } while try appendNext(of: &lines, to: &rows)
      } catch {
        try rows.flush()
        throw error
      }
      try rows.flush()
    }
  }

  /// Writes a row a line in another format, or with chosen fields.
  func run(_ source: any ByteSource, to output: Output, style: TileStyle) throws(Failure) {
    var lines = lines(of: source)
    var records = FiveLetterRecords(output, style)
    try output.write(each: GuessRow.self) { rows throws(Failure) in
      while try lines.refill() {
        try records?.write(from: &lines, to: &rows)
        while let line = lines.next() {
          if let row = try row(lines.buffer.span.extracting(line.range), number: line.number) {
            try rows.write(GuessRow(row, style))
          }
          try records?.write(from: &lines, to: &rows)
        }
      }
    }
  }

  /// Reads a line; nil for a blank one.
  private func row(_ line: Span<UInt8>, number: Int) throws(Failure) -> TileRow? {
    guard Words(of: line).count > 0 else { return nil }
    return try TileRow(line: line, number: number)
  }

  /// Appends the row of the next buffered line, of any kind. Returns false if no line is buffered.
  private func appendNext(of lines: inout LineReader, to rows: inout TileRowWriter) throws(Failure) -> Bool {
    guard let line = lines.next() else { return false }
    let bytes = lines.buffer.span.extracting(line.range)
    let words = Words(of: bytes)
    guard words.count > 0 else { return true }
    let guess = bytes.extracting(words.guess)
    if words.count == 2, let tiles = Tiles(asciiGuess: guess, word: bytes.extracting(words.word)) {
      try rows.append(tiles, asciiGuess: guess)
    } else {
      try rows.append(try TileRow(line: bytes, number: line.number))
    }
    return true
  }
}
