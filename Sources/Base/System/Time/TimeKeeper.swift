/// Clocks of the machine, or of a test.
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

/// Instant, as seconds and nanoseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: Hashable, Comparable, Sendable {
  public var seconds: Int64
  public var nanoseconds: Int32

  public init(seconds: Int64, nanoseconds: Int32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  init(_ time: timespec) {
    self.init(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
  }

  public static func < (a: Timestamp, b: Timestamp) -> Bool {
    (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
  }

  public static func - (a: Timestamp, b: Timestamp) -> Duration {
    // The difference of the seconds can exceed Int64.
    .seconds(a.seconds) - .seconds(b.seconds) + .nanoseconds(Int64(a.nanoseconds) - Int64(b.nanoseconds))
  }
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
