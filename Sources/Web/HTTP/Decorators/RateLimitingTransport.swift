import System

public struct RateLimit: Equatable, Sendable, CustomStringConvertible {
  public let count: Int
  /// Milliseconds.
  let length: Int64
  let window: Window
  /// Whether all users of the service share the limit. A 429 that names no time then does not show when to retry.
  let isShared: Bool

  enum Window: Equatable, Sendable {
    /// Windows are aligned to the clock: with 60 seconds, each is a minute of the clock.
    case fixed
    case sliding
  }

  public static func fixed(_ count: Int, per length: Duration, isShared: Bool = false) -> RateLimit {
    RateLimit(count, length, .fixed, isShared: isShared)
  }

  public static func sliding(_ count: Int, per length: Duration) -> RateLimit {
    RateLimit(count, length, .sliding, isShared: false)
  }

  /// Clamps values to the fields of the ledger: 1 to 1,000,000,000 calls in 1 ms to 366 days.
  private init(_ count: Int, _ length: Duration, _ window: Window, isShared: Bool) {
    self.isShared = isShared
    self.count = min(max(1, count), 1_000_000_000)
    self.length = min(max(.milliseconds(1), length), .seconds(366 * 86_400)).wholeMilliseconds
    self.window = window
  }

  /// Milliseconds by which a call may be counted before or after it is sent: the service counts it when it arrives, by
  /// its own clock. 2 s cover network latency and clocks that are synchronized by NTP. A slower call can be counted in
  /// a later window; the service then responds 429, which is obeyed.
  var margin: Int64 { min(2000, length / 10) }

  /// Interval of evenly spaced calls that exactly use up the limit.
  public var spacing: Duration { .milliseconds(length) / count }

  /// Number of the fixed window of a call at `now` (milliseconds since 1970); nil near an edge and for sliding windows.
  func windowNumber(at now: Int64) -> Int64? {
    guard window == .fixed, (now - margin) / length == (now + margin) / length else { return nil }
    return now / length
  }

  /// Instant to repeat a call that the service refused at `time` without a time to wait.
  func windowEnd(after time: Timestamp) -> Timestamp {
    let now = time.milliseconds
    let end = window == .fixed ? (now / length + 1) * length : now + length
    return Timestamp(milliseconds: end + margin)
  }

  public var description: String {
    let span = length == 60_000 ? "a minute" : Duration.milliseconds(length).inSeconds
    return "\(count) \(count == 1 ? "call" : "calls") in \(span)"
  }
}

/// Obeys a service's rate limit, together with all other hw processes: a request is sent when the shared ledger has
/// room for it (a slot).
///
/// The service's responses take precedence: a 429, or a header that no calls remain, closes the ledger for all
/// processes until the time that the service names, or until the end of the window. With a shared limit, a 429 that
/// names no time closes nothing: the caller chooses when to retry.
public final class RateLimitingTransport: Transport {
  private let inner: any Transport
  private let limit: RateLimit
  /// Folder of the shared ledgers, or nil if no other process shares the limit.
  private let folder: String?
  private let longestWait: Duration
  private let longestRequestedWait: Duration
  private let deadline: Deadline?
  private let time: any TimeKeeper
  private let report: (String) -> Void
  /// The ledger of this process, used if the shared one is not available.
  private var own: RateLedger?
  private var reservedWindow: Int64?

  /// A wait above `longestWait` fails at once, and so does one that the service requests above `longestRequestedWait`.
  public init(
    _ inner: any Transport, limit: RateLimit, ledgersIn folder: String?, longestWait: Duration = .zero,
    longestRequestedWait: Duration = .zero, deadline: Deadline?, time: any TimeKeeper,
    report: @escaping (String) -> Void
  ) {
    self.inner = inner
    self.limit = limit
    self.folder = folder
    self.longestWait = longestWait
    self.longestRequestedWait = longestRequestedWait
    self.deadline = deadline
    self.time = time
    self.report = report
  }

  public func send(_ request: Request) throws(Failure) -> ReceivedResponse {
    try takeSlot(request.url)
    return try sendCounted(request)
  }

  private func sendCounted(_ request: Request) throws(Failure) -> ReceivedResponse {
    let sent = time.now()
    var response = try inner.send(request)
    let refused = response.status == 429
    let isUsedUp = response.headers["X-RateLimit-Remaining"] == "0"
    guard refused || isUsedUp else { return response }
    let now = time.now()
    let requested =
      RetryAfter.requested(response.headers, now: now) ?? RetryAfter.limitReset(response.headers, now: now)
    guard requested != nil || isUsedUp || !limit.isShared else { return response }
    let wait = requested ?? max(.zero, limit.windowEnd(after: sent) - now)
    try update(request.url) { $0.close(for: wait) }
    if refused, response.headers["Retry-After"] == nil {
      response.headers["Retry-After"] = String(wait.wholeSeconds)
    }
    return response
  }

  public func remaining(_ url: URL) throws(Failure) -> Int {
    try update(url) { [limit] in $0.remaining(limit) }
  }

  /// Longest time until calls made now no longer count.
  public var renewal: Duration {
    let now = time.now()
    return limit.windowEnd(after: now) - now
  }

  /// Counts a call now that `sendReserved` will make `ahead` from now, so that other processes leave room for it.
  ///
  /// Reserves at most one call per window; a second reservation in a window changes nothing. Returns false if the call
  /// belongs to a later window, or none is left.
  @discardableResult
  public func reserve(_ url: URL, ahead: Duration) throws(Failure) -> Bool {
    let now = time.now().milliseconds
    guard let window = limit.windowNumber(at: now),
      limit.windowNumber(at: now + ahead.wholeMilliseconds) == window
    else { return false }
    if reservedWindow == window { return true }
    guard try update(url, { [limit] in $0.take(limit) }) == .zero else { return false }
    reservedWindow = window
    return true
  }

  /// Uses the reserved call if there is one and the service accepts calls, and otherwise calls `send`.
  public func sendReserved(_ request: Request) throws(Failure) -> ReceivedResponse {
    guard let window = reservedWindow, limit.windowNumber(at: time.now().milliseconds) == window,
      try !update(request.url, { $0.isClosed })
    else { return try send(request) }
    reservedWindow = nil
    return try sendCounted(request)
  }

  private func takeSlot(_ url: URL) throws(Failure) {
    while true {
      let (wait, closedFor) = try update(url) { [limit] in ($0.take(limit), $0.closedFor) }
      guard wait > .zero else { return }
      let longest = min(longestWait, deadline?.left(time) ?? longestWait)
      guard wait <= longest, closedFor <= longestRequestedWait else { throw failure(url, wait) }
      report("rate limit: waiting \(wait.wholeSeconds) s for the next slot")
      try time.sleep(for: wait)
    }
  }

  private func failure(_ url: URL, _ wait: Duration) -> Failure {
    Failure(
      .rateLimited, "the rate limit of '\(url.authority)' is reached: \(limit)",
      hint: "retry in \(wait.wholeSeconds) s", retryable: true,
      details: [.init("retryAfter", .integer(wait.wholeSeconds))])
  }

  /// Counts this process alone if the shared ledger is not available (a full disk, a read-only directory). For the
  /// other processes the service's 429 decides.
  private func update<Result>(_ url: URL, _ change: (inout RateLedger) -> Result) throws(Failure) -> Result {
    if own == nil, let folder {
      do throws(Failure) {
        return try RateLedgerFile(url, in: folder).update(limit, time, change)
      } catch {
        guard error.kind == .storage else { throw error }
        report("rate limit: counting this process alone: \(error.message)")
      }
    }
    let clocks = RateLedger.Clocks(time)
    var ledger = own ?? RateLedger(limit, clocks)
    ledger.advance(limit, to: clocks)
    defer { own = ledger }
    return change(&ledger)
  }
}
