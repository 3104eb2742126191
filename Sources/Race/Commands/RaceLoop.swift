import System

/// Drives a watch where nobody looks at a screen: questions are answered on a thread of their own, so that the
/// countdown goes on while the service, or a person with a CAPTCHA, takes its time.
struct RaceLoop {
  let time: any TimeKeeper
  let courier: UncheckedTransfer<RaceCourier>
  /// A terminal on which Enter says that a CAPTCHA is solved.
  let keyboard: TerminalDevice?

  func run(
    _ watch: inout RaceWatch, record: ([RaceEvent]) throws(Failure) -> Void
  ) throws(Failure) {
    let courier = courier
    let outcome: Result<Void, Failure>
    do throws(SystemError) {
      let work = try BackgroundWork<RaceWatch.Question, RaceReply> { courier.value.answer($0) }
      outcome = try run(&watch, work, record)
    } catch .interrupted {
      throw Interruption.failure
    } catch {
      throw Failure(.storage, "cannot wait for the service: \(error.text)")
    }
    try outcome.get()
  }

  /// Two kinds of error leave this: the system's are thrown, the command's are handed back.
  private func run(
    _ watch: inout RaceWatch, _ work: BackgroundWork<RaceWatch.Question, RaceReply>,
    _ record: ([RaceEvent]) throws(Failure) -> Void
  ) throws(SystemError) -> Result<Void, Failure> {
    var keyboard = keyboard
    var inputs = [RaceWatch.Input.begin]
    while true {
      for input in inputs {
        let step = watch.handle(input, at: time.uptime())
        do throws(Failure) { try record(step.events) } catch { return .failure(error) }
        if let question = step.question { work.ask(question) }
      }
      guard !watch.isOver else { return .success(()) }
      inputs = []
      let wait = watch.alarm.map { max(.zero, $0 - time.uptime()) }
      let listening = watch.captcha == nil ? nil : keyboard
      let ready = try Waiting.forInput(
        [work.descriptor] + (listening.map { [$0.descriptor] } ?? []), atMost: wait)
      if let listening, ready.last == true, ready.count == 2 {
        if try listening.read(atMost: 256).isEmpty { keyboard = nil } else { inputs.append(.askNow) }
      }
      while let reply = work.next() { inputs.append(.answered(reply.number, reply.answer)) }
      if let alarm = watch.alarm, alarm <= time.uptime() { inputs.append(.tick) }
    }
  }
}
