import System
import Testing

@testable import Wordle

private func at(_ card: Int, _ row: Int, _ column: Int) -> GridPosition {
  GridPosition(card: card, row: row, column: column)
}

/// Three cards of 16 columns, for the subtitle of a lost game, and five lines.
@Suite struct GridsOfCards {
  private let scores = [
    game(1, "nymph", "train", "nymph"), game(2, "nymph", "ponds"),
    game(3, "nymph", "blume", "train", "nymph"),
  ]

  @Test(arguments: [(1, 1, 17), (35, 1, 17), (36, 2, 11), (55, 2, 11), (56, 3, 5), (500, 25, 5)])
  func asManySideBySideAsFit(width: Int, perRow: Int, height: Int) {
    let grid = BrowserGrid(scores, width: width)
    #expect((grid.cardWidth, grid.cardHeight) == (16, 5))
    #expect((grid.perRow, grid.height) == (perRow, height))
  }

  @Test func longWordsWidenACardUpToALimit() {
    let long = String(repeating: "a", count: 64)
    #expect(BrowserGrid([game(1, long, "b")], width: 80).cardWidth == 40)
    let longer = String(repeating: "a", count: 70)
    #expect(BrowserGrid([game(1, longer, longer)], width: 80).cardWidth == 192)
    #expect(BrowserGrid([game(1, "at", "at")], width: 80).cardWidth == 12)
  }

  @Test func noCards() {
    let grid = BrowserGrid([], width: 10)
    #expect((grid.height, grid.cardWidth, grid.cardHeight) == (0, 0, 2))
    #expect(grid.cards(in: 0..<20).isEmpty)
    #expect(grid.cell(line: 0, column: 0) == nil)
  }

  @Test func placesOnTheSheet() {
    let grid = BrowserGrid(scores, width: 36)
    #expect(grid.corner(of: 0) == (0, 0) && grid.corner(of: 1) == (0, 20) && grid.corner(of: 2) == (6, 0))
    #expect(grid.position(of: at(0, 0, 0)) == (2, 0))
    #expect(grid.position(of: at(1, 1, 2)) == (3, 26))
    #expect(grid.position(of: at(2, 2, 4)) == (10, 12))
  }

  @Test(arguments: [
    (0..<0, 0..<0), (0..<1, 0..<2), (4..<5, 0..<2), (0..<6, 0..<2), (0..<7, 0..<3), (6..<7, 2..<3),
    (10..<11, 2..<3), (12..<20, 3..<3),
  ])
  func cardsInLines(lines: Range<Int>, cards: Range<Int>) {
    #expect(BrowserGrid(scores, width: 36).cards(in: lines) == cards)
  }

  @Test(
    arguments: [
      (0, 0, at(0, 0, 0)), (2, 0, at(0, 0, 0)), (3, 3, at(0, 1, 1)), (4, 15, at(0, 2, 5)), (5, 0, nil),
      (0, 16, nil), (0, 19, nil), (0, 20, at(1, 0, 0)), (2, 25, at(1, 0, 1)), (4, 35, at(1, 2, 5)),
      (0, 36, nil), (0, 40, nil), (6, 0, at(2, 0, 0)), (10, 15, at(2, 2, 5)), (11, 0, nil), (6, 20, nil),
      (12, 0, nil), (-1, 0, nil), (0, -1, nil),
    ] as [(Int, Int, GridPosition?)])
  func cells(line: Int, column: Int, cell: GridPosition?) {
    #expect(BrowserGrid(scores, width: 36).cell(line: line, column: column) == cell)
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

  @Test func theCellsThatThereAre() {
    #expect(selection.cells(of: 0) == [at(0, 0, 0), at(0, 0, 1), at(0, 1, 0), at(0, 1, 1)])
    #expect(selection.cells(of: 2).isEmpty)
    #expect(selection.cells(of: 3).count == 5)
    #expect(selection.contains(at(0, 1, 1)) && selection.contains(at(3, 0, 4)))
    for none in [at(0, 0, 2), at(0, 2, 0), at(0, 0, -1), at(2, 0, 0), at(3, 0, 5)] {
      #expect(!selection.contains(none))
    }
  }
}

@Suite struct FacesOfCells {
  private let a = at(0, 0, 0)
  private let b = at(0, 0, 1)

  private func shown(_ faces: CellFaces) -> [Bool] { [a, b].map(faces.showsLetter) }

  @Test func aCardIsShownBeforeItIsHidden() {
    var faces = CellFaces(.hidden, isAnimated: false)
    faces.turn([a])
    #expect(shown(faces) == [true, false])
    faces.turnCard([a, b])
    #expect(shown(faces) == [true, true])
    faces.turnCard([a, b])
    #expect(shown(faces) == [false, false])
    faces.turn([a, b])
    faces.turn([b])
    #expect(shown(faces) == [true, false])
    #expect(faces.alarm == nil && faces.progress(a) == nil)
  }

  @Test func allAreShownBeforeTheyAreHidden() {
    var faces = CellFaces(.hidden, isAnimated: false)
    faces.turn([a])
    faces.turnAll(visible: [])
    #expect(shown(faces) == [true, true])
    faces.turn([a])
    #expect(shown(faces) == [false, true])
    faces.turnAll(visible: [])
    #expect(shown(faces) == [true, true])
    faces.turnAll(visible: [])
    #expect(shown(faces) == [false, false])
    #expect(shown(CellFaces(.shown, isAnimated: false)) == [true, true])
  }

  @Test func aTurnTakesAWhile() throws {
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

  @Test func onlyWhatTurnsMoves() {
    var faces = CellFaces(.hidden, isAnimated: true)
    faces.turnAll(visible: [b])
    #expect(faces.progress(a) == nil && faces.progress(b) == 0)
    faces.advance(to: .seconds(1))
    faces.turn([a])
    faces.advance(to: .seconds(2))
    // The other one is shown already.
    faces.turnCard([a, b])
    #expect(faces.progress(a) == 0 && faces.progress(b) == nil)
  }
}
