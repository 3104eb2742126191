import System
import TestSupport
import Testing

@testable import Terminal

@Suite struct CanvasTests {
  func canvas(_ columns: Int, _ rows: Int = 1, _ draw: (inout Canvas) -> Void) -> [String] {
    var canvas = Canvas(WindowSize(columns: columns, rows: rows))
    draw(&canvas)
    return canvas.lines
  }

  /// What is written at a column of a row six columns wide.
  @Test(arguments: [
    ("abc", 0, "abc"), ("abc", 4, "    ab"), ("abc", -1, "bc"), ("abc", 6, ""), ("abc", -3, ""),
    ("abc", .max, ""),
    ("abc", .min, ""), ("中文", 0, "中文"), ("中文", 3, "   中"), ("中文", -1, " 文"), ("a中", 4, "    a"),
    ("e\u{301}x", 0, "e\u{301}x"), ("🇫🇷!", 1, " 🇫🇷!"), ("a\u{1B}[2Jb", 0, "a\u{FFFD}[2Jb"),
    ("a\nb", 0, "a\u{FFFD}b"),
    // A vowel without its consonant takes no room.
    ("a\u{1161}", 0, "a"),
  ])
  func textIsWrittenAtItsPlace(_ text: String, _ column: Int, _ line: String) {
    #expect(canvas(6) { $0.write(text, row: 0, column: column) } == [line])
  }

  @Test(arguments: [-1, 1, .min, .max]) func rowsOutsideAreNotDrawn(_ row: Int) {
    #expect(canvas(3) { $0.write("abc", row: row, column: 0) } == [""])
    #expect(canvas(3) { $0.fill(row: row, column: 0, width: 3) } == [""])
  }

  /// One half of a wide character written over: the other is a blank.
  @Test(arguments: [
    ("中", 0, "x", 0, "x"), ("中", 0, "x", 1, " x"), ("中", 0, "文", 1, " 文"), ("文中", 0, "字", 1, " 字"),
    // The half of one that stands beyond an edge.
    ("中文", -1, "x", 0, "x文"), ("ab中", 3, "x", 5, "   abx"),
    // Written across an edge, its half that is inside takes away what was there.
    ("abc", 0, "中", -1, " bc"), ("abcdef", 0, "中", 5, "abcde"),
  ])
  func overwrittenHalfOfWideCharacterIsBlank(
    _ first: String, _ at: Int, _ second: String, _ then: Int, _ line: String
  ) {
    #expect(
      canvas(6) {
        $0.write(first, row: 0, column: at)
        $0.write(second, row: 0, column: then)
      } == [line])
  }

  @Test func wideCharacterIsNeverHalf() {
    var random = SeededGenerator(seed: 3)
    var canvas = Canvas(WindowSize(columns: 11, rows: 3))
    for _ in 0..<2000 {
      PainterTests.scribble(on: &canvas, &random)
      for row in 0..<3 {
        for column in 0..<11 {
          let cell = canvas[row: row, column: column]
          let width = cell.isTail ? 0 : DisplayWidth.of(Character(cell.text))
          #expect((width == 2) == canvas[row: row, column: column + 1].isTail)
        }
        #expect(!canvas[row: row, column: 0].isTail)
      }
    }
  }

  @Test func writeReturnsNextColumn() {
    var canvas = Canvas(WindowSize(columns: 10, rows: 1))
    #expect(canvas.write("中a", row: 0, column: 1) == 4)
    #expect(canvas.write("中中", row: 0, column: 4, limit: 3) == 6)
    #expect(canvas.lines == [" 中a中"])
  }

  @Test(arguments: [
    ("abc", 0, "", 0), ("abc", -1, "", 0), ("abc", 2, "ab", 2), ("abc", 3, "abc", 3), ("中文", 1, "", 0),
    ("中文", 3, "中", 2), ("abcdef", 9, "abcd", 4),
  ])
  func limitCountsColumns(_ text: String, _ limit: Int, _ line: String, _ next: Int) {
    var canvas = Canvas(WindowSize(columns: 4, rows: 1))
    #expect(canvas.write(text, row: 0, column: 0, limit: limit) == next)
    #expect(canvas.lines == [line])
  }

  /// Column, width, row, height, and what is left of two rows.
  @Test(arguments: [
    (0, 2, 0, 1, ["  cd", "efgh"]), (-2, 3, 0, 1, [" bcd", "efgh"]), (3, 9, 0, 2, ["abc", "efg"]),
    (1, 0, 0, 2, ["abcd", "efgh"]), (1, -3, 0, 2, ["abcd", "efgh"]), (0, 4, 0, 0, ["abcd", "efgh"]),
    (1, 1, -1, 3, ["a cd", "e gh"]), (0, 1, 1, 1, ["abcd", " fgh"]), (.min, .max, .min, .max, ["", ""]),
  ])
  func fillErasesCellsInside(_ column: Int, _ width: Int, _ row: Int, _ height: Int, _ lines: [String]) {
    #expect(
      canvas(4, 2) {
        $0.write("abcd", row: 0, column: 0)
        $0.write("efgh", row: 1, column: 0)
        $0.fill(row: row, column: column, width: width, height: height)
      } == lines)
  }

  @Test func emptyCanvasDrawsNothing() {
    #expect(canvas(0, 0) { $0.write("abc", row: 0, column: 0) } == [])
    #expect(canvas(-3, 2) { $0.write("abc", row: 0, column: 0) } == ["", ""])
  }
}
