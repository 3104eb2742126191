import System

/// How a watch ends, and how it tells of anything.
extension RaceWatch {
  /// The finish is over: the standings are its own if they were asked for in time, else what was known last. Where the
  /// service was lost and never came back, that is told as well, and is what it ends with.
  mutating func conclude() {
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

  mutating func fail(_ failure: Failure) {
    if failure.kind != .interrupted { emit(failure) }
    end(.failure(failure))
  }

  mutating func emit(_ failure: Failure) {
    var event = RaceEvent(.error)
    event.message = failure.message
    event.captchaUrl = failure.captchaAddress?.text
    emit(event)
  }

  mutating func end(_ outcome: Result<RaceEvent, Failure>) {
    self.outcome = outcome
    open = nil
    nextAsk = nil
  }

  mutating func emit(_ event: RaceEvent) {
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
