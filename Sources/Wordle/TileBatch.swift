import System

/// Pairs in, rows out: a line with a guess and a word becomes a line with their tiles, in order, so that `paste` can
/// put the two side by side.
///
/// The two words stand apart by spaces and tabs, as many as you like, before and after them too; lines end in LF or
/// CR LF, the last one perhaps in nothing. Every other line is an error, an empty one too: to skip it would put the
/// rows beside the wrong lines.
public enum TileBatch {
  /// Writes a row a line. What was read is answered before more is read, so whoever feeds a pipe sees its rows at once.
  /// At the first bad line it fails (`usage`, with the line's number), after everything before it was written.
  public static func run(_ source: any ByteSource, to sink: any ByteSink, style: TileStyle) throws(Failure) {
    var lines = LineReader(source)
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
    var lines = LineReader(source)
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

/// A guess and a word as they were given, and what the guess gets.
public struct TileRow: Equatable, Sendable {
  public let guess: String
  public let word: String
  public let tiles: Tiles

  public init(guess: String, word: String) throws(Failure) {
    self.guess = guess
    self.word = word
    tiles = try Tiles(guess: guess, word: word)
  }

  /// Reads `guess word`; a failure names the line by its number.
  init(line: Span<UInt8>, number: Int) throws(Failure) {
    do throws(Failure) {
      let words = Words(of: line)
      guard words.count == 2 else {
        throw Failure(
          .usage,
          "expected a guess and a word, found \(words.count == 1 ? "1 word" : "\(words.count) words")",
          hint: "give a pair a line, blanks between the two")
      }
      try self.init(guess: text(line.extracting(words.guess)), word: text(line.extracting(words.word)))
    } catch {
      var failure = error
      failure.message = "line \(number): \(failure.message)"
      failure.details.append(.init("line", .integer(number)))
      throw failure
    }
  }
}

/// Where in a line its words stand: the first two, and how many there are.
private struct Words {
  private(set) var guess = 0..<0
  private(set) var word = 0..<0
  private(set) var count = 0

  init(of line: Span<UInt8>) {
    var start = 0
    for index in 0...line.count {
      guard index == line.count || line[index] == UInt8(ascii: " ") || line[index] == UInt8(ascii: "\t")
      else {
        continue
      }
      if start < index { append(start..<index) }
      start = index + 1
    }
  }

  private mutating func append(_ range: Range<Int>) {
    count += 1
    if count == 1 { guess = range }
    if count == 2 { word = range }
  }
}

private func text(_ bytes: Span<UInt8>) throws(Failure) -> String {
  guard let text = String(validating: bytes.indices.map { bytes[$0] }, as: UTF8.self) else {
    throw Failure(.usage, "invalid UTF-8", hint: "convert the input to UTF-8, with iconv for example")
  }
  return text
}
