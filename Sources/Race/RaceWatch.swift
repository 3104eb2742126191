import Command
import HTTP
import System

/// A race that is watched, as a machine without a clock or a network: inputs in, each with its uptime; events and
/// questions out. Whoever drives it puts each question to the service, and wakes it at its alarm.
///
/// One question is open at a time. An answer to any other comes too late, and is passed over.
struct RaceWatch: Sendable {
  private(set) var settings: Settings
  /// Nil until the race begins.
  private(set) var start: Duration?
  private(set) var length: Duration?
  /// What is known of the race; nil before the first answer.
  private(set) var bees: [Bee]?
  /// Open until the service answers again.
  private(set) var captcha: CaptchaAddress?
  /// Somebody has solved it; the service's next answer will show whether that counts.
  private var isSolved = false
  /// Why the last question was not answered, and how long nothing is asked for that; nil when all is well.
  private(set) var trouble: Trouble?
  /// The end, once it has come.
  private(set) var outcome: Result<RaceEvent, Failure>?

  private(set) var open: Question?
  private var openedAt = Duration.zero
  private var asked = 0
  private var nextAsk: Duration?
  private var plan = RacePlan(length: .zero)
  private var planStart = Duration.zero
  private var failures = 0
  private var seq = 0
  private var begunAt = Duration.zero
  private var now = Duration.zero
  private var events: [RaceEvent] = []

  struct Settings: Sendable {
    /// Nil: as often as the limit allows.
    var interval: Duration?
    var limit = RaceClient.limit
    /// How long after the finish its standings are still taken for the finish's.
    var settle = Duration.seconds(10)
    var captcha = CaptchaMode.wait
    /// Before the race has begun; in the race there is no end of trying.
    var retries = 2
    /// `--no-wait`: a rate limit is a failure.
    var waits = true
    var onlyHost: String?
    /// Everything is given up after so long, with this failure.
    var deadline: (after: Duration, failure: Failure)?
  }

  enum Input: Sendable {
    case begin
    case answered(Int, Result<Answer, Failure>)
    case tick
    /// Somebody says that it is worth asking now: the CAPTCHA is solved.
    case askNow
  }

  struct Question: Equatable, Sendable {
    let number: Int
    let kind: Kind

    enum Kind: Equatable, Sendable {
      case duration
      /// The standings, and how far the finish is away; zero for the call that is kept for the finish.
      case standings(untilFinish: Duration)
      case solve(CaptchaAddress)
    }
  }

  enum Answer: Sendable {
    case duration(Duration, PacedEndpoint.Budget?)
    case standings([Bee], PacedEndpoint.Budget?)
    case solved
  }

  struct Trouble: Equatable, Sendable {
    var failure: Failure
    var until: Duration
  }

  /// What came of an input.
  struct Step: Sendable {
    var events: [RaceEvent] = []
    var question: Question?
  }

  init(_ settings: Settings) {
    self.settings = settings
  }

  /// Another attempt; answers that are still under way to questions of `former` are not taken for its own.
  init(_ settings: Settings, after former: RaceWatch) {
    self.settings = settings
    asked = former.asked
  }

  var isOver: Bool { outcome != nil }
  var finish: Duration? { start.flatMap { start in length.map { start + $0 } } }

  /// When a tick is wanted; nil while only an answer can change anything.
  var alarm: Duration? {
    guard !isOver else { return nil }
    let ask = open == nil ? nextAsk : nil
    // An open question about the standings is waited for: it has a time limit of its own.
    let isWaiting = if case .standings = open?.kind { true } else { false }
    let end = isWaiting ? nil : settled
    return [ask, end, giveUp].compactMap(\.self).min()
  }

  mutating func handle(_ input: Input, at uptime: Duration) -> Step {
    now = max(now, uptime)
    events = []
    guard !isOver else { return Step() }
    switch input {
    case .begin:
      begunAt = now
      nextAsk = now
    case .tick: break
    case .askNow: if captcha != nil { nextAsk = max(now, openedAt + .seconds(1)) }
    case .answered(let number, let answer):
      guard let question = open, question.number == number else { return Step() }
      open = nil
      take(answer, to: question)
    }
    let question = ask()
    return Step(events: events, question: question)
  }
}

// MARK: Asking

extension RaceWatch {
  /// The last instant at which the finish's standings are still asked for.
  private var settled: Duration? { finish.map { $0 + settings.settle } }
  private var giveUp: Duration? { settings.deadline.map { begunAt + $0.after } }

  private mutating func ask() -> Question? {
    if let giveUp, now >= giveUp, !isOver, let failure = settings.deadline?.failure {
      fail(failure)
      return nil
    }
    guard !isOver, open == nil || isSolving else { return nil }
    if let settled, now >= settled {
      if hasAskedAfterFinish || captcha != nil || isShutOut {
        conclude()
        return nil
      }
      nextAsk = now
    }
    guard open == nil, let due = nextAsk, due <= now else { return nil }
    if let captcha, !isSolved, settings.captcha == .browser { return put(.solve(captcha)) }
    guard let finish else { return put(.duration) }
    return put(.standings(untilFinish: max(.zero, finish - now)))
  }

  /// A laptop that slept through the finish still asks once: late, and so provisional.
  private var hasAskedAfterFinish: Bool { finish.map { openedAt >= $0 } ?? false }
  private var isShutOut: Bool {
    trouble.map { $0.failure.kind == .rateLimited && $0.until > now } ?? false
  }
  private var isSolving: Bool { if case .solve = open?.kind { true } else { false } }

  private mutating func put(_ kind: Question.Kind) -> Question {
    asked += 1
    openedAt = now
    nextAsk = nil
    let question = Question(number: asked, kind: kind)
    open = question
    return question
  }

  /// The next look that the plan has; after the finish, soon again.
  private mutating func followPlan(_ budget: PacedEndpoint.Budget?) {
    guard let finish else { return nextAsk = now }
    guard now < finish else { return nextAsk = hasAskedAfterFinish ? now + .seconds(1) : now }
    if let budget, plan.exceeds(budget, at: now - planStart) { makePlan(budget) }
    nextAsk = min(plan.next(after: now - planStart).map { planStart + $0 } ?? finish, finish)
  }

  private mutating func makePlan(_ budget: PacedEndpoint.Budget?) {
    guard let finish else { return }
    planStart = now
    plan = RacePlan(
      length: max(.zero, finish - now), interval: settings.interval, limit: settings.limit, budget: budget)
  }

  /// Nothing is asked for a while; but at the finish always: a call is kept for it, and where that cannot be had either,
  /// the ledger refuses it without a word to the service.
  private mutating func pause(_ wait: Duration) {
    followPlan(nil)
    nextAsk = max(nextAsk ?? now, now + wait)
    if let finish, now < finish { nextAsk = min(nextAsk ?? finish, finish) }
  }
}

// MARK: Answers

extension RaceWatch {
  private mutating func take(_ answer: Result<Answer, Failure>, to question: Question) {
    switch answer {
    case .success(.duration(let length, let budget)):
      start = now
      self.length = length
      recover()
      var event = RaceEvent(.start)
      event.duration = length
      emit(event)
      makePlan(budget)
      // Where many begin at once, the first look is left to those who still have to learn how long the race is.
      let isScarce = budget.map { $0.left <= settings.limit.count / 2 } ?? false
      nextAsk = isScarce ? plan.next(after: .zero).map { now + $0 } ?? now + length : now
    case .success(.standings(let bees, let budget)):
      recover()
      show(bees)
      if hasAskedAfterFinish { conclude() } else { followPlan(budget) }
    case .success(.solved):
      isSolved = true
      nextAsk = now
    case .failure(let failure): take(failure, to: question)
    }
  }

  private mutating func show(_ bees: [Bee]) {
    guard bees != self.bees else { return }
    self.bees = bees
    var event = RaceEvent(.standings)
    event.bees = bees
    emit(event)
  }

  private mutating func recover() {
    trouble = nil
    failures = 0
    isSolved = false
    guard captcha != nil else { return }
    captcha = nil
    emit(RaceEvent(.resumed))
  }

  private mutating func take(_ failure: Failure, to question: Question) {
    switch (failure.kind, question.kind) {
    case (.interrupted, _), (.storage, .duration), (.storage, .standings), (.defect, _): fail(failure)
    case (.captcha, .solve): fail(failure)
    case (_, .solve(let address)): fallBack(failure, address)
    case (.captcha, _): meet(failure)
    case (.rateLimited, _): obey(failure)
    case (.connection, .duration) where failures < settings.retries: retry(failure)
    case (_, .duration): fail(failure)
    case (_, .standings): retry(failure)
    }
  }

  private mutating func meet(_ failure: Failure) {
    guard let address = failure.captchaAddress else { return fail(failure) }
    trouble = nil
    if captcha == nil {
      var event = RaceEvent(.captcha)
      event.captchaUrl = address.text
      emit(event)
    }
    captcha = address
    isSolved = false
    do throws(Failure) {
      try address.confine(to: settings.onlyHost)
    } catch {
      return fail(error)
    }
    switch settings.captcha {
    case .fail: fail(address.wanted)
    case .browser: nextAsk = now
    case .open, .wait: pause(captchaPace)
    }
  }

  /// Slow; but not so slow that the time after the finish passes between two looks.
  private var captchaPace: Duration {
    finish.map { now >= $0 } ?? false ? min(CaptchaMode.pace, .seconds(3)) : CaptchaMode.pace
  }

  /// Without a browser the CAPTCHA is waited for.
  private mutating func fallBack(_ failure: Failure, _ address: CaptchaAddress) {
    var event = RaceEvent(.retry)
    event.message = failure.message
    settings.captcha = .wait
    pause(captchaPace)
    event.wait = nextAsk.map { $0 - now }
    event.captchaUrl = address.text
    emit(event)
  }

  private mutating func obey(_ failure: Failure) {
    guard settings.waits else { return fail(failure) }
    let wait = max(.milliseconds(500), failure.retryAfter ?? .seconds(60))
    trouble = Trouble(failure: failure, until: now + wait)
    makePlan(nil)
    pause(wait)
    var event = RaceEvent(.rateLimited)
    event.wait = nextAsk.map { $0 - now }
    emit(event)
  }

  private mutating func retry(_ failure: Failure) {
    failures += 1
    let wait = min(Duration.seconds(1) * (1 << min(failures - 1, 4)), .seconds(10))
    pause(wait)
    let next = nextAsk ?? now + wait
    trouble = Trouble(failure: failure, until: next)
    var event = RaceEvent(.retry)
    event.message = failure.message
    event.wait = next - now
    emit(event)
  }
}

// MARK: The end

extension RaceWatch {
  /// The finish is over: the standings are its own if they were asked for in time, else what was known last. Where the
  /// service was lost and never came back, that is told as well, and is what it ends with.
  private mutating func conclude() {
    guard let bees else {
      return fail(captcha?.wanted ?? trouble?.failure ?? Failure(.connection, "the race was never seen"))
    }
    let isLost = trouble.map { $0.failure.kind != .rateLimited } ?? false
    if isLost, let trouble { emit(trouble.failure) }
    let isInTime = hasAskedAfterFinish && (settled.map { openedAt <= $0 } ?? false)
    var event = RaceEvent(.finish)
    event.bees = bees
    event.winner = bees.first?.name
    event.isProvisional = !isInTime || trouble != nil || captcha != nil
    emit(event)
    if isLost, let trouble { end(.failure(trouble.failure)) } else { end(.success(events.last ?? event)) }
  }

  private mutating func fail(_ failure: Failure) {
    if failure.kind != .interrupted { emit(failure) }
    end(.failure(failure))
  }

  private mutating func emit(_ failure: Failure) {
    var event = RaceEvent(.error)
    event.message = failure.message
    event.captchaUrl = failure.captchaAddress?.text
    emit(event)
  }

  private mutating func end(_ outcome: Result<RaceEvent, Failure>) {
    self.outcome = outcome
    open = nil
    nextAsk = nil
  }

  private mutating func emit(_ event: RaceEvent) {
    var event = event
    seq += 1
    event.seq = seq
    if let start, let length {
      event.elapsed = now - start
      event.remaining = max(.zero, length - event.elapsed)
    }
    events.append(event)
  }
}
