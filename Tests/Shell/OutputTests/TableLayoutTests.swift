import System
import Terminal
import TestSupport
import Testing

@testable import Output

@Suite struct TableLayoutTests {
  private func table(
    _ titles: [String], _ rows: [[String]], width: Int? = nil, terminal: Bool = true, color: Bool = false,
    header: Bool = true, numeric: Set<Int> = []
  ) -> [String] {
    let columns = titles.indices.map {
      Column(titles[$0], title: titles[$0], meaning: "", type: numeric.contains($0) ? .integer : .text)
    }
    var layout = TableLayout(columns: columns, header: header)
    for row in rows { layout.append(row.map { TableCell($0) }) }
    var lines: [String] = []
    try? layout.writeLines(terminal ? Screen(width: width, color: color) : nil) { line throws(Failure) in
      lines.append(line)
    }
    return lines
  }

  @Test func textIsLeftAndNumbersAreRightAligned() {
    #expect(
      table(["Name", "N"], [["a", "5"], ["日本語", "1234"]], terminal: false, numeric: [1])
        == ["Name       N", "a          5", "日本語  1234"])
    #expect(table(["Name", "N"], [["a", "5"]], terminal: false, header: false) == ["a  5"])
    #expect(table(["A", "B", "C"], [["a", "", "c"]], terminal: false, header: false) == ["a    c"])
    #expect(table([], [[], []], terminal: false) == [])
  }

  /// Where the cells of a screen are drawn.
  @Test(
    arguments: [
      (80, [0, 8], [6, 4]), (12, [0, 8], [6, 4]), (11, [0, 7], [5, 4]), (10, [0, 6], [4, 4]), (9, [0], [6]),
      (5, [0], [5]),
    ] as [(Int, [Int], [Int])])
  func columnsFitScreenWidth(width: Int, starts: [Int], widths: [Int]) {
    let columns = [
      Column("a", title: "Name", meaning: "", type: .text),
      Column("b", title: "N", meaning: "", type: .integer),
    ]
    let rows = [["日本語", "1"], ["x", "1234"]].map { $0.map { TableCell($0) } }
    let placed = ScreenTable(columns, rows, width: width).columns
    #expect(placed.map(\.start) == starts && placed.map(\.width) == widths)
    #expect(placed.map(\.title) == Array(["Name", "N"].prefix(starts.count)))
    #expect(placed.map(\.isRightAligned) == Array([false, true].prefix(starts.count)))
  }

  @Test func titlesFitWithoutRows() {
    let columns = [Column("a", title: "Name", meaning: "", type: .text)]
    #expect(ScreenTable(columns, [], width: 80).columns.map(\.width) == [4])
    #expect(ScreenTable([], [], width: 80).columns.isEmpty)
  }

  /// Otherwise one long text of a service would fill the disk with the padding of many rows.
  @Test func longTextDoesNotWidenOtherRows() {
    let long = String(repeating: "x", count: 100_000)
    let lines = table(["A", "B"], [[long, "1"], ["y", "2"]], terminal: false)
    #expect(lines[1] == "\(long)  1" && lines[2].hasSuffix("  2") && lines[2].count < 1000)
  }

  @Test func lineBreaksInCellsBecomeBlanks() {
    #expect(table(["A", "B"], [["x\ny", "1\r\n2\t3"]], terminal: false) == ["A    B", "x y  1 2 3"])
    #expect(table(["A"], [["x\ry"], ["x\ty"], ["x\ny"]], header: false) == ["x y", "x y", "x y"])
    // Other characters that some programs take for line breaks are as anywhere else, whatever is beside them.
    let others = "\u{B}\u{C}\u{85}\u{2028}"
    let alone = table(["A"], [[others]], header: false)
    #expect(table(["A"], [["\n\(others)"]], header: false) == alone.map { " \($0)" })
  }

  @Test(arguments: [
    (80, ["aaaa", "bbbbbbbbbb", "cc"], "aaaa  bbbbbbbbbb  cc"),
    (20, ["aaaa", "bbbbbbbbbb", "cc"], "aaaa  bbbbbbbbbb  cc"),
    (19, ["aaaa", "bbbbbbbbbb", "cc"], "aaaa  bbbbbbbb…  cc"),
    (14, ["aaaa", "bbbbbbbbbb", "cc"], "aaaa  bbb…  cc"), (12, ["aaaa", "bbbbbbbbbb", "cc"], "aa…  bb…  cc"),
    (11, ["aaaa", "bbbbbbbbbb", "cc"], "aaaa  bbbb…"), (8, ["aaaa", "bbbbbbbbbb", "cc"], "aa…  bb…"),
    (7, ["aaaa", "bbbbbbbbbb", "cc"], "aaaa"), (4, ["aaaa", "b", "cc"], "aaaa"),
    (3, ["aaaa", "b", "cc"], "aa…"), (1, ["aaaa", "b", "cc"], "…"), (1, ["日", "b"], "…"),
    (2, ["日", "b"], "日"),
  ])
  func widestColumnsAreCutFirst(width: Int, cells: [String], line: String) {
    #expect(table(cells.map { _ in "" }, [cells], width: width, header: false) == [line])
    #expect(
      table(cells.map { _ in "" }, [cells], width: nil, header: false) == [cells.joined(separator: "  ")])
  }

  @Test func controlCharactersInCellsAreReplaced() {
    #expect(table(["A", "B"], [["\u{1B}[31m", "x"]]) == ["A      B", "\u{FFFD}[31m  x"])
    #expect(table(["A"], [["\u{1B}[31m\u{202E}"]], terminal: false) == ["A", "�[31m�"])
    #expect(table(["A\u{1B}"], []) == ["A\u{FFFD}"])
  }

  @Test func colorExcludesPadding() {
    #expect(
      table(["A", "B"], [["xx", "y"]], color: true) == ["\u{1B}[1mA\u{1B}[0m   \u{1B}[1mB\u{1B}[0m", "xx  y"])
  }

  @Test func longCellIsCutQuickly() {
    let cell = String(repeating: "x", count: 1_000_000)
    #expect(table(["A", "B"], [[cell, cell]], width: 10, header: false) == ["xxx…  xxx…"])
  }

  /// The promise itself: whatever the cells hold, those of a column begin, or for numbers end, at the same place.
  @Test(arguments: 0..<150 as Range<UInt64>)
  func columnsAreAlignedForRandomRows(seed: UInt64) {
    var dice = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...6, using: &dice)
    // The marks show where a cell begins and ends.
    func cells(_ length: Int) -> [String] { (0..<count).map { _ in "‹\(dice.text(atMost: length))›" } }
    let titles = cells(3)
    let rows = (0..<Int.random(in: 1...6, using: &dice)).map { _ in cells(8) }
    let numeric = Set((0..<count).filter { _ in Bool.random(using: &dice) })

    for terminal in [true, false] {
      let lines = table(titles, rows, terminal: terminal, numeric: numeric)
      #expect(lines.count == rows.count + 1)
      let begins = lines.map { $0.columns(before: "‹") }
      let ends = lines.map { $0.columns(before: "›") }
      for column in 0..<count {
        let places = (numeric.contains(column) ? ends : begins).map { $0[column] }
        #expect(Set(places).count == 1, "\(lines)")
      }
    }
    for width in [1, 2, 3, 7, 20, 40, 200] {
      for line in table(titles, rows, width: width, numeric: numeric) {
        #expect(DisplayWidth.of(line) <= width)
      }
    }
  }

  /// A program gets the value itself; a person gets no control character of it but line feeds and tabs, and still the
  /// escapes of the format.
  @Test(arguments: [
    (Format.csv, nil as Screen?, "a\u{1B}\u{9B}é\u{202E}\"\tb", "\"a\u{1B}\u{9B}é\u{202E}\"\"\tb\"\n"),
    (.csv, Screen(width: 80, color: false), "a\u{1B}\u{9B}é\u{202E}\"\tb", "\"a��é�\"\"\tb\"\n"),
    (.csv, Screen(width: 80, color: false), "a\u{1B}\nb", "\"a\u{FFFD}\nb\"\n"),
    (.csv, Screen(width: 80, color: false), "a\u{1F}b\u{7F}", "a\u{FFFD}b\u{FFFD}\n"),
    (.csv, Screen(width: 80, color: false), " ~\t\n", "\" ~\t\n\"\n"),
    (.tsv, nil, "a\u{1B}\u{9B}é\u{202E}\"\tb", "a\u{1B}\u{9B}é\u{202E}\"\\tb\n"),
    (.tsv, Screen(width: 80, color: false), "a\u{1B}\u{9B}é\u{202E}\"\tb", "a��é�\"\\tb\n"),
    (.tsv, Screen(width: 80, color: false), "\u{7F}\n\t\n", "\u{FFFD}\\n\\t\\n\n"),
    (.tsv, Screen(width: nil, color: true), "\u{1B}\tb", "\u{1B}\\tb\n"),
  ])
  func csvAndTSVAreCleanedOnTerminal(
    _ format: Format, _ screen: Screen?, _ letter: String, _ expected: String
  ) throws {
    let text = try written(format, header: false, screen: screen) { output throws(Failure) in
      try output.write([Tile(letter: letter)])
    }
    #expect(Array(text.utf8) == Array(expected.utf8))
  }
}

extension String {
  /// The display columns that stand before each of the marks.
  fileprivate func columns(before mark: Unicode.Scalar) -> [Int] {
    unicodeScalars.indices.filter { unicodeScalars[$0] == mark }
      .map { DisplayWidth.of(String(unicodeScalars[..<$0])) }
  }
}
