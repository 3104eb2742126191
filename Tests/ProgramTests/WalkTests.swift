import Command
import HTTP
import System
import Terminal
import TestSupport
import Testing

@testable import Bikes
@testable import Race
@testable import Wordle

/// Walks through the full screens at random: keys, clicks, sizes, responses and pauses in an order that nobody thinks of.
/// What is recorded is a picture at times, and a checksum of all pictures between. To see the picture that differs, print
/// those of the walk with and without the change.
@Suite struct Walks {
  /// A person who uses a screen.
  struct Person {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// One of so many, by the generator alone: the same with every version of the standard library.
    mutating func pick(_ count: Int) -> Int { Int(generator.next() % UInt64(count)) }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[pick(elements.count)] }

    mutating func key(in size: (columns: Int, rows: Int)) -> Key {
      guard pick(5) == 0 else { return pick(Person.keys) }
      return .mouse(
        Mouse(
          pick([.press, .press, .press, .release, .wheelUp, .wheelDown]),
          pick([.left, .left, .left, .right, .none]), row: pick(size.rows + 1), column: pick(size.columns + 1)
        ))
    }

    mutating func size() -> (columns: Int, rows: Int) {
      (1 + pick(pick([20, 60, 130])), 1 + pick(pick([8, 40])))
    }

    private static let keys: [Key] =
      [
        .up, .down, .left, .right, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .enter, .enter,
        .tab, .tab, .backTab, .backspace, .backspace, .backspace, .backspace, .backspace, .backspace,
        .backspace,
      ] + "hjklrRnp?/ 0123456+-=x".map { .character($0) }
  }

  /// Makes `steps` steps, and a picture after every sixtieth. A screen that is left begins anew.
  private func walk<Screen: InteractiveScreen>(
    seed: UInt64, steps: Int, _ screen: (inout Person) -> Screen,
    replies: ((inout Person, Screen.Request) -> Result<Screen.Outcome, Failure>)? = nil
  ) throws -> String {
    var person = Person(seed: seed)
    var size = person.size()
    func begin(_ person: inout Person) throws -> Film<Screen> {
      try Film(screen(&person), columns: size.columns, rows: size.rows, isBrief: true)
    }
    var text = ""
    var film = try begin(&person)
    var replied = 0
    for step in 1...steps {
      let isWaiting = film.requests.count > replied
      switch person.pick(10) {
      case 0:
        size = person.size()
        try film.resize(size.columns, size.rows)
      case 1, 2: try film.wait(.milliseconds(person.pick([20, 170, 900, 4000, 21_000])))
      case 3...6 where isWaiting:
        let request = film.requests[film.requests.count - 1]
        replied = film.requests.count
        if let replies { try film.complete(replies(&person, request), "\(request)") }
      default:
        let isImpatient = person.pick(90) == 0
        try film.press(isImpatient ? person.pick([.escape, .character("q")]) : person.key(in: size))
      }
      if step % 60 == 0 {
        film.still("step \(step), \(size.columns)x\(size.rows)")
      } else if step % 6 == 0 || film.hasLeft {
        film.mark("step \(step), \(size.columns)x\(size.rows)\(film.hasLeft ? ", left" : "")")
      }
      guard film.hasLeft else { continue }
      text += film.text
      film = try begin(&person)
      replied = 0
    }
    return text + film.text
  }

  @Test func cardWalkIsAsRecorded() throws {
    let games: [[Score]] = [Score.initial, [], Array(Score.initial.prefix(1))]
    let text = try (1...6).map { seed in
      try walk(seed: UInt64(seed), steps: 240) { person in
        let (color, isAnimated) = (person.pick(4) > 0, person.pick(3) > 0)
        let scores = person.pick(8) == 0 ? person.pick(games) : Walks.scores(&person)
        let style = CardStyle(letters: person.pick([.hidden, .shown]), color: color)
        return ScoreBrowser(scores, style: style, isAnimated: isAnimated)
      }
    }.joined()
    try RecordedText.hold("screens/walks-cards.txt", to: text)
  }

  private static func scores(_ person: inout Person) -> [Score] {
    let words = ["stair", "peony", "lapse", "month", "漢字漢字漢", "sleds", "sweet"]
    return (0..<(2 + person.pick(30))).compactMap { number in
      guard let date = CalendarDay(year: 2022, month: 1, day: 1 + number % 28) else { return nil }
      let tries = (0..<(1 + person.pick(6))).map { _ in person.pick(words) }
      let word =
        person.pick(4) == 0 ? "Ärger" : person.pick(2) == 0 ? tries[tries.count - 1] : person.pick(words)
      return Score(id: 200 + number, date: date, word: word, tries: tries, isHard: person.pick(5) == 0)
    }
  }

  @Test func mapWalkIsAsRecorded() throws {
    let you = try #require(Place(latitude: 50.1, longitude: 8.6))
    let text = try (1...6).map { seed in
      var hasBikes = false
      return try walk(seed: UInt64(seed), steps: 240) { person in
        // A failure before the first bikes ends the map.
        hasBikes = false
        let meters = person.pick([30.0, 500, 20_000, 9_000_000])
        return MapScreen(
          Circle(you, meters: meters), you: person.pick([you, nil]), showsRented: person.pick(2) == 0)
      } replies: { person, request in
        switch request {
        case .bikes(let circle):
          if person.pick(5) == 0, hasBikes {
            return .failure(Failure(.connection, "no connection", retryable: true))
          }
          hasBikes = true
          return .success(.bikes(Walks.bikes(&person, circle)))
        case .ownBikes:
          return .success(
            .ownBikes((0..<person.pick([0, 1, 9])).map { Walks.rented("\($0)", &person, you) }))
        case .rent(let id), .giveBack(let id, _):
          if person.pick(3) == 0 { return .success(.refused("bike \(id) is rented")) }
          if case .giveBack = request { return .success(.returned(Walks.bike(id, &person, you))) }
          return .success(.rented(Walks.rented(id, &person, you)))
        }
      }
    }.joined()
    try RecordedText.hold("screens/walks-map.txt", to: text)
  }

  private static func bikes(_ person: inout Person, _ circle: Circle) -> [Bike] {
    (0..<person.pick([0, 1, 12, 80])).map { id in
      let reach = min(circle.meters, 1_000_000)
      let part = { (value: Int) in reach * Double(value - 100) / 80 }
      return bike(
        "\(id)", &person, circle.place.moved(north: part(person.pick(200)), east: part(person.pick(200))))
    }
  }

  private static func rented(_ id: String, _ person: inout Person, _ place: Place) -> RentedBike {
    RentedBike(bike(id, &person, place), since: FakeClock.start, time: FakeClock())
  }

  private static func bike(_ id: String, _ person: inout Person, _ place: Place) -> Bike {
    Bike(
      id: id, name: person.pick(["Rover", "日本", "a long name of a bike", "N"]),
      color: person.pick(["00C8E6", "D8433A", "76CD68"]), pin: nil, place: place,
      isRented: person.pick(4) == 0, owner: person.pick(["ada", nil]))
  }

  @Test func raceWalkIsAsRecorded() throws {
    var text = ""
    for seed in 1...10 {
      let log = EventLog()
      text += try walk(seed: UInt64(seed), steps: 360) { person in
        var settings = RaceWatch.Settings()
        settings.settle = .seconds(person.pick([0, 3, 10]))
        settings.captcha = person.pick(CaptchaMode.allCases)
        settings.retries = person.pick(3)
        settings.waits = person.pick(4) > 0
        if person.pick(4) == 0 {
          settings.deadline = (.seconds(20), Failure(.connection, "'--deadline 20' is over"))
        }
        return RaceScreen(settings, startsAtOnce: person.pick(3) == 0, slides: person.pick(3) > 0) {
          events throws(Failure) in log.add(events)
        }
      } replies: { person, request in
        .success(
          RaceWatch.Reply(
            number: request.number, result: Walks.reply(&person, request, fails: seed % 2 == 0),
            nextMinute: .seconds(1 + person.pick(59))))
      }
      text += log.text
    }
    try RecordedText.hold("screens/walks-race.txt", to: text)
  }

  private final class EventLog {
    private(set) var text = ""

    func add(_ events: [RaceEvent]) {
      for event in events {
        let facts = [
          "\(event.kind) \(event.seq)", "\(event.elapsed)", event.remaining.map { "left \($0)" },
          event.wait.map { "wait \($0)" }, event.message, event.captchaUrl, event.winner,
          event.isProvisional.map { $0 ? "provisional" : "final" },
        ]
        text += facts.compactMap(\.self).joined(separator: ", ") + "\n"
      }
    }
  }

  private static func reply(
    _ person: inout Person, _ request: RaceWatch.Request, fails: Bool
  ) -> Result<RaceWatch.Response, Failure> {
    let budget = PacedEndpoint.Budget(left: person.pick(31), renewal: .seconds(1 + person.pick(60)))
    switch (request.kind, person.pick(fails ? 12 : 60)) {
    case (_, 0): return .failure(Failure(.connection, "no connection", retryable: true))
    case (_, 1): return .failure(Failure(.rateLimited, "the limit is reached"))
    case (_, 2):
      return .failure(
        Failure(
          .rateLimited, "the limit is reached", details: [.init("retryAfter", .integer(1 + person.pick(40)))])
      )
    case (_, 3):
      let address = "https://captcha.example/\(person.pick(3))"
      return .failure(
        Failure(.captcha, "the service requires a CAPTCHA", details: [.init("captchaUrl", .text(address))]))
    case (_, 4): return .failure(Failure(.invalidData, "the response is no JSON"))
    case (.solve, 5): return .failure(Failure(.captcha, "the window was closed"))
    case (.solve, _): return .success(.solved)
    case (.duration, _), (.preview, _):
      return .success(
        .duration(RaceStart(length: .seconds(person.pick([1, 6, 20, 90]))), person.pick([budget, nil])))
    case (.standings, _):
      var bees = Array(RaceCourse.bees.prefix(person.pick([0, 1, 4, 10])))
      for _ in bees.indices where person.pick(2) == 0 {
        bees.append(bees.remove(at: person.pick(bees.count)))
      }
      return .success(.standings(RaceStandings(bees: bees), person.pick([budget, nil])))
    }
  }

  @Test func replayWalkIsAsRecorded() throws {
    let text = try (1...5).map { seed in
      try walk(seed: UInt64(seed), steps: 180) { person in
        let recordings = (0...person.pick(3)).map { _ in Walks.recording(&person) }
        return ReplayScreen(recordings, speed: person.pick([1, 2, 10]), slides: person.pick(2) == 0)
      }
    }.joined()
    try RecordedText.hold("screens/walks-replay.txt", to: text)
  }

  private static func recording(_ person: inout Person) -> RaceRecording {
    var events: [RaceEvent] = []
    var elapsed = Duration.zero
    for number in 1...(2 + person.pick(12)) {
      var event = RaceEvent(
        kind: number == 1 ? .start : person.pick([.standings, .standings, .retry, .captcha]))
      event.seq = number
      event.elapsed = elapsed
      if event.kind == .start { event.duration = .seconds(20) }
      if event.kind == .standings {
        event.bees = (0..<RaceCourse.bees.count).map {
          RaceCourse.bees[($0 + person.pick(2)) % RaceCourse.bees.count]
        }
      }
      if event.kind == .retry { event.message = "no connection" }
      events.append(event)
      elapsed += .milliseconds(person.pick([0, 300, 2500]))
    }
    if person.pick(3) > 0 {
      var event = RaceEvent(kind: .finish)
      event.seq = events.count + 1
      event.elapsed = elapsed
      event.bees = RaceCourse.bees.reversed()
      event.winner = person.pick([RaceCourse.bees[0].name, nil])
      event.isProvisional = person.pick([true, false, nil])
      events.append(event)
    }
    return RaceRecording(events: events)
  }
}
