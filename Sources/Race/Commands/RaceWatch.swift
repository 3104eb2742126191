import Command
import HTTP
import System

/// A race that is watched, as a machine without a clock or a network: inputs in, each with its uptime; events and
/// questions out. Whoever drives it puts each question to the service, and wakes it at its alarm.
///
/// One question is open at a time. An answer to any other comes too late, and is passed over.
struct RaceWatch: Sendable {
  var settings: Settings
  /// Nil until the race begins.
  var start: Duration?
  var length: Duration?
  /// What is known of the race; nil before the first answer.
  var bees: [Bee]?
  /// Open until the service answers again.
  var captcha: CaptchaAddress?
  /// Somebody has solved it; the service's next answer will show whether that counts.
  var isSolved = false
  /// Why the last question was not answered, and how long nothing is asked for that; nil when all is well.
  var trouble: Trouble?
  /// The end, once it has come.
  var outcome: Result<RaceEvent, Failure>?

  var open: Question?
  var openedAt = Duration.zero
  var asked = 0
  var nextAsk: Duration?
  var plan = RacePlan(length: .zero)
  var planStart = Duration.zero
  var failures = 0
  var seq = 0
  var begunAt = Duration.zero
  var now = Duration.zero
  var events: [RaceEvent] = []

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
  var settled: Duration? { finish.map { $0 + settings.settle } }
  var giveUp: Duration? { settings.deadline.map { begunAt + $0.after } }

  mutating func ask() -> Question? {
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
  var hasAskedAfterFinish: Bool { finish.map { openedAt >= $0 } ?? false }
  var isShutOut: Bool {
    trouble.map { $0.failure.kind == .rateLimited && $0.until > now } ?? false
  }
  var isSolving: Bool { if case .solve = open?.kind { true } else { false } }

  mutating func put(_ kind: Question.Kind) -> Question {
    asked += 1
    openedAt = now
    nextAsk = nil
    let question = Question(number: asked, kind: kind)
    open = question
    return question
  }

  /// The next look that the plan has; after the finish, soon again.
  mutating func followPlan(_ budget: PacedEndpoint.Budget?) {
    guard let finish else { return nextAsk = now }
    guard now < finish else { return nextAsk = hasAskedAfterFinish ? now + .seconds(1) : now }
    if let budget, plan.exceeds(budget, at: now - planStart) { makePlan(budget) }
    nextAsk = min(plan.next(after: now - planStart).map { planStart + $0 } ?? finish, finish)
  }

  mutating func makePlan(_ budget: PacedEndpoint.Budget?) {
    guard let finish else { return }
    planStart = now
    plan = RacePlan(
      length: max(.zero, finish - now), interval: settings.interval, limit: settings.limit, budget: budget)
  }

  /// Nothing is asked for a while; but at the finish always: a call is kept for it, and where that cannot be had either,
  /// the ledger refuses it without a word to the service.
  mutating func pause(_ wait: Duration) {
    followPlan(nil)
    nextAsk = max(nextAsk ?? now, now + wait)
    if let finish, now < finish { nextAsk = min(nextAsk ?? finish, finish) }
  }
}
