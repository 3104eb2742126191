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
      (.zero, "0 s"), (.milliseconds(49), "49 ms"), (.microseconds(1), "1 ms"), (.milliseconds(50), "0.1 s"),
      (.milliseconds(1500), "1.5 s"),
      (.milliseconds(-1500), "-1.5 s"), (.seconds(99_999_999_999_999), "99999999999999 s"),
    ] as [(Duration, String)])
  func secondsInMessages(duration: Duration, text: String) { #expect(duration.inSeconds == text) }

  @Test(
    arguments: [
      (.zero, 0, 0), (.nanoseconds(1), 1, 1), (.milliseconds(1), 1, 1), (.milliseconds(1000), 1, 1000),
      (.microseconds(1_000_001), 2, 1001), (.seconds(60), 60, 60_000),
    ] as [(Duration, Int, Int64)])
  func durationIsRoundedUp(duration: Duration, seconds: Int, milliseconds: Int64) {
    #expect(duration.wholeSeconds == seconds && duration.wholeMilliseconds == milliseconds)
  }

  @Test func aDeadlineLeavesTheTimeUntilItsInstant() throws {
    let time = FakeClock()
    let deadline = Deadline(in: .seconds(10), time)
    #expect(try deadline.bound(.seconds(30), time) == .seconds(10))
    #expect(try deadline.bound(.seconds(3), time) == .seconds(3))
    time.advance(by: .milliseconds(9999))
    #expect(deadline.left(time) == .milliseconds(1))
    #expect(try deadline.bound(.seconds(3), time) == .milliseconds(1))
    for _ in 0..<2 {
      time.advance(by: .milliseconds(1))
      #expect(deadline.left(time) == .zero)
      #expect(throws: deadline.failure) { try deadline.bound(.seconds(3), time) }
    }
  }

  /// The deadline ends a request as any other limit does: it may have arrived.
  @Test(arguments: [
    (HTTP.Method.put, ConnectionError.timedOut(.seconds(2)), true), (.get, .timedOut(.seconds(2)), false),
    (.put, .connectTimedOut(.seconds(1)), false),
  ])
  func deadlineWithinRequestHasUnknownOutcome(
    method: HTTP.Method, error: ConnectionError, outcomeUnknown: Bool
  ) {
    let deadline = Deadline(in: .seconds(60), FakeClock())
    var limits = TimeLimits(connect: .seconds(5), attempt: .seconds(5), deadline: deadline)
    let request = Request(method, URL(scheme: .http, host: "a"))
    var expected = deadline.failure
    expected.outcomeUnknown = outcomeUnknown
    #expect(limits.failure(error, of: request) == expected)
    limits.deadline = nil
    #expect(limits.failure(error, of: request) == error.failure(of: request))
  }

  @Test(
    arguments: [
      (.connectTimedOut(.seconds(2)), 5, 2, false), (.connectTimedOut(.seconds(2)), 2, 5, false),
      (.connectTimedOut(.seconds(1)), 5, 2, true), (.connectTimedOut(.seconds(1)), 2, 5, true),
      (.timedOut(.seconds(5)), 1, 5, false), (.timedOut(.seconds(6)), 1, 5, false),
      (.timedOut(.seconds(4)), 1, 5, true),
    ] as [(ConnectionError, Int, Int, Bool)])
  func timeoutShortenedByDeadlineIsDeadline(
    _ error: ConnectionError, connect: Int, attempt: Int, wasShortened: Bool
  ) {
    let deadline = Deadline(in: .seconds(60), FakeClock())
    let limits = TimeLimits(connect: .seconds(connect), attempt: .seconds(attempt), deadline: deadline)
    let message = limits.failure(error, of: .get("http://a/")).message
    #expect((message == deadline.failure.message) == wasShortened)
  }
}
