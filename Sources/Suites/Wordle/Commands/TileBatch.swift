import Output
import System

/// Converts lines with a guess and a word to rows of tiles. Blanks and tabs separate the words, and may surround them.
/// Lines end in LF or CR LF, which the last line may lack. Blank lines are skipped; others are errors.
struct TileBatch {
  static let longestLine = 64 << 10

  /// The terminator of lines and rows: NUL for `-0`.
  var separator = UInt8(ascii: "\n")

  private func lines(of source: any ByteSource) -> LineReader {
    LineReader(
      source, longest: TileBatch.longestLine, hint: "give one pair per line, blanks between the two words",
      separator: separator)
  }

  /// Writes a row per line. Flushes the rows of all lines read before it reads more, so that programs can converse over
  /// pipes. Fails (`usage`) with the number of the first invalid line, after the rows before it.
  func run(_ source: any ByteSource, to sink: any ByteSink, style: TileStyle) throws(Failure) {
    var lines = lines(of: source)
    var rows = TileRowWriter(sink, style: style, terminator: separator)
    while try lines.refill() {
      do throws(Failure) {
        repeat {
          rows.appendFiveLetterRows(from: &lines)
        } while try appendNext(of: &lines, to: &rows)
      } catch {
        try rows.flush()
        throw error
      }
      try rows.flush()
    }
  }

  func run(_ source: any ByteSource, to output: Output, style: TileStyle) throws(Failure) {
    var lines = lines(of: source)
    var records = FiveLetterRecords(output, style)
    try output.write(each: GuessRow.self) { rows throws(Failure) in
      while try lines.refill() {
        try records?.write(from: &lines, to: &rows)
        while let line = lines.next() {
          if let row = try row(lines.buffer.span.extracting(line), number: lines.number) {
            try rows.write(GuessRow(row, style))
          }
          try records?.write(from: &lines, to: &rows)
        }
      }
    }
  }

  private func row(_ line: Span<UInt8>, number: Int) throws(Failure) -> TileRow? {
    guard Words(of: line).count > 0 else { return nil }
    return try TileRow(line: line, number: number)
  }

  /// Appends the row of the next buffered line. Returns false if no line is buffered.
  private func appendNext(of lines: inout LineReader, to rows: inout TileRowWriter) throws(Failure) -> Bool {
    guard let line = lines.next() else { return false }
    let bytes = lines.buffer.span.extracting(line)
    let words = Words(of: bytes)
    guard words.count > 0 else { return true }
    let guess = bytes.extracting(words.guess)
    if words.count == 2, let tiles = Tiles(asciiGuess: guess, word: bytes.extracting(words.word)) {
      try rows.append(tiles, asciiGuess: guess)
    } else {
      try rows.append(try TileRow(line: bytes, number: lines.number))
    }
    return true
  }
}
