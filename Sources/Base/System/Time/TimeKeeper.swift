import CLibraries

public protocol TimeKeeper: Sendable {
  /// Time of day, which may jump when the clock is set.
  func now() -> Timestamp
  /// Time since a fixed instant: never jumps, and includes suspensions of the machine.
  func uptime() -> Duration
  /// Waits; a signal to stop throws `interrupted`.
  func sleep(for duration: Duration) throws(Failure)
  /// Local offset from UTC at that instant, in seconds.
  func offset(at time: Timestamp) -> Int64
}

extension TimeKeeper {
  public func offset(at time: Timestamp) -> Int64 { 0 }
}

public struct SystemTime: TimeKeeper {
  public init() {}

  public func now() -> Timestamp {
    // A clock beyond the years 1970 to 9999 is broken; calculations need not expect it.
    var time = SystemTime.read(CLOCK_REALTIME)
    time.tv_sec = min(max(time.tv_sec, 0), 253_402_300_799)
    return Timestamp(time)
  }

  public func uptime() -> Duration {
    let time = SystemTime.read(CLOCK_BOOTTIME)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  public func sleep(for duration: Duration) throws(Failure) {
    let end = uptime() + duration
    while true {
      try Interruption.check()
      let left = end - uptime()
      guard left > .zero else { return }
      var wait = timespec()
      wait.tv_sec = Int(left.components.seconds)
      wait.tv_nsec = Int(left.components.attoseconds / 1_000_000_000)
      unsafe _ = nanosleep(&wait, nil)
    }
  }

  public func offset(at time: Timestamp) -> Int64 {
    var seconds = time_t(time.seconds)
    var local = unsafe tm()
    // A year beyond its range has no local time and stays UTC.
    unsafe _ = localtime_r(&seconds, &local)
    return Int64(unsafe local.tm_gmtoff)
  }

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    unsafe _ = clock_gettime(clock, &time)
    return time
  }
}
