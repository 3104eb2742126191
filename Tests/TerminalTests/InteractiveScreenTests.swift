import System
import Testing

@testable import Terminal

/// A screen as a suite writes one: it polls a service every 2.5 s, counts the seconds, and leaves at `q`.
struct PollingScreen: InteractiveScreen {
  enum Request { case standings }

  let end: Duration
  var now = Duration.zero
  var nextPoll = Duration.zero
  var leader = "nobody yet"
  var alarm: Duration?

  mutating func handle(_ event: ScreenEvent<String>, at uptime: Duration) throws(Failure) -> Next<Request> {
    now = uptime
    alarm = min(nextPoll, uptime + .seconds(1))
    switch event {
    case .key(.character("q")): return .leave
    case .completed(.success(let name)): leader = name
    case .completed(.failure(let failure)) where !failure.retryable: throw failure
    default: break
    }
    guard uptime >= nextPoll else { return .stay }
    nextPoll += .milliseconds(2500)
    return .request(.standings)
  }

  func draw(on canvas: inout Canvas) {
    canvas.write("\((end - now).components.seconds) s left", row: 0, column: 0, style: .bold)
    canvas.write("🐝 \(leader)", row: 1, column: 0)
  }
}

/// What such a screen does, told without a terminal, a clock or a network.
@Suite struct InteractiveScreenTests {
  func drawn(_ screen: some InteractiveScreen) -> [String] {
    var canvas = Canvas(WindowSize(columns: 20, rows: 2))
    screen.draw(on: &canvas)
    return canvas.lines
  }

  @Test func aScreenIsAValue() throws {
    var screen = PollingScreen(end: .seconds(60))
    var asked: [Duration] = []
    for tenth in 0..<100 {
      let now = Duration.milliseconds(tenth * 100)
      guard now >= screen.alarm ?? .zero else { continue }
      if case .request = try screen.handle(.tick, at: now) { asked.append(now) }
    }
    #expect(asked == [0, 2500, 5000, 7500].map { .milliseconds($0) })
    _ = try screen.handle(.completed(.success("Bee\u{1B}[2J")), at: .seconds(10))
    #expect(drawn(screen) == ["50 s left", "🐝 Bee\u{FFFD}[2J"])
    guard case .leave = try screen.handle(.key(.character("q")), at: .seconds(10)) else {
      Issue.record("stays")
      return
    }
  }

  @Test func aFailureEndsIt() {
    var screen = PollingScreen(end: .seconds(60))
    #expect(throws: Failure(.invalidData, "nonsense")) {
      _ = try screen.handle(.completed(.failure(Failure(.invalidData, "nonsense"))), at: .zero)
    }
  }
}
