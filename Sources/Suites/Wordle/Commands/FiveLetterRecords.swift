import Output
import System

/// Rows of five ASCII letters in a format for programs. The rows of pairs with equal tiles differ only in the two
/// words: each of the 243 rows is rendered once, and the words are written into a copy.
struct FiveLetterRecords {
  /// A rendered row: its range in `rendered`, and offsets of letters in it and in the line of the pair.
  private struct Template {
    var range = 0..<0
    var letters: [(offset: Int, inLine: Int)] = []
  }

  /// Words that occur nowhere else in a row of any format.
  private static let placeholders = (guess: "qqqqq", word: "zzzzz")

  private let output: Output
  private let style: TileStyle
  private var rendered: [UInt8] = []
  private var templates = [Template](repeating: Template(), count: FiveLetterRows.count)

  /// Returns nil for a style that shows letters, and for a format whose rows depend on each other.
  init?(_ output: Output, _ style: TileStyle) {
    guard !style.showsLetters, output.settings.format?.isForPeople == false,
      output.settings.terminator == UInt8(ascii: "\n")
    else { return nil }
    self.output = output
    self.style = style
  }

  mutating func write(from lines: inout LineReader, to rows: inout RowOutput<GuessRow>) throws(Failure) {
    let rest = lines.rest
    let start = rest.lowerBound
    var end = start
    while end + FiveLetterRows.lineLength <= rest.upperBound {
      // Sound: every offset is checked, and any bits are a valid integer.
      let number = unsafe FiveLetterRows.number(of: lines.buffer.span.bytes, at: end)
      guard let number else { break }
      let line = lines.buffer.span.extracting(end..<end + FiveLetterRows.lineLength)
      if templates[number].range.isEmpty { try render(number, line) }
      let prepared = templates.span
      let bytes = rendered.span.extracting(templates[number].range)
      try rows.write(rendered: { record in
        let offset = record.count
        unsafe bytes.withUnsafeBufferPointer { unsafe record.append(contentsOf: $0) }
        for letter in prepared[number].letters { record[offset + letter.offset] = line[letter.inLine] }
      })
      end += FiveLetterRows.lineLength
    }
    lines.skip(lines: (end - start) / FiveLetterRows.lineLength, bytes: end - start)
  }

  private mutating func render(_ number: Int, _ line: Span<UInt8>) throws(Failure) {
    let pair = try TileRow(line: line.extracting(droppingLast: 1), number: 0)
    let (guess, word) = FiveLetterRecords.placeholders
    let bytes = try output.rendered(GuessRow(TileRow(guess: guess, word: word, tiles: pair.tiles), style))
    templates[number].range = rendered.count..<rendered.count + bytes.count
    rendered += bytes
    for (mark, place) in [(guess, 0), (word, 6)] {
      for start in bytes.indices where bytes[start...].starts(with: mark.utf8) {
        templates[number].letters += (0..<5).map { (start + $0, place + $0) }
      }
    }
  }
}
