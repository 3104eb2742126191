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

/// Keeps a service's rate limit, together with all other hw processes: a request goes out when the shared ledger has
/// a slot for it.
///
/// The service's own word wins: a 429, or the news that nothing remains, closes the ledger for everybody until the
/// service or the limit's own window says otherwise.
public final class RateLimited: Transport {
  private let inner: any Transport
  private let limit: RateLimit
  private let folder: String
  private let patience: Patience
  private let deadline: Deadline?
  private let time: any TimeKeeper
  private let report: (String) -> Void
  /// What counts when the shared ledger cannot be had.
  private var own: RateLedger?
  /// The window that a call was counted in ahead of its time.
  private var reserved: Int64?

  public enum Patience: Sendable {
    case wait(atMost: Duration)
    /// `--no-wait`
    case failAtOnce
  }

  public init(
    _ inner: any Transport, limit: RateLimit, ledgersIn folder: String, patience: Patience,
    deadline: Deadline?,
    time: any TimeKeeper, report: @escaping (String) -> Void
  ) {
    self.inner = inner
    self.limit = limit
    self.folder = folder
    self.patience = patience
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
    guard refused || response.headers["X-RateLimit-Remaining"] == "0" else { return response }
    let now = time.now()
    let wait =
      RetryAfter.wait(response.headers, now: now) ?? max(.zero, limit.windowEnd(after: sent) - now)
    try update(request.url) { $0.close(for: wait) }
    if refused, response.headers["Retry-After"] == nil {
      // What the ledger knows, for whoever deals with the refusal.
      response.headers["Retry-After"] = String(wait.wholeSeconds)
    }
    return response
  }

  /// How many calls could be made now: for whoever plans several.
  public func remaining(_ url: URL) throws(Failure) -> Int {
    try update(url) { [limit] in $0.remaining(limit) }
  }

  /// How long until calls that were made now count no more, at the latest: whoever finds none left plans with that.
  public var renewal: Duration {
    let now = time.now()
    return limit.windowEnd(after: now) - now
  }

  /// Counts a call now that will be made `ahead` from now, so that others leave room for it: `sendReserved` makes it.
  ///
  /// Only in the window that is running, since others count later ones for themselves when they begin; false where the
  /// call belongs to another, or no call is left. Once a window is enough.
  @discardableResult
  public func reserve(_ url: URL, ahead: Duration) throws(Failure) -> Bool {
    let now = time.now().milliseconds
    guard let window = limit.window(at: now), limit.window(at: now + ahead.wholeMilliseconds) == window else {
      return false
    }
    if reserved == window { return true }
    guard try update(url, { [limit] in $0.take(limit) }) == .zero else { return false }
    reserved = window
    return true
  }

  /// Sends a request on the call that was reserved, where one was and the service has not closed since; else like any
  /// other.
  public func sendReserved(_ request: Request) throws(Failure) -> Response {
    guard let window = reserved, limit.window(at: time.now().milliseconds) == window,
      try !update(request.url, { $0.isClosed })
    else { return try send(request) }
    reserved = nil
    return try sendCounted(request)
  }

  private func takeSlot(_ url: URL) throws(Failure) {
    while true {
      let wait = try update(url) { [limit] in $0.take(limit) }
      guard wait > .zero else { return }
      guard wait <= longestWait else { throw failure(url, wait) }
      report("rate limit: waiting \(wait.wholeSeconds) s for the next slot")
      try time.sleep(for: wait)
    }
  }

  private var longestWait: Duration {
    switch patience {
    case .failAtOnce: .zero
    case .wait(let most): min(most, deadline?.left(time) ?? most)
    }
  }

  private func failure(_ url: URL, _ wait: Duration) -> Failure {
    Failure(
      .rateLimited, "the rate limit of '\(url.authority)' is reached: \(limit)",
      hint: "try again in \(wait.wholeSeconds) s", retryable: true,
      details: [.init("retryAfter", .integer(wait.wholeSeconds))])
  }

  /// Where the shared ledger cannot be had (a full disk, a folder that is read-only), the limit is still kept for this
  /// process, and the service has the last word on the rest.
  private func update<Result>(
    _ url: URL, _ change: (inout RateLedger) -> Result
  ) throws(Failure) -> Result {
    if own == nil {
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
