import Command
import Output
import System
import Terminal

/// A race on the terminal, from the start screen to the line that stays when the screen is gone.
struct RaceShow {
  let call: Invocation
  let context: Context
  let settings: RaceWatch.Settings
  let courier: UncheckedTransfer<RaceCourier>
  let keeper: RaceKeeper
  let flow: CaptchaFlow

  init(
    _ call: Invocation, _ context: Context, _ settings: RaceWatch.Settings,
    _ courier: UncheckedTransfer<RaceCourier>, _ keeper: RaceKeeper, _ flow: CaptchaFlow
  ) {
    self.call = call
    self.context = context
    self.settings = settings
    self.courier = courier
    self.keeper = keeper
    self.flow = flow
  }

  func run() throws(Failure) -> ExitStatus {
    var options = RaceScreen.Options()
    options.startsAtOnce = call[Race.start]
    options.slides = call[Race.animation]
    let bell = Bell(isOn: call[Race.bell], context)
    let (keeper, flow, courier) = (keeper, flow, courier)
    var screen = RaceScreen(settings, options) { events throws(Failure) in
      try keeper.add(events)
      try flow.announce(events)
      try bell.hear(events)
    }
    try context.show(&screen) { courier.value.answer($0) }
    switch screen.watch.outcome {
    case .success(let finish): try context.output.outlet.write("\(finish.verdict.terminalSafe)\n")
    default: break
    }
    return try WatchRun.status(screen.watch.outcome)
  }
}

/// `--bell`: for who looks elsewhere meanwhile.
final class Bell {
  private let isOn: Bool
  private let context: Context
  private var leader: String?

  init(isOn: Bool, _ context: Context) {
    self.isOn = isOn
    self.context = context
  }

  func hear(_ events: [RaceEvent]) throws(Failure) {
    guard isOn else { return }
    for event in events {
      let first = event.bees?.first?.name
      let isNews = event.kind == .finish || (event.kind == .standings && leader != nil && first != leader)
      leader = first ?? leader
      guard isNews else { continue }
      try context.output.outlet.write("\u{7}")
      try context.output.outlet.flush()
    }
  }
}
