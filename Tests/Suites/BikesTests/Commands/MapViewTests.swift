import System
import Terminal
import Testing

@testable import Bikes

private let you = place(50.1195, 8.6381)

private func bike(
  _ id: String, _ place: Place, name: String = "N", color: String = "00C8E6", rented: Bool = false
) -> Bike {
  Bike(id: id, name: name, color: color, pin: nil, place: place, isRented: rented, owner: nil)
}

/// Ten metres to a column, twenty to a row: `you` are at row 11 and column 30.
@Suite struct MapSections {
  private let size = WindowSize(columns: 60, rows: 23)

  /// A place in the middle of the cell that is so many rows below and columns to the right.
  private func spot(_ row: Int, _ column: Int) -> Place {
    you.moved(north: Double(-row) * 20, east: Double(column) * 10 + 5)
  }

  private func canvas(_ bikes: [Bike], you place: Place? = nil, rows: Int = 23) -> Canvas {
    var view = MapView(of: Circle(you, metres: 500), on: size)
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
    var view = MapView(of: Circle(you, metres: 500), on: size)
    view.scale = 10
    var canvas = Canvas(size)
    view.draw(bikes.map { FoundBike($0, from: nil) }, you: nil, picked: "c", on: &canvas, rows: 23)
    let cyan = Style.color(red: 0, green: 200, blue: 230)
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
    "What lies beyond the map is not drawn",
    arguments: [
      (-11, 0, true), (-12, 0, false), (11, 0, true), (12, 0, false), (0, -30, true), (0, -31, false),
      (0, 29, true), (0, 30, false),
    ])
  func edges(row: Int, column: Int, isDrawn: Bool) {
    let expected = isDrawn ? [[11 + row, 30 + column]] : []
    #expect(positions(of: "✛", on: canvas([], you: spot(row, column), rows: 25)) == expected)
    #expect(positions(of: "●", on: canvas([bike("", spot(row, column))], rows: 25)) == expected)
  }

  @Test(
    "An id is written where it has room",
    arguments: [
      ("ab", 27, "●ab"), ("ab", 28, "●"), ("123456789", 21, "●12345678"), ("123456789", 22, "●"),
      ("", 29, "●"),
    ])
  func labels(id: String, column: Int, end: String) {
    let line = canvas([bike(id, spot(0, column))]).lines[11]
    #expect(line == String(repeating: " ", count: 30 + column) + end)
  }

  @Test(arguments: [(3, "●ab●y"), (2, "● ●y"), (1, "●●y")])
  func aBikeNeedsTheRoomOfAnId(column: Int, text: String) {
    let line = canvas([bike("ab", spot(0, 0)), bike("y", spot(0, column))]).lines[11]
    #expect(line == String(repeating: " ", count: 30) + text)
  }

  @Test func theArrowIsInTheCorner() {
    #expect(canvas([]).lines[0] == String(repeating: " ", count: 57) + "N↑")
  }

  @Test(
    "The bar is the longest that a quarter of the width holds",
    arguments: [
      (40, 20.0, "├────────┤ 200 m"), (40, 19.9, "├───┤ 100 m"), (40, 100, "├────────┤ 1 km"),
      (40, 99, "├───┤ 500 m"), (40, 0.05, "├────────┤ 0.5 m"), (300, 1e7, "├───┤ 50000 km"), (3, 1, "├┤"),
      (2, 1, ""),
    ])
  func bar(columns: Int, scale: Double, text: String) {
    var canvas = Canvas(WindowSize(columns: columns, rows: 10))
    var view = MapView(of: Circle(you, metres: 500), on: canvas.size)
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
      let view = MapView(showing: bikes, on: size)
      #expect(abs(view.scale - scale) < 0.01)
      #expect(view.centre.distance(to: you.moved(north: north / 2, east: east / 2)) < 0.1)
    }
  }

  /// Without room beside the margin as with room for one column or row.
  @Test(arguments: [
    (8, 50, 0.0, 100.0, 100.0), (9, 50, 0, 100, 100), (80, 5, 100, 0, 50), (80, 6, 100, 0, 50),
  ])
  func allOfSomeBikesOnASmallCanvas(columns: Int, rows: Int, north: Double, east: Double, scale: Double) {
    let bikes = [bike("1", you), bike("2", you.moved(north: north, east: east))]
    let view = MapView(showing: bikes, on: WindowSize(columns: columns, rows: rows))
    #expect(abs(view.scale - scale) < 0.01)
  }

  @Test func withoutBikes() {
    #expect(MapView(showing: [], on: size).centre == .zero && MapView(showing: [], on: size).scale == 1)
    #expect(MapView(showing: [bike("1", you)], on: size).centre == you)
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

/// Keys, clicks and answers that the map is walked with.
@Suite struct MapKeys {
  private let start = place(50.1, 8.6)
  private var screen = MapScreen(
    Circle(place(50.1, 8.6), metres: 500), you: place(50.1, 8.6), showsRented: true)

  private mutating func begin(_ bikes: [Bike], columns: Int = 60, rows: Int = 25) throws {
    _ = try screen.handle(.resized(WindowSize(columns: columns, rows: rows)), at: .zero)
    _ = try screen.handle(.completed(.success(.bikes(bikes))), at: .zero)
  }

  @discardableResult
  private mutating func press(_ key: Key) throws -> Next<MapScreen.Request> {
    try screen.handle(.key(key), at: .zero)
  }

  /// With a scale of 12.5 metres a step is 128.125.
  @Test(arguments: [
    (Key.up, 1.0, 0.0), (.character("k"), 1, 0), (.down, -1, 0), (.character("j"), -1, 0), (.left, 0, -1),
    (.character("h"), 0, -1), (.right, 0, 1), (.character("l"), 0, 1),
  ])
  mutating func steps(key: Key, north: Double, east: Double) throws {
    try begin([], columns: 82, rows: 200)
    try press(key)
    let offset = start.offset(to: screen.view.centre)
    #expect(abs(offset.north - north * 128.125) < 0.01 && abs(offset.east - east * 128.125) < 0.01)
    try press(.home)
    #expect(screen.view.centre == start)
  }

  @Test mutating func theScaleHasLimits() throws {
    try begin([])
    let scale = screen.view.scale
    for (key, factor) in [
      (Key.character("+"), 0.5), (.character("-"), 1), (.character("="), 0.5),
      (.mouse(Mouse(.wheelDown, .none, row: 0, column: 0)), 1),
      (.mouse(Mouse(.wheelUp, .none, row: 0, column: 0)), 0.5),
    ] {
      try press(key)
      #expect(screen.view.scale == scale * factor, "\(key)")
    }
    for _ in 0..<40 { try press(.character("-")) }
    #expect(screen.view.scale == 100_000)
    for _ in 0..<60 { try press(.character("+")) }
    #expect(screen.view.scale == 0.05)
  }

  /// Ten metres to a column; a row counts twice, and the corners are left out.
  @Test(arguments: [(290.0, 60, 40, 800.0), (240, 200, 30, 2000)])
  func theBikesOfTheScreenAreAskedFor(metres: Double, columns: Int, rows: Int, radius: Double) throws {
    var screen = MapScreen(Circle(start, metres: metres), you: nil, showsRented: false)
    guard
      case .request(.bikes(let circle)) = try screen.handle(
        .resized(WindowSize(columns: columns, rows: rows)), at: .zero)
    else {
      Issue.record("nothing was asked")
      return
    }
    #expect(circle.place == start && abs(circle.metres - radius) < 1e-6)
    // Another size, before there is an answer, shows more or less of the same.
    let view = screen.view
    guard case .stay = try screen.handle(.resized(WindowSize(columns: 30, rows: 90)), at: .zero) else {
      Issue.record("it asks twice at once")
      return
    }
    #expect(screen.view == view)
  }

  /// A window that gets another size shows another part of the same map, also where there is no bike.
  @Test(arguments: [0, 1]) mutating func anotherSizeMovesNothing(count: Int) throws {
    let bikes = [bike("1", start)].prefix(count)
    try begin(Array(bikes))
    try press(.right)
    _ = try screen.handle(.completed(.success(.bikes(Array(bikes)))), at: .zero)
    let view = screen.view
    guard
      case .request(.bikes(let circle)) = try screen.handle(
        .resized(WindowSize(columns: 90, rows: 40)), at: .zero)
    else {
      Issue.record("nothing was asked")
      return
    }
    #expect(screen.view == view && view.centre != start && circle.place == view.centre)
  }

  @Test(arguments: [
    Key.tab, .backTab, .character("x"), .mouse(Mouse(.press, row: 11, column: 30)),
    .mouse(Mouse(.release, row: 11, column: 30)),
  ])
  mutating func theMapStays(key: Key) throws {
    for count in 0...1 {
      try begin(Array([bike("1", start)].prefix(count)))
      guard case .stay = try press(key) else {
        Issue.record("the map is left, or something is asked")
        return
      }
      #expect(count == 1 || screen.picked == nil)
    }
  }

  /// The bike is at row 11 and column 30.
  @Test(arguments: [
    (11, 30, true), (11, 33, true), (11, 34, false), (11, 27, true), (11, 26, false), (12, 31, true),
    (12, 32, false), (10, 31, true), (10, 32, false), (12, 29, true), (13, 30, false), (9, 30, false),
  ])
  mutating func aClickNearABikePicksIt(row: Int, column: Int, isPicked: Bool) throws {
    try begin([bike("1", start)])
    try press(.mouse(Mouse(.release, row: row, column: column)))
    #expect(screen.picked == nil)
    try press(.mouse(Mouse(.press, row: row, column: column)))
    #expect(screen.picked == (isPicked ? "1" : nil))
  }

  @Test mutating func theNearestToAClickIsPicked() throws {
    // Three and one columns away from the click.
    try begin([bike("1", start), bike("2", start.moved(north: 0, east: screen.view.scale * 4.5))])
    let spots = screen.found.map {
      screen.view.position(of: $0.bike.place, on: WindowSize(columns: 60, rows: 23))
    }
    try press(.mouse(Mouse(.press, row: 11, column: spots[1].column - 1)))
    #expect(screen.picked == "2")
    try press(.mouse(Mouse(.press, row: 11, column: spots[0].column + 1)))
    #expect(screen.picked == "1")
  }

  @Test mutating func aBikeThatIsOutIsNotRented() throws {
    try begin([bike("9", start, name: "Hans", rented: true)])
    try press(.tab)
    guard case .stay = try press(.enter) else {
      Issue.record("something was asked")
      return
    }
    #expect(screen.status == "9 Hans is rented" && screen.renting == nil)
  }

  @Test mutating func oneRentalAtATime() throws {
    try begin([bike("1", start), bike("2", start.moved(north: 10, east: 0))])
    try press(.tab)
    guard case .request(.rent("1")) = try press(.character("r")) else {
      Issue.record("nothing was asked")
      return
    }
    #expect(screen.status == "renting 1 …")
    try press(.tab)
    guard case .stay = try press(.enter) else {
      Issue.record("two were asked for")
      return
    }
    #expect(screen.renting == "1" && screen.status == "renting 1 …")
    // What was refused may be tried again, with another bike too.
    _ = try screen.handle(.completed(.success(.refused("taken"))), at: .zero)
    #expect(screen.renting == nil && screen.status == "taken")
    guard case .request(.rent("2")) = try press(.enter) else {
      Issue.record("nothing was asked")
      return
    }
  }

  @Test mutating func aBikeThatIsGoneIsNotPicked() throws {
    try begin([bike("1", start), bike("2", start.moved(north: 10, east: 0))])
    try press(.tab)
    try press(.up)
    _ = try screen.handle(.completed(.success(.bikes([bike("1", start)]))), at: .zero)
    #expect(screen.picked == "1")
    try press(.up)
    _ = try screen.handle(.completed(.success(.bikes([bike("2", start)]))), at: .zero)
    #expect(screen.picked == nil && screen.status == "1 bike")
  }

  @Test mutating func afterASuccessTheWaitBeginsAnew() throws {
    try begin([])
    for wait in [1, 2] {
      try press(.up)
      _ = try screen.handle(.completed(.failure(Failure(.connection, "gone"))), at: .zero)
      #expect(screen.alarm == .seconds(wait))
      _ = try screen.handle(.tick, at: .seconds(wait))
    }
    _ = try screen.handle(.completed(.success(.bikes([]))), at: .zero)
    try press(.up)
    _ = try screen.handle(.completed(.failure(Failure(.connection, "gone"))), at: .seconds(9))
    #expect(screen.alarm == .seconds(10) && screen.status == "gone; next attempt in 1 s")
  }

  @Test(arguments: [Key.escape, .character("q")])
  mutating func theWayOut(key: Key) throws {
    try begin([])
    guard case .leave = try press(key) else {
      Issue.record("it stays")
      return
    }
  }

  @Test(arguments: [
    (62, "arrows move  + - zoom  Tab picks  Enter rents  0 back  q quits"),
    (61, "arrows + - 0  Tab Enter rents  q quits"),
    (38, "arrows + - 0  Tab Enter rents  q quits"), (37, "Tab Enter rents  q quits"),
    (24, "Tab Enter rents  q quits"),
    (23, "q quits"), (7, "q quits"), (6, ""),
  ])
  mutating func theLineOfKeys(columns: Int, text: String) throws {
    try begin([])
    var canvas = Canvas(WindowSize(columns: columns, rows: 25))
    screen.draw(on: &canvas)
    #expect(canvas.lines[24] == text)
  }

  /// What is said takes one line in a low window, and three at most.
  @Test(arguments: [(7, 4), (8, 4), (11, 7), (12, 7), (25, 20)])
  mutating func theLinesBelowTheMap(rows: Int, bar: Int) throws {
    try begin([bike("1", start)])
    try press(.tab)
    var canvas = Canvas(WindowSize(columns: 20, rows: rows))
    screen.draw(on: &canvas)
    #expect(canvas.lines.firstIndex { $0.hasPrefix("├") } == bar, "\(canvas.lines)")
    #expect(canvas.lines[bar + 1].hasPrefix("1 N"))
  }

  /// A window of three lines has a map of one, and its scale.
  @Test mutating func theLowestMap() throws {
    try begin([])
    var canvas = Canvas(WindowSize(columns: 40, rows: 3))
    screen.draw(on: &canvas)
    #expect(canvas.lines[0].hasPrefix("├") && canvas.lines[0].hasSuffix("N↑"), "\(canvas.lines)")
    #expect(canvas.lines[1] == "0 bikes")
  }
}
