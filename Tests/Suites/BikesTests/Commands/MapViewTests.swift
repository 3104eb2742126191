import System
import Terminal
import TestSupport
import Testing

@testable import Bikes

/// Ten meters to a column, twenty to a row: `you` are at row 11 and column 30.
@Suite struct MapSections {
  private let size = WindowSize(columns: 60, rows: 23)

  /// A place in the middle of the cell that is so many rows below and columns to the right.
  private func spot(_ row: Int, _ column: Int) -> Place {
    you.moved(north: Double(-row) * 20, east: Double(column) * 10 + 5)
  }

  private func canvas(
    _ bikes: [Bike], you place: Place? = nil, picked: String? = nil, rows: Int = 23
  ) -> Canvas {
    var view = MapView(of: Circle(you, meters: 500), on: size)
    view.scale = 10
    var canvas = Canvas(WindowSize(columns: 60, rows: rows))
    view.draw(bikes.map { FoundBike($0, from: nil) }, you: place, picked: picked, on: &canvas, rows: 23)
    return canvas
  }

  /// `[you=ROW,COLUMN] [picked=ID] [rows=N] [ID]@ROW,COLUMN…`, in cells below and to the right of the middle, with the rows that are
  /// not empty. A canvas may have more rows than the map, which has 23.
  @Test func sectionsAreAsRecorded() throws {
    try RecordedText.holdRequests("map-view.txt", begin: {}) { words in
      func place(_ text: Substring) -> Place {
        let cell = text.split(separator: ",").compactMap { Int($0) }
        return spot(cell[0], cell[1])
      }
      var (bikes, own, picked, rows): ([Bike], Place?, String?, Int) = ([], nil, nil, 23)
      for word in words {
        let sides = word.split(separator: word.contains("@") ? "@" : "=", omittingEmptySubsequences: false)
        switch sides[0] {
        case "you": own = place(sides[1])
        case "picked": picked = String(sides[1])
        case "rows": rows = Int(sides[1]) ?? 0
        default: bikes.append(bike(String(sides[0]), place(sides[1])))
        }
      }
      let lines = canvas(bikes, you: own, picked: picked, rows: rows).lines
      return lines.enumerated().filter { $0.element != "" }.map { "  \($0.offset)|\($0.element)" }
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

  /// A bike has its color; what is selected stands out, and what is rented does not.
  @Test func styles() {
    let bikes = [
      bike("a", spot(0, 0)), bike("b", spot(2, 0), rented: true), bike("c", spot(4, 0), rented: true),
      bike("d", spot(6, 0), color: "reddish"),
    ]
    let canvas = canvas(bikes, picked: "c")
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

  @Test(arguments: [
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
