import System
import Terminal

struct RaceScreen: InteractiveScreen {
  typealias Request = RaceWatch.Request
  typealias Outcome = RaceWatch.Reply

  private(set) var watch: RaceWatch
  private let settings: RaceWatch.Settings
  private let startsAtOnce: Bool
  private let slides: Bool
  private let record: ([RaceEvent]) throws(Failure) -> Void
  private var board = RaceBoard()
  /// Leader of each poll.
  private var leaders: [Bee] = []
  private var phase = Phase.ready
  private var size: WindowSize?
  private var now = Duration.zero
  private var note: (text: String, style: Style)?
  private var preview = Preview.none
  /// The user has confirmed the CAPTCHA, and the service has not responded yet.
  private var asksWhetherSolved = false

  private enum Phase { case ready, running, over }

  /// The length of the race, as far as it is known before the start.
  private enum Preview {
    case none
    case requested
    case known(length: Duration, polls: Int)
    /// `until` is the uptime at which the rate limit is renewed.
    case unknown(String, until: Duration?)
  }

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
      fitBoard()
      guard phase == .ready else { return .stay }
      if startsAtOnce { return try begin() }
      guard case .none = preview else { return .stay }
      preview = .requested
      return .request(.preview)
    case .key(let key): return try press(key)
    case .tick:
      if phase == .ready, case .unknown(_, let until?) = preview, until <= now {
        preview = .requested
        return .request(.preview)
      }
      return phase == .running ? try advance(.tick) : .stay
    case .completed(.success(let reply)) where reply.number == RaceWatch.Request.preview.number:
      show(reply)
      return .stay
    case .completed(.success(let reply)):
      asksWhetherSolved = false
      // The reason for the wait is over, even if the standings are unchanged.
      if case .success = reply.result { note = nil }
      let isExpected = watch.inFlight?.number == reply.number
      let next = try advance(.replied(reply))
      if isExpected, case .success(.standings) = reply.result, let leader = watch.bees?.first {
        leaders.append(leader)
      }
      return next
    case .completed(.failure(let failure)): throw failure
    }
  }

  private mutating func press(_ key: Key) throws(Failure) -> Next<RaceWatch.Request> {
    if key == .character("q") || key == .escape { return .leave }
    switch (phase, key) {
    case (.ready, .enter), (.ready, .character(" ")), (.over, .character("r")): return try begin()
    case (.running, .enter):
      asksWhetherSolved = watch.captcha != nil && !watch.isSolving
      return try advance(.pollNow)
    case (.running, _): board.scroll(by: key)
    case (.over, .enter): return .leave
    case (.over, _) where watch.finishEvent != nil: board.scroll(by: key)
    default: break
    }
    return .stay
  }

  private mutating func begin() throws(Failure) -> Next<RaceWatch.Request> {
    watch = RaceWatch(settings, after: watch)
    board = RaceBoard()
    leaders = []
    note = nil
    phase = .running
    return try advance(.begin)
  }

  private mutating func advance(_ input: RaceWatch.Input) throws(Failure) -> Next<RaceWatch.Request> {
    let step = watch.handle(input, at: now)
    for event in step.events { show(event) }
    try record(step.events)
    if watch.isOver { phase = .over }
    if let failure, failure.kind == .interrupted { throw failure }
    return step.request.map { .request($0) } ?? .stay
  }

  private mutating func show(_ event: RaceEvent) {
    if let bees = event.bees {
      board.show(bees, at: now, slides: slides && event.kind == .standings)
      fitBoard()
    }
    if event.kind == .rateLimited || event.kind == .retry { note = event.note.map { ($0, .yellow) } }
  }

  private mutating func fitBoard() {
    guard let size else { return }
    RaceView.fit(&board, to: size, hasWinner: watch.finishEvent?.winner != nil)
  }

  private mutating func show(_ reply: RaceWatch.Reply) {
    switch reply.result {
    case .success(.duration(let start, let budget)):
      let length = start.remaining
      let plan = RacePlan(length: length, limit: settings.limit, budget: budget)
      preview = .known(length: length, polls: plan.instants.count)
    case .success: break
    case .failure(let failure):
      preview = .unknown(failure.message, until: failure.retryAfter.map { now + max(.seconds(1), $0) })
    }
  }

  private var previewText: String {
    switch preview {
    case .none, .requested: "Requesting the length of the race…"
    case .known(let length, let polls):
      "It lasts \(length.countdown); at most \(polls) \(polls == 1 ? "poll" : "polls")"
    case .unknown(let reason, let until):
      "How long it lasts is not known: \(reason)"
        + (until.map { "; next request in \(($0 - now).countdown)" } ?? "")
    }
  }

  /// The time until the rate limit is renewed, while it is used up.
  private var limitNote: (text: String, style: Style)? {
    guard let backoff = watch.backoff, backoff.failure.kind == .rateLimited, backoff.until > now else {
      return nil
    }
    return ("The rate limit is used up: next request in \((backoff.until - now).countdown)", .yellow)
  }

  var failure: Failure? { watch.outcome?.failure }

  /// Redraws twice a second for the countdown and the bar, and twenty times a second while rows slide.
  var alarm: Duration? {
    if board.isSliding(at: now) { return now + .milliseconds(50) }
    if phase == .ready, case .unknown(_, let until?) = preview { return min(until, now + .milliseconds(500)) }
    guard phase == .running else { return nil }
    let tick = now + .milliseconds(500)
    return min(watch.alarm ?? tick, tick)
  }

  func draw(on canvas: inout Canvas) {
    switch phase {
    case .ready:
      RaceView.drawMiddle(
        [
          ("🐝", .plain), ("", .plain), ("Enter starts the bee race", .bold), (previewText, .plain),
          ("q quit", .dim),
        ], on: &canvas)
    case .over where watch.finishEvent == nil: drawFailure(on: &canvas)
    case .running where watch.captcha != nil: drawCaptcha(on: &canvas)
    case .running, .over: drawRace(on: &canvas)
    }
  }

  private var elapsed: Duration { watch.start.map { now - $0 } ?? .zero }

  private func drawRace(on canvas: inout Canvas) {
    var view = RaceView(
      title: watch.start == nil ? "Requesting the length of the race…" : "Bee race", elapsed: elapsed,
      length: watch.length, note: limitNote ?? note, keys: "↑↓ scroll  q quit")
    if let finish = watch.finishEvent {
      view.title = finish.title
      view.isOver = true
      view.hasWinner = finish.winner != nil
      view.lead = board.bees.first.flatMap { leaders.lead(of: $0) }
      view.note = (failure?.message ?? finish.message).map { ($0, .yellow) }
      view.keys = failure == nil ? "↑↓ scroll  r race again  Enter quit" : "↑↓ scroll  r race again  q quit"
    } else if watch.bees?.isEmpty == true {
      view.note = ("the race has no bees", .dim)
    }
    view.draw(on: &canvas, board, at: now)
  }

  private func drawCaptcha(on canvas: inout Canvas) {
    let what =
      switch watch.settings.captcha {
      case .browser: "Solve it in the browser window. Closing the window ends the command."
      case .open, .wait, .fail: "Solve it in a browser, then press Enter."
      }
    let left = watch.length.map { ($0 - elapsed).countdown } ?? "–:––"
    RaceView.drawMiddle(
      [
        (left, .bold), ("", .plain), ("The service requires a CAPTCHA", .bold),
        (watch.captcha?.text ?? "", .plain), ("", .plain), (what, .plain), (captchaProgress, .yellow),
        ("q quit", .dim),
      ], on: &canvas)
  }

  /// The number of requests since the CAPTCHA was shown, and the time until the next one.
  private var captchaProgress: String {
    if asksWhetherSolved { return "Checking whether it is solved…" }
    let count = watch.unsolvedRequests
    let known = count == 0 ? "" : "Not solved yet (\(count == 1 ? "1 request" : "\(count) requests")). "
    guard let next = watch.nextPoll else { return known }
    return "\(known)Next request in \((next - now).countdown)."
  }

  private func drawFailure(on canvas: inout Canvas) {
    RaceView.drawMiddle(
      [
        ("The race cannot be watched", .bold + .red), ("", .plain), (failure?.message ?? "", .plain),
        (failure?.hint ?? "", .dim), ("", .plain), ("r retry   q quit", .dim),
      ], on: &canvas)
  }
}
