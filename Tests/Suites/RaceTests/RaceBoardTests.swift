import System
import Terminal
import TestSupport
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
}

@Suite struct MarginOfTheWinner {
  @Test(
    arguments: [
      (["A"], "led 1 of 1 poll, and the last one"),
      (["B", "A", "A"], "led 2 of 3 polls, the last 2 in a row"),
      (["A", "B", "A"], "led 2 of 3 polls, and the last one"), (["A", "B"], nil), ([], nil),
    ] as [([String], String?)])
  func marginIsCountedInPolls(leaders: [String], text: String?) {
    let bees = leaders.map { Bee(name: $0, color: "") }
    #expect(bees.lead(of: Bee(name: "A", color: "")) == text)
  }
}
