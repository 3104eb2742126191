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
    "enter": .enter, "escape": .escape, "up": .up, "down": .down, "left": .left, "end": .end, "home": .home,
    "page-up": .pageUp, "page-down": .pageDown, "space": .character(" "),
    "wheel-up": .mouse(Mouse(.wheelUp, row: 0, column: 0)),
    "wheel": .mouse(Mouse(.wheelDown, row: 0, column: 0)),
  ]

  static func key(_ name: String) -> Key { keys[name] ?? .character(name.first ?? "?") }

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
    case "key": try send(.key(ScreenDriver.key(words[1])))
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

/// A replay on a screen that is 50 by 12, from 50 000 milliseconds on: `replay [speed=N] [slides=yes] [RECORDING]`,
/// `key KEY MILLISECONDS` and `at MILLISECONDS`.
private struct ReplayDriver {
  private var screen = ReplayScreen([], speed: 1, slides: false)
  private var hasLeft = false

  private mutating func send(_ event: ScreenEvent<Never>, at milliseconds: Int) {
    if case .leave = screen.handle(event, at: .milliseconds(milliseconds)) { hasLeft = true }
  }

  mutating func call(_ words: [String], _ options: [String: String]) throws {
    switch words[0] {
    case "replay":
      let text = words.dropFirst().joined()
      let attempts = text.isEmpty ? [] : try RaceRecording.read(MemorySource(text.utf8), name: "f")
      self = ReplayDriver()
      screen = ReplayScreen(
        attempts, speed: options["speed"].flatMap { Int($0) } ?? 1, slides: options["slides"] != nil)
      send(.resized(WindowSize(columns: 50, rows: 12)), at: 50_000)
    case "key": send(.key(ScreenDriver.key(words[1])), at: Int(words[2]) ?? 0)
    default: send(.tick, at: Int(words[1]) ?? 0)
    }
  }

  var shown: [String] {
    var canvas = Canvas(WindowSize(columns: 50, rows: 12))
    screen.draw(on: &canvas)
    let alarm = screen.alarm.map { "alarm \($0.decimal)" } ?? "no alarm"
    let facts = [alarm, hasLeft ? "left" : nil, screen.isOver ? "over" : nil]
    return [facts.compactMap(\.self).joined(separator: ", ")] + canvas.lines.map { "|\($0)" }
  }
}

@Suite struct ReplayScreenTests {
  /// The screen after each line of calls.
  @Test func replaysAreAsRecorded() throws {
    var driver = ReplayDriver()
    let text = try replayedCalls(
      RecordedText.text("race-replay.txt"), isOver: { true },
      call: { words, options in
        try driver.call(words, options)
        return []
      }, end: { driver.shown })
    try RecordedText.hold("race-replay.txt", to: text)
  }
}
