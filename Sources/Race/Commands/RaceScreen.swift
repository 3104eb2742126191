import System
import Terminal

/// The screen of `hw race watch`: the start, the race, then the winner or the failure.
struct RaceScreen: InteractiveScreen {
  typealias Request = RaceWatch.Request
  typealias Outcome = RaceWatch.Reply

  private(set) var watch: RaceWatch
  private let settings: RaceWatch.Settings
  private let startsAtOnce: Bool
  private let slides: Bool
  private let record: ([RaceEvent]) throws(Failure) -> Void
  private var board = RaceBoard()
  private var phase = Phase.ready
  private var size = WindowSize(columns: 80, rows: 24)
  private var now = Duration.zero
  private var note: (text: String, style: Style)?

  private enum Phase { case ready, running, over }

  /// `record` is called with all events as they happen.
  init(
    _ settings: RaceWatch.Settings, startsAtOnce: Bool = false, slides: Bool = true,
    record: @escaping ([RaceEvent]) throws(Failure) -> Void
  ) {
    watch = RaceWatch(settings)
    self.settings = settings
    self.startsAtOnce = startsAtOnce
    self.slides = slides
    self.record = record
  }

  mutating func handle(
    _ event: ScreenEvent<RaceWatch.Reply>, at uptime: Duration
  ) throws(Failure) -> Next<RaceWatch.Request> {
    now = uptime
    switch event {
    case .resized(let size):
      self.size = size
      board.fit(size, height: RaceView.boardHeight(size))
      return phase == .ready && startsAtOnce ? try begin() : .stay
    case .key(let key): return try press(key)
    case .tick: return phase == .running ? try advance(.tick) : .stay
    case .completed(.success(let reply)): return try advance(.replied(reply))
    case .completed(.failure(let failure)): throw failure
    }
  }

  private mutating func press(_ key: Key) throws(Failure) -> Next<RaceWatch.Request> {
    if key == .character("q") || key == .escape { return .leave }
    switch (phase, key) {
    case (.ready, .enter), (.ready, .character(" ")): return try begin()
    case (.running, .enter): return try advance(.pollNow)
    case (.running, _): _ = board.scroll(by: key)
    case (.over, .character("r")) where failure != nil: return try begin()
    case (.over, .enter): return .leave
    case (.over, _) where failure == nil: _ = board.scroll(by: key)
    default: break
    }
    return .stay
  }

  private mutating func begin() throws(Failure) -> Next<RaceWatch.Request> {
    if phase == .over {
      watch = RaceWatch(settings, after: watch)
      board = RaceBoard()
      note = nil
    }
    phase = .running
    return try advance(.begin)
  }

  private mutating func advance(_ input: RaceWatch.Input) throws(Failure) -> Next<RaceWatch.Request> {
    let step = watch.handle(input, at: now)
    for event in step.events { show(event) }
    if !step.events.isEmpty { try record(step.events) }
    if watch.isOver { phase = .over }
    if case .failure(let failure) = watch.outcome, failure.kind == .interrupted { throw failure }
    return step.request.map { .request($0) } ?? .stay
  }

  private mutating func show(_ event: RaceEvent) {
    if let bees = event.bees {
      board.show(bees, at: now, slides: slides && event.kind == .standings)
      board.fit(size, height: RaceView.boardHeight(size))
    }
    switch event.kind {
    case .start, .standings, .resumed: note = nil
    case .captcha, .finish: break
    case .rateLimited, .retry, .error: note = event.note.map { ($0, .yellow) }
    }
  }

  var failure: Failure? {
    if case .failure(let failure) = watch.outcome { failure } else { nil }
  }

  /// Twice a second for the countdown and the bar, twenty times a second while rows slide.
  var alarm: Duration? {
    if board.isSliding(at: now) { return now + .milliseconds(50) }
    guard phase == .running else { return nil }
    let tick = now + .milliseconds(500)
    return watch.alarm.map { max(now, min($0, tick)) } ?? tick
  }

  func draw(on canvas: inout Canvas) {
    switch phase {
    case .ready:
      RaceView.drawMiddle(
        [("🐝", .plain), ("", .plain), ("Enter starts the bee race", .bold), ("q leaves", .dim)], on: &canvas)
    case .over where failure != nil: drawFailure(on: &canvas)
    case .running where watch.captcha != nil: drawCaptcha(on: &canvas)
    case .running, .over: drawRace(on: &canvas)
    }
  }

  private var elapsed: Duration { watch.start.map { now - $0 } ?? .zero }

  private func drawRace(on canvas: inout Canvas) {
    var view = RaceView(
      title: watch.start == nil ? "Asking how long the race is…" : "Bee race", elapsed: elapsed,
      length: watch.length, note: note, keys: "↑↓ scroll  q leave")
    if case .success(let finish) = watch.outcome {
      view.title = finish.winner.map { "🏆 \($0) wins" } ?? "Nobody was in the race"
      view.elapsed = watch.length ?? .zero
      view.note = finish.isProvisional == true ? ("provisional: not seen at the finish", .yellow) : nil
      view.keys = "↑↓ scroll  Enter leave"
    } else if watch.bees?.isEmpty == true {
      view.note = ("nobody is in the race", .dim)
    }
    view.draw(on: &canvas, board, at: now)
  }

  private func drawCaptcha(on canvas: inout Canvas) {
    let what =
      switch watch.settings.captcha {
      case .browser: "Solve it in the window that has opened; closing the window gives up."
      case .open, .wait, .fail: "Solve it in a browser, then press Enter."
      }
    let left = watch.length.map { max(.zero, $0 - elapsed).countdown } ?? "–:––"
    RaceView.drawMiddle(
      [
        (left, .bold), ("", .plain), ("The service wants a CAPTCHA", .bold),
        (watch.captcha?.text ?? "", .plain),
        ("", .plain), (what, .plain), ("q leaves", .dim),
      ], on: &canvas)
  }

  private func drawFailure(on canvas: inout Canvas) {
    RaceView.drawMiddle(
      [
        ("The race could not be followed", .bold + .red), ("", .plain), (failure?.message ?? "", .plain),
        (failure?.hint ?? "", .dim), ("", .plain), ("r tries again   q leaves", .dim),
      ], on: &canvas)
  }
}
