import Synchronization
import System

/// Clocks that move only when something sleeps on them or a test moves them.
public final class FakeClock: TimeKeeper {
  private struct State {
    /// The calendar's time since 1970.
    var calendar: Duration
    var uptime: Duration
    var sleeps: [Duration] = []
  }

  /// 2024-01-01T00:00:00Z, the beginning of a minute.
  public static let start = Timestamp(seconds: 1_704_067_200)

  private let state: Mutex<State>
  private let offset: Int64
  private let onSleep: @Sendable (Duration) throws(Failure) -> Void

  /// `offset` is the time zone, in seconds ahead of UTC. `onSleep` runs after the clocks have moved: it is the turn of
  /// the other side, or it throws as an interrupted sleep does.
  public init(
    _ now: Timestamp = FakeClock.start, uptime: Duration = .seconds(1000), offset: Int64 = 0,
    onSleep: @escaping @Sendable (Duration) throws(Failure) -> Void = { _ in }
  ) {
    state = Mutex(State(calendar: .seconds(now.seconds) + .nanoseconds(now.nanoseconds), uptime: uptime))
    self.offset = offset
    self.onSleep = onSleep
  }

  public func now() -> Timestamp {
    let (seconds, attoseconds) = state.withLock { $0.calendar.components }
    return Timestamp(seconds: seconds, nanoseconds: Int32(attoseconds / 1_000_000_000))
  }

  public func uptime() -> Duration { state.withLock { $0.uptime } }

  public func sleep(for duration: Duration) throws(Failure) {
    advance(by: duration)
    state.withLock { $0.sleeps.append(duration) }
    try onSleep(duration)
  }

  public func offset(at time: Timestamp) -> Int64 { offset }

  /// What was slept, in order.
  public var sleeps: [Duration] { state.withLock { $0.sleeps } }

  public func advance(by duration: Duration) {
    state.withLock {
      $0.calendar += duration
      $0.uptime += duration
    }
  }

  /// Sets the calendar alone, as a user or NTP does.
  public func setCalendar(forward duration: Duration) { state.withLock { $0.calendar += duration } }
}

/// A clock on which everything takes its time, so that long work is divided.
public final class SlowClock: TimeKeeper {
  private let uptimeNow = Mutex(Duration.seconds(1000))

  public init() {}

  public func now() -> Timestamp { FakeClock.start }

  public func uptime() -> Duration {
    uptimeNow.withLock { now in
      now += .milliseconds(6)
      return now
    }
  }

  public func sleep(for duration: Duration) throws(Failure) {}
}
