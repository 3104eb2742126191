import System

/// How many calls a service takes in a span of time.
public struct RateLimit: Equatable, Sendable {
  public let count: Int
  /// In milliseconds.
  let window: Int64
  let shape: Shape

  enum Shape: Equatable, Sendable {
    /// Windows follow one another, aligned to the clock: with 60 seconds, each is a minute by the clock.
    case fixed
    /// In every span of that length, wherever it begins.
    case sliding
  }

  public static func fixed(_ count: Int, per window: Duration) -> RateLimit {
    RateLimit(count, window, .fixed)
  }

  public static func sliding(_ count: Int, per window: Duration) -> RateLimit {
    RateLimit(count, window, .sliding)
  }

  /// At least one call in a millisecond, at most a thousand million in a year: what the ledger's fields can hold.
  private init(_ count: Int, _ window: Duration, _ shape: Shape) {
    self.count = min(max(1, count), 1_000_000_000)
    self.window = min(max(.milliseconds(1), window), .seconds(366 * 86_400)).wholeMilliseconds
    self.shape = shape
  }

  /// The service counts a call when it arrives, by its own clock. A call may be counted this much before or after the
  /// instant of its slot: 2 s bear the way there and clocks that are kept by NTP. A slower call can be counted in a
  /// later window than it was taken in; then the service has the last word, a 429, which is obeyed.
  var margin: Int64 { min(2000, window / 10) }

  /// How far calls are apart that just use it up.
  public var spacing: Duration { .milliseconds(window) / count }

  /// The number of the fixed window that a call at `now`, in milliseconds since 1970, surely falls in; nil near an edge,
  /// and where windows are not fixed.
  func window(at now: Int64) -> Int64? {
    guard shape == .fixed, (now - margin) / window == (now + margin) / window else { return nil }
    return now / window
  }

  /// When a call that the service refused at `time`, without a word on how long, may be asked for again.
  func windowEnd(after time: Timestamp) -> Timestamp {
    let now = time.milliseconds
    let end = shape == .fixed ? (now / window + 1) * window : now + window
    return Timestamp(milliseconds: end + margin)
  }
}

extension RateLimit: CustomStringConvertible {
  public var description: String {
    let length = Duration.milliseconds(window).inSeconds
    return "\(count) \(count == 1 ? "call" : "calls") in \(window == 60_000 ? "a minute" : length)"
  }
}
