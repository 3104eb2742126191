import Command
import HTTP
import System

/// Follows a race, as a state machine without a clock or a network: inputs go in with their uptime, events and requests
/// come out. The caller sends each request to the service, and passes a tick when `alarm` is reached.
///
/// One request is in flight at a time. A reply to any other request is ignored.
struct RaceWatch: Sendable {
  private(set) var settings: Settings
  /// The uptime of the start; nil until the length of the race is known.
  private(set) var start: Duration?
  private(set) var length: Duration?
  private(set) var race = RaceAttribution()
  /// The latest standings; nil before the first response.
  private(set) var bees: [Bee]?
  /// The CAPTCHA that the service requires; nil again after the service's next regular response.
  private(set) var captcha: CaptchaAddress?
  /// How often the service has required the open CAPTCHA again.
  private(set) var unsolvedRequests = 0
  /// Why the last request failed; nil after a success.
  private(set) var backoff: Backoff?
  /// How the race ended; nil while it runs. If the finish was not seen, the reason.
  private(set) var outcome: Result<RaceEvent, Failure>?
  /// The last standings and whether they are those of the finish; nil if there are none.
  private(set) var finishEvent: RaceEvent?
  private(set) var inFlight: Request?

  private var now = Duration.zero
  private var begunAt = Duration.zero
  /// When the last request was sent.
  private var sentAt = Duration.zero
  private var lastRequest: Int
  /// When the next request is due; nil while nothing but a reply can cause one.
  private(set) var nextPoll: Duration?
  private(set) var plan = RacePlan(length: .zero)
  private var planStart = Duration.zero
  /// Failed attempts in a row.
  private var failures = 0
  /// Refusals because of the rate limit in a row.
  private var refusals = 0
  /// The service accepts calls again only after the usual end of settling, so that is later.
  private var extendedSettleEnd = Duration.zero
  /// Why the latest standings do not decide the race, if they do not.
  private var doubt: String?
  /// The CAPTCHA is said to be solved; the service's next response shows whether it is.
  private var isSolved = false
  private var lastEvent = 0
  /// The events of the current input.
  private var events: [RaceEvent] = []

  /// For another attempt, `former` is the one before it: replies to requests of `former` are ignored.
  init(_ settings: Settings, after former: RaceWatch? = nil) {
    self.settings = settings
    lastRequest = former?.lastRequest ?? 0
  }

  var isOver: Bool { outcome != nil }
  var finish: Duration? { start.flatMap { start in length.map { start + $0 } } }

  /// The uptime at which a tick is due; nil while only a reply can change anything.
  var alarm: Duration? {
    guard !isOver else { return nil }
    // A request for the standings has a time limit of its own, and its reply is awaited.
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
}

// MARK: Requests

extension RaceWatch {
  /// The last instant at which standings still count as those of the finish.
  private func settleEnd(_ finish: Duration) -> Duration { max(finish + settings.settle, extendedSettleEnd) }
  /// The settling is extended to at most so long after the finish.
  private static let longestExtension = Duration.seconds(120)
  private var deadline: Duration? { settings.deadline.map { begunAt + $0.after } }
  private var isAfterFinish: Bool { finish.map { now >= $0 } ?? false }
  /// Whether the last request was sent after the finish. After a suspension over the finish, one is still sent: late,
  /// and so its standings are provisional.
  private func hasPolled(after finish: Duration) -> Bool { sentAt >= finish }
  private var isRateLimited: Bool {
    backoff.map { $0.failure.kind == .rateLimited && $0.until > now } ?? false
  }
  /// Somebody solves the CAPTCHA in the browser that was started for it.
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

  /// The next poll of the plan; after the finish, one that follows soon.
  private mutating func plannedPoll(_ budget: PacedEndpoint.Budget? = nil) -> Duration {
    guard let finish else { return now }
    guard now < finish else { return hasPolled(after: finish) ? now + .seconds(1) : now }
    if let budget, plan.exceeds(budget, at: now - planStart) { makePlan(budget) }
    return plan.next(after: now - planStart).map { planStart + $0 } ?? finish
  }

  private mutating func makePlan(_ budget: PacedEndpoint.Budget?) {
    guard let finish else { return }
    planStart = now
    plan = RacePlan(
      length: max(.zero, finish - now), limit: settings.limit, budget: budget)
  }

  /// How long until the next poll.
  private var wait: Duration? { nextPoll.map { $0 - now } }

  /// Polls no earlier than after `wait`, except at the finish: a call is reserved for it, and if none is left the
  /// ledger refuses it without a request to the service.
  private mutating func pause(_ wait: Duration) { schedule(max(plannedPoll(), now + wait)) }

  /// Polls at `instant`, but not later than at the finish; after it, before the settling ends.
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
}

// MARK: Responses

extension RaceWatch {
  private mutating func receive(_ response: Response) {
    switch response {
    case .duration(let start, let budget):
      self.start = now + start.remaining - start.length
      length = start.length
      race.id = start.moment.race
      recover()
      var event = RaceEvent(.start)
      event.duration = length
      event.race = race.id
      emit(event)
      makePlan(budget)
      // If many watchers start at once, the first calls are left to those that do not know the length yet.
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
    var event = RaceEvent(.standings)
    event.bees = bees
    emit(event)
  }

  private mutating func recover() {
    backoff = nil
    failures = 0
    refusals = 0
    guard captcha != nil else { return }
    captcha = nil
    emit(RaceEvent(.resumed))
  }

  private mutating func receive(_ failure: Failure, for request: Request, nextMinute: Duration) {
    switch (failure.kind, request.kind) {
    case (.interrupted, _), (.storage, .duration), (.storage, .standings), (.defect, _), (.captcha, .solve):
      fail(failure)
    case (_, .preview): break
    case (_, .solve(let address)): waitWithoutBrowser(failure, address)
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
      var event = RaceEvent(.captcha)
      event.captchaUrl = address.text
      emit(event)
    }
    captcha = address
    isSolved = false
    switch settings.captcha {
    case .fail:
      if let finish, now >= finish { conclude(finish) } else { fail(address.required) }
    case .browser: nextPoll = now
    case .open, .wait: pause(captchaInterval)
    }
  }

  /// Long, but short enough to poll before `settleEnd`.
  private var captchaInterval: Duration {
    isAfterFinish ? .seconds(3) : CaptchaMode.interval
  }

  /// There is no usable browser: polls until the CAPTCHA is solved elsewhere.
  private mutating func waitWithoutBrowser(_ failure: Failure, _ address: CaptchaAddress) {
    settings.captcha = .wait
    pause(captchaInterval)
    var event = RaceEvent(.retry)
    event.message = failure.message
    event.wait = wait
    event.captchaUrl = address.text
    emit(event)
  }

  /// Without a time from the service or the ledger, others may have used up the limit for a moment: retries after 2, 4
  /// and 8 seconds and right after the next full minute, then again.
  private mutating func waitForLimit(_ failure: Failure, nextMinute: Duration) {
    guard settings.waits else { return fail(failure) }
    makePlan(nil)
    refusals += 1
    if let named = failure.retryAfter {
      let wait = max(.milliseconds(500), named)
      backoff = Backoff(failure: failure, until: now + wait)
      extendSettling(to: now + wait)
      if let finish, isAfterFinish, now + wait > settleEnd(finish) { return conclude(finish) }
      let instant = max(plannedPoll(), now + wait)
      // At the finish the ledger may have a call reserved; if the service is closed, it refuses without a request.
      nextPoll = isAfterFinish ? instant : min(instant, finish ?? instant)
    } else {
      let renewal = nextMinute + .milliseconds(500)
      let attempt = (refusals - 1) % 4
      schedule(now + (attempt == 3 ? renewal : min(.seconds(2 << attempt), renewal)))
      backoff = Backoff(failure: failure, until: nextPoll ?? now)
    }
    var event = RaceEvent(.rateLimited)
    event.wait = wait
    emit(event)
  }

  /// Nobody changes the standings after the finish, so those that the service gives after its wait still count.
  private mutating func extendSettling(to instant: Duration) {
    guard let finish, instant <= finish + max(settings.settle, RaceWatch.longestExtension) else { return }
    extendedSettleEnd = max(extendedSettleEnd, instant + .seconds(2))
  }

  private mutating func retry(_ failure: Failure) {
    failures += 1
    pause(min(Duration.seconds(1) * (1 << min(failures - 1, 4)), .seconds(10)))
    backoff = Backoff(failure: failure, until: nextPoll ?? now)
    var event = RaceEvent(.retry)
    event.message = failure.message
    event.wait = wait
    emit(event)
  }
}

// MARK: Events and the end

extension RaceWatch {
  /// Ends the race after its finish. The winner is known if the last standings were requested between the finish and
  /// `settleEnd`, and there is no doubt about them. Otherwise they are provisional; the outcome is the reason, if that
  /// is a failure.
  private mutating func conclude(_ finish: Duration) {
    let reason = reasonForUnseenFinish(finish)
    guard let bees else { return fail(reason ?? Failure(.connection, "no standings were received")) }
    if let reason { emit(reason) }
    var event = RaceEvent(.finish)
    event.bees = bees
    event.race = race.id
    event.isProvisional = reason != nil || doubt != nil
    event.leader = bees.first?.name
    if event.isProvisional == false { event.winner = event.leader }
    if reason == nil { event.message = doubt.map { "the winner is unknown: \($0)" } }
    event = emit(event)
    finishEvent = event
    if let reason { end(.failure(reason)) } else { end(.success(event)) }
  }

  /// Returns nil if the last standings are those of the finish.
  private func reasonForUnseenFinish(_ finish: Duration) -> Failure? {
    if let captcha { return captcha.required }
    if let backoff {
      guard backoff.failure.retryAfter != nil else { return backoff.failure }
      return backoff.failure.ending(in: backoff.until - now)
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
    var event = RaceEvent(.error)
    event.message = failure.message
    event.captchaUrl = failure.captchaAddress?.text
    emit(event)
  }

  /// The event with its number and times.
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
