import JSON
import System
import Terminal
import TestSupport
import Testing

@testable import Bikes

private func bike(_ id: String, _ place: Place, rented: Bool = false) -> Bike {
  Bike(id: id, name: "N\(id)", color: "00C8E6", pin: nil, place: place, isRented: rented, owner: nil)
}

private let you = place(50.1195, 8.6381)
private let north = bike("1", you.moved(north: 400, east: 0))
private let east = bike("2", you.moved(north: 0, east: 400))
private let far = bike("3", you.moved(north: 5000, east: 0))

@Suite struct TheMap {
  private let size = WindowSize(columns: 60, rows: 23)

  @Test func northIsUpAndEastIsRight() {
    let view = MapView(of: Circle(you, metres: 500), on: size)
    let middle = view.position(of: you, on: size)
    #expect(view.position(of: north.place, on: size).row < middle.row)
    #expect(view.position(of: north.place, on: size).column == middle.column)
    #expect(view.position(of: east.place, on: size).column > middle.column)
    #expect(view.position(of: east.place, on: size).row == middle.row)
    // As far up as to the right, a row being two columns high.
    let up = middle.row - view.position(of: north.place, on: size).row
    let right = view.position(of: east.place, on: size).column - middle.column
    #expect(abs(right - 2 * up) <= 2)
  }

  @Test func itShowsBikesYouAndAScale() {
    var canvas = Canvas(size)
    let view = MapView(of: Circle(you, metres: 500), on: size)
    view.draw(FoundBike.sorted([north, east, far], from: you), you: you, on: &canvas, rows: canvas.rows)
    let text = canvas.lines.joined(separator: "\n")
    #expect(text.contains("●1"))
    #expect(text.contains("●2"))
    #expect(!text.contains("●3"))
    #expect(text.contains("✛"))
    #expect(text.contains("N↑"))
    #expect(canvas.lines.last == "├──────┤ 200 m")
  }

  /// "●213" for the bikes 21 and 13 would be a third one.
  @Test func anIdIsNoPartOfAnother() {
    var canvas = Canvas(size)
    let crowd = [
      bike("13", you.moved(north: 0, east: 90)), bike("21", you.moved(north: 0, east: 60)),
      bike("7", you.moved(north: 200, east: 0)), bike("8", you.moved(north: 201, east: 1)),
    ]
    let view = MapView(of: Circle(you, metres: 500), on: size)
    view.draw(FoundBike.sorted(crowd, from: you), you: you, on: &canvas, rows: canvas.rows)
    let text = canvas.lines.joined(separator: "\n")
    #expect(text.contains("✛ ●●13"), "\(text)")
    #expect(text.contains("●7") && !text.contains("8"), "\(text)")
    view.draw(FoundBike.sorted(crowd, from: you), you: you, picked: "21", on: &canvas, rows: canvas.rows)
    #expect(canvas.lines.joined().contains("●21"))
  }

  @Test(
    "The bar is of 1, 2 or 5 and zeros, and a quarter of the width at most",
    arguments: [40, 80, 200], [0.05, 0.3, 1, 3.3, 40, 777, 99_999])
  func bar(columns: Int, scale: Double) throws {
    var canvas = Canvas(WindowSize(columns: columns, rows: 10))
    var view = MapView(of: Circle(you, metres: 500), on: canvas.size)
    view.scale = scale
    view.draw([], you: nil, on: &canvas, rows: 9)
    let words = canvas.lines[8].split(separator: " ").map { String($0) }
    try #require(words.count == 3)
    #expect(words[0].count <= max(2, columns / 4 + 1))
    let digits = words[1].dropFirst(words[1].hasPrefix("0.") ? 2 : 0)
    #expect(["1", "2", "5"].contains(digits.prefix(1)), "\(words)")
    #expect(digits.dropFirst().allSatisfy { $0 == "0" }, "\(words)")
    #expect(canvas.lines[9] == "")
  }

  @Test func theDateLineAndThePolesAreNoEdge() {
    let line = place(10, 180)
    let view = MapView(of: Circle(line, metres: 500), on: size)
    let spot = view.position(of: line.moved(north: 0, east: 300), on: size)
    #expect((30..<60).contains(spot.column))
    let pole = MapView(of: Circle(place(90, 0), metres: 500), on: size)
    #expect(pole.position(of: place(90, 0), on: size).row == 11)
  }

  /// A map of all bikes has them all, with a margin, on a part of the canvas that is not too small.
  @Test(arguments: [(3000.0, 100.0), (100, 3000), (2000, 2000)])
  func allBikes(north: Double, east: Double) {
    let bikes = (0...8).map { step in
      let part = Double(step) / 8
      return bike("\(step)", you.moved(north: north * part, east: east * (1 - part)))
    }
    let view = MapView(showing: bikes, on: size)
    let spots = bikes.map { view.position(of: $0.place, on: size) }
    let (rows, columns) = (spots.map(\.row), spots.map(\.column))
    #expect((2...4).contains(rows.min() ?? 0) || (3...6).contains(columns.min() ?? 0), "\(spots)")
    #expect(
      rows.allSatisfy { (2..<21).contains($0) } && columns.allSatisfy { (3..<58).contains($0) }, "\(spots)")
  }

  /// Four bikes around the pole are in four directions, from the pole and from each of them.
  @Test("At the poles nothing lies upon another", arguments: [90.0, -90])
  func aroundThePole(pole: Double) throws {
    let around = [0, 90, 180, -90].map { place(pole.sign == .minus ? -89.9995 : 89.9995, $0) }
    for centre in [place(pole, 0)] + around {
      let view = MapView(of: Circle(centre, metres: 130), on: size)
      let spots = around.map { view.position(of: $0, on: size) }
      #expect(Set(spots.map { $0.row * 60 + $0.column }).count == 4, "around \(centre): \(spots)")
      #expect(spots.allSatisfy { (0..<23).contains($0.row) && (0..<60).contains($0.column) })
    }
    let all = MapView(showing: around.enumerated().map { bike("\($0)", $1) }, on: size)
    #expect(Set(around.map { all.position(of: $0, on: size) }.map { $0.row * 60 + $0.column }).count == 4)
  }

  @Test(
    "Any radius makes a map with a scale bar",
    arguments: [0, 1e-300, 1e-22, 0.04, 0.5, 1, 1e7, Sphere.half, 1e300, .greatestFiniteMagnitude],
    [(20, 8), (60, 23), (300, 60), (1, 1), (5, 2)])
  func anyRadius(metres: Double, size: (columns: Int, rows: Int)) {
    let size = WindowSize(columns: size.columns, rows: size.rows)
    let circle = Circle(you, metres: metres)
    var canvas = Canvas(size)
    let view = MapView(of: circle, on: size)
    view.draw(FoundBike.sorted([north, east, far], from: you), you: you, on: &canvas, rows: size.rows)
    if size.columns >= 20 {
      #expect(canvas.lines.last?.contains(/^├─*┤ [0-9.]+ k?m$/) == true, "\(canvas.lines.last ?? "")")
    }
  }

  @Test func geoJSONHasTheNameAsItIs() throws {
    var evil = north
    evil.name = "<script>&\""
    let json = try JSON.parse(GeoJSON.text(of: [FoundBike(evil, from: you)]))
    #expect(try json["features"][0]["geometry"]["coordinates"][0].double == evil.place.longitude)
    #expect(try json["features"][0]["properties"]["name"].string == evil.name)
  }
}

@Suite struct WalkingThroughTheMap {
  private var screen = MapScreen(Circle(you, metres: 500), you: you, showsRented: false)

  private mutating func start(_ bikes: [Bike]) throws {
    _ = try screen.handle(.resized(WindowSize(columns: 60, rows: 25)), at: .zero)
    _ = try screen.handle(.completed(.success(.bikes(bikes))), at: .zero)
  }

  @discardableResult
  private mutating func press(_ keys: Key...) throws -> Next<MapScreen.Request> {
    var next = Next<MapScreen.Request>.stay
    for key in keys { next = try screen.handle(.key(key), at: .zero) }
    return next
  }

  private func found(_ id: String) -> FoundBike? { screen.found.first { $0.bike.id == id } }

  @Test mutating func itLooksWhereItIs() throws {
    guard
      case .request(.bikes(let circle)) = try screen.handle(
        .resized(WindowSize(columns: 60, rows: 25)), at: .zero)
    else {
      Issue.record("nothing was asked")
      return
    }
    #expect(circle.place == you)
    #expect(circle.metres >= 500)
  }

  /// The number of bikes is that of the place that is shown, or it is not shown.
  @Test mutating func theCountIsOfThePlaceThatIsShown() throws {
    try start([north, east])
    #expect(screen.status == "2 bikes")
    try press(.up)
    #expect(screen.status == "looking …")
    // The map moves again before the first response: that one is of another place.
    try press(.up)
    guard case .request(.bikes) = try screen.handle(.completed(.success(.bikes([]))), at: .zero) else {
      Issue.record("nothing was asked")
      return
    }
    #expect(screen.status == "looking …")
    _ = try screen.handle(.completed(.success(.bikes([far]))), at: .zero)
    #expect(screen.status == "1 bike")
    try press(.tab, .down)
    #expect(screen.status.hasPrefix("3 N3"))
  }

  @Test mutating func tabPicksTheNearestAndEnterRentsIt() throws {
    try start([far, east, bike("9", you, rented: true), bike("4", you.moved(north: 10, east: 0))])
    try press(.tab)
    #expect(screen.picked == "4")
    #expect(
      screen.status
        == "4 N4, cyan, 10 m away, at \(found("4")?.bike.place.description ?? "?"): Enter rents it")
    try press(.tab)
    #expect(screen.picked == "2")
    try press(.backTab)
    guard case .request(.rent(let id)) = try press(.enter) else {
      Issue.record("nothing was asked")
      return
    }
    #expect(id == "4")
    var yours = bike("4", you)
    yours.pin = Pin("4711")
    _ = try screen.handle(
      .completed(.success(.rented(RentedBike(yours, since: Timestamp(seconds: 0), time: FakeClock())))),
      at: .zero)
    #expect(screen.status == "4 N4 is yours: PIN 4711")
    #expect(screen.rented.map(\.id) == ["4"])
  }

  /// Otherwise the command would end with 0 without having had any bikes.
  @Test mutating func aFailureEndsAMapThatHadNoBikes() throws {
    _ = try screen.handle(.resized(WindowSize(columns: 60, rows: 25)), at: .zero)
    let refused = Failure(.connection, "refused")
    #expect(failure { try screen.handle(.completed(.failure(refused)), at: .zero) } == refused)
  }

  /// A wrong token stays wrong: further requests with it would only use up the server's patience.
  @Test mutating func aFailureThatWillNotPassEndsTheMap() throws {
    try start([north])
    let refused = Failure(.unauthorized, "no user has this token")
    #expect(failure { try screen.handle(.completed(.failure(refused)), at: .zero) } == refused)
  }

  @Test mutating func somebodyElseWasQuicker() throws {
    try start([north])
    try press(.tab, .enter)
    _ = try screen.handle(.completed(.success(.refused("bike 1 is rented already"))), at: .zero)
    #expect(screen.status == "bike 1 is rented already")
    #expect(screen.rented.isEmpty)
    // Neither the refresh after it nor another size takes the message away, but the next key does.
    _ = try screen.handle(.completed(.success(.bikes([east]))), at: .zero)
    _ = try screen.handle(.resized(WindowSize(columns: 70, rows: 25)), at: .zero)
    _ = try screen.handle(.completed(.success(.bikes([east]))), at: .zero)
    #expect(screen.status == "bike 1 is rented already")
    var canvas = Canvas(WindowSize(columns: 10, rows: 5))
    screen.draw(on: &canvas)
    #expect(canvas.lines[3] == "bike 1 is")
    try press(.tab)
    #expect(screen.status.hasPrefix("2 N2"))
  }

  /// After a failure it waits, longer each time; keys do not shorten that.
  @Test mutating func aFailedRequestIsNotRepeatedAtOnce() throws {
    try start([north])
    try press(.tab)
    var now = Duration.seconds(100)
    for wait in [1, 2, 4, 8, 16, 30, 30] {
      _ = try screen.handle(.key(.up), at: now)
      let next = try screen.handle(.completed(.failure(Failure(.connection, "gone"))), at: now)
      guard case .stay = next else {
        Issue.record("it asks at once")
        return
      }
      #expect(screen.status == "gone; next attempt in \(wait) s")
      #expect(screen.alarm == now + .seconds(wait))
      guard case .stay = try screen.handle(.key(.up), at: now) else {
        Issue.record("a key asks at once")
        return
      }
      guard case .stay = try screen.handle(.tick, at: now + .milliseconds(1)) else {
        Issue.record("it asks early")
        return
      }
      now += .seconds(wait)
      guard case .request(.bikes) = try screen.handle(.tick, at: now) else {
        Issue.record("it does not ask")
        return
      }
    }
    _ = try screen.handle(.completed(.success(.bikes([north]))), at: now)
    #expect(screen.alarm == nil && screen.status.hasPrefix("1 N1"))
  }

  @Test mutating func theSelectedBikeIsDescribed() throws {
    var hers = bike("1", you.moved(north: 0, east: 100), rented: true)
    hers.owner = "carla"
    screen = MapScreen(Circle(you, metres: 500), you: you, showsRented: true)
    try start([hers])
    try press(.tab)
    let place = hers.place.description
    #expect(screen.status == "1 N1, cyan, of carla, 100 m away, at \(place): rented")
    for (columns, rows, most) in [(200, 60, 3), (80, 24, 3), (40, 12, 3), (10, 5, 1)] {
      let lines = min(most, WordWrap.lines(screen.status, width: columns).count)
      var canvas = Canvas(WindowSize(columns: columns, rows: rows))
      screen.draw(on: &canvas)
      let panel = canvas.lines[(rows - 1 - lines)..<(rows - 1)].joined(separator: " ")
      #expect(columns == 10 ? panel == "1 N1," : panel == screen.status, "\(columns): \(panel)")
      #expect(canvas.lines[0].contains("N↑"))
      #expect(canvas.lines[rows - 2 - lines].hasPrefix("├"))
    }
  }

  @Test func theCrossHidesNoBike() {
    let size = WindowSize(columns: 60, rows: 23)
    var canvas = Canvas(size)
    let view = MapView(of: Circle(you, metres: 500), on: size)
    view.draw([FoundBike(bike("5", you), from: you)], you: you, on: &canvas, rows: size.rows)
    #expect(canvas.lines.joined().contains("✛●5"))
  }

  /// The bike would be out, and nobody know its PIN.
  @Test mutating func itDoesNotLeaveWithoutTheAnswerToARent() throws {
    try start([north])
    try press(.tab, .enter)
    guard case .stay = try press(.character("q")) else {
      Issue.record("it left")
      return
    }
    #expect(screen.status == "waiting for the response about 1 …")
    // Neither for a look that was under way, nor for one that failed.
    for answer in [.success(.bikes([north])), .failure(Failure(.connection, "gone"))]
      as [Result<MapScreen.Outcome, Failure>]
    {
      if case .leave = try screen.handle(.completed(answer), at: .zero) { Issue.record("it left") }
    }
    let yours = RentedBike(north, since: Timestamp(seconds: 0), time: FakeClock())
    guard case .leave = try screen.handle(.completed(.success(.rented(yours))), at: .zero) else {
      Issue.record("it stays")
      return
    }
    #expect(screen.rented.map(\.id) == ["1"])
    #expect(screen.renting == nil)
  }

  @Test mutating func aRefusalIsReadBeforeTheMapGoes() throws {
    try start([north])
    try press(.tab, .enter, .character("q"))
    if case .leave = try screen.handle(.completed(.success(.refused("taken"))), at: .zero) {
      Issue.record("it left")
    }
    #expect(screen.status == "taken")
    guard case .leave = try press(.character("q")) else {
      Issue.record("it stays")
      return
    }
  }

  @Test mutating func itMovesZoomsAndComesBack() throws {
    try start([north])
    let before = screen.view
    try press(.up)
    #expect(screen.view.centre.latitude > before.centre.latitude)
    try press(.right)
    #expect(screen.view.centre.longitude > before.centre.longitude)
    try press(.character("+"))
    #expect(screen.view.scale == before.scale / 2)
    try press(.character("0"))
    #expect(screen.view == before)
    guard case .leave = try press(.character("q")) else {
      Issue.record("it stays")
      return
    }
  }

  @Test mutating func aClickPicks() throws {
    try start([north, east])
    let spot = screen.view.position(of: east.place, on: WindowSize(columns: 60, rows: 23))
    try press(.mouse(Mouse(.press, row: spot.row, column: spot.column)))
    #expect(screen.picked == "2")
    var canvas = Canvas(WindowSize(columns: 60, rows: 25))
    screen.draw(on: &canvas)
    #expect(canvas.lines[22..<24].contains { $0.hasPrefix("2 N2, cyan, 400 m away") })
  }
}

@Suite struct TheForm {
  private func ask(
    _ answers: [String], _ form: BikeForm = BikeForm(), swatches: Bool = false
  ) throws -> (BikeProfile?, PreparedAnswers, String) {
    var form = form
    let prepared = PreparedAnswers(answers)
    let errors = MemorySink()
    let profile = try form.ask(
      Prompt(prepared, errors: errors), preset: place(50.12, 8.64), swatches: swatches)
    return (profile, prepared, errors.text)
  }

  @Test func fieldByFieldThenTheWhole() throws {
    let (profile, prepared, text) = try ask([
      "", " ", "Wanda", "reddish", "re", "12a4", "4711", "91,8", "", "y",
    ])
    #expect(profile?.name == "Wanda")
    #expect(profile?.color == "D8433A")
    #expect(profile?.pin.digits == "4711")
    #expect(profile?.place == place(50.12, 8.64))
    // The PIN, twice, is not shown.
    #expect(
      prepared.echoes.map { $0 == .hidden } == [
        false, false, false, false, false, true, true, false, false, false,
      ])
    #expect(!text.contains("4711"))
  }

  @Test(arguments: [(false, "  1  cyan\n"), (true, "  1  \u{1B}[38;2;0;200;230m██\u{1B}[0m cyan\n")])
  func theColorsAreShown(swatches: Bool, first: String) throws {
    let (profile, _, text) = try ask(["Wanda", "10", "4711", "", "y"], swatches: swatches)
    #expect(profile?.color == "1C1C1C")
    #expect(text.hasPrefix("Name: \(first)"), "\(text)")
    #expect(text.contains("Color: PIN (four digits, not shown): Place (LAT,LON) [50.12,8.64]: "))
    #expect(text.hasSuffix("Add 'Wanda', black, at 50.12,8.64? [y/N] "))
  }

  /// What --frame-color accepts is accepted here too.
  @Test(arguments: [("ff8800", "FF8800"), ("#ff8800", "FF8800"), ("123456", "123456"), ("bla", "1C1C1C")])
  func aColorIsAlsoSixDigits(answer: String, color: String) throws {
    let (profile, _, text) = try ask(["Wanda", "ff88", answer, "4711", "", "y"])
    #expect(profile?.color == color)
    #expect(
      text.contains("answer with a number from 1 to 10, a name, or six hexadecimal digits like 00C8E6"))
  }

  @Test func onlyWhatIsMissing() throws {
    var form = BikeForm()
    form.name = "Wanda"
    form.pin = Pin("4711")
    #expect(try ask(["cyan", "1,1", "yes"], form).0?.place == place(1, 1))
    #expect(form.missing == ["--frame-color", "--at"])
  }

  @Test func whatIsNotConfirmedIsNotAdded() throws {
    #expect(try ask(["Wanda", "1", "4711", "", "n"]).0 == nil)
  }

  @Test func anEndInsteadOfAnAnswerIsAFailure() {
    #expect(throws: Failure.self) { try ask(["Wanda"]) }
  }
}
