import System
import Terminal
import TestSupport
import Testing

@testable import Bikes

private let you = place(50.1195, 8.6381)

private func bike(
  _ id: String, _ place: Place, name: String = "N", color: String = "00C8E6", rented: Bool = false
) -> Bike {
  Bike(id: id, name: name, color: color, pin: nil, place: place, isRented: rented, owner: nil)
}

/// Ten meters to a column, twenty to a row: `you` are at row 11 and column 30.
@Suite struct MapSections {
  private let size = WindowSize(columns: 60, rows: 23)

  /// A place in the middle of the cell that is so many rows below and columns to the right.
  private func spot(_ row: Int, _ column: Int) -> Place {
    you.moved(north: Double(-row) * 20, east: Double(column) * 10 + 5)
  }

  private func canvas(_ bikes: [Bike], you place: Place? = nil, rows: Int = 23) -> Canvas {
    var view = MapView(of: Circle(you, meters: 500), on: size)
    view.scale = 10
    var canvas = Canvas(WindowSize(columns: 60, rows: rows))
    view.draw(bikes.map { FoundBike($0, from: nil) }, you: place, on: &canvas, rows: 23)
    return canvas
  }

  private func positions(of text: String, on canvas: Canvas) -> [[Int]] {
    (0..<canvas.rows).flatMap { row in
      (0..<canvas.columns).filter { canvas[row: row, column: $0].text == text }.map { [row, $0] }
    }
  }

  /// The circle touches the edge that is nearer: columns count once and rows twice, without the margin.
  @Test func theScaleIsThatOfTheCircle() {
    let circle = Circle(you, meters: 500)
    #expect(MapView(of: circle, on: WindowSize(columns: 102, rows: 200)).scale == 10)
    #expect(MapView(of: circle, on: WindowSize(columns: 400, rows: 54)).scale == 10)
    // Without room beside the margin as with room for one column or row.
    for rows in 1...5 {
      #expect(MapView(of: circle, on: WindowSize(columns: 102, rows: rows)).scale == 500)
    }
    for columns in 1...3 {
      #expect(MapView(of: circle, on: WindowSize(columns: columns, rows: 54)).scale == 1000)
    }
  }

  /// Before the terminal has reported its size.
  @Test func theFirstMapHas80ColumnsAnd24Rows() throws {
    var screen = MapScreen(Circle(you, meters: 500), you: nil, showsRented: false)
    #expect(screen.view.center == you && screen.view.scale == 25)
    _ = try screen.handle(.key(.right), at: .zero)
    #expect(abs(you.distance(to: screen.view.center) - 250) < 0.01)
  }

  /// Beside you first, then above and below, then in the corners; with no room it is left out.
  @Test func theCrossTakesTheNextFreeCell() {
    let cells = [(0, 0), (0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)]
    for count in 0...cells.count {
      let bikes = cells.prefix(count).map { bike("", spot($0.0, $0.1)) }
      let crosses = positions(of: "✛", on: canvas(bikes, you: spot(0, 0)))
      #expect(crosses == cells.dropFirst(count).prefix(1).map { [11 + $0.0, 30 + $0.1] }, "\(count)")
    }
  }

  /// So many of the cells above are taken; those beyond the map are none.
  @Test(arguments: [
    (0, -30, 1, 11, 1), (0, 29, 2, 10, 59), (0, 28, 2, 11, 59), (-11, 0, 3, 1, 30), (11, 0, 4, 21, 29),
    (10, 0, 4, 22, 30),
  ])
  func theCrossStaysOnTheMap(row: Int, column: Int, taken: Int, crossRow: Int, crossColumn: Int) {
    let cells = [(0, 0), (0, -1), (0, 1), (-1, 0)].prefix(taken)
    let bikes = cells.map { bike("", spot(row + $0.0, column + $0.1)) }
    let drawn = canvas(bikes, you: spot(row, column), rows: 25)
    #expect(positions(of: "✛", on: drawn) == [[crossRow, crossColumn]])
  }

  @Test func bikesAboveEachOtherHaveTheirIds() {
    let lines = canvas([bike("a", spot(0, 0)), bike("b", spot(2, 0))]).lines
    #expect(lines[11].hasSuffix("●a") && lines[13].hasSuffix("●b"))
  }

  /// A bike has its color; what is selected stands out, and what is rented does not.
  @Test func styles() {
    let bikes = [
      bike("a", spot(0, 0)), bike("b", spot(2, 0), rented: true), bike("c", spot(4, 0), rented: true),
      bike("d", spot(6, 0), color: "reddish"),
    ]
    var view = MapView(of: Circle(you, meters: 500), on: size)
    view.scale = 10
    var canvas = Canvas(size)
    view.draw(bikes.map { FoundBike($0, from: nil) }, you: nil, picked: "c", on: &canvas, rows: 23)
    let cyan = Style.filled(red: 0, green: 200, blue: 230)
    #expect(
      [11, 13, 15, 17].map { canvas[row: $0, column: 30].style } == [
        cyan, cyan + .dim, cyan + .reversed, .plain,
      ])
    #expect(
      [11, 13, 15, 17].map { canvas[row: $0, column: 31].style } == [
        .dim, .dim, .bold + .reversed, .dim,
      ])
  }

  /// The canvas has two rows more than the map.
  @Test(
    arguments: [
      (-11, 0, true), (-12, 0, false), (11, 0, true), (12, 0, false), (0, -30, true), (0, -31, false),
      (0, 29, true), (0, 30, false),
    ])
  func bikesBeyondMapAreNotDrawn(row: Int, column: Int, isDrawn: Bool) {
    let expected = isDrawn ? [[11 + row, 30 + column]] : []
    #expect(positions(of: "✛", on: canvas([], you: spot(row, column), rows: 25)) == expected)
    #expect(positions(of: "●", on: canvas([bike("", spot(row, column))], rows: 25)) == expected)
  }

  @Test(
    arguments: [
      ("ab", 27, "●ab"), ("ab", 28, "●"), ("123456789", 21, "●12345678"), ("123456789", 22, "●"),
      ("", 29, "●"),
    ])
  func idIsWrittenWhereItHasRoom(id: String, column: Int, end: String) {
    let line = canvas([bike(id, spot(0, column))]).lines[11]
    #expect(line == String(repeating: " ", count: 30 + column) + end)
  }

  @Test(arguments: [(3, "●ab●y"), (2, "● ●y"), (1, "●●y")])
  func aBikeNeedsTheRoomOfAnId(column: Int, text: String) {
    let line = canvas([bike("ab", spot(0, 0)), bike("y", spot(0, column))]).lines[11]
    #expect(line == String(repeating: " ", count: 30) + text)
  }

  @Test(
    arguments: [
      (40, 20.0, "├────────┤ 200 m"), (40, 19.9, "├───┤ 100 m"), (40, 100, "├────────┤ 1 km"),
      (40, 99, "├───┤ 500 m"), (40, 0.05, "├────────┤ 0.5 m"), (300, 1e7, "├───┤ 50000 km"), (3, 1, "├┤"),
      (2, 1, ""),
    ])
  func barIsLongestThatQuarterOfWidthHolds(columns: Int, scale: Double, text: String) {
    var canvas = Canvas(WindowSize(columns: columns, rows: 10))
    var view = MapView(of: Circle(you, meters: 500), on: canvas.size)
    view.scale = scale
    view.draw([], you: nil, on: &canvas, rows: 10)
    #expect(canvas.lines[9] == text)
  }

  /// With a margin of eight columns or five rows.
  @Test(arguments: [
    (0.0, 520.0, 10.0), (360, 0, 10), (360, 520, 10), (5, 5, 1), (720, 520, 20), (-360, -1040, 20),
  ])
  func allOfSomeBikes(north: Double, east: Double, scale: Double) {
    let bikes = [bike("1", you), bike("2", you.moved(north: north, east: east))]
    for bikes in [bikes, bikes.reversed()] {
      let view = MapView(showing: bikes.map(\.place), on: size)
      #expect(abs(view.scale - scale) < 0.01)
      #expect(view.center.distance(to: you.moved(north: north / 2, east: east / 2)) < 0.1)
    }
  }

  /// Without room beside the margin as with room for one column or row.
  @Test(arguments: [
    (8, 50, 0.0, 100.0, 100.0), (9, 50, 0, 100, 100), (80, 5, 100, 0, 50), (80, 6, 100, 0, 50),
  ])
  func allOfSomeBikesOnASmallCanvas(columns: Int, rows: Int, north: Double, east: Double, scale: Double) {
    let bikes = [bike("1", you), bike("2", you.moved(north: north, east: east))]
    let view = MapView(showing: bikes.map(\.place), on: WindowSize(columns: columns, rows: rows))
    #expect(abs(view.scale - scale) < 0.01)
  }

  @Test func withoutBikes() {
    #expect(MapView(showing: [], on: size).center == .zero && MapView(showing: [], on: size).scale == 1)
    #expect(MapView(showing: [you], on: size).center == you)
  }

  @Test func asText() {
    var canvas = Canvas(WindowSize(columns: 6, rows: 2))
    canvas.write("a", row: 0, column: 1, style: .bold)
    canvas.write("b", row: 0, column: 3)
    #expect(canvas.text(color: true) == " \u{1B}[1ma\u{1B}[0m b\n\n")
    #expect(canvas.text(color: false) == " a b\n\n")
    canvas.write("c d", row: 1, column: 0, style: .reversed)
    let (c, d) = (Style.reversed.applied(to: "c"), Style.reversed.applied(to: "d"))
    #expect(canvas.text(color: true).hasSuffix("b\n\(c)\(Style.reversed.applied(to: " "))\(d)\n"))
  }
}
