import System
import Terminal
import Testing

@testable import Race

/// Drives a screen without a terminal: events in, lines out.
private struct ScreenDriver {
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
    _ seconds: Int = 60, _ bees: [Bee] = [WatchDriver.a, WatchDriver.b], columns: Int = 60, rows: Int = 16,
    slides: Bool = false
  ) throws -> ScreenDriver {
    var driver = try ScreenDriver(columns: columns, rows: rows, slides: slides)
    try driver.answer(.duration(.seconds(seconds), nil))
    try driver.answer(.standings(bees, nil))
    return driver
  }

  mutating func send(_ event: ScreenEvent<RaceWatch.Reply>) throws {
    switch try screen.handle(event, at: now) {
    case .stay: break
    case .request(let asked): request = asked
    case .leave: hasLeft = true
    }
  }

  mutating func answer(_ answer: RaceWatch.Response) throws { try reply(.success(answer)) }
  mutating func fail(_ failure: Failure) throws { try reply(.failure(failure)) }

  private mutating func reply(_ answer: Result<RaceWatch.Response, Failure>) throws {
    guard let asked = request else { return }
    request = nil
    try send(.completed(.success(RaceWatch.Reply(number: asked.number, result: answer))))
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
    var driver = try ScreenDriver(starts: false)
    #expect(driver.text.contains("Enter starts"))
    #expect(driver.request == .preview)
    try driver.send(.key(.enter))
    #expect(driver.request?.kind == .duration)
    #expect(try ScreenDriver(starts: true).request?.kind == .duration)
  }

  @Test func saysHowLongTheRaceIsBeforeItStarts() throws {
    var driver = try ScreenDriver(starts: false)
    #expect(driver.text.contains("Requesting the length of the race…"))
    try driver.answer(.duration(.seconds(4), .init(left: 28, renewal: .seconds(60))))
    #expect(driver.text.contains("It lasts 0:04; 5 requests for the standings"))
    #expect(driver.screen.watch.length == nil)
    try driver.send(.key(.enter))
    #expect(driver.request?.kind == .duration)
    var unknown = try ScreenDriver(starts: false)
    try unknown.fail(.offline)
    #expect(unknown.text.contains("How long it lasts is not known: 'host:80' refused the"))
    try unknown.send(.key(.enter))
    #expect(unknown.request?.kind == .duration)
    var limited = try ScreenDriver(starts: false)
    try limited.fail(.limited(42))
    #expect(limited.text.contains("next request in") && limited.text.contains("0:42"))
    // The answer may come after the start.
    var late = try ScreenDriver(starts: false)
    try late.send(.key(.enter))
    try late.send(
      .completed(.success(.init(number: 0, result: .success(.duration(.seconds(9), nil))))))
    #expect(late.screen.watch.length == nil)
  }

  @Test func enterOnAnUnsolvedCaptchaIsAnswered() throws {
    var driver = try ScreenDriver { $0.captcha = .wait }
    try driver.answer(.duration(.seconds(60), nil))
    try driver.fail(.captcha())
    #expect(driver.text.contains("Next request in 0:10."))
    driver.now += .seconds(4)
    try driver.send(.tick)
    #expect(driver.text.contains("Next request in 0:06."))
    try driver.send(.key(.enter))
    #expect(driver.text.contains("Checking whether it is solved…"))
    try driver.fail(.captcha())
    #expect(driver.text.contains("Not solved yet (1 request). Next request in 0:10."))
  }

  /// In a race of ten seconds it is the last one.
  @Test(arguments: [60, 10])
  func aNoteEndsWithTheNextResponseEvenOfTheSameStandings(seconds: Int) throws {
    var driver = try ScreenDriver.race(seconds)
    try driver.wait()
    try driver.fail(.limited(20))
    #expect(driver.text.contains("The rate limit is used up: next request in 0:20"))
    try driver.wait()
    try driver.answer(.standings([WatchDriver.a, WatchDriver.b], nil))
    #expect(!driver.text.contains("rate limit"))
    guard seconds == 10 else { return }
    #expect(driver.lines[0].contains("🏆 A wins"))
    #expect(driver.lines.last == " ↑↓ scroll  r race again  Enter quit")
    try driver.send(.key(.character("r")))
    #expect(!driver.text.contains("rate limit"))
  }

  @Test func withoutABrowserTheNextRequestIsAnnounced() throws {
    var driver = try ScreenDriver { $0.captcha = .browser }
    try driver.answer(.duration(.seconds(60), nil))
    try driver.fail(.captcha())
    let lines = driver.lines
    #expect(!driver.text.contains("Next request"))
    // While the window is open, nothing is asked.
    try driver.send(.key(.enter))
    #expect(driver.lines == lines)
    try driver.fail(Failure(.connection, "cannot start the browser"))
    #expect(driver.text.contains("Next request in 0:10."))
  }

  @Test func showsCountdownPlacesMedalsAndNames() throws {
    var driver = try ScreenDriver.race(26)
    #expect(driver.lines[0].hasPrefix(" 🐝 Bee race ") && driver.lines[0].hasSuffix("0:26"))
    #expect(driver.lines.last == " ↑↓ scroll  q quit")
    #expect(driver.lines[3] == "    1st 🥇 ⬢ A")
    #expect(driver.lines[4] == "    2nd 🥈 ⬢ B")
    #expect(driver.canvas[row: 3, column: 11].style == .color(red: 0x11, green: 0x11, blue: 0x11))
    driver.now += .seconds(13)
    try driver.send(.tick)
    #expect(driver.lines[0].hasSuffix("0:13"))
    // Half of 58 columns.
    #expect(driver.lines[1].filter { $0 == "█" }.count == 29)
  }

  @Test func endsWithTheWinnerAndStaysUntilItIsLeft() throws {
    var driver = try ScreenDriver.race(2)
    try driver.wait()
    try driver.answer(.standings([WatchDriver.b, WatchDriver.a], nil))
    #expect(driver.lines[0].contains("🏆 B wins"))
    #expect(driver.screen.alarm == nil)
    try driver.send(.key(.down))
    #expect(!driver.hasLeft)
    try driver.send(.key(.enter))
    #expect(driver.hasLeft)
  }

  @Test func rowsSlideToTheirPlaces() throws {
    let bees = (0..<5).map { Bee(name: "Bee\($0)", color: "#123456") }
    var driver = try ScreenDriver.race(60, bees, slides: true)
    try driver.wait()
    try driver.answer(.standings([bees[4]] + bees[0..<4], nil))
    func row(of name: String) -> Int? { driver.lines.firstIndex { $0.contains(name) } }
    #expect(row(of: "Bee4") == 7)
    #expect(driver.screen.alarm == driver.now + .milliseconds(50))
    driver.now += .milliseconds(120)
    try driver.send(.tick)
    #expect((4...6).contains(row(of: "Bee4") ?? 0))
    driver.now += .milliseconds(400)
    try driver.send(.tick)
    #expect(row(of: "Bee4") == 3)
    #expect(row(of: "Bee3") == 7)
  }

  @Test func withoutAnimationTheyAreThereAtOnce() throws {
    var driver = try ScreenDriver.race()
    try driver.wait()
    try driver.answer(.standings([WatchDriver.b, WatchDriver.a], nil))
    #expect(driver.lines[3].contains("B"))
  }

  @Test func aSecondMoreIsAFewBytes() throws {
    var driver = try ScreenDriver.race(60, RaceCourse.bees)
    var painter = Painter(color: true)
    let first = painter.frame(driver.canvas).count
    driver.now += .milliseconds(1000)
    try driver.send(.tick)
    let next = painter.frame(driver.canvas).count
    #expect(first > 300)
    #expect((1..<90).contains(next), "\(next)")
    #expect(painter.frame(driver.canvas).isEmpty)
  }

  @Test func aLongListIsScrolledAndReflows() throws {
    let bees = (1...50).map { Bee(name: "Bee\($0)x", color: "") }
    var driver = try ScreenDriver.race(60, bees, columns: 40, rows: 15)
    #expect(driver.text.contains("Bee10x"))
    #expect(!driver.text.contains("Bee11x"))
    for key in [Key.down, .pageDown, .mouse(Mouse(.wheelDown, row: 0, column: 0))] {
      try driver.send(.key(key))
    }
    #expect(driver.text.contains("Bee15x"))
    try driver.send(.key(.end))
    #expect(driver.text.contains("Bee50x"))
    #expect(driver.lines[3].contains("Bee41x"))
    // Side by side where it is wide.
    try driver.resize(120, 15)
    #expect(driver.text.contains("Bee50x") && driver.text.contains("Bee21x"))
    try driver.send(.key(.home))
    #expect(driver.lines[3].contains("Bee1x") && driver.lines[3].contains("Bee11x"))
    // The first bee that is out of sight does not begin in a rest of the width.
    try driver.resize(113, 15)
    #expect(driver.lines[3...12].allSatisfy { $0.count <= 111 }, "\(driver.text)")
  }

  @Test("Every size is drawn", arguments: [(1, 1), (5, 2), (10, 4), (20, 80), (300, 5), (36, 24)])
  func sizes(columns: Int, rows: Int) throws {
    var driver = try ScreenDriver.race(60, RaceCourse.bees)
    try driver.resize(columns, rows)
    #expect(driver.lines.count == rows)
    try driver.send(.key(.end))
    _ = driver.canvas
  }

  @Test func aNameCannotLeaveItsRow() throws {
    let bees = [
      Bee(name: "\u{1B}[2JA\nB\u{202E}C", color: "#xyz"), Bee(name: "", color: "red"), WatchDriver.a,
    ]
    let driver = try ScreenDriver.race(60, bees)
    #expect(!driver.text.contains("\u{1B}"))
    #expect(driver.lines[3].contains("[2JA"))
    #expect(driver.lines[5].contains("A"))
  }

  @Test func aFailureIsNamedAndCanBeTriedAgain() throws {
    var driver = try ScreenDriver { $0.retries = 0 }
    let late = driver.request
    try driver.fail(.offline)
    #expect(driver.text.contains("refused the connection"))
    #expect(driver.text.contains("r retry"))
    try driver.send(.key(.character("r")))
    #expect(driver.request?.kind == .duration)
    #expect(driver.request?.number != late?.number)
    try driver.answer(.duration(.seconds(9), nil))
    #expect(driver.lines[0].hasSuffix("0:09"))
  }

  @Test func twoBeesOfOneNameSlidePastEachOther() throws {
    let (red, blue) = (Bee(name: "Twin", color: "#ff0000"), Bee(name: "Twin", color: "#0000ff"))
    var driver = try ScreenDriver.race(60, [red, WatchDriver.a, blue], slides: true)
    func style(_ row: Int) -> Style { driver.canvas[row: row, column: 11].style }
    try driver.wait()
    try driver.answer(.standings([blue, WatchDriver.a, red], nil))
    // The first frame of the slide shows the places from before.
    #expect([style(3), style(5)] == [red.style, blue.style])
    driver.now += RaceBoard.slide
    try driver.send(.tick)
    #expect([style(3), style(5)] == [blue.style, red.style])
  }

  @Test func twoEqualBeesKeepTheirOrder() throws {
    let twin = Bee(name: "Twin", color: "#ff0000")
    var driver = try ScreenDriver.race(60, [twin, WatchDriver.a, twin], slides: true)
    try driver.wait()
    // The first of them stays where it is, the second moves up one row.
    try driver.answer(.standings([twin, twin, WatchDriver.a], nil))
    #expect(driver.lines[3].contains("Twin") && driver.lines[5].contains("Twin"))
    driver.now += RaceBoard.slide
    try driver.send(.tick)
    #expect(driver.lines[3...5].map { $0.contains("Twin") } == [true, true, false])
  }

  @Test(
    "A CAPTCHA says what to do, and the countdown goes on",
    arguments: [
      (CaptchaMode.browser, "in the browser window"), (.open, "press Enter"), (.wait, "press Enter"),
    ])
  func captcha(mode: CaptchaMode, words: String) throws {
    var driver = try ScreenDriver { $0.captcha = mode }
    try driver.answer(.duration(.seconds(60), nil))
    try driver.fail(.captcha("https://example.org/captcha"))
    #expect(driver.text.contains("https://example.org/captcha"))
    #expect(driver.text.contains(words))
    #expect(driver.text.contains("1:00"))
    driver.now += .seconds(5)
    try driver.send(.tick)
    #expect(driver.text.contains("0:55"))
    if mode != .browser {
      try driver.send(.key(.enter))
      #expect(driver.request != nil)
    }
  }

  @Test func qLeaves() throws {
    for key in [Key.character("q"), .escape] {
      var driver = try ScreenDriver.race()
      try driver.send(.key(key))
      #expect(driver.hasLeft)
    }
  }

  @Test func anEmptyRaceSaysSo() throws {
    var driver = try ScreenDriver.race(2, [])
    #expect(driver.text.contains("the race has no bees"))
    try driver.wait()
    try driver.answer(.standings([], nil))
    #expect(driver.text.contains("Nobody was in the race"))
  }
}

/// What the screen does with keys, sizes and times that are none of the usual ones.
@Suite struct TheRaceScreenInDetail {
  @Test func oneRequestIsNotSeveral() throws {
    var driver = try ScreenDriver(starts: false)
    try driver.answer(.duration(.seconds(26), .init(left: 1, renewal: .seconds(60))))
    #expect(driver.text.contains("It lasts 0:26; 1 request for the standings"))
  }

  @Test func theLengthIsAskedForOnceHoweverOftenTheSizeChanges() throws {
    var driver = try ScreenDriver(starts: false)
    let request = driver.request
    driver.request = nil
    try driver.resize(50, 12)
    #expect(driver.request == nil)
    driver.request = request
    try driver.answer(.duration(.seconds(4), nil))
    try driver.resize(60, 16)
    #expect(driver.request == nil && driver.text.contains("It lasts 0:04"))
  }

  @Test func onlyEnterAndSpaceStart() throws {
    var driver = try ScreenDriver(starts: false)
    for key in [Key.down, .character("r"), .character("x")] {
      try driver.send(.key(key))
      #expect(driver.request == .preview && driver.text.contains("Enter starts"))
    }
    #expect(driver.screen.alarm == nil)
    try driver.send(.tick)
    #expect(driver.request == .preview)
    try driver.send(.key(.character(" ")))
    #expect(driver.request?.kind == .duration)
  }

  @Test func theCountdownMovesTwiceASecondAndAPollIsOnTime() throws {
    var driver = try ScreenDriver()
    #expect(driver.screen.alarm == .milliseconds(100_500))
    try driver.answer(.duration(.seconds(60), nil))
    try driver.answer(.standings([WatchDriver.a], nil))
    #expect(driver.screen.alarm == .milliseconds(100_500))
    driver.now = .milliseconds(102_400)
    try driver.send(.tick)
    #expect(driver.request == nil && driver.screen.alarm == .milliseconds(102_500))
  }

  @Test(arguments: [Key.enter, .character("q"), .escape])
  func afterAFailureTheseKeysLeave(key: Key) throws {
    var driver = try ScreenDriver { $0.retries = 0 }
    try driver.fail(.offline)
    try driver.send(.key(.down))
    #expect(!driver.hasLeft)
    try driver.send(.key(key))
    #expect(driver.hasLeft)
  }

  @Test func aFinishThatWasNotSeenSaysWhy() throws {
    var driver = try ScreenDriver.race(2)
    while !driver.screen.watch.isOver {
      if driver.request == nil { try driver.wait() }
      try driver.fail(.offline)
    }
    #expect(driver.lines[0] == " 🐝 The finish was not seen")
    #expect(driver.text.contains("\n 'host:80' refused the connection\n"))
    #expect(driver.lines.last == " ↑↓ scroll  r race again  q quit")
    #expect(driver.text.contains("1st 🥇 ⬢ A"))
    #expect(driver.screen.failure == .offline)
    // Nothing of it is left in the next race.
    try driver.send(.key(.character("r")))
    #expect(driver.lines[0].hasPrefix(" 🐝 Requesting the length of the race…"))
    #expect(!driver.text.contains("refused") && !driver.text.contains("⬢"))
    #expect(driver.screen.failure == nil)
  }

  @Test func theListIsScrolledAfterTheFinishToo() throws {
    let bees = (1...40).map { Bee(name: "Bee\($0)x", color: "") }
    var driver = try ScreenDriver.race(2, bees, columns: 40, rows: 10)
    try driver.wait()
    try driver.answer(.standings(bees, nil))
    try driver.send(.key(.pageDown))
    #expect(driver.lines.last == " 6–10 of 40" && driver.lines[3].contains("Bee6x"))
    // Those before them do not cover the title.
    #expect(driver.lines[0] == " 🐝 🏆 Bee1x wins" && driver.lines[2] == "")
  }

  @Test func aNewSizeStartsNoRaceAgain() throws {
    var driver = try ScreenDriver.race()
    try driver.resize(50, 12)
    #expect(driver.request == nil && driver.text.contains("1st 🥇 ⬢ A"))
    var failed = try ScreenDriver { $0.retries = 0 }
    try failed.fail(.offline)
    try failed.resize(50, 12)
    #expect(failed.request == nil && failed.text.contains("r retry"))
  }

  @Test func atTheFinishNothingSlides() throws {
    var driver = try ScreenDriver.race(2, slides: true)
    try driver.wait()
    try driver.answer(.standings([WatchDriver.b, WatchDriver.a], nil))
    #expect(driver.screen.alarm == nil && driver.lines[3] == "    1st 🥇 ⬢ B ▲1")
  }

  @Test(
    "What a CAPTCHA asks for, before the length is known",
    arguments: [
      (CaptchaMode.wait, "Solve it in a browser, then press Enter.", "Next request in 0:10."),
      (.browser, "Solve it in the browser window. Closing the window ends the command.", ""),
    ])
  func captchaAtTheStart(mode: CaptchaMode, what: String, progress: String) throws {
    var driver = try ScreenDriver(columns: 80, rows: 10) { $0.captcha = mode }
    try driver.fail(.captcha())
    #expect(
      driver.lines.map { $0.trimmed } == [
        "", "–:––", "", "The service requires a CAPTCHA", "https://example.org/c", "", what, progress,
        "q quit", "",
      ])
  }

  @Test func anInterruptionEndsTheScreen() throws {
    let interruption = Interruption.failure
    var driver = try ScreenDriver()
    #expect(throws: interruption) { try driver.fail(interruption) }
    var other = try ScreenDriver.race()
    #expect(throws: Failure.offline) { try other.send(.completed(.failure(.offline))) }
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

/// A replay of events that are given one by one.
@Suite struct TheReplayOfEvents {
  private static let (a, b) = (WatchDriver.a, WatchDriver.b)

  private static func event(
    _ kind: RaceEvent.Kind, _ seconds: Int, _ change: (inout RaceEvent) -> Void = { _ in }
  ) -> RaceEvent {
    var event = RaceEvent(kind)
    event.elapsed = .seconds(seconds)
    change(&event)
    return event
  }

  private static func start(_ seconds: Int) -> RaceEvent {
    event(.start, 0) { $0.duration = .seconds(seconds) }
  }
  private static func standings(_ seconds: Int, _ bees: [Bee]) -> RaceEvent {
    event(.standings, seconds) { $0.bees = bees }
  }

  /// A screen that is 50 by 12, from second 50 on.
  private struct Player {
    var screen: ReplayScreen
    private(set) var hasLeft = false

    init(_ attempts: [[RaceEvent]], speed: Int = 1, slides: Bool = false) {
      screen = ReplayScreen(attempts.map { RaceRecording(events: $0) }, speed: speed, slides: slides)
      send(.resized(WindowSize(columns: 50, rows: 12)), 50_000)
    }

    mutating func send(_ event: ScreenEvent<Never>, _ milliseconds: Int) {
      if case .leave = screen.handle(event, at: .milliseconds(milliseconds)) { hasLeft = true }
    }

    /// In milliseconds.
    var alarm: Int64? { screen.alarm?.milliseconds }
    var lines: [String] {
      var canvas = Canvas(WindowSize(columns: 50, rows: 12))
      screen.draw(on: &canvas)
      return canvas.lines
    }
    var text: String { lines.joined(separator: "\n") }
  }

  private static let race = [
    start(4), standings(0, [a, b]),
    event(.retry, 1) { ($0.message, $0.wait) = ("lost", .seconds(2)) }, standings(2, [b, a]),
    event(.finish, 4) { ($0.bees, $0.winner, $0.isProvisional) = ([b, a], "B", false) },
  ]

  @Test func eventsAreShownOnTimeAtTheirSpeed() {
    var player = Player([Self.race], speed: 2)
    #expect(player.lines[0].hasPrefix(" 🐝 Replay ×2 ") && player.lines[0].hasSuffix(" 0:04"))
    #expect(player.lines[3] == "    1st 🥇 ⬢ A" && player.alarm == 50_500)
    player.send(.tick, 50_500)
    #expect(player.text.contains("\n lost; next attempt in 2.0 s\n") && player.alarm == 51_000)
    player.send(.tick, 50_999)
    // Not in a thousandth of a second, which would be a burst of frames.
    #expect(player.alarm == 51_004)
    player.send(.tick, 51_004)
    #expect(!player.text.contains("lost") && player.lines[3] == "    1st 🥇 ⬢ B ▲1")
    #expect(player.alarm == 51_504)
    player.send(.key(.enter), 51_504)
    #expect(!player.hasLeft && !player.screen.isOver)
    player.send(.tick, 52_000)
    #expect(player.screen.isOver && player.alarm == nil && player.lines[0] == " 🐝 🏆 B wins")
    #expect(player.lines[11] == " ↑↓ scroll  Enter quit")
    player.send(.key(.character(" ")), 53_000)
    #expect(player.lines[0] == " 🐝 🏆 B wins" && !player.hasLeft)
    player.send(.key(.enter), 53_000)
    #expect(player.hasLeft)
  }

  @Test func aPauseTakesNoTimeOfTheRace() {
    var player = Player([Self.race])
    #expect(player.lines[0].hasPrefix(" 🐝 Replay  "))
    player.send(.key(.character(" ")), 50_500)
    #expect(player.lines[0].hasPrefix(" 🐝 Replay (paused) ") && player.alarm == nil)
    #expect(player.lines[11] == " space pause  ↑↓ scroll  q quit")
    player.send(.key(.character(" ")), 70_000)
    #expect(player.lines[0].hasPrefix(" 🐝 Replay  ") && player.alarm == 70_500)
    player.send(.tick, 70_500)
    #expect(player.text.contains("lost"))
    player.send(.key(.character("q")), 70_600)
    #expect(player.hasLeft)
    var other = Player([Self.race])
    other.send(.key(.escape), 50_100)
    #expect(other.hasLeft)
  }

  @Test func rowsSlideUnlessTheyShallNot() {
    var player = Player([Self.race], slides: true)
    player.send(.tick, 52_000)
    #expect(player.alarm == 52_050)
    player.send(.tick, 52_400)
    #expect(player.alarm == 52_900)
    // At the finish nothing slides.
    player.send(.tick, 54_000)
    #expect(player.alarm == nil)
  }

  @Test func theListIsScrolled() {
    let bees = (1...40).map { Bee(name: "Bee\($0)x", color: "") }
    var player = Player([[Self.start(4), Self.standings(0, bees), Self.event(.finish, 4)]])
    player.send(.key(.pageDown), 50_100)
    #expect(player.lines[11].hasSuffix(" 8–14 of 40") && player.lines[3].contains(" Bee8x"))
    player.send(.tick, 54_000)
    player.send(.key(.down), 54_100)
    #expect(player.lines[11].hasSuffix(" 9–15 of 40"))
  }

  @Test func anAttemptBeginsWithAnEmptyBoard() {
    let failed = [
      Self.start(20), Self.standings(0, [Self.a, Self.b]), Self.event(.error, 1) { $0.message = "gone" },
    ]
    let won = [
      Self.start(4), Self.standings(0, [Self.b, Self.a]), Self.event(.finish, 2) { $0.winner = "B" },
    ]
    var player = Player([failed, won])
    player.send(.tick, 51_000)
    #expect(player.lines[0].hasSuffix(" 0:04") && !player.text.contains("gone"))
    #expect(player.lines[3...4] == ["    1st 🥇 ⬢ B", "    2nd 🥈 ⬢ A"])
    player.send(.tick, 53_000)
    #expect(player.screen.isOver)
  }

  @Test func aRecordingWithoutAFinishHasAnEnd() {
    var player = Player([[Self.start(20), Self.event(.error, 1) { $0.message = "gone" }]])
    player.send(.tick, 51_000)
    #expect(player.screen.isOver && player.lines[0] == " 🐝 End of the recording")
    #expect(player.text.contains("\n gone\n"))
    // The bar is full.
    #expect(player.lines[1] == " " + String(repeating: "█", count: 48))
    #expect(Player([]).screen.isOver)
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
    let (a, b) = (WatchDriver.a, WatchDriver.b)
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
