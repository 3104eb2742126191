import Command
import HTTP
import System

/// What a watch makes of answers: news, trouble, a CAPTCHA, the end.
extension RaceWatch {
  mutating func take(_ answer: Result<Answer, Failure>, to question: Question) {
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
      let isScarce = budget.map { $0.left * 3 <= settings.limit.count * 2 } ?? false
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
