import System
import Terminal
import Testing

@testable import Race

private func bees(_ names: String...) -> [Bee] { names.map { Bee(name: $0, color: "") } }

private func many(_ count: Int) -> [Bee] { (1...count).map { Bee(name: "Bee\($0)", color: "") } }

@Suite struct TheBoard {
  private static func canvas(
    _ board: RaceBoard, _ columns: Int, _ height: Int, at now: Duration = .seconds(99)
  ) -> Canvas {
    var canvas = Canvas(WindowSize(columns: columns, rows: height))
    board.draw(on: &canvas, top: 0, height: height, at: now)
    return canvas
  }

  /// What is drawn in one column after these standings, one after the other.
  private static func lines(_ standings: [Bee]..., columns: Int = 36) -> [String] {
    var board = RaceBoard()
    for bees in standings { board.show(bees, at: .zero, slides: false) }
    return canvas(board, columns, standings.last?.count ?? 0).lines
  }

  @Test func newBeeHasNoGain() {
    #expect(
      Self.lines(bees("A", "B"), bees("A", "B", "C")) == [
        "    1st 🥇 • A", "    2nd 🥈 • B", "    3rd 🥉 • C",
      ])
    #expect(
      Self.lines(bees("A", "B", "C"), bees("X", "A")) == ["    1st 🥇 • X ★", "    2nd 🥈 • A ▼1"])
    #expect(
      Self.lines(bees("A", "B", "C", "D"), bees("D", "B", "C", "A")) == [
        "    1st 🥇 • D ★ ▲3", "    2nd 🥈 • B", "    3rd 🥉 • C", "    4th    • A ▼3",
      ])
    // After nobody everybody is new.
    #expect(
      Self.lines(bees("A", "B"), [], bees("B", "A")) == ["    1st 🥇 • B", "    2nd 🥈 • A"])
  }

  @Test func theLeaderIsBoldAndChangesAreColored() {
    var board = RaceBoard()
    board.show(bees("A", "B"), at: .zero, slides: false)
    board.show(bees("B", "A"), at: .zero, slides: false)
    let canvas = Self.canvas(board, 36, 2)
    #expect([0, 1].map { canvas[row: $0, column: 4].style } == [.bold, .plain])
    #expect([0, 1].map { canvas[row: $0, column: 11].style } == [.dim, .dim])
    #expect([0, 1].map { canvas[row: $0, column: 13].style } == [.bold, .plain])
    #expect([0, 1].map { canvas[row: $0, column: 15].style } == [.bold + .green, .red])
  }

  @Test func narrowRowCutsTheName() {
    let long = Bee(name: "Abcdefghijk", color: "")
    let other = Bee(name: "B", color: "")
    #expect(Self.lines([long, other], columns: 22) == ["    1st 🥇 • Abcdefgh", "    2nd 🥈 • B"])
    #expect(
      Self.lines([other, long], [long, other], columns: 22) == [
        "    1st 🥇 • Abc ★ ▲1", "    2nd 🥈 • B ▼1",
      ])
    #expect(Self.lines([long, other], columns: 5) == ["    1", "    2"])
  }

  @Test func rowsSlideFastAtFirstAndOverThoseThatTheyPass() {
    var board = RaceBoard()
    board.show(bees("A", "B", "Clementine", "D", "E"), at: .zero, slides: true)
    #expect(!board.isSliding(at: .zero))
    board.show(bees("E", "A", "B", "Clementine", "D"), at: .seconds(10), slides: true)
    func lines(_ milliseconds: Int) -> [String] {
      Self.canvas(board, 36, 5, at: .seconds(10) + .milliseconds(milliseconds)).lines
    }
    #expect(
      lines(0) == [
        "    2nd 🥈 • A ▼1", "    3rd 🥉 • B ▼1", "    4th    • Clementine ▼1", "    5th    • D ▼1",
        "    1st 🥇 • E ★ ▲4",
      ])
    #expect(
      lines(100) == [
        "    2nd 🥈 • A ▼1", "    3rd 🥉 • B ▼1", "    1st 🥇 • E ★ ▲4", "    5th    • D ▼1", "",
      ])
    #expect(
      lines(200) == [
        "", "    1st 🥇 • E ★ ▲4", "    3rd 🥉 • B ▼1", "    4th    • Clementine ▼1", "    5th    • D ▼1",
      ])
    #expect(
      lines(400) == [
        "    1st 🥇 • E ★ ▲4", "    2nd 🥈 • A ▼1", "    3rd 🥉 • B ▼1", "    4th    • Clementine ▼1",
        "    5th    • D ▼1",
      ])
    #expect(lines(1000) == lines(400))
  }

  @Test func newBeeSlidesFromBelow() {
    var board = RaceBoard()
    board.show(bees("A", "B"), at: .zero, slides: true)
    board.show(bees("C", "A", "B"), at: .seconds(10), slides: true)
    let lines = [0, 200].map {
      Self.canvas(board, 36, 3, at: .seconds(10) + .milliseconds($0)).lines
    }
    #expect(
      lines == [
        ["    2nd 🥈 • A ▼1", "    3rd 🥉 • B ▼1", ""], ["", "    1st 🥇 • C ★", "    3rd 🥉 • B ▼1"],
      ])
  }

  @Test func longPositionsBeginInTheSecondColumn() {
    var board = RaceBoard()
    board.show(many(10_000), at: .zero, slides: false)
    board.scroll(by: .end)
    #expect(
      Self.canvas(board, 36, 2).lines == [" 9999th    • Bee9999", " 10000th   • Bee10000"])
    // Side by side the last four are visible.
    let two = Self.canvas(board, 72, 2)
    #expect([4, 40].map { two[row: 0, column: $0].text } == ["7", "9"])
  }

  @Test func noBeeBeginsInTheRestOfTheWidth() {
    var board = RaceBoard()
    board.show(many(20), at: .zero, slides: false)
    // Five columns of 36, and four more: the eleventh bee would begin there.
    let canvas = Self.canvas(board, 184, 2)
    #expect(canvas[row: 0, column: 157].text == "B")
    #expect((180..<184).allSatisfy { canvas[row: 0, column: $0].text == " " })
  }

  @Test func aSlideTakesFourTenthsOfASecond() {
    var board = RaceBoard()
    board.show(bees("A", "B"), at: .zero, slides: true)
    board.show(bees("B", "A"), at: .seconds(10), slides: true)
    #expect([10_000, 10_399, 10_400].map { board.isSliding(at: .milliseconds($0)) } == [true, true, false])
    board.show(bees("A", "B"), at: .seconds(20), slides: false)
    #expect(!board.isSliding(at: .seconds(20)))
  }

  @Test func theSameStandingsAgainDoNotSlide() {
    var board = RaceBoard()
    board.show(bees("A", "B"), at: .zero, slides: true)
    board.show(bees("B", "A"), at: .seconds(10), slides: true)
    let now = Duration.milliseconds(10_100)
    board.show(bees("B", "A"), at: now, slides: true)
    #expect(!board.isSliding(at: now))
    // What was gained before is still shown.
    #expect(Self.canvas(board, 36, 2, at: now).lines == ["    1st 🥇 • B ★ ▲1", "    2nd 🥈 • A ▼1"])
  }

  @Test func withoutASizeOneRowIsVisible() {
    var board = RaceBoard()
    board.show(many(2), at: .zero, slides: false)
    #expect(board.position == "1–1 of 2")
    board.scroll(by: .pageDown)
    #expect(board.position == "2–2 of 2")
  }

  @Test(arguments: [(200, true), (201, false)])
  func listThatIsTooLongDoesNotSlide(count: Int, slides: Bool) {
    var board = RaceBoard()
    board.show(many(count), at: .zero, slides: true)
    board.show(many(count).reversed(), at: .seconds(1), slides: true)
    #expect(board.isSliding(at: .seconds(1)) == slides)
  }

  @Test func keysScrollUpToBothEnds() {
    var board = RaceBoard()
    board.show(many(40), at: .zero, slides: false)
    board.fit(WindowSize(columns: 36, rows: 15), height: 10)
    #expect(board.position == "1–10 of 40")
    let wheel = { (action: Mouse.Action) in Key.mouse(Mouse(action, row: 0, column: 0)) }
    let steps: [(key: Key, first: Int)] = [
      (.down, 2), (.character("j"), 3), (.up, 2), (.character("k"), 1), (.up, 1), (.pageDown, 11),
      (.character(" "), 21), (.pageUp, 11), (.end, 31), (.down, 31), (wheel(.wheelUp), 28),
      (wheel(.wheelDown), 31), (.home, 1), (wheel(.wheelDown), 4), (.left, 4),
    ]
    for (key, first) in steps {
      board.scroll(by: key)
      #expect(board.position == "\(first)–\(first + 9) of 40", "\(key)")
    }
    // A list that has become shorter is not scrolled past its end.
    board.scroll(by: .end)
    board.show(many(12), at: .zero, slides: false)
    board.fit(WindowSize(columns: 36, rows: 15), height: 10)
    #expect(board.position == "3–12 of 12")
  }

  @Test(
    arguments: [
      (20, 71, 5, "1–5 of 20"), (20, 72, 5, "1–10 of 20"), (20, 72, 10, nil), (21, 72, 10, "1–20 of 21"),
      (20, 10, 0, "1–1 of 20"), (20, 80, -3, "1–1 of 20"), (20, 10, 20, nil),
    ] as [(Int, Int, Int, String?)])
  func asManyAsFitAreVisible(count: Int, columns: Int, height: Int, position: String?) {
    var board = RaceBoard()
    board.show(many(count), at: .zero, slides: false)
    board.fit(WindowSize(columns: columns, rows: 24), height: height)
    #expect(board.position == position)
  }

  @Test func bothColumnsAreUsedOnlyIfOneIsTooShort() {
    var board = RaceBoard()
    board.show(bees("A", "B", "C"), at: .zero, slides: false)
    #expect(
      Self.canvas(board, 72, 3).lines == ["    1st 🥇 • A", "    2nd 🥈 • B", "    3rd 🥉 • C"])
    let two = Self.canvas(board, 72, 2)
    #expect([13, 49].map { two[row: 0, column: $0].text } == ["A", "C"])
    #expect(two.lines[1] == "    2nd 🥈 • B")
    #expect(Self.canvas(board, 71, 2).lines == ["    1st 🥇 • A", "    2nd 🥈 • B"])
  }
}

@Suite struct TheViewOfARace {
  private static func lines(
    _ columns: Int, _ rows: Int, _ list: [Bee] = bees("A", "B"),
    _ change: (inout RaceView) -> Void = { _ in }
  ) -> [String] {
    var view = RaceView(
      title: "T", elapsed: .seconds(5), length: .seconds(10), note: nil, keys: "q quit")
    change(&view)
    let size = WindowSize(columns: columns, rows: rows)
    var board = RaceBoard()
    board.show(list, at: .zero, slides: false)
    board.fit(size, height: RaceView.boardHeight(size))
    var canvas = Canvas(size)
    view.draw(on: &canvas, board, at: .seconds(99))
    return canvas.lines
  }

  @Test(arguments: [(1, 1), (2, 1), (3, 1), (4, 2), (7, 5), (8, 3), (9, 4), (24, 19)])
  func rowsOfTheBoard(rows: Int, height: Int) {
    #expect(RaceView.boardHeight(WindowSize(columns: 40, rows: rows)) == height)
  }

  @Test func aLowScreenHasNoBarAndNoEmptyRows() {
    let (a, b) = ("    1st 🥇 • A", "    2nd 🥈 • B")
    let eight = Self.lines(40, 8)
    #expect(eight[0].hasPrefix(" 🐝 T ") && eight[0].hasSuffix(" 0:05"))
    #expect(eight[1] == " " + String(repeating: "█", count: 19))
    #expect(Array(eight[2...]) == ["", a, b, "", "", " q quit"])
    #expect(Array(Self.lines(40, 7)[1...]) == [a, b, "", "", "", " q quit"])
    #expect(Array(Self.lines(40, 7, [])[1...]) == ["", "", "", "", "", " q quit"])
    #expect(
      Array(Self.lines(40, 3)[1...]) == [a, " q quit" + String(repeating: " ", count: 24) + "1–1 of 2"])
    #expect(Array(Self.lines(40, 2)[1...]) == [a])
    #expect(Self.lines(40, 1) == [a])
  }

  @Test func theNoteStandsAboveTheKeysOrInTheirPlace() {
    let note = (text: "careful", style: Style.yellow)
    #expect(Array(Self.lines(40, 8) { $0.note = note }[5...]) == ["", " careful", " q quit"])
    #expect(Array(Self.lines(40, 7) { $0.note = note }[5...]) == ["", " careful"])
    let long = (text: "one two three four five six seven eight nine ten", style: Style.yellow)
    #expect(
      Array(Self.lines(12, 12) { $0.note = long }[7...]) == [
        "", " one two", " three four", " five six", " q quit",
      ])
    #expect(
      Array(Self.lines(12, 8) { $0.note = long }[3...]) == [
        "    1st 🥇 •", " one two", " three four", " five six", " q quit",
      ])
    #expect(Self.lines(12, 7) { $0.note = long }[6] == " one two")
  }

  @Test(
    arguments: [
      (40, " q quit" + String(repeating: " ", count: 23) + "1–5 of 40"), (18, " q quit 1–5 of 40"),
      (17, " q quit"), (10, " q quit"),
    ])
  func keysTakePrecedenceOverPartOfListThatIsShown(columns: Int, line: String) {
    #expect(Self.lines(columns, 10, many(40)).last == line)
  }

  @Test func theTitleLeavesRoomForTheCountdown() {
    func top(_ change: (inout RaceView) -> Void) -> String {
      Self.lines(20, 8) {
        $0.title = "abcdefghijklmnopqrstuvwxyz"
        change(&$0)
      }[0]
    }
    #expect(top { _ in } == " 🐝 abcdefg    0:05")
    #expect(top { $0.isOver = true } == " 🐝 abcdefghijklmno")
    #expect(top { $0.length = nil } == " 🐝 abcdefg    –:––")
    #expect(top { $0.elapsed = .seconds(11) } == " 🐝 abcdefg    0:00")
    #expect(Self.lines(5, 8)[0] == " 0:05")
  }

  @Test(
    arguments: [
      (Duration.seconds(10), Duration.zero, 0), (.seconds(10), .seconds(5), 19),
      (.seconds(10), .seconds(10), 38), (.seconds(10), .seconds(30), 38), (.zero, .seconds(3), 0),
      (nil, .seconds(3), 0),
    ] as [(Duration?, Duration, Int)])
  func barIsPartOfRaceThatIsOver(length: Duration?, elapsed: Duration, blocks: Int) {
    let line = Self.lines(40, 8) { ($0.length, $0.elapsed) = (length, elapsed) }[1]
    #expect(line == (blocks == 0 ? "" : " " + String(repeating: "█", count: blocks)))
  }

  /// If the keys do not fit, the last one stays: it leaves the screen. Without a hidden part nothing scrolls.
  @Test(
    arguments: [
      (40, 2, " r race again  Enter quit"), (50, 40, " ↑↓ scroll  r race again  Enter quit     1–5 of 40"),
      (40, 40, " r race again  Enter quit      1–5 of 40"), (30, 40, " Enter quit          1–5 of 40"),
      (12, 40, " Enter quit"),
    ])
  func keysThatDoNotFitGiveWay(columns: Int, count: Int, line: String) {
    let lines = Self.lines(columns, 10, many(count)) {
      ($0.keys, $0.isOver) = ("↑↓ scroll  r race again  Enter quit", true)
    }
    #expect(lines.last?.replacing(/\ \ +/, with: "  ") == line.replacing(/\ \ +/, with: "  "))
  }

  @Test(
    arguments: [
      (["A"], "led 1 of 1 poll, and the last one"),
      (["B", "A", "A"], "led 2 of 3 polls, the last 2 in a row"),
      (["A", "B", "A"], "led 2 of 3 polls, and the last one"), (["A", "B"], nil), ([], nil),
    ] as [([String], String?)])
  func marginIsCountedInPolls(leaders: [String], text: String?) {
    let bees = leaders.map { Bee(name: $0, color: "") }
    #expect(bees.margin(of: Bee(name: "A", color: "")) == text)
  }

  /// Below 60 columns, and with more bees than rows, the list is shown.
  @Test(arguments: [(60, 3, true), (59, 3, false), (200, 7, true), (200, 8, false), (200, 0, false)])
  func lanesNeedRoomForAllBees(columns: Int, count: Int, hasLanes: Bool) {
    let list = count == 0 ? [] : many(count)
    let lines = Self.lines(columns, 12, list) { ($0.length, $0.elapsed) = (.seconds(10), .seconds(5)) }
    #expect(lines.contains { $0.contains("·🐝") } == hasLanes)
  }

  /// The leader is as far as the race is; a bee keeps its lane, and the places beside it follow the standings.
  @Test func lanesShowProgressAndPlaces() {
    var board = RaceBoard()
    board.show(bees("A", "B", "C"), at: .zero, slides: false)
    board.show(bees("B", "C", "D", "A"), at: .zero, slides: false)
    func lines(_ progress: Double) -> [String] {
      var canvas = Canvas(WindowSize(columns: 60, rows: 4))
      board.drawLanes(on: &canvas, top: 0, height: 4, progress: progress, at: .seconds(9))
      return canvas.lines
    }
    #expect(lines(0).allSatisfy { $0.dropFirst(16).hasPrefix("🐝") })
    let half = lines(0.5)
    #expect(half.map { $0.prefix(2).last } == ["A", "B", "C", "D"])
    #expect(half.map { $0.count { $0 == "·" } } == [5, 13, 10, 8])
    #expect(half.map { $0.suffix(2).trimmed } == ["▼3", "▲1", "▲1", "🥉"])
    #expect(lines(1)[1].hasSuffix("·🐝│ 1st 🥇 ★ ▲1"))
  }

  @Test func fewLinesAreInTheMiddle() {
    func lines(_ texts: String...) -> [String] {
      var canvas = Canvas(WindowSize(columns: 10, rows: 5))
      RaceView.drawMiddle(texts.map { (text: $0, style: .bold) }, on: &canvas)
      return canvas.lines
    }
    #expect(lines("abc") == ["", "", "   abc", "", ""])
    #expect(lines("abc", "de") == ["", "   abc", "    de", "", ""])
    #expect(lines("hello world") == ["", "  hello", "  world", "", ""])
    #expect(lines("a", "b", "c", "d", "e", "f") == ["    a", "    b", "    c", "    d", "    f"])
    #expect(lines("a", "", "b", "c", "d", "e") == ["    a", "    b", "    c", "    d", "    e"])
    var canvas = Canvas(WindowSize(columns: 10, rows: 5))
    RaceView.drawMiddle([(text: "abc", style: .bold)], on: &canvas)
    #expect(canvas[row: 2, column: 3].style == .bold)
  }
}
