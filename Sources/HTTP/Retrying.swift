import System

/// Tries again where that may help: when the service says, or after a backoff.
public struct Retrying: Transport {
  let inner: any Transport
  let policy: RetryPolicy
  let deadline: Deadline?
  let time: any TimeKeeper
  let jitter: @Sendable (Duration) -> Duration
  let report: (String) -> Void

  /// `jitter` chooses a duration between zero and the one it is given.
  public init(
    _ inner: any Transport, policy: RetryPolicy, deadline: Deadline?, time: any TimeKeeper,
    jitter: @escaping @Sendable (Duration) -> Duration, report: @escaping (String) -> Void
  ) {
    self.inner = inner
    self.policy = policy
    self.deadline = deadline
    self.time = time
    self.jitter = jitter
    self.report = report
  }

  public func send(_ request: Request) throws(Failure) -> Response {
    // What an earlier try may have done, the failure of a later one does not undo.
    var outcomeUnknown = false
    do throws(Failure) {
      return try send(request, &outcomeUnknown)
    } catch {
      var failure = error
      failure.outcomeUnknown = failure.outcomeUnknown || outcomeUnknown
      throw failure
    }
  }

  private func send(_ request: Request, _ outcomeUnknown: inout Bool) throws(Failure) -> Response {
    var outcome = attempt(request)
    var retry = 1
    while retry <= policy.retries, let reason = policy.reason(outcome, of: request) {
      let wait = wait(after: outcome, before: retry)
      guard wait <= policy.longestWait, deadline.map({ wait < $0.left(time) }) ?? true else { break }
      outcomeUnknown = outcomeUnknown || outcome.outcomeUnknown(request)
      report("\(reason); next try in \(wait.inSeconds) (\(retry) of \(policy.retries))")
      try time.sleep(for: wait)
      outcome = attempt(request)
      retry += 1
    }
    var response = try outcome.get()
    response.attempts += retry - 1
    return response
  }

  private func attempt(_ request: Request) -> Result<Response, Failure> {
    do throws(Failure) {
      return .success(try inner.send(request))
    } catch {
      return .failure(error)
    }
  }

  private func wait(after outcome: Result<Response, Failure>, before retry: Int) -> Duration {
    if case .success(let response) = outcome,
      let word = RetryAfter.wait(response.headers, now: time.now())
    {
      return word
    }
    return jitter(policy.backoff(before: retry))
  }
}

extension Result<Response, Failure> {
  /// Whether the request may have been done, though it has no answer of its service.
  fileprivate func outcomeUnknown(_ request: Request) -> Bool {
    switch self {
    case .success(let response): response.failure(answering: request).outcomeUnknown
    case .failure(let failure): failure.outcomeUnknown
    }
  }
}

extension Duration {
  /// Full jitter: any part of it, all equally likely.
  @Sendable public static func random(upTo longest: Duration) -> Duration {
    .milliseconds(Int64.random(in: 0...max(0, longest.wholeMilliseconds)))
  }
}

/// Which outcomes are worth another try, and when.
public struct RetryPolicy: Sendable {
  /// How often at most (`--retries`).
  public var retries: Int
  /// The answers that are worth it. (`--no-wait` takes out 429, the rate limit.)
  public var statuses: [Int] = [429, 502, 503, 504]
  /// A longer wait is not begun: the outcome stands.
  public var longestWait: Duration = .seconds(120)
  /// The first backoff is at most this long, the next at most double, and none longer than `longestBackoff`.
  public var firstBackoff: Duration = .seconds(1)
  public var longestBackoff: Duration = .seconds(30)

  public init(retries: Int = 2) {
    self.retries = retries
  }
}

extension RetryPolicy {
  /// Why the outcome of a request is worth another try, as the user is told; nil when it is not.
  ///
  /// A transport marks a failure as retryable where the request can be sent again without being done twice; of an
  /// answer only the request can say so.
  func reason(_ outcome: Result<Response, Failure>, of request: Request) -> String? {
    switch outcome {
    case .failure(let failure):
      failure.kind == .connection && failure.retryable ? failure.message : nil
    case .success(let response):
      request.isRetryable && statuses.contains(response.status) ? reason(response.status) : nil
    }
  }

  private func reason(_ status: Int) -> String {
    switch status {
    case 429: "rate limited"
    case 502: "bad gateway (502)"
    case 503: "service unavailable (503)"
    case 504: "gateway time-out (504)"
    default: "status \(status)"
    }
  }

  /// The longest that the `retry`th try (from 1) backs off: who waits a random part of that does not come together
  /// with all others whom the same fault met.
  func backoff(before retry: Int) -> Duration {
    min(longestBackoff, firstBackoff * (1 << min(max(0, retry - 1), 20)))
  }
}

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
    guard (1...12).contains(text.utf8.count), text.utf8.allSatisfy(ByteSet.digit.contains) else {
      return nil
    }
    return Int64(text)
  }
}
