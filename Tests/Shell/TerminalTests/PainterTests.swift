import System
import TestSupport
import Testing

@testable import Terminal

@Suite struct PainterTests {
  static let styles = [Style.plain, .bold, .red, .bold + .background(red: 1, green: 2, blue: 3), .reversed]
  static let texts = [
    "a", "bc", "   ", "中", "🐝", "🇫🇷", "e\u{301}", "👨\u{200D}👩\u{200D}👧", "❤️", "longer text", "\u{1B}[2J", "\t",
  ]

  static func scribble(on canvas: inout Canvas, _ random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      let row = Int.random(in: -1...canvas.rows, using: &random)
      let column = Int.random(in: -4...canvas.columns, using: &random)
      let style = styles.randomElement(using: &random) ?? .plain
      if Bool.random(using: &random) {
        canvas.write(texts.randomElement(using: &random) ?? "", row: row, column: column, style: style)
      } else {
        canvas.fill(row: row, column: column, width: Int.random(in: 0...30, using: &random), style: style)
      }
    }
  }

  @Test(arguments: [(1, 1), (2, 1), (7, 3), (20, 5), (40, 2)])
  func framesReproduceCanvas(_ columns: Int, _ rows: Int) {
    var random = SeededGenerator(seed: UInt64(columns))
    let size = WindowSize(columns: columns, rows: rows)
    var painter = Painter(color: true)
    var terminal = TinyTerminal(size)
    var canvas = Canvas(size)
    for round in 0..<400 {
      // Some frames are drawn anew, as screens do, and some change a little.
      if round % 3 == 0 { canvas = Canvas(size) }
      Self.scribble(on: &canvas, &random)
      if round % 50 == 49 {
        painter.forget()
        terminal = TinyTerminal(size)
      }
      terminal.take(painter.frame(canvas))
      #expect(terminal.cells == canvas.cells, "frame \(round)")
      #expect(terminal.complaints == [])
      guard terminal.cells == canvas.cells else { return }
    }
  }

  /// Frames of one row, and exactly what each of them costs.
  @Test func onlyChangedCellsAreWritten() {
    let size = WindowSize(columns: 20, rows: 2)
    var painter = Painter(color: true)
    func frame(_ draw: (inout Canvas) -> Void) -> String {
      var canvas = Canvas(size)
      draw(&canvas)
      return shown(painter.frame(canvas))
    }
    #expect(frame { $0.write("hello", row: 0, column: 0) } == "<^[m^[2J^[1;1Hhello>")
    #expect(frame { $0.write("hello", row: 0, column: 0) } == "")
    #expect(frame { $0.write("hexlo", row: 0, column: 0) } == "<^[1;3Hx>")
    #expect(frame { $0.write("Hexl!", row: 0, column: 0, style: .bold) } == "<^[1;1H^[1mHexl!^[m>")
    #expect(frame { $0.write("a", row: 0, column: 0) } == "<^[1;1Ha^[K>")
    #expect(
      frame {
        $0.write("a", row: 0, column: 0)
        $0.write("bb", row: 1, column: 10)
        $0.cursor = .init(row: 1, column: 12)
      } == "<^[2;11Hbb^[?25h>")
    #expect(frame { _ in } == "<^[1;1H^[K^[2;11H^[K>")
  }

  /// What turns one row into another, to the byte. The cursor goes over few cells by writing them again.
  @Test(arguments: [
    ("abcdefgh", "XbcdYfgh", "<^[1;1HXbcdY>"), ("abcdefgh", "XbcdeYgh", "<^[1;1HX^[4CY>"),
    ("a\u{E9}bc", "X\u{E9}bY", "<^[1;1HX^[2CY>"), ("abc", "e\u{301}bY", "<^[1;1He\u{301}^[1;3HY>"),
    ("abcd", "中cY", "<^[1;1H中cY>"),
    // Four blanks or more at the end are cleared, three are written.
    ("                 x", "", "<^[1;18H >"), ("                x", "", "<^[1;17H^[K>"),
  ])
  func frameOfChangedRows(_ before: String, _ after: String, _ bytes: String) {
    #expect(change({ $0.write(before, row: 0, column: 0) }, { $0.write(after, row: 0, column: 0) }) == bytes)
  }

  @Test func frameOfStyles() {
    #expect(
      change({ _ in }) {
        $0.write("a", row: 0, column: 0, style: .bold)
        $0.write("b", row: 0, column: 1, style: .red)
      } == "<^[1;1H^[1ma^[0;31mb^[m>")
    // A cell of another style is not written again.
    func row(_ first: String, _ last: String) -> (inout Canvas) -> Void {
      {
        $0.write(first, row: 0, column: 0)
        $0.write("b", row: 0, column: 1, style: .bold)
        $0.write(last, row: 0, column: 2)
      }
    }
    #expect(change(row("a", "c"), row("X", "Y")) == "<^[1;1HX^[1CY>")
  }

  @Test func frameOfCursor() {
    func row(_ text: String, cursor: Int?) -> (inout Canvas) -> Void {
      {
        $0.write(text, row: 0, column: 0)
        $0.cursor = cursor.map { .init(row: 0, column: $0) }
      }
    }
    #expect(change(row("ab", cursor: nil), row("ab", cursor: 1)) == "<^[1;2H^[?25h>")
    #expect(change(row("ab", cursor: 1), row("ab", cursor: 1)) == "")
    #expect(change(row("ab", cursor: 1), row("ab", cursor: nil)) == "<>")
    #expect(change(row("ab", cursor: nil), row("Xb", cursor: 2)) == "<^[1;1HXb^[?25h>")
    #expect(change(row("ab", cursor: nil), row("Xb", cursor: 0)) == "<^[1;1HX^[1;1H^[?25h>")
  }

  /// The second of two frames, 20 columns wide.
  private func change(_ before: (inout Canvas) -> Void, _ after: (inout Canvas) -> Void) -> String {
    var painter = Painter(color: true)
    var (first, second) = (Canvas(WindowSize(columns: 20, rows: 2)), Canvas(WindowSize(columns: 20, rows: 2)))
    before(&first)
    after(&second)
    _ = painter.frame(first)
    return shown(painter.frame(second))
  }

  private func shown(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).replacing("\u{1B}[?2026h\u{1B}[?25l", with: "<")
      .replacing("\u{1B}[?2026l", with: ">").replacing("\u{1B}", with: "^")
  }

  @Test func newSizeClearsScreen() {
    var painter = Painter(color: true)
    _ = painter.frame(Canvas(WindowSize(columns: 3, rows: 1)))
    let bytes = painter.frame(Canvas(WindowSize(columns: 4, rows: 1)))
    #expect(String(decoding: bytes, as: UTF8.self).contains("\u{1B}[2J"))
  }

  @Test func withoutColorStylesRemain() {
    var painter = Painter(color: false)
    var canvas = Canvas(WindowSize(columns: 9, rows: 1))
    canvas.write("a", row: 0, column: 0, style: .bold + .color(red: 1, green: 2, blue: 3) + .reversed)
    let text = String(decoding: painter.frame(canvas), as: UTF8.self)
    #expect(text.contains("\u{1B}[1;7ma"))
  }

  @Test(arguments: [
    ("1;31", "1"), ("38;5;200;4", "4"), ("38;2;1;2;3;48;2;4;5;6;1", "1"), ("97", ""), ("107;2", "2"),
    ("", ""), ("38", ""), ("29;30;49;50", "29;50"), ("89;90;107;108", "89;108"), ("48;5;1;2", "2"),
    ("x;1", "x;1"),
  ])
  func colorsAreRemovedFromStyle(_ with: String, _ without: String) {
    #expect(Style(with).withoutColor == Style(without))
  }
}
