import System

/// The time of the event loop, which is one instant for a whole turn.
final class LoopClock {
  let time: any TimeKeeper
  private(set) var now: Duration

  init(_ time: any TimeKeeper) {
    self.time = time
    now = time.uptime()
  }

  func advance() { now = time.uptime() }
}
