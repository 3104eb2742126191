import System
import Terminal
import TestSupport
import Testing

@testable import Bikes
@testable import Race
@testable import Wordle

/// The full screens, picture by picture.
@Suite struct Screens {
  @Test func cardScreenIsAsRecorded() throws {
    let browser = ScoreBrowser(Score.initial, style: CardStyle(color: true), isAnimated: true)
    var film = try Film(browser, columns: 50, rows: 12)
    try film.press(.right, .character(" "))
    try film.wait(.milliseconds(100))
    try film.wait(.seconds(2))
    try film.press(.down, .enter, .tab)
    try film.press(.character("?"))
    try film.press(.character("?"), .character("n"), .backspace)
    for (columns, rows) in [(20, 6), (20, 5), (8, 24), (1, 1), (120, 30)] { try film.resize(columns, rows) }
    try film.press(.end, .pageUp, .left, .mouse(Mouse(.press, row: 3, column: 4)))
    try film.press(.character("a"), .character("q"))
    try RecordedText.hold("screens/cards.txt", to: film.text)
    let none = try Film(
      ScoreBrowser([], style: CardStyle(color: true), isAnimated: true), columns: 30, rows: 8)
    try RecordedText.hold("screens/no-cards.txt", to: none.text)
  }

  @Test func mapScreenIsAsRecorded() throws {
    let you = try #require(Place(latitude: 50.1, longitude: 8.6))
    func bike(_ id: Int, north: Double, east: Double, rented: Bool = false) -> Bike {
      Bike(
        id: "\(id)", name: "N\(id)", color: ["00C8E6", "D8433A", "76CD68"][id % 3], pin: nil,
        place: you.moved(north: north, east: east), isRented: rented, owner: id == 2 ? "ada" : nil)
    }
    let bikes = [
      bike(1, north: 100, east: 50), bike(2, north: -150, east: 120),
      bike(3, north: 10, east: -300, rented: true),
      bike(4, north: 400, east: 400), bike(5, north: 401, east: 402),
    ]
    var film = try Film(
      MapScreen(Circle(you, meters: 500), you: you, showsRented: true), columns: 60, rows: 16)
    try film.complete(.success(.bikes(bikes)), "the bikes")
    try film.press(.tab)
    try film.press(.tab, .tab)
    try film.press(.enter)
    try film.press(.backTab, .enter, .enter)
    try film.complete(.success(.refused("bike 1 is rented")), "a refusal")
    try film.press(.character("r"))
    let rented = RentedBike(bikes[2], since: FakeClock.start, time: FakeClock())
    try film.complete(.success(.ownBikes([rented])), "own bikes")
    try film.press(.enter)
    try film.press(.escape, .escape, .character("?"))
    try film.press(.escape)
    try film.press(.up, .character("+"), .left)
    try film.complete(.failure(Failure(.connection, "no connection", retryable: true)), "a failure")
    try film.wait(.seconds(3))
    for (columns, rows) in [(30, 6), (10, 3), (1, 1), (100, 20), (40, 12)] { try film.resize(columns, rows) }
    try film.press(.home, .mouse(Mouse(.press, row: 9, column: 52)), .character("q"))
    try RecordedText.hold("screens/map.txt", to: film.text)
  }

  @Test func raceScreenIsAsRecorded() throws {
    var settings = RaceWatch.Settings()
    settings.retries = 1
    var film = try Film(RaceScreen(settings, startsAtOnce: false) { _ in }, columns: 60, rows: 14)
    func answer(_ response: RaceWatch.Response, _ title: String) throws {
      let request = try #require(film.requests.last)
      try film.complete(.success(RaceWatch.Reply(number: request.number, result: .success(response))), title)
    }
    try answer(
      .duration(RaceStart(length: .seconds(6)), .init(left: 28, renewal: .seconds(60))), "the length")
    try film.press(.enter)
    try answer(.duration(RaceStart(length: .seconds(6)), nil), "the length again")
    try answer(.standings(RaceStandings(bees: RaceCourse.bees), nil), "the standings")
    try film.wait(.milliseconds(1200))
    for (columns, rows) in [(100, 16), (200, 40), (60, 14)] { try film.resize(columns, rows) }
    let failed = try #require(film.requests.last)
    let failure = Failure(.connection, "'host:80' closed the connection", retryable: true)
    try film.complete(
      .success(RaceWatch.Reply(number: failed.number, result: .failure(failure))), "a failure")
    for (columns, rows) in [(100, 9), (24, 8), (9, 3), (1, 1), (60, 14)] { try film.resize(columns, rows) }
    try film.wait(.seconds(4))
    try answer(.standings(RaceStandings(bees: RaceCourse.bees.reversed()), nil), "other standings")
    try film.wait(.milliseconds(100))
    try film.press(.down, .end)
    try film.wait(.seconds(2))
    try answer(.standings(RaceStandings(bees: RaceCourse.bees.reversed()), nil), "the last standings")
    try film.wait(.seconds(3))
    for (columns, rows) in [(100, 30), (40, 12)] { try film.resize(columns, rows) }
    try film.press(.character("q"))
    try RecordedText.hold("screens/race.txt", to: film.text)
  }
}
