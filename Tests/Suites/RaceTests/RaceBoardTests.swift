import System
import Terminal
import Testing

@testable import Race

private func many(_ count: Int) -> [Bee] { (1...count).map { Bee(name: "Bee\($0)", color: "") } }

@Suite struct TheBoard {
  @Test func withoutASizeOneRowIsVisible() {
    var board = RaceBoard()
    board.show(many(2), at: .zero, slides: false)
    #expect(board.position == "1–1 of 2")
    board.scroll(by: .pageDown)
    #expect(board.position == "2–2 of 2")
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
