import System

/// Pairs in, rows out: a line with a guess and a word becomes a line with their tiles, in order, so that `paste` can
/// put the two side by side.
///
/// The two words stand apart by spaces and tabs, as many as you like, before and after them too; lines end in LF or
/// CR LF, the last one perhaps in nothing. Every other line is an error, an empty one too: to skip it would put the
/// rows beside the wrong lines.
public enum TileBatch {
  static let longestLine = 64 << 10

  private static func lines(of source: any ByteSource) -> LineReader {
    LineReader(source, longest: longestLine, hint: "give one pair per line, blanks between the two words")
  }

  /// Writes a row a line. What was read is answered before more is read, so whoever feeds a pipe sees its rows at once.
  /// At the first bad line it fails (`usage`, with the line's number), after everything before it was written.
  public static func run(_ source: any ByteSource, to sink: any ByteSink, style: TileStyle) throws(Failure) {
    var lines = lines(of: source)
    var rows = TileRowWriter(sink, style: style)
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

  /// The same for whoever has a form of his own for a row, one call a line.
  public static func forEach(
    _ source: any ByteSource, _ body: (TileRow) throws(Failure) -> Void
  ) throws(Failure) {
    var lines = lines(of: source)
    while try lines.refill() {
      while let line = lines.next() {
        try body(TileRow(line: lines.buffer.span.extracting(line.range), number: line.number))
      }
    }
  }

  /// One line, of whatever kind; false when there is none.
  private static func appendNext(of lines: inout LineReader, to rows: inout TileRowWriter) throws(Failure)
    -> Bool
  {
    guard let line = lines.next() else { return false }
    let bytes = lines.buffer.span.extracting(line.range)
    let words = Words(of: bytes)
    let guess = bytes.extracting(words.guess)
    if words.count == 2, let tiles = Tiles(asciiGuess: guess, word: bytes.extracting(words.word)) {
      try rows.append(tiles, asciiGuess: guess)
    } else {
      try rows.append(TileRow(line: bytes, number: line.number))
    }
    return true
  }
}
