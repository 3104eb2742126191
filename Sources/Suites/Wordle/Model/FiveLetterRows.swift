/// The fast path for the most common line: five ASCII letters, a blank, five ASCII letters, a line feed.
///
/// A line has twelve bytes: two overlapping words of eight. A few operations on all letters at once, one letter per
/// byte, yield the tiles. The 243 possible rows are prepared beforehand.
struct FiveLetterRows {
  static let count = 243
  static let lineLength = 12
  private static let writtenPerRow = 24

  /// A row of at most 21 bytes, copied as three words of which the first `count` bytes are used.
  private struct Row {
    var words: (UInt64, UInt64, UInt64)
    var count: Int

    init(_ bytes: [UInt8]) {
      func word(_ start: Int) -> UInt64 {
        bytes.dropFirst(start).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }.littleEndian
      }
      words = (word(0), word(8), word(16))
      count = bytes.count
    }
  }

  private let rows: [Row]

  /// Returns nil for a style that shows letters, because it has too many rows.
  init?(_ style: TileStyle) {
    guard !style.showsLetters else { return nil }
    let marks = Tile.allCases.map { Array(style.symbol($0).utf8) }
    rows = (0..<FiveLetterRows.count).map { number in
      let tiles = [1, 3, 9, 27, 81].map { number / $0 % 3 }
      return Row(tiles.flatMap { marks[$0] } + [UInt8(ascii: "\n")])
    }
  }

  /// Writes the rows of all such lines at the front of `input[unread]`, as far as `output` has room after `filled`.
  func write(
    _ input: [UInt8], _ unread: Range<Int>, into output: inout [UInt8], from filled: Int
  ) -> (lines: Int, written: Int) {
    let rows = rows.span
    let input = unsafe input.span.bytes.extracting(unread)
    var span = output.mutableSpan
    // Sound, like all unsafe code here: every offset is checked, and any bits are a valid integer.
    var output = unsafe span.mutableBytes
    var position = 0
    var end = filled
    while position + FiveLetterRows.lineLength <= input.byteCount,
      end + FiveLetterRows.writtenPerRow <= output.byteCount
    {
      guard let number = FiveLetterRows.number(of: input, at: position) else { break }
      output.storeBytes(of: rows[number].words, toByteOffset: end, as: (UInt64, UInt64, UInt64).self)
      end &+= rows[number].count
      position &+= FiveLetterRows.lineLength
    }
    return (position / FiveLetterRows.lineLength, end - filled)
  }

  /// The number of the row, in which tile n counts 3ⁿ times 0, 1 or 2; nil for other lines.
  @inline(__always)
  static func number(of bytes: RawSpan, at offset: Int) -> Int? {
    number(load(bytes, offset), load(bytes, offset + 4))
  }

  @inline(__always)
  private static func load(_ bytes: RawSpan, _ offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// `head` and `tail` are the first and last eight bytes of the line.
  @inline(__always)
  private static func number(_ head: UInt64, _ tail: UInt64) -> Int? {
    let ones: UInt64 = 0x01_0101_0101
    let high = ones << 7
    let low = ones * 0x7F
    let all = ones * 0xFF

    let guess = (head | ones << 5) & all
    let word = (tail >> 16 | ones << 5) & all
    // For each byte: below `a`, above `z`, or not ASCII.
    let invalid =
      ~((guess & low) &+ ones * 0x1F) | ~((word & low) &+ ones * 0x1F)
      | ((guess & low) &+ ones * 0x05) | ((word & low) &+ ones * 0x05) | guess | word
    let blank = head >> 40 & 0xFF
    guard invalid & high == 0, blank == 0x20 || blank == 0x09, tail >> 56 == 0x0A else { return nil }

    // The high bit of each byte is set where the letters differ.
    let wrong = ((guess ^ word) &+ low) & high
    let mask = (wrong >> 7) * 0xFF
    // Letters without the greens, which become 0: equal to no letter.
    let unmatched = guess & mask
    let left = word & mask

    // A letter is present if the word has more of it left than the guess has used before. Starting at 0x7F, each byte
    // adds the earlier letters that differ and subtracts those of the word, so the high bit marks a present letter.
    var differences = low
    for places in 1..<5 as Range<UInt64> {
      let turned = (left &>> (places * 8) | left &<< (40 - places * 8)) & all
      let earlier = unmatched &<< (places * 8) & all
      differences &+= ((unmatched ^ earlier) &+ low) >> 7 & ones
      differences &-= ((unmatched ^ turned) &+ low) >> 7 & ones
    }
    let present = differences & wrong
    let tiles = (wrong ^ high) >> 6 | present >> 7
    // Sums the tiles times their powers of three in the fifth byte; no other byte overflows.
    return Int(truncatingIfNeeded: (tiles &* 0x01_0309_1B51) >> 32 & 0xFF)
  }
}
