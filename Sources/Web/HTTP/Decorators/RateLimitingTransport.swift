import System

/// How many calls a service accepts in a span of time.
public struct RateLimit: Equatable, Sendable {
  public let count: Int
  /// Of the window, in milliseconds.
  let length: Int64
  let window: Window
  /// Strangers use up the same limit, so a refusal without a time does not show when the next call is accepted.
  let isShared: Bool

  enum Window: Equatable, Sendable {
    /// Windows follow one another, aligned to the clock: with 60 seconds, each is a minute of the clock.
    case fixed
    /// Every span of that length, wherever it begins.
    case sliding
  }

  public static func fixed(_ count: Int, per length: Duration, isShared: Bool = false) -> RateLimit {
    RateLimit(count, length, .fixed, isShared: isShared)
  }

  public static func sliding(_ count: Int, per length: Duration) -> RateLimit {
    RateLimit(count, length, .sliding, isShared: false)
  }

  /// Clamped to what the ledger's fields can hold: 1 to 1,000,000,000 calls in 1 ms to 366 days.
  private init(_ count: Int, _ length: Duration, _ window: Window, isShared: Bool) {
    self.isShared = isShared
    self.count = min(max(1, count), 1_000_000_000)
    self.length = min(max(.milliseconds(1), length), .seconds(366 * 86_400)).wholeMilliseconds
    self.window = window
  }

  /// The service counts a call when it arrives, by its own clock. A call may be counted this much before or after the
  /// instant of its slot: 2 s cover network latency and clocks that are synchronized by NTP. A slower call can be
  /// counted in a later window than the one it was taken in; the service then responds 429, which is obeyed.
  var margin: Int64 { min(2000, length / 10) }

  /// The interval of evenly spaced calls that exactly use up the limit.
  public var spacing: Duration { .milliseconds(length) / count }

  /// The number of the fixed window in which a call at `now` (milliseconds since 1970) is certainly counted. Nil near
  /// an edge and for sliding windows.
  func windowNumber(at now: Int64) -> Int64? {
    guard window == .fixed, (now - margin) / length == (now + margin) / length else { return nil }
    return now / length
  }

  /// When to repeat a call that the service refused at `time` without saying how long to wait.
  func windowEnd(after time: Timestamp) -> Timestamp {
    let now = time.milliseconds
    let end = window == .fixed ? (now / length + 1) * length : now + length
    return Timestamp(milliseconds: end + margin)
  }
}

extension RateLimit: CustomStringConvertible {
  public var description: String {
    let span = length == 60_000 ? "a minute" : Duration.milliseconds(length).inSeconds
    return "\(count) \(count == 1 ? "call" : "calls") in \(span)"
  }
}

/// Obeys a service's rate limit, together with all other hw processes: a request is sent when the shared ledger has a
/// slot for it.
///
/// The service's responses take precedence: a 429, or a header that no calls remain, closes the ledger for all
/// processes until the time that the service names, or until the end of the window. With a shared limit, a 429 that
/// names no time closes nothing: the caller chooses when to retry.
public final class RateLimitingTransport: Transport {
  private let inner: any Transport
  private let limit: RateLimit
  /// Folder of the shared ledgers; nil where no other process shares the limit.
  private let folder: String?
  private let waitPolicy: WaitPolicy
  private let deadline: Deadline?
  private let time: any TimeKeeper
  private let report: (String) -> Void
  /// The ledger of this process, if the shared one is not available.
  private var own: RateLedger?
  /// The window in which a call was reserved.
  private var reserved: Int64?

  public enum WaitPolicy: Sendable {
    /// `whenAsked` is for a wait that the service has asked for.
    case wait(atMost: Duration, whenAsked: Duration)
    /// `--no-wait`
    case failAtOnce
  }

  public init(
    _ inner: any Transport, limit: RateLimit, ledgersIn folder: String?, waitPolicy: WaitPolicy,
    deadline: Deadline?,
    time: any TimeKeeper, report: @escaping (String) -> Void
  ) {
    self.inner = inner
    self.limit = limit
    self.folder = folder
    self.waitPolicy = waitPolicy
    self.deadline = deadline
    self.time = time
    self.report = report
  }

  public func send(_ request: Request) throws(Failure) -> Response {
    try takeSlot(request.url)
    return try sendCounted(request)
  }

  private func sendCounted(_ request: Request) throws(Failure) -> Response {
    let sent = time.now()
    var response = try inner.send(request)
    let refused = response.status == 429
    let isUsedUp = response.headers["X-RateLimit-Remaining"] == "0"
    guard refused || isUsedUp else { return response }
    let now = time.now()
    let named =
      RetryAfter.requested(response.headers, now: now) ?? RetryAfter.untilRenewal(response.headers, now: now)
    guard named != nil || isUsedUp || !limit.isShared else { return response }
    let wait = named ?? max(.zero, limit.windowEnd(after: sent) - now)
    try update(request.url) { $0.close(for: wait) }
    if refused, response.headers["Retry-After"] == nil {
      // The wait that the ledger knows, for the retry or the failure.
      response.headers["Retry-After"] = String(wait.wholeSeconds)
    }
    return response
  }

  /// How many calls can be made now, for a caller that plans several.
  public func remaining(_ url: URL) throws(Failure) -> Int {
    try update(url) { [limit] in $0.remaining(limit) }
  }

  /// How long until calls that were made now no longer count, at the latest.
  public var renewal: Duration {
    let now = time.now()
    return limit.windowEnd(after: now) - now
  }

  /// Reserves a call that `sendReserved` will make `ahead` from now: it counts now, so that others leave room for it.
  ///
  /// Only one call in the current window can be reserved; false if the call belongs to a later window, or none is
  /// left. Another call in the same window keeps the reservation.
  @discardableResult
  public func reserve(_ url: URL, ahead: Duration) throws(Failure) -> Bool {
    let now = time.now().milliseconds
    guard let window = limit.windowNumber(at: now),
      limit.windowNumber(at: now + ahead.wholeMilliseconds) == window
    else {
      return false
    }
    if reserved == window { return true }
    guard try update(url, { [limit] in $0.take(limit) }) == .zero else { return false }
    reserved = window
    return true
  }

  /// Uses the reserved call for a request, if there is one and the service accepts calls; otherwise the same as
  /// `send`.
  public func sendReserved(_ request: Request) throws(Failure) -> Response {
    guard let window = reserved, limit.windowNumber(at: time.now().milliseconds) == window,
      try !update(request.url, { $0.isClosed })
    else { return try send(request) }
    reserved = nil
    return try sendCounted(request)
  }

  private func takeSlot(_ url: URL) throws(Failure) {
    while true {
      let (wait, closure) = try update(url) { [limit] in ($0.take(limit), $0.closure) }
      guard wait > .zero else { return }
      guard wait <= longestWait(closure) else { throw failure(url, wait) }
      report("rate limit: waiting \(wait.wholeSeconds) s for the next slot")
      try time.sleep(for: wait)
    }
  }

  private func longestWait(_ closure: Duration) -> Duration {
    guard case .wait(let most, let whenAsked) = waitPolicy, closure <= whenAsked else { return .zero }
    return min(most, deadline?.left(time) ?? most)
  }

  private func failure(_ url: URL, _ wait: Duration) -> Failure {
    Failure(
      .rateLimited, "the rate limit of '\(url.authority)' is reached: \(limit)",
      hint: "retry in \(wait.wholeSeconds) s", retryable: true,
      details: [.init("retryAfter", .integer(wait.wholeSeconds))])
  }

  /// Without the shared ledger (a full disk, a read-only directory) the limit still applies to this process; for the
  /// others the service's 429 decides.
  private func update<Result>(
    _ url: URL, _ change: (inout RateLedger) -> Result
  ) throws(Failure) -> Result {
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
