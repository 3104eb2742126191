import Command
import HTTP
import JSON
import System
import TestSupport
import Testing

@testable import Race

/// Responses of the original service.
extension RaceWatch.Response {
  static func duration(_ length: Duration, _ budget: PacedEndpoint.Budget?) -> RaceWatch.Response {
    .duration(RaceStart(length: length), budget)
  }

  static func standings(_ bees: [Bee], _ budget: PacedEndpoint.Budget?) -> RaceWatch.Response {
    .standings(RaceStandings(bees: bees), budget)
  }
}

/// Drives a watch step by step, with a clock of its own.
struct WatchDriver {
  var watch: RaceWatch
  var now = Duration.seconds(1000)
  var events: [RaceEvent] = []
  var request: RaceWatch.Request?

  static let a = Bee(name: "A", color: "#111111")
  static let b = Bee(name: "B", color: "#222222")

  init(_ change: (inout RaceWatch.Settings) -> Void = { _ in }) {
    var settings = RaceWatch.Settings()
    change(&settings)
    watch = RaceWatch(settings)
    send(.begin)
  }

  /// One that has begun a race of `seconds` and has seen A in front.
  static func race(_ seconds: Int, _ change: (inout RaceWatch.Settings) -> Void = { _ in }) -> WatchDriver {
    var driver = WatchDriver(change)
    driver.answer(.duration(.seconds(seconds), nil))
    driver.answer(.standings([a, b], nil))
    return driver
  }

  mutating func send(_ input: RaceWatch.Input) {
    let step = watch.handle(input, at: now)
    events += step.events
    if let request = step.request { self.request = request }
  }

  mutating func answer(_ answer: RaceWatch.Response) { reply(.success(answer)) }
  mutating func fail(_ failure: Failure) { reply(.failure(failure)) }

  /// The rate limit, without a word on when it ends; the next minute of the clock begins in `nextMinute` seconds.
  mutating func refuse(_ nextMinute: Double) {
    reply(
      .failure(Failure(.rateLimited, "limited")),
      nextMinute: .milliseconds(Int64((nextMinute * 1000).rounded())))
  }

  private mutating func reply(
    _ reply: Result<RaceWatch.Response, Failure>, nextMinute: Duration = .seconds(60)
  ) {
    guard let asked = request else { return }
    request = nil
    send(.replied(.init(number: asked.number, result: reply, nextMinute: nextMinute)))
  }

  /// Lets time pass to the alarm, and says how much that was.
  @discardableResult
  mutating func wait() -> Double {
    guard let alarm = watch.alarm else { return -1 }
    let passed = max(.zero, alarm - now)
    now = max(now, alarm)
    send(.tick)
    return passed.seconds
  }

  mutating func pass(_ seconds: Double) {
    now += .milliseconds(Int64(seconds * 1000))
    send(.tick)
  }

  var kinds: [RaceEvent.Kind] { events.map(\.kind) }
  var failure: Failure? { if case .failure(let failure)? = watch.outcome { failure } else { nil } }
  var finish: RaceEvent? { try? watch.outcome?.get() }
}

extension Failure {
  static let offline = Failure(.connection, "'host:80' refused the connection", retryable: true)
  static let garbage = Failure(.invalidData, "expected JSON, got HTML")
  static func limited(_ seconds: Int) -> Failure {
    Failure(.rateLimited, "limited", details: [.init("retryAfter", .integer(seconds))])
  }
  static func captcha(_ url: String = "https://example.org/c") throws -> Failure {
    try CaptchaAddress(url).unsolved
  }
}

/// Calls of a watch by a text; `recorded/race-watch.txt` has them with what they led to.
extension WatchDriver {
  static func change(_ settings: inout RaceWatch.Settings, by options: [String: String]) {
    func seconds(_ name: String) -> Duration? { options[name].flatMap(WatchDriver.seconds) }
    if let mode = options["captcha"].flatMap(CaptchaMode.init(rawValue:)) { settings.captcha = mode }
    if let settle = seconds("settle") { settings.settle = settle }
    if let retries = options["retries"].flatMap({ Int($0) }) { settings.retries = retries }
    if let deadline = seconds("deadline") { settings.deadline = (after: deadline, failure: .offline) }
  }

  private static func seconds(_ text: String) -> Duration? {
    Double(text).map { .milliseconds(Int64(($0 * 1000).rounded())) }
  }

  private static let failures = ["offline": Failure.offline, "garbage": .garbage]

  static func failure(_ words: [String]) throws -> Failure {
    switch words[0] {
    case "limited": .limited(Int(words[1]) ?? 0)
    case "captcha" where words.count < 3: try .captcha(words.dropFirst().first ?? "https://example.org/c")
    default: failures[words[0]] ?? Failure(Failure.Kind(rawValue: words[0]) ?? .defect, words[1])
    }
  }

  static func response(_ words: [String], _ options: [String: String]) -> RaceWatch.Response {
    let moment = RaceMoment(race: options["race"], remaining: options["remaining"].flatMap(seconds))
    let budget = options["left"].flatMap { Int($0) }.map {
      PacedEndpoint.Budget(left: $0, renewal: options["renewal"].flatMap(seconds) ?? .seconds(60))
    }
    switch words[0] {
    case "solved": return .solved
    case "duration":
      return .duration(RaceStart(length: seconds(words[1]) ?? .zero, moment: moment), budget)
    default:
      let bees = words.dropFirst().flatMap { word in
        let sides = word.split(separator: "/").map(String.init)
        let color = ["A": "#111111", "B": "#222222"][word] ?? "#333333"
        let bee = Bee(name: sides[0] == "-" ? " " : sides[0], color: sides.count > 1 ? sides[1] : color)
        // So many of them.
        let count = word.hasPrefix("Bee") ? Int(word.dropFirst(3)) : nil
        return count.map { (1...$0).map { Bee(name: "Bee\($0)x", color: "") } } ?? [bee]
      }
      return .standings(
        RaceStandings(bees: bees, moment: moment, age: options["age"].flatMap(seconds) ?? .zero), budget)
    }
  }

  mutating func call(_ words: [String], _ options: [String: String]) throws -> String? {
    let number = words.count > 1 ? Double(words[1]) ?? 0 : 0
    switch words[0] {
    case "wait": return "waits \(wait())"
    case "ask": return request == nil ? "waits \(wait())" : nil
    case "pass": pass(number)
    case "later": now += .milliseconds(Int64(number * 1000))
    case "tick": send(.tick)
    case "poll": send(.pollNow)
    case "begin": send(.begin)
    case "again":
      watch = RaceWatch(.init(), after: watch)
      send(.begin)
    case "reply":
      let rest = Array(words.dropFirst(2))
      let result: Result<RaceWatch.Response, Failure> =
        rest[0] == "fail"
        ? .failure(try Self.failure(Array(rest.dropFirst()))) : .success(Self.response(rest, options))
      send(.replied(.init(number: Int(number), result: result)))
    case _ where request == nil: return "nothing is asked"
    case "refuse": refuse(number)
    case "fail": fail(try Self.failure(Array(words.dropFirst())))
    default: answer(Self.response(words, options))
    }
    return nil
  }

  /// The instants are those since the watch was made.
  var state: String {
    func instant(_ name: String, _ uptime: Duration?) -> String? {
      uptime.map { "\(name) \(($0 - .seconds(1000)).decimal)" }
    }
    let asked = request.map { "asks \($0.number) \($0.kind.words)" }
    let bees = watch.bees.map { "sees \($0.map(\.name).joined(separator: " "))" }
    let unsolved = watch.unsolvedRequests > 0 ? "unsolved \(watch.unsolvedRequests)" : nil
    let facts = [
      instant("at", now), asked, instant("alarm", watch.alarm), instant("poll", watch.nextPoll),
      instant("backoff", watch.backoff?.until), instant("finish", watch.finish), unsolved, bees,
      failure.map { "fails: \($0.described)" } ?? (watch.isOver ? "over" : nil),
    ]
    return facts.compactMap(\.self).joined(separator: ", ")
  }
}

extension Duration {
  var decimal: Double { seconds }
}

extension RaceWatch.Request.Kind {
  var words: String {
    switch self {
    case .preview: "preview"
    case .duration: "duration"
    case .standings(let left): "standings \(left.decimal)"
    case .solve(let address): "solve \(address.text)"
    }
  }
}

/// Lines of calls (`> `) are run one after the other: `CALL ; CALL`, `N * CALL ; CALL`, or `end * CALL ; CALL`, which is
/// repeated until the race is over. Lines that begin with `#` are comments.
func replayedCalls(
  _ text: String, isOver: () -> Bool, call: ([String], [String: String]) throws -> [String],
  end: () -> [String] = { [] }
) throws -> String {
  var lines: [String] = []
  for line in text.split(separator: "\n").map(String.init) {
    if line.hasPrefix("#") { lines.append(line) }
    guard line.hasPrefix("> ") else { continue }
    lines.append(line)
    let parts = line.dropFirst(2).split(separator: " * ").map(String.init)
    let count = parts.count < 2 ? 1 : Int(parts[0]) ?? 100
    for _ in 0..<count where count < 100 || !isOver() {
      for calls in parts[parts.count - 1].split(separator: ";") {
        let all = ShellWord.split(String(calls)) ?? []
        let pairs = all.filter { $0.contains("=") }.map { $0.split(separator: "=").map(String.init) }
        lines += try call(
          all.filter { !$0.contains("=") }, Dictionary(pairs.map { ($0[0], $0[1]) }) { $1 }
        ).map { "  \($0)" }
      }
    }
    lines += end().map { "  \($0)" }
  }
  return lines.map { "\($0)\n" }.joined()
}

@Suite struct RaceWatchTests {
  /// The events of each call, and the state after it.
  @Test func watchesAreAsRecorded() throws {
    var driver = WatchDriver()
    let text = try replayedCalls(RecordedText.text("race-watch.txt"), isOver: { driver.watch.isOver }) {
      words, options in
      switch words[0] {
      case "watch": driver = WatchDriver { WatchDriver.change(&$0, by: options) }
      case "race": driver = .race(Int(words[1]) ?? 0) { WatchDriver.change(&$0, by: options) }
      default:
        let known = driver.events.count
        let said = try driver.call(words, options)
        let events = driver.events.dropFirst(known).map { event in
          var writer = JSONWriter()
          event.write(to: &writer)
          return String(decoding: writer.bytes, as: UTF8.self)
        }
        return [said].compactMap(\.self) + events + [driver.state]
      }
      return [driver.state]
    }
    try RecordedText.hold("race-watch.txt", to: text)
  }
}
