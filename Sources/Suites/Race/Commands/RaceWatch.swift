import Command
import System

/// Follows a race as a state machine without clock and network: receives inputs with their uptime, returns events and
/// requests. The caller sends each request to the service, and a tick at `alarm`.
///
/// One request is in flight at a time. Replies to other requests are ignored.
struct RaceWatch: Sendable {
  private(set) var settings: Settings
  /// The uptime of the start; nil until the length is known.
  private(set) var start: Duration?
  private(set) var length: Duration?
  private(set) var race = RaceAttribution()
  private(set) var bees: [Bee]?
  /// The open CAPTCHA; nil after the next regular response.
  private(set) var captcha: CaptchaAddress?
  /// Requests that required the open CAPTCHA again.
  private(set) var unsolvedRequests = 0
  /// The failure of the last request; nil after a success.
  private(set) var backoff: Backoff?
  /// The end of the race: the finish, or the reason why it was not seen. Nil while the race runs.
  private(set) var outcome: Result<RaceEvent, Failure>?
  /// The last standings, final or provisional; nil without standings.
  private(set) var finishEvent: RaceEvent?
  private(set) var inFlight: Request?

  private var now = Duration.zero
  private var begunAt = Duration.zero
  private var sentAt = Duration.zero
  private var lastRequest: Int
  /// The time of the next request; nil while only a reply can cause one.
  private(set) var nextPoll: Duration?
  private(set) var plan = RacePlan(length: .zero)
  private var planStart = Duration.zero
  private var failures = 0
  private var refusals = 0
  /// A later end of the settling, if the service accepts no calls before.
  private var extendedSettleEnd = Duration.zero
  /// The reason why the latest standings do not decide the race.
  private var doubt: String?
  /// The CAPTCHA was reported as solved, which the next response confirms or not.
  private var isSolved = false
  private var lastEvent = 0
  private var events: [RaceEvent] = []

  /// `former` is the previous attempt: replies to its requests are ignored.
  init(_ settings: Settings, after former: RaceWatch? = nil) {
    self.settings = settings
    lastRequest = former?.lastRequest ?? 0
  }

  var isOver: Bool { outcome != nil }
  var finish: Duration? { start.flatMap { start in length.map { start + $0 } } }

  /// The uptime of the next tick; nil while only a reply can change something.
  var alarm: Duration? {
    guard !isOver else { return nil }
    // A request for standings has its own time limit, and its reply is awaited.
    let awaitsStandings = if case .standings = inFlight?.kind { true } else { false }
    return [nextPoll, awaitsStandings ? nil : finish.map(settleEnd), deadline].compactMap(\.self).min()
  }

  mutating func handle(_ input: Input, at uptime: Duration) -> Step {
    now = max(now, uptime)
    events = []
    guard !isOver else { return Step() }
    switch input {
    case .begin:
      begunAt = now
      nextPoll = now
    case .tick: break
    case .pollNow: if captcha != nil, inFlight == nil { nextPoll = max(now, sentAt + .seconds(1)) }
    case .replied(let reply):
      guard let request = inFlight, request.number == reply.number else { return Step() }
      inFlight = nil
      switch reply.result {
      case .success(let response): receive(response)
      case .failure(let failure): receive(failure, for: request, nextMinute: reply.nextMinute)
      }
    }
    let request = nextRequest()
    return Step(events: events, request: request)
  }

  // MARK: Requests

  /// The last instant at which standings count as those of the finish.
  private func settleEnd(_ finish: Duration) -> Duration { max(finish + settings.settle, extendedSettleEnd) }
  /// A required wait that ends within this time after the finish extends the settling.
  private static let longestExtension = Duration.seconds(120)
  private var deadline: Duration? { settings.deadline.map { begunAt + $0.after } }
  private var isAfterFinish: Bool { finish.map { now >= $0 } ?? false }
  /// Whether the last request was sent after the finish.
  private func hasPolled(after finish: Duration) -> Bool { sentAt >= finish }
  private var isRateLimited: Bool {
    backoff.map { $0.failure.kind == .rateLimited && $0.until > now } ?? false
  }
  var isSolving: Bool { if case .solve = inFlight?.kind { true } else { false } }

  private mutating func nextRequest() -> Request? {
    guard !isOver else { return nil }
    if let deadline = settings.deadline, now >= begunAt + deadline.after {
      fail(deadline.failure)
      return nil
    }
    guard inFlight == nil || isSolving else { return nil }
    if let finish, now >= settleEnd(finish) {
      if hasPolled(after: finish) || captcha != nil || isRateLimited {
        conclude(finish)
        return nil
      }
      // The process was suspended at the finish: a late request is better than none.
      nextPoll = now
    }
    guard let due = nextPoll, due <= now else { return nil }
    if let captcha, !isSolved, settings.captcha == .browser { return send(.solve(captcha)) }
    guard let finish else { return send(.duration) }
    return send(.standings(untilFinish: max(.zero, finish - now)))
  }

  private mutating func send(_ kind: Request.Kind) -> Request {
    lastRequest += 1
    sentAt = now
    nextPoll = nil
    let request = Request(number: lastRequest, kind: kind)
    inFlight = request
    return request
  }

  /// The next poll of the plan. After the finish it is now or, if one was sent since, in a second.
  private mutating func plannedPoll(_ budget: PacedEndpoint.Budget? = nil) -> Duration {
    guard let finish else { return now }
    guard now < finish else { return hasPolled(after: finish) ? now + .seconds(1) : now }
    if let budget, plan.exceeds(budget, at: now - planStart) { makePlan(budget) }
    return plan.next(after: now - planStart).map { planStart + $0 } ?? finish
  }

  private mutating func makePlan(_ budget: PacedEndpoint.Budget?) {
    guard let finish else { return }
    planStart = now
    plan = RacePlan(length: max(.zero, finish - now), limit: settings.limit, budget: budget)
  }

  private var wait: Duration? { nextPoll.map { $0 - now } }

  /// Polls after `wait`, but not later than at the finish, for which a call is reserved.
  private mutating func pause(_ wait: Duration) { schedule(max(plannedPoll(), now + wait)) }

  /// Polls at `instant`, but not later than at the finish, and after it before the settling ends.
  private mutating func schedule(_ instant: Duration) {
    nextPoll = instant
    guard let finish else { return }
    let end = settleEnd(finish)
    if now < finish {
      nextPoll = min(instant, finish)
    } else if now < end {
      nextPoll = min(instant, max(now + .milliseconds(500), end - .milliseconds(100)))
    }
  }

  // MARK: Responses

  private mutating func receive(_ response: Response) {
    switch response {
    case .duration(let start, let budget):
      self.start = now + start.remaining - start.length
      length = start.length
      race.id = start.moment.race
      recover()
      emit(RaceEvent(kind: .start, duration: length, race: race.id))
      makePlan(budget)
      // Many watchers may start at once: the first calls are left to those that do not know the length.
      nextPoll = budget?.isScarce(settings.limit) == true ? plannedPoll() : now
    case .standings(let standings, let budget):
      recover()
      let isOfOther = race.isOther(standings.moment)
      if !isOfOther { update(standings.bees) }
      guard let finish, hasPolled(after: finish) else {
        if !isOfOther { race.add(standings) }
        nextPoll = plannedPoll(budget)
        return
      }
      if isOfOther {
        doubt = "the service shows another race already"
        conclude(finish)
      } else if now - standings.age < finish || standings.moment.remaining ?? .zero > .zero {
        doubt = "the service returns standings from before the finish"
        schedule(now + .seconds(1))
      } else {
        doubt = race.doubt(about: standings)
        conclude(finish)
      }
    case .solved:
      isSolved = true
      nextPoll = now
    }
  }

  private mutating func update(_ bees: [Bee]) {
    guard bees != self.bees else { return }
    self.bees = bees
    emit(RaceEvent(kind: .standings, bees: bees))
  }

  private mutating func recover() {
    backoff = nil
    failures = 0
    refusals = 0
    guard captcha != nil else { return }
    captcha = nil
    emit(RaceEvent(kind: .resumed))
  }

  private mutating func receive(_ failure: Failure, for request: Request, nextMinute: Duration) {
    switch (failure.kind, request.kind) {
    case (.interrupted, _), (.storage, .duration), (.storage, .standings), (.defect, _), (.captcha, .solve):
      fail(failure)
    case (_, .preview): break
    case (_, .solve(let address)):
      // Without a usable browser the CAPTCHA has to be solved elsewhere.
      settings.captcha = .wait
      pause(captchaInterval)
      emit(RaceEvent(kind: .retry, captchaUrl: address.text, wait: wait, message: failure.message))
    case (.captcha, _): requireCaptcha(failure)
    case (.rateLimited, _): waitForLimit(failure, nextMinute: nextMinute)
    case (.connection, .duration) where failures < settings.retries: retry(failure)
    case (_, .duration): fail(failure)
    case (_, .standings): retry(failure)
    }
  }

  private mutating func requireCaptcha(_ failure: Failure) {
    guard let address = failure.captchaAddress else { return fail(failure) }
    backoff = nil
    if captcha != nil {
      unsolvedRequests += 1
    } else {
      unsolvedRequests = 0
      emit(RaceEvent(kind: .captcha, captchaUrl: address.text))
    }
    captcha = address
    isSolved = false
    switch settings.captcha {
    case .fail:
      if let finish, now >= finish { conclude(finish) } else { fail(address.unsolved) }
    case .browser: nextPoll = now
    case .open, .wait: pause(captchaInterval)
    }
  }

  /// Short enough after the finish to poll before `settleEnd`.
  private var captchaInterval: Duration { isAfterFinish ? .seconds(3) : .seconds(10) }

  /// Waits as long as required. If that is unknown, retries after 2, 4 and 8 seconds and at the full minute.
  private mutating func waitForLimit(_ failure: Failure, nextMinute: Duration) {
    guard settings.waits else { return fail(failure) }
    makePlan(nil)
    refusals += 1
    if let named = failure.retryAfter {
      let wait = max(.milliseconds(500), named)
      backoff = Backoff(failure: failure, until: now + wait)
      // Standings do not change after the finish, so they still count after a wait that the service requires.
      if let finish, now + wait <= finish + max(settings.settle, RaceWatch.longestExtension) {
        extendedSettleEnd = max(extendedSettleEnd, now + wait + .seconds(2))
      }
      if let finish, isAfterFinish, now + wait > settleEnd(finish) { return conclude(finish) }
      let instant = max(plannedPoll(), now + wait)
      // At the finish a reserved call may be left. If none is, the ledger refuses the call, and nothing is sent.
      nextPoll = isAfterFinish ? instant : min(instant, finish ?? instant)
    } else {
      let renewal = nextMinute + .milliseconds(500)
      let attempt = (refusals - 1) % 4
      schedule(now + (attempt == 3 ? renewal : min(.seconds(2 << attempt), renewal)))
      backoff = Backoff(failure: failure, until: nextPoll ?? now)
    }
    emit(RaceEvent(kind: .rateLimited, wait: wait))
  }

  private mutating func retry(_ failure: Failure) {
    failures += 1
    pause(min(Duration.seconds(1) * (1 << min(failures - 1, 4)), .seconds(10)))
    backoff = Backoff(failure: failure, until: nextPoll ?? now)
    emit(RaceEvent(kind: .retry, wait: wait, message: failure.message))
  }

  // MARK: Events and the end

  /// Ends the race after its finish. The winner is known if the last standings were requested in time and are not in
  /// doubt. Otherwise they are provisional, and the outcome is the failure that caused it, if any.
  private mutating func conclude(_ finish: Duration) {
    let reason = reasonForUnseenFinish(finish)
    guard let bees else { return fail(reason ?? Failure(.connection, "no standings were received")) }
    if let reason { emit(reason) }
    var event = RaceEvent(
      kind: .finish, bees: bees, race: race.id, leader: bees.first?.name,
      isProvisional: reason != nil || doubt != nil)
    if event.isProvisional == false { event.winner = event.leader }
    if reason == nil { event.message = doubt.map { "the winner is unknown: \($0)" } }
    event = emit(event)
    finishEvent = event
    if let reason { end(.failure(reason)) } else { end(.success(event)) }
  }

  /// The failure; nil if the last standings are those of the finish.
  private func reasonForUnseenFinish(_ finish: Duration) -> Failure? {
    if let captcha { return captcha.unsolved }
    if let backoff {
      guard backoff.failure.retryAfter != nil else { return backoff.failure }
      return backoff.failure.retryable(in: backoff.until - now)
    }
    guard sentAt > settleEnd(finish) else { return nil }
    return Failure(
      .connection, "the winner is unknown: the standings arrived too late after the finish",
      hint: "allow more time with --settle SECONDS", retryable: true)
  }

  private mutating func fail(_ failure: Failure) {
    if failure.kind != .interrupted { emit(failure) }
    end(.failure(failure))
  }

  private mutating func end(_ outcome: Result<RaceEvent, Failure>) {
    self.outcome = outcome
    inFlight = nil
    nextPoll = nil
  }

  private mutating func emit(_ failure: Failure) {
    emit(RaceEvent(kind: .error, captchaUrl: failure.captchaAddress?.text, message: failure.message))
  }

  @discardableResult
  private mutating func emit(_ event: RaceEvent) -> RaceEvent {
    var event = event
    lastEvent += 1
    event.seq = lastEvent
    if let start, let length {
      event.elapsed = now - start
      event.remaining = max(.zero, length - event.elapsed)
    }
    events.append(event)
    return event
  }
}
