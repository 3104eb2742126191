import System

/// When a service says that it may be asked again.
public enum RetryAfter {
  /// How long the service asks to be left alone: `Retry-After` in seconds or as a date, else `X-RateLimit-Reset`.
  /// Zero when that time has come; nil when it did not say, or said nothing that can be read.
  ///
  /// An instant is held against the answer's own `Date` where it has one: only the service's clock knows what the
  /// service means by it.
  public static func wait(_ headers: Headers, now: Timestamp) -> Duration? {
    let sent = headers["Date"].flatMap { HTTPDate.parse($0, now: now) } ?? now
    if let text = headers["Retry-After"] {
      if let seconds = count(text) { return .seconds(seconds) }
      if let date = HTTPDate.parse(text, now: now) { return max(.zero, date - sent) }
    }
    guard let reset = headers["X-RateLimit-Reset"].flatMap(count) else { return nil }
    // Seconds since 1970, but some services send the seconds that are left: no clock stands at 1970 today.
    return reset < 1_000_000_000
      ? .seconds(reset) : max(.zero, Timestamp(seconds: reset) - sent)
  }

  /// A whole number of seconds, of a size that arithmetic can bear.
  private static func count(_ text: String) -> Int64? {
    guard (1...12).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return Int64(text)
  }
}
