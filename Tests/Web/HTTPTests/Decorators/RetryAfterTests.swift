import System
import Testing

@testable import HTTP

@Suite struct RetryAfterTests {
  /// 2024-01-01T00:00:00Z, and half a second.
  let now = Timestamp(seconds: 1_704_067_200, nanoseconds: 500_000_000)

  @Test(
    arguments: [
      (["Retry-After": "12"], .seconds(12)), (["retry-after": "0"], .zero),
      (["Retry-After": "Mon, 01 Jan 2024 00:00:30 GMT"], .milliseconds(29_500)),
      (["Retry-After": "Sun, 31 Dec 2023 23:59:00 GMT"], .zero),
      // The service's clock is an hour ahead: what it means is 30 s.
      (
        ["Retry-After": "Mon, 01 Jan 2024 01:00:30 GMT", "Date": "Mon, 01 Jan 2024 01:00:00 GMT"],
        .seconds(30)
      ),
      (["X-RateLimit-Reset": "1704067260"], .milliseconds(59_500)),
      (["X-RateLimit-Reset": "1704070860", "Date": "Mon, 01 Jan 2024 01:00:00 GMT"], .seconds(60)),
      (["X-RateLimit-Reset": "1704067100"], .zero), (["X-RateLimit-Reset": "45"], .seconds(45)),
      (["Retry-After": "7", "X-RateLimit-Reset": "1704067260"], .seconds(7)),
      (["Retry-After": "soon", "X-RateLimit-Reset": "1704067260"], .milliseconds(59_500)),
      (["Retry-After": "7", "Date": "nonsense"], .seconds(7)),
      // The largest number of seconds, and the smallest time.
      (["X-RateLimit-Reset": "999999999"], .seconds(999_999_999)),
      (["X-RateLimit-Reset": "1000000000"], .zero),
      (["Retry-After": "123456789012"], .seconds(123_456_789_012)),
      (["Retry-After": "1234567890123"], .seconds(999_999_999_999)),
      // Longer than any wait that is allowed, and not unknown.
      (["Retry-After": "99999999999999999999999"], .seconds(999_999_999_999)),
      (["X-RateLimit-Reset": "9223372036854775807"], .milliseconds(998_295_932_798_500)),
    ] as [(Headers, Duration)])
  func waitIsReadFromHeaders(headers: Headers, wait: Duration) {
    #expect(RetryAfter.wait(Response(429, headers: headers), now: now) == wait)
  }

  /// A service may send the time of the renewal with every response.
  @Test(arguments: [200, 408, 500, 502, 503, 520])
  func rateLimitResetCountsOnlyFor429(status: Int) {
    var headers: Headers = ["X-RateLimit-Reset": "1704070860", "X-RateLimit-Remaining": "99"]
    #expect(RetryAfter.wait(Response(status, headers: headers), now: now) == nil)
    headers["Retry-After"] = "7"
    #expect(RetryAfter.wait(Response(status, headers: headers), now: now) == .seconds(7))
  }

  @Test(
    arguments: [
      [:], ["Retry-After": ""], ["Retry-After": "-5"], ["Retry-After": "1.5"], ["Retry-After": "soon"],
      ["X-RateLimit-Reset": "tomorrow"], ["Retry-After": "١٢"],
    ] as [Headers])
  func unreadableHeadersGiveNoWait(headers: Headers) {
    #expect(RetryAfter.wait(Response(429, headers: headers), now: now) == nil)
  }
}
