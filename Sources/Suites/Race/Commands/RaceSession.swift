import Command
import HTTP
import Output
import System
import Terminal

struct RaceSession {
  let call: Invocation
  let context: Context

  func run() throws(Failure) -> ExitStatus {
    let isOnScreen = context.showsRaceScreen(call)
    let captcha = try CaptchaSolver(call, context)
    defer { captcha.close() }
    let messages = context.messages
    // Slower responses would delay the next poll for too long.
    let service = try context.pacedEndpoint(RaceClient.service, timeout: .seconds(10)) {
      messages.report($0, verbosity: 1)
    }
    // Messages about the history wait until the screen is left, and are reported also with --quiet.
    var delayed: [String] = []
    defer { for message in delayed { messages.report(message, verbosity: -1) } }
    let recorder = RaceRecorder(call, context, url: service.endpoint.base.withoutTrailingSlash.description) {
      message in
      if isOnScreen { delayed.append(message) } else { messages.report(message, verbosity: -1) }
    }
    let worker = RaceWorker.onBackgroundThread(service, time: context.time) { address throws(Failure) in
      try captcha.solve(address)
    }
    var settings = RaceWatch.Settings(
      settle: call[Race.settle], captcha: captcha.mode, retries: call[StandardOptions.retries],
      waits: call[StandardOptions.wait],
      deadline: call[StandardOptions.deadline].map { limit in
        (after: limit, failure: Deadline(in: limit, context.time).failure)
      })
    if !isOnScreen, call.isGiven(StandardOptions.explain) { settings.captcha = .fail }
    let outcome =
      isOnScreen
      ? try runOnScreen(settings, worker, recorder, captcha)
      : try runInLines(settings, worker, recorder, captcha)
    return switch outcome {
    case .success(let finish)?: finish.winner == nil ? .no : .success
    case .failure(let failure)?: throw failure
    case nil: .no
    }
  }

  private func runOnScreen(
    _ settings: RaceWatch.Settings, _ worker: @escaping @Sendable (RaceWatch.Request) -> RaceWatch.Reply,
    _ recorder: RaceRecorder, _ captcha: CaptchaSolver
  ) throws(Failure) -> Result<RaceEvent, Failure>? {
    var screen = RaceScreen(settings, startsAtOnce: call[Race.start], slides: call[Race.animation]) {
      events throws(Failure) in
      recorder.add(events)
      try captcha.openCaptcha(in: events)
    }
    try context.show(&screen, performing: worker)
    if let finish = screen.watch.finishEvent {
      try context.output.outlet.write("\(finish.verdict.terminalSafe)\n")
      if let note = finish.note { context.messages.report(note) }
    }
    return screen.watch.outcome
  }

  private func runInLines(
    _ settings: RaceWatch.Settings, _ worker: @escaping @Sendable (RaceWatch.Request) -> RaceWatch.Reply,
    _ recorder: RaceRecorder, _ captcha: CaptchaSolver
  ) throws(Failure) -> Result<RaceEvent, Failure>? {
    var watch = RaceWatch(settings)
    let lines = RaceReport(
      output: context.output, messages: context.messages, isBrief: call[StandardOptions.quiet])
    try lines.write { report throws(Failure) in
      try run(&watch, worker, keyboard: captcha.keyboard) { events throws(Failure) in
        recorder.add(events)
        try captcha.openCaptcha(in: events)
        try report(events)
      }
    }
    return watch.outcome
  }

  /// Runs the watch. A second thread sends the requests, so the countdown continues.
  private func run(
    _ watch: inout RaceWatch, _ worker: @escaping @Sendable (RaceWatch.Request) -> RaceWatch.Reply,
    keyboard: TerminalDevice?, record: ([RaceEvent]) throws(Failure) -> Void
  ) throws(Failure) {
    let (time, subject) = (context.time, "the service")
    let work = try BackgroundWork(worker)
    var keyboard = keyboard
    var inputs = [RaceWatch.Input.begin]
    var plan = watch.plan
    while true {
      for input in inputs {
        let unsolved = watch.unsolvedRequests
        let step = watch.handle(input, at: time.uptime())
        try record(step.events)
        if watch.unsolvedRequests > unsolved {
          let wait = watch.nextPoll.map { "; next poll in \(max(.zero, $0 - time.uptime()).tenths)" } ?? ""
          context.messages.report("the CAPTCHA is not solved yet\(wait)")
        }
        if watch.plan != plan {
          plan = watch.plan
          if let text = plan.summary { context.messages.report(text, verbosity: 1) }
        }
        if let request = step.request { work.submit(request) }
      }
      guard !watch.isOver else { return }
      inputs = []
      let limit = watch.alarm.map { max(.zero, $0 - time.uptime()) }
      let listening = watch.captcha == nil ? nil : keyboard
      let descriptors = [work.descriptor] + (listening.map { [$0.descriptor] } ?? [])
      let ready = try waiting(for: subject) { () throws(SystemError) in
        try Waiting.forInput(descriptors, atMost: limit)
      }
      if let listening, ready[1] {
        let typed = try waiting(for: subject) { () throws(SystemError) in try listening.read(atMost: 256) }
        if typed.isEmpty { keyboard = nil } else { inputs.append(.pollNow) }
      }
      while let reply = work.next() { inputs.append(.replied(reply)) }
      // Has no effect before the alarm.
      inputs.append(.tick)
    }
  }
}

/// Sends the requests of a watch and shows CAPTCHAs. Its calls block, so it runs on a thread of its own.
struct RaceWorker {
  let service: PacedEndpoint
  let time: any TimeKeeper
  let solve: (CaptchaAddress) throws(Failure) -> CaptchaVerdict

  private var client: RaceClient { RaceClient(endpoint: service.endpoint, time: time) }
  private var finishClient: RaceClient { RaceClient(endpoint: service.reserved, time: time) }

  /// Returns the worker as a function for a background thread, which alone may use `service` from then on: its
  /// transports have no locks, and the compiler cannot check that.
  static func onBackgroundThread(
    _ service: PacedEndpoint, time: any TimeKeeper,
    solve: @escaping @Sendable (CaptchaAddress) throws(Failure) -> CaptchaVerdict
  ) -> @Sendable (RaceWatch.Request) -> RaceWatch.Reply {
    let worker = UncheckedTransfer(RaceWorker(service: service, time: time, solve: solve))
    return { worker.value.reply(to: $0) }
  }

  func reply(to request: RaceWatch.Request) -> RaceWatch.Reply {
    RaceWatch.Reply(
      number: request.number,
      result: Result { () throws(Failure) in
        switch request.kind {
        case .preview:
          return .duration(try client.start(next: RacePlan.outline), try service.budget())
        case .duration:
          let start = try client.start(next: RacePlan.outline)
          try service.reserve(ahead: start.remaining)
          return .duration(start, try service.budget())
        case .standings(untilFinish: .zero): return .standings(try finishClient.standings(), nil)
        case .standings(let left):
          try service.reserve(ahead: left)
          let standings = try client.standings()
          return .standings(standings, try service.budget())
        case .solve(let address):
          // After an unclear verdict the next request shows whether it is solved.
          _ = try solve(address)
          return .solved
        }
      }, nextMinute: time.nextMinute)
  }
}

extension Context {
  /// Whether a screen shows the race: input and output are a terminal, and no option selects lines.
  func showsRaceScreen(_ call: Invocation) -> Bool {
    host.hasScreen && !call[StandardOptions.quiet] && !isExplaining && output.settings.format == nil
      && output.settings.fields == nil
  }
}
