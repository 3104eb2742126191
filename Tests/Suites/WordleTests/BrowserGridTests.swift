import Testing

@testable import Wordle

private func at(_ card: Int, _ row: Int, _ column: Int) -> GridPosition {
  GridPosition(card: card, row: row, column: column)
}

@Suite struct GridsOfCards {
  @Test func longWordsWidenACardUpToALimit() {
    let long = String(repeating: "a", count: 64)
    #expect(BrowserGrid([game(1, long, "b")], width: 80).cardWidth == 40)
    let longer = String(repeating: "a", count: 70)
    #expect(BrowserGrid([game(1, longer, longer)], width: 80).cardWidth == 192)
    #expect(BrowserGrid([game(1, "at", "at")], width: 80).cardWidth == 12)
  }

  @Test func aTurnTakesAWhile() throws {
    let (a, b) = (at(0, 0, 0), at(0, 0, 1))
    var faces = CellFaces(.hidden, isAnimated: true)
    faces.advance(to: .milliseconds(1000))
    faces.turn([a])
    #expect(faces.progress(a) == 0 && faces.progress(b) == nil)
    #expect(faces.alarm == .milliseconds(1050))
    // A clock that goes back.
    faces.advance(to: .milliseconds(900))
    #expect(faces.progress(a) == 0)
    faces.advance(to: .milliseconds(1075))
    #expect(abs(try #require(faces.progress(a)) - 0.5) < 1e-9)
    #expect(faces.alarm == .milliseconds(1125))
    faces.advance(to: .milliseconds(1149))
    #expect(faces.progress(a) != nil)
    faces.advance(to: .milliseconds(1150))
    #expect(faces.progress(a) == nil && faces.alarm == nil)
  }
}

/// Cards of two rows of two, of one row of two, of none and of one row of five.
@Suite struct SelectedCells {
  private var selection = CellSelection([
    game(4, "at", "to", "at"), game(3, "no", "no"), game(2, "up"), game(1, "nymph", "train"),
  ])

  enum Move: Sendable {
    case column(Int)
    case row(Int, perRow: Int)
    case card(Int)
    case cell(GridPosition)
  }

  @Test(
    arguments: [
      (at(0, 0, 0), .column(1), at(0, 0, 1)), (at(0, 0, 1), .column(-1), at(0, 0, 0)),
      (at(0, 0, 0), .column(-1), at(0, 0, 0)), (at(0, 1, 1), .column(1), at(1, 0, 0)),
      (at(1, 0, 0), .column(-1), at(0, 0, 1)), (at(1, 0, 1), .column(1), at(2, 0, 0)),
      (at(2, 0, 0), .column(1), at(3, 0, 0)), (at(3, 0, 0), .column(-1), at(2, 0, 0)),
      (at(2, 0, 0), .column(-1), at(1, 0, 1)), (at(3, 0, 4), .column(1), at(3, 0, 4)),
      (at(0, 0, 1), .row(1, perRow: 2), at(0, 1, 1)), (at(0, 1, 1), .row(1, perRow: 2), at(2, 0, 0)),
      (at(0, 1, 1), .row(-1, perRow: 2), at(0, 0, 1)), (at(0, 0, 1), .row(-1, perRow: 2), at(0, 0, 1)),
      (at(3, 0, 3), .row(-1, perRow: 2), at(1, 0, 1)), (at(3, 0, 3), .row(-1, perRow: 3), at(0, 1, 1)),
      (at(3, 0, 3), .row(1, perRow: 1), at(3, 0, 3)), (at(1, 0, 1), .row(1, perRow: 2), at(3, 0, 1)),
      (at(0, 1, 1), .card(2), at(2, 0, 0)), (at(0, 1, 1), .card(9), at(3, 0, 1)),
      (at(3, 0, 4), .card(-9), at(0, 0, 1)), (at(3, 0, 4), .card(-2), at(1, 0, 1)),
      (at(0, 0, 0), .cell(at(3, 7, 9)), at(3, 0, 4)), (at(0, 0, 0), .cell(at(0, -1, -1)), at(0, 0, 0)),
      (at(0, 0, 0), .cell(at(0, 2, 2)), at(0, 1, 1)),
    ] as [(GridPosition, Move, GridPosition)])
  mutating func moves(from start: GridPosition, move: Move, to end: GridPosition) {
    selection.go(to: start)
    #expect(selection.cell == start)
    switch move {
    case .column(let direction): selection.moveColumn(direction)
    case .row(let direction, let perRow): selection.moveRow(direction, perRow: perRow)
    case .card(let distance): selection.moveCard(distance)
    case .cell(let target): selection.go(to: target)
    }
    #expect(selection.cell == end)
  }
}
