import System
import Terminal
import TestSupport
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
    columns: Int = 59, rows: Int = 16, starts: Bool = true, slides: Bool = false,
    _ change: (inout RaceWatch.Settings) -> Void = { _ in }
  ) throws {
    var settings = RaceWatch.Settings()
    change(&settings)
    screen = RaceScreen(settings, startsAtOnce: starts, slides: slides) { _ in }
    size = WindowSize(columns: columns, rows: rows)
    try send(.resized(size))
  }

  static func race(
    _ seconds: Int = 60, _ bees: [Bee] = [WatchDriver.a, WatchDriver.b], columns: Int = 59, rows: Int = 16,
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

extension ScreenDriver {
  private static let keys: [String: Key] = [
    "enter": .enter, "escape": .escape, "down": .down, "end": .end, "home": .home, "page-down": .pageDown,
    "space": .character(" "), "wheel": .mouse(Mouse(.wheelDown, row: 0, column: 0)),
  ]

  mutating func call(_ words: [String], _ options: [String: String]) throws {
    let rest = Array(words.dropFirst())
    switch words[0] {
    case "screen", "race":
      let size = (options["size"] ?? "59x16").split(separator: "x").compactMap { Int($0) }
      self = try ScreenDriver(
        columns: size[0], rows: size[1], starts: options["starts"] == nil, slides: options["slides"] != nil
      ) { WatchDriver.change(&$0, by: options) }
      guard words[0] == "race" else { return }
      try answer(WatchDriver.response(["duration", words[1]], [:]))
      let bees = rest.count > 1 ? rest.dropFirst().filter { $0 != "none" } : ["A", "B"]
      try answer(WatchDriver.response(["standings"] + bees, [:]))
    case "key": try send(.key(ScreenDriver.keys[words[1]] ?? .character(words[1].first ?? "?")))
    case "resize": try resize(Int(words[1]) ?? 0, Int(words[2]) ?? 0)
    case "later":
      now += .milliseconds(Int(words[1]) ?? 0)
      try send(.tick)
    case "wait": try wait()
    case "ask": if request == nil { try wait() }
    case "late":
      try send(.completed(.success(.init(number: 0, result: .success(WatchDriver.response(rest, options))))))
    case "fail": try fail(WatchDriver.failure(rest))
    default: try answer(WatchDriver.response(words, options))
    }
  }

  var shown: [String] {
    let facts = [
      "at \(now.decimal)", request.map { "asks \($0.number) \($0.kind.words)" },
      screen.alarm.map { "alarm \($0.decimal)" }, hasLeft ? "left" : nil,
      screen.watch.isOver ? "over" : nil, screen.failure?.described,
    ]
    return [facts.compactMap(\.self).joined(separator: ", ")] + lines.map { "|\($0)" }
  }
}

@Suite struct RaceScreenTests {
  /// The screen after each line of calls.
  @Test func screensAreAsRecorded() throws {
    var driver = try ScreenDriver()
    let text = try replayedCalls(
      RecordedText.text("race-screen.txt"), isOver: { driver.screen.watch.isOver },
      call: { words, options in
        try driver.call(words, options)
        return []
      }, end: { driver.shown })
    try RecordedText.hold("race-screen.txt", to: text)
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

  @Test(arguments: [(1, 1), (5, 2), (10, 4), (20, 80), (300, 5), (36, 24)])
  func everySizeIsDrawn(columns: Int, rows: Int) throws {
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

  /// Also while requests fail.
  @Test(arguments: [59, 100]) func countdownOnlyFalls(columns: Int) throws {
    var driver = try ScreenDriver.race(30, columns: columns)
    var shown: [Int] = []
    while !driver.screen.watch.isOver, shown.count < 40 {
      shown.append(try #require(Int(driver.lines[0].suffix(2))))
      try driver.wait()
      if shown.count % 3 == 0 { try driver.fail(.offline) }
      try driver.answer(
        .standings(shown.count % 2 == 0 ? [WatchDriver.a, WatchDriver.b] : [WatchDriver.b], nil))
    }
    #expect(shown.first == 30 && shown.last == 0 && shown == shown.sorted(by: >))
  }

  @Test func anInterruptionEndsTheScreen() throws {
    let interruption = Interruption.failure
    var driver = try ScreenDriver()
    #expect(throws: interruption) { try driver.fail(interruption) }
    var other = try ScreenDriver.race()
    #expect(throws: Failure.offline) { try other.send(.completed(.failure(.offline))) }
  }
}

/// A replay of events that are given one by one.
@Suite struct TheReplayOfEvents {
  private static let (a, b) = (WatchDriver.a, WatchDriver.b)

  private static func event(
    _ kind: RaceEvent.Kind, _ seconds: Int, _ change: (inout RaceEvent) -> Void = { _ in }
  ) -> RaceEvent {
    var event = RaceEvent(kind: kind)
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
    #expect(player.lines[3] == "    1st 🥇 • A" && player.alarm == 50_500)
    player.send(.tick, 50_500)
    #expect(player.text.contains("\n lost; next attempt in 2.0 s\n") && player.alarm == 51_000)
    player.send(.tick, 50_999)
    // Not in a thousandth of a second, which would be a burst of frames.
    #expect(player.alarm == 51_004)
    player.send(.tick, 51_004)
    #expect(!player.text.contains("lost") && player.lines[3] == "    1st 🥇 • B ★ ▲1")
    #expect(player.alarm == 51_504)
    player.send(.key(.enter), 51_504)
    #expect(!player.hasLeft && !player.screen.isOver)
    player.send(.tick, 52_000)
    #expect(player.screen.isOver && player.alarm == nil && player.lines[0] == " 🐝 🏆 B wins")
    #expect(player.lines[11] == " Enter quit")
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
    #expect(player.lines[11] == " space pause  q quit")
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

  @Test func winnerStandsOnPodium() {
    let bees = (1...9).map { Bee(name: "Bee\($0)x", color: "#8d62a1") }
    let finish = Self.event(.finish, 4) { ($0.bees, $0.winner, $0.isProvisional) = (bees, "Bee1x", false) }
    var player = Player([[Self.start(4), Self.standings(0, bees), finish]])
    player.send(.tick, 54_000)
    #expect(
      player.lines[2...4].map { $0.trimmed } == ["🥇 Bee1x", "🥈 Bee2x", "🥉 Bee3x"]
        && player.lines[7].hasPrefix("    4th    • Bee4x"))
    #expect(player.lines[11].hasPrefix(" Enter quit ") == false && player.lines[11].contains("4–7 of 9"))
    player.send(.key(.end), 54_100)
    #expect(player.lines[11].hasSuffix(" 6–9 of 9") && player.lines[10].contains("9th"))
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
    #expect(player.lines[3...4] == ["    1st 🥇 • B", "    2nd 🥈 • A"])
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
