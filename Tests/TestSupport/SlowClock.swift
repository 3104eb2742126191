import Synchronization
import System

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
