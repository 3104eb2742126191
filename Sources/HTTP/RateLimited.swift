import System

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
  private let tell: (String) -> Void
  /// What counts when the shared ledger cannot be had.
  private var own: RateLedger?

  public enum Patience: Sendable {
    case wait(atMost: Duration)
    /// `--no-wait`
    case failAtOnce
  }

  public init(
    _ inner: any Transport, limit: RateLimit, ledgersIn folder: String, patience: Patience,
    deadline: Deadline?,
    time: any TimeKeeper, tell: @escaping (String) -> Void
  ) {
    self.inner = inner
    self.limit = limit
    self.folder = folder
    self.patience = patience
    self.deadline = deadline
    self.time = time
    self.tell = tell
  }

  public func send(_ request: Request) throws(Failure) -> Response {
    try takeSlot(request.url)
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

  private func takeSlot(_ url: URL) throws(Failure) {
    while true {
      let wait = try update(url) { [limit] in $0.take(limit) }
      guard wait > .zero else { return }
      guard wait <= longestWait else { throw failure(url, wait) }
      tell("rate limit: waiting \(wait.wholeSeconds) s for the next slot")
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
        tell("rate limit: counting this process alone: \(error.message)")
      }
    }
    let clocks = RateLedger.Clocks(time)
    var ledger = own ?? RateLedger(limit, clocks)
    ledger.advance(limit, to: clocks)
    defer { own = ledger }
    return change(&ledger)
  }
}
