import System
import Terminal
import Testing

@testable import Race

/// A screen without a terminal: events in, lines out.
private struct Looking {
  var screen: RaceScreen
  var now = Duration.seconds(100)
  var size: WindowSize
  var request: RaceWatch.Request?
  var hasLeft = false

  init(
    columns: Int = 60, rows: Int = 16, starts: Bool = true, slides: Bool = false,
    _ change: (inout RaceWatch.Settings) -> Void = { _ in }
  ) throws {
    var settings = RaceWatch.Settings()
    change(&settings)
    screen = RaceScreen(settings, startsAtOnce: starts, slides: slides) { _ in }
    size = WindowSize(columns: columns, rows: rows)
    try send(.resized(size))
  }

  static func race(
    _ seconds: Int = 60, _ bees: [Bee] = [Watching.a, Watching.b], columns: Int = 60, rows: Int = 16,
    slides: Bool = false
  ) throws -> Looking {
    var looking = try Looking(columns: columns, rows: rows, slides: slides)
    try looking.answer(.duration(.seconds(seconds), nil))
    try looking.answer(.standings(bees, nil))
    return looking
  }

  mutating func send(_ event: ScreenEvent<RaceWatch.Reply>) throws {
    switch try screen.handle(event, at: now) {
    case .stay: break
    case .ask(let asked): request = asked
    case .leave: hasLeft = true
    }
  }

  mutating func answer(_ answer: RaceWatch.Response) throws { try reply(.success(answer)) }
  mutating func fail(_ failure: Failure) throws { try reply(.failure(failure)) }

  private mutating func reply(_ answer: Result<RaceWatch.Response, Failure>) throws {
    guard let asked = request else { return }
    request = nil
    try send(.answered(.success(RaceWatch.Reply(number: asked.number, result: answer))))
  }

  /// Ticks until something is asked.
  mutating func wait() throws {
    while request == nil, let alarm = screen.alarm {
      now = max(now + .milliseconds(1), alarm)
      try send(.tick)
    }
  }

  mutating func resize(_ columns: Int, _ rows: Int) throws {
    size = WindowSize(columns: columns, rows: rows)
    try send(.resized(size))
  }

  var canvas: Canvas {
    var canvas = Canvas(size)
    screen.draw(on: &canvas)
    return canvas
  }
  var lines: [String] { canvas.lines }
  var text: String { lines.joined(separator: "\n") }
}

@Suite struct TheRaceScreen {
  @Test func waitsForEnterUnlessToldNotTo() throws {
    var looking = try Looking(starts: false)
    #expect(looking.text.contains("Enter starts"))
    #expect(looking.request == nil)
    try looking.send(.key(.enter))
    #expect(looking.request?.kind == .duration)
    #expect(try Looking(starts: true).request?.kind == .duration)
  }

  @Test func showsCountdownPlacesMedalsAndNames() throws {
    var looking = try Looking.race(26)
    #expect(looking.lines[0].hasSuffix("0:26"))
    #expect(looking.lines[3] == "    1st 🥇 ⬢ A")
    #expect(looking.lines[4] == "    2nd 🥈 ⬢ B")
    #expect(looking.canvas[row: 3, column: 11].style == .color(red: 0x11, green: 0x11, blue: 0x11))
    looking.now += .seconds(13)
    try looking.send(.tick)
    #expect(looking.lines[0].hasSuffix("0:13"))
    // Half of 58 columns.
    #expect(looking.lines[1].filter { $0 == "█" }.count == 29)
  }

  @Test func endsWithTheWinnerAndStaysUntilItIsLeft() throws {
    var looking = try Looking.race(2)
    try looking.wait()
    try looking.answer(.standings([Watching.b, Watching.a], nil))
    #expect(looking.lines[0].contains("🏆 B wins"))
    #expect(looking.screen.alarm == nil)
    try looking.send(.key(.down))
    #expect(!looking.hasLeft)
    try looking.send(.key(.enter))
    #expect(looking.hasLeft)
  }

  @Test func rowsSlideToTheirPlaces() throws {
    let bees = (0..<5).map { Bee(name: "Bee\($0)", color: "#123456") }
    var looking = try Looking.race(60, bees, slides: true)
    try looking.wait()
    try looking.answer(.standings([bees[4]] + bees[0..<4], nil))
    func row(of name: String) -> Int? { looking.lines.firstIndex { $0.contains(name) } }
    #expect(row(of: "Bee4") == 7)
    #expect(looking.screen.alarm == looking.now + .milliseconds(50))
    looking.now += .milliseconds(120)
    try looking.send(.tick)
    #expect((4...6).contains(row(of: "Bee4") ?? 0))
    looking.now += .milliseconds(400)
    try looking.send(.tick)
    #expect(row(of: "Bee4") == 3)
    #expect(row(of: "Bee3") == 7)
  }

  @Test func withoutAnimationTheyAreThereAtOnce() throws {
    var looking = try Looking.race()
    try looking.wait()
    try looking.answer(.standings([Watching.b, Watching.a], nil))
    #expect(looking.lines[3].contains("B"))
  }

  @Test func aSecondMoreIsAFewBytes() throws {
    var looking = try Looking.race(60, RaceCourse.bees)
    var painter = Painter(color: true)
    let first = painter.frame(looking.canvas).count
    looking.now += .milliseconds(1000)
    try looking.send(.tick)
    let next = painter.frame(looking.canvas).count
    #expect(first > 300)
    #expect((1..<90).contains(next), "\(next)")
    #expect(painter.frame(looking.canvas).isEmpty)
  }

  @Test func aLongListIsScrolledAndReflows() throws {
    let bees = (1...50).map { Bee(name: "Bee\($0)x", color: "") }
    var looking = try Looking.race(60, bees, columns: 40, rows: 15)
    #expect(looking.text.contains("Bee10x"))
    #expect(!looking.text.contains("Bee11x"))
    for key in [Key.down, .pageDown, .mouse(Mouse(.wheelDown, row: 0, column: 0))] {
      try looking.send(.key(key))
    }
    #expect(looking.text.contains("Bee15x"))
    try looking.send(.key(.end))
    #expect(looking.text.contains("Bee50x"))
    #expect(looking.lines[3].contains("Bee41x"))
    // Side by side where it is wide.
    try looking.resize(120, 15)
    #expect(looking.text.contains("Bee50x") && looking.text.contains("Bee21x"))
    try looking.send(.key(.home))
    #expect(looking.lines[3].contains("Bee1x") && looking.lines[3].contains("Bee11x"))
  }

  @Test("Every size is drawn", arguments: [(1, 1), (5, 2), (10, 4), (20, 80), (300, 5), (36, 24)])
  func sizes(columns: Int, rows: Int) throws {
    var looking = try Looking.race(60, RaceCourse.bees)
    try looking.resize(columns, rows)
    #expect(looking.lines.count == rows)
    try looking.send(.key(.end))
    _ = looking.canvas
  }

  @Test func aNameCannotLeaveItsRow() throws {
    let bees = [Bee(name: "\u{1B}[2JA\nB\u{202E}C", color: "#xyz"), Bee(name: "", color: "red"), Watching.a]
    let looking = try Looking.race(60, bees)
    #expect(!looking.text.contains("\u{1B}"))
    #expect(looking.lines[3].contains("[2JA"))
    #expect(looking.lines[5].contains("A"))
  }

  @Test func tenThousandBeesAreDrawn() throws {
    let bees = (0..<10_000).map { Bee(name: "Bee\($0)", color: "#000") }
    var looking = try Looking.race(60, bees, slides: true)
    try looking.send(.key(.end))
    #expect(looking.text.contains("10000th"))
  }

  @Test func aFailureIsNamedAndCanBeTriedAgain() throws {
    var looking = try Looking { $0.retries = 0 }
    let late = looking.request
    try looking.fail(.offline)
    #expect(looking.text.contains("refused the connection"))
    #expect(looking.text.contains("r tries again"))
    try looking.send(.key(.character("r")))
    #expect(looking.request?.kind == .duration)
    #expect(looking.request?.number != late?.number)
    try looking.answer(.duration(.seconds(9), nil))
    #expect(looking.lines[0].hasSuffix("0:09"))
  }

  @Test func aReplyToTheFailedAttemptIsNoReplyToTheNext() throws {
    var looking = try Looking { $0.deadline = (after: .seconds(3), failure: .offline) }
    let late = try #require(looking.request)
    looking.now += .seconds(3)
    try looking.send(.tick)
    #expect(looking.text.contains("r tries again"))
    try looking.send(.key(.character("r")))
    let reply = RaceWatch.Reply(number: late.number, result: .success(.duration(.seconds(7), nil)))
    try looking.send(.answered(.success(reply)))
    #expect(looking.screen.watch.length == nil)
    try looking.answer(.duration(.seconds(9), nil))
    #expect(looking.lines[0].hasSuffix("0:09"))
  }

  @Test func twoBeesOfOneNameSlidePastEachOther() throws {
    let (red, blue) = (Bee(name: "Twin", color: "#ff0000"), Bee(name: "Twin", color: "#0000ff"))
    var looking = try Looking.race(60, [red, Watching.a, blue], slides: true)
    func style(_ row: Int) -> Style { looking.canvas[row: row, column: 11].style }
    try looking.wait()
    try looking.answer(.standings([blue, Watching.a, red], nil))
    // The first frame of the slide shows the places from before.
    #expect([style(3), style(5)] == [red.style, blue.style])
    looking.now += RaceBoard.slide
    try looking.send(.tick)
    #expect([style(3), style(5)] == [blue.style, red.style])
  }

  @Test func twoEqualBeesKeepTheirOrder() throws {
    let twin = Bee(name: "Twin", color: "#ff0000")
    var looking = try Looking.race(60, [twin, Watching.a, twin], slides: true)
    try looking.wait()
    // The first of them stays where it is, the second moves up one row.
    try looking.answer(.standings([twin, twin, Watching.a], nil))
    #expect(looking.lines[3].contains("Twin") && looking.lines[5].contains("Twin"))
    looking.now += RaceBoard.slide
    try looking.send(.tick)
    #expect(looking.lines[3...5].map { $0.contains("Twin") } == [true, true, false])
  }

  @Test func troubleIsToldOnTheScreen() throws {
    var looking = try Looking.race()
    try looking.wait()
    try looking.fail(.limited(20))
    #expect(looking.text.contains("rate limited: next look in 20.0 s"))
    try looking.wait()
    try looking.answer(.standings([Watching.b], nil))
    #expect(!looking.text.contains("rate limited"))
  }

  @Test(
    "A CAPTCHA says what to do, and the countdown goes on",
    arguments: [
      (CaptchaMode.browser, "in the window"), (.open, "press Enter"), (.wait, "press Enter"),
    ])
  func captcha(mode: CaptchaMode, words: String) throws {
    var looking = try Looking { $0.captcha = mode }
    try looking.answer(.duration(.seconds(60), nil))
    try looking.fail(.captcha("https://example.org/captcha"))
    #expect(looking.text.contains("https://example.org/captcha"))
    #expect(looking.text.contains(words))
    #expect(looking.text.contains("1:00"))
    looking.now += .seconds(5)
    try looking.send(.tick)
    #expect(looking.text.contains("0:55"))
    if mode != .browser {
      try looking.send(.key(.enter))
      #expect(looking.request != nil)
    }
  }

  @Test func qLeaves() throws {
    for key in [Key.character("q"), .escape] {
      var looking = try Looking.race()
      try looking.send(.key(key))
      #expect(looking.hasLeft)
    }
  }

  @Test func anEmptyRaceSaysSo() throws {
    var looking = try Looking.race(2, [])
    #expect(looking.text.contains("nobody is in the race"))
    try looking.wait()
    try looking.answer(.standings([], nil))
    #expect(looking.text.contains("Nobody was in the race"))
  }
}

@Suite struct TheReplayScreen {
  @Test func runsAtItsSpeedAndHalts() throws {
    var race = Watching.race(20)
    while !race.watch.isOver {
      race.wait()
      race.answer(.standings(race.watch.bees?.reversed() ?? [], nil))
    }
    var screen = ReplayScreen([RaceRecording(events: race.events)], speed: 10, slides: false)
    var now = Duration.seconds(50)
    func text() -> String {
      var canvas = Canvas(WindowSize(columns: 50, rows: 12))
      screen.draw(on: &canvas)
      return canvas.lines.joined(separator: "\n")
    }
    func pass(_ milliseconds: Int) {
      now += .milliseconds(milliseconds)
      _ = screen.handle(.tick, at: now)
    }
    _ = screen.handle(.resized(WindowSize(columns: 50, rows: 12)), at: now)
    #expect(text().contains("0:20"))
    pass(1000)
    #expect(text().contains("0:10"))
    _ = screen.handle(.key(.character(" ")), at: now)
    pass(5000)
    #expect(text().contains("halted"))
    #expect(text().contains("0:10"))
    #expect(screen.alarm == nil)
    _ = screen.handle(.key(.character(" ")), at: now)
    pass(1000)
    #expect(text().contains("🏆"))
    #expect(screen.alarm == nil)
  }

  @Test func playsTwoAttemptsOneAfterTheOther() throws {
    var failed = Watching.race(20) { $0.deadline = (after: .seconds(10), failure: .offline) }
    while !failed.watch.isOver {
      failed.wait()
      failed.answer(.standings([Watching.b], nil))
    }
    var won = Watching.race(4)
    while !won.watch.isOver {
      won.wait()
      won.answer(.standings([Watching.a], nil))
    }
    let attempts = [failed, won].map { RaceRecording(events: $0.events) }
    var screen = ReplayScreen(attempts, speed: 1, slides: false)
    var now = Duration.seconds(50)
    func text() -> String {
      var canvas = Canvas(WindowSize(columns: 50, rows: 12))
      screen.draw(on: &canvas)
      return canvas.lines.joined(separator: "\n")
    }
    _ = screen.handle(.resized(WindowSize(columns: 50, rows: 12)), at: now)
    #expect(text().contains("0:20"))
    while let alarm = screen.alarm, !text().contains("0:04") {
      now = alarm
      _ = screen.handle(.tick, at: now)
    }
    #expect(now == .seconds(60))
    #expect(text().contains("1st 🥇 ⬢ A"))
    while let alarm = screen.alarm {
      now = alarm
      _ = screen.handle(.tick, at: now)
    }
    #expect(now == .seconds(64))
    #expect(text().contains("🏆 A wins"))
  }
}

@Suite struct TheBell {
  private func standings(_ bees: Bee...) -> RaceEvent {
    var event = RaceEvent(.standings)
    event.bees = bees
    return event
  }

  @Test func ringsWhenTheLeadChangesAndAtTheFinish() {
    var bell = Bell()
    let (a, b) = (Watching.a, Watching.b)
    let twin = Bee(name: a.name, color: "#0000ff")
    #expect(bell.rings(for: [RaceEvent(.start), standings(a, b)]) == 0)
    #expect(bell.rings(for: [standings(a)]) == 0)
    #expect(bell.rings(for: [standings(b, a)]) == 1)
    #expect(bell.rings(for: [standings(a, b), standings(b, a)]) == 2)
    // Another bee of the same name.
    #expect(bell.rings(for: [standings(a, twin), standings(twin, a)]) == 2)
    #expect(bell.rings(for: [RaceEvent(.finish)]) == 1)
  }
}
