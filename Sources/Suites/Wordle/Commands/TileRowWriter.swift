import System

struct TileRowWriter {
  private static let size = 128 * 1024

  private let sink: any ByteSink
  private let style: TileStyle
  private let fiveLetterRows: FiveLetterRows?
  private let symbols: [[UInt8]]
  private let after: [UInt8]
  private let terminator: UInt8
  private var buffer = [UInt8](repeating: 0, count: size)
  private var count = 0

  init(_ sink: any ByteSink, style: TileStyle, terminator: UInt8 = UInt8(ascii: "\n")) {
    self.sink = sink
    self.style = style
    self.terminator = terminator
    fiveLetterRows = terminator == UInt8(ascii: "\n") ? FiveLetterRows(style) : nil
    symbols = Tile.allCases.map { Array(style.symbol($0).utf8) }
    after = style.showsLetters ? Array(TileStyle.after.utf8) : []
  }

  /// Appends the rows of the following lines of five letters, as far as there is room.
  mutating func appendFiveLetterRows(from lines: inout LineReader) {
    guard let fiveLetterRows else { return }
    let done = fiveLetterRows.write(lines.buffer, lines.rest, into: &buffer, from: count)
    lines.skip(lines: done.lines, bytes: done.lines * FiveLetterRows.lineLength)
    count += done.written
  }

  mutating func append(_ row: TileRow) throws(Failure) {
    try append(style.row(row.tiles, guess: row.guess).utf8)
    try append(terminator)
  }

  /// Appends the row of an ASCII guess without intermediate strings.
  mutating func append(_ tiles: Tiles, asciiGuess guess: Span<UInt8>) throws(Failure) {
    for place in tiles.indices {
      try append(symbols[tiles[place].rawValue])
      if style.showsLetters { try append(guess[place]) }
      try append(after)
    }
    try append(terminator)
  }

  private mutating func append(_ bytes: some Sequence<UInt8>) throws(Failure) {
    for byte in bytes { try append(byte) }
  }

  private mutating func append(_ byte: UInt8) throws(Failure) {
    if count == buffer.count { try flush() }
    buffer[count] = byte
    count += 1
  }

  mutating func flush() throws(Failure) {
    guard count > 0 else { return }
    let filled = count
    count = 0
    // Sound: any bits are a byte.
    try unsafe sink.write(buffer.span.bytes.extracting(first: filled))
  }
}
