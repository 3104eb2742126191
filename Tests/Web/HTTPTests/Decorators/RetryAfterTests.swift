import System
import TestSupport
import Testing

@testable import HTTP

@Suite struct RetryAfterTests {
  /// 2024-01-01T00:00:00Z, and half a second.
  let now = Timestamp(seconds: 1_704_067_200, nanoseconds: 500_000_000)

  @Test func waitsAreReadAsRecorded() throws {
    try RecordedText.holdTexts("waits.txt") { text in
      let wait = RetryAfter.wait(Response(429, headers: Headers(lines: text)), now: now)?.components
      return ["= \(wait.map { "\($0.seconds) s \($0.attoseconds / 1_000_000_000_000_000) ms" } ?? "none")"]
    }
  }

  /// A service may send the time of the renewal with every response.
  @Test(arguments: [200, 408, 500, 502, 503, 520])
  func rateLimitResetCountsOnlyFor429(status: Int) {
    var headers: Headers = ["X-RateLimit-Reset": "1704070860", "X-RateLimit-Remaining": "99"]
    #expect(RetryAfter.wait(Response(status, headers: headers), now: now) == nil)
    headers["Retry-After"] = "7"
    #expect(RetryAfter.wait(Response(status, headers: headers), now: now) == .seconds(7))
  }
}
