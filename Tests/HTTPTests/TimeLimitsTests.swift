import System
import TestSupport
import Testing

@testable import HTTP

/// Whose limit ended an attempt: its own, or the deadline that shortened it.
@Suite struct TimeLimitsTests {
  @Test(arguments: [0, 1, 999, 1000, 1_767_323_045_123])
  func millisecondsOfATime(count: Int64) {
    let time = Timestamp(milliseconds: count)
    #expect(time.milliseconds == count && time.seconds == count / 1000)
    #expect(time.nanoseconds == Int32(count % 1000) * 1_000_000)
  }

  @Test(
    arguments: [
      (.zero, "0 s"), (.milliseconds(49), "0 s"), (.milliseconds(50), "0.1 s"),
      (.milliseconds(1500), "1.5 s"),
      (.milliseconds(-1500), "-1.5 s"), (.seconds(99_999_999_999_999), "99999999999999 s"),
      (.seconds(100_000_000_000_000), "ever"), (.seconds(Int64.min / 2), "ever"),
    ] as [(Duration, String)])
  func secondsInMessages(duration: Duration, text: String) { #expect(duration.inSeconds == text) }

  private func isDeadline(_ error: ConnectionError, connect: Int, attempt: Int) -> Bool {
    let deadline = Deadline(in: .seconds(60), FakeClock())
    let limits = TimeLimits(connect: .seconds(connect), attempt: .seconds(attempt), deadline: deadline)
    return limits.failure(error, of: .get("http://a/")).message == deadline.failure.message
  }

  @Test(arguments: [(5, 2, 2, false), (2, 5, 2, false), (5, 2, 1, true), (2, 5, 1, true)])
  func aConnection(_ connect: Int, _ attempt: Int, _ took: Int, _ wasShortened: Bool) {
    let error = ConnectionError.connectTimedOut(.seconds(took))
    #expect(isDeadline(error, connect: connect, attempt: attempt) == wasShortened)
  }

  @Test(arguments: [(5, false), (6, false), (4, true)])
  func anAttempt(_ took: Int, _ wasShortened: Bool) {
    #expect(isDeadline(.timedOut(.seconds(took)), connect: 1, attempt: 5) == wasShortened)
  }
}
