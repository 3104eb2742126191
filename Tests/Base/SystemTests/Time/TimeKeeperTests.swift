import Testing

@testable import System

@Suite struct TimeKeeperTests {
  @Test(arguments: [
    (Timestamp(seconds: 5), Timestamp(seconds: 3), Duration.seconds(2)),
    (Timestamp(seconds: 5, nanoseconds: 1), Timestamp(seconds: 4, nanoseconds: 999_999_999), .nanoseconds(2)),
    (Timestamp(seconds: 0), Timestamp(seconds: 0, nanoseconds: 1), .nanoseconds(-1)),
    (Timestamp(seconds: -1), Timestamp(seconds: 1), .seconds(-2)),
    // A service can send any number.
    (Timestamp(seconds: .max), Timestamp(seconds: .min), .seconds(Int64.max) - .seconds(Int64.min)),
    (Timestamp(seconds: .min), Timestamp(seconds: .max), .seconds(Int64.min) - .seconds(Int64.max)),
  ])
  func between(late: Timestamp, early: Timestamp, duration: Duration) {
    #expect(late - early == duration)
    #expect((late < early) == (duration < .zero))
  }

  @Test(arguments: [Duration.zero, .seconds(-5), .nanoseconds(1), .milliseconds(2)])
  func sleepLastsAtLeastAsLong(duration: Duration) throws {
    let start = SystemTime().uptime()
    try SystemTime().sleep(for: duration)
    #expect(SystemTime().uptime() - start >= duration)
  }

  @Test func anInstantHasNoFractionUnlessItIsGiven() {
    #expect(Timestamp(seconds: 5) == Timestamp(seconds: 5, nanoseconds: 0))
    #expect(Timestamp(timespec(tv_sec: 7, tv_nsec: 8)) == Timestamp(seconds: 7, nanoseconds: 8))
  }

  private struct Placeless: TimeKeeper {
    func now() -> Timestamp { Timestamp(seconds: 0) }
    func uptime() -> Duration { .zero }
    func sleep(for duration: Duration) throws(Failure) {}
  }

  @Test func clockWithoutZoneUsesUTC() {
    #expect(Placeless().offset(at: Timestamp(seconds: 0)) == 0)
    #expect(Placeless().local(Timestamp(seconds: 0)).minutes == "1970-01-01 00:00")
  }

  @Test func systemTimeUsesTZ() async {
    await #expect(processExitsWith: .success) {
      setenv("TZ", "XXX-3:30", 1)
      tzset()
      #expect(SystemTime().offset(at: Timestamp(seconds: 0)) == 12_600)
      #expect(SystemTime().local(Timestamp(seconds: 0)).minutes == "1970-01-01 03:30")
    }
  }
}
