import Command
import HTTP
import Output
import System

extension Race {
  static let interval = Option(
    "interval", ValueKind<Duration>.seconds, setting: true,
    "Ask for the standings every SECONDS, where the limit allows it",
    details: "Usually 2.5, which leaves a fifth of the limit; less than that is not done.")
  static let settle = Option(
    "settle", ValueKind<Duration>.seconds, default: .seconds(10),
    "Take standings for those of the finish up to SECONDS after it")
  static let plan = Option("plan", "Print when the race would be looked at, and do not watch it")
  static let start = Option("start", "Begin at once, without asking for Enter")
  static let save = Option("save", ValueKind<String>.file, "Write the race to FILE as it happens, for replay")
  static let keeps = Option("history", default: true, setting: true, "Do not keep the race in the history")
  static let bell = Option(
    "bell", setting: true, "Ring the terminal's bell when the lead changes, and at the end")
  static let animation = Option(
    "animation", default: true, setting: true, "Show what changes at once, without an animation")

  static let watch = Command(
    withStatus: "watch", "Follow a race to its winner",
    discussion: """
      Asks once how long the race is, counts down by a clock that nobody can set, and looks at the standings as often \
      as the limit allows, always at the finish. The winner is the bee in front in standings that were asked for at \
      the finish or at most --settle seconds later; otherwise it is marked as provisional.

      On a terminal it is a screen: Enter starts, the arrow keys scroll, 'q' leaves (status 1), 'r' tries again after \
      a failure. Elsewhere each change of the standings is a line; with --jsonl every event is one, written at once; \
      with --quiet the winner's name is all. An empty race at the finish is status 1.

      A rate limit is waited for, and the countdown goes on meanwhile. Trouble with the network is told and tried \
      through; if it lasts to the end, that is a failure (status 5).
      """ + "\n\n" + captchaDiscussion,
    options: [
      interval, settle, plan, start, save, keeps, bell, animation, captchaMode, browser, onlyHost,
    ],
    output: .rows(
      RaceEvent.self, text: "A line for the start, each change of the standings, and the winner."),
    needs: [.network, .store, .report],
    examples: [
      Example("hw race watch --plan", "when it would be looked at"),
      Example("hw serve --race-seconds 2 -- hw race watch -q", "the winner of a short one, tried out"),
      Example(
        "hw serve --race-seconds 2 --captcha-after 1 -- hw race watch --captcha fail",
        "what a script sees of a CAPTCHA", exits: 9),
    ],
    failures: [.no, .captcha, .invalidData, .rateLimited, .connection]
  ) { call, context throws(Failure) in
    if call[plan] {
      try WatchRun(call, context).printPlan()
      return .success
    }
    return try WatchRun(call, context).run()
  }
}

/// A look at the race, as `--plan` lists it.
struct PlannedLook: Row {
  let number: Int
  let at: Duration
  let length: Duration

  static let fields: Fields<PlannedLook> = [
    .integer("look", "Look", "counts the looks, from 1") { $0.number },
    .number("at", "At", "seconds since the start", \.at.inSeconds)
      .shown { TableCell($0.at.tenths) },
    .number("remaining", "Remaining", "seconds to the finish") { ($0.length - $0.at).inSeconds }
      .shown { TableCell(($0.length - $0.at).tenths) },
  ]
}

/// One run of `hw race watch`.
struct WatchRun {
  let call: Invocation
  let context: Context

  init(_ call: Invocation, _ context: Context) {
    self.call = call
    self.context = context
  }

  func printPlan() throws(Failure) {
    let service = try pacedEndpoint { _ in }
    let length = try RaceClient(endpoint: context.endpoint(RaceClient.service), time: context.time).duration()
    let plan = RacePlan(length: length, interval: call[Race.interval], budget: try service.budget())
    try context.output.write(
      plan.instants.lazy.enumerated().map { PlannedLook(number: $0 + 1, at: $1, length: length) })
  }

  func run() throws(Failure) -> ExitStatus {
    let isOnScreen = try showsScreen
    let flow = CaptchaFlow(call, context)
    defer { flow.close() }
    let messages = context.messages
    let service = try pacedEndpoint { line in if !isOnScreen { messages.report(line, verbosity: 1) } }
    let courier = UncheckedTransfer(
      RaceCourier(service, time: context.time) { address throws(Failure) in try flow.solve(address) })
    var settings = try watchSettings(flow)
    if !isOnScreen, call.isGiven(StandardOptions.explain) { settings.captcha = .fail }
    let keeper = try RaceKeeper(call, context, url: service.endpoint.base.description)
    if isOnScreen { return try RaceShow(call, context, settings, courier, keeper, flow).run() }
    return try inLines(settings, courier, keeper, flow)
  }

  private func inLines(
    _ settings: RaceWatch.Settings, _ courier: UncheckedTransfer<RaceCourier>, _ keeper: RaceKeeper,
    _ flow: CaptchaFlow
  ) throws(Failure) -> ExitStatus {
    var watch = RaceWatch(settings)
    let report = RaceReport(
      output: context.output, messages: context.messages, isBrief: call[StandardOptions.quiet])
    try report.write { tell throws(Failure) in
      let loop = RaceLoop(time: context.time, courier: courier, keyboard: flow.keyboard)
      try loop.run(&watch) { events throws(Failure) in
        try keeper.add(events)
        try flow.announce(events)
        try tell(events)
      }
    }
    return try WatchRun.status(watch.outcome)
  }

  static func status(_ outcome: Result<RaceEvent, Failure>?) throws(Failure) -> ExitStatus {
    switch outcome {
    case .success(let finish): return finish.winner == nil ? .no : .success
    case .failure(let failure): throw failure
    case nil: return .no
    }
  }

  /// A screen wants a terminal on both sides, and nobody who asked for lines.
  private var showsScreen: Bool {
    get throws(Failure) {
      guard context.host.output.isTerminal, context.host.input.isTerminal, !call[StandardOptions.quiet],
        !call[StandardOptions.explain], context.host.environment["TERM"] != "dumb"
      else { return false }
      return context.output.settings.format == nil && context.output.settings.fields == nil
    }
  }

  private func pacedEndpoint(_ tell: @escaping (String) -> Void) throws(Failure) -> PacedEndpoint {
    // An answer that takes longer than this would come after the next look.
    try context.pacedEndpoint(RaceClient.service, timeout: .seconds(10), report: tell)
  }

  private func watchSettings(_ flow: CaptchaFlow) throws(Failure) -> RaceWatch.Settings {
    var settings = RaceWatch.Settings()
    settings.interval = call[Race.interval]
    settings.settle = call[Race.settle]
    settings.captcha = flow.mode
    settings.retries = call[StandardOptions.retries]
    settings.waits = call[StandardOptions.wait]
    settings.onlyHost = call[Race.onlyHost]
    if let limit = call[StandardOptions.deadline] {
      settings.deadline = (after: limit, failure: Deadline(in: limit, context.time).failure)
    }
    return settings
  }
}
