import System

/// Retries a request if that may help: at the time of Retry-After, or after a backoff.
public struct RetryingTransport: Transport {
  let inner: any Transport
  let policy: RetryPolicy
  let deadline: Deadline?
  let time: any TimeKeeper
  let jitter: @Sendable (Duration) -> Duration
  let report: (String) -> Void

  /// `jitter` returns a duration between zero and its argument.
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

  public func send(_ request: Request) throws(Failure) -> ReceivedResponse {
    // An earlier attempt may have been executed although a later one fails.
    var outcomeUnknown = false
    do throws(Failure) {
      return try send(request, &outcomeUnknown)
    } catch {
      var failure = error
      failure.outcomeUnknown = failure.outcomeUnknown || outcomeUnknown
      throw failure
    }
  }

  private func send(_ request: Request, _ outcomeUnknown: inout Bool) throws(Failure) -> ReceivedResponse {
    var outcome = attempt(request)
    var retry = 1
    while retry <= policy.retries, let reason = policy.reason(outcome, of: request) {
      let wait = wait(after: outcome, before: retry)
      if let bound = exceededBound(wait) {
        outcome = outcome.map { response in
          var response = response
          response.refusedWait = ReceivedResponse.RefusedWait(length: wait, bound: bound)
          return response
        }
        break
      }
      outcomeUnknown = outcomeUnknown || outcome.outcomeUnknown(request)
      report("\(reason); next attempt in \(wait.inSeconds) (\(retry) of \(policy.retries))")
      try time.sleep(for: wait)
      outcome = attempt(request)
      retry += 1
    }
    var response = try outcome.get()
    response.attempts += retry - 1
    // `ReceivedResponse.failure(for:)` has no clock, so it reads only a number of seconds.
    if !response.isSuccess, let wait = RetryAfter.wait(response.response, now: time.now()) {
      response.headers["Retry-After"] = String(wait.wholeSeconds)
    }
    return response
  }

  private func exceededBound(_ wait: Duration) -> ReceivedResponse.Bound? {
    if wait > policy.longestWait { return .setting }
    if let deadline, wait >= deadline.left(time) { return .deadline }
    return nil
  }

  private func attempt(_ request: Request) -> Result<ReceivedResponse, Failure> {
    Result { () throws(Failure) in try inner.send(request) }
  }

  private func wait(after outcome: Result<ReceivedResponse, Failure>, before retry: Int) -> Duration {
    if case .success(let response) = outcome,
      let requested = RetryAfter.wait(response.response, now: time.now())
    {
      return requested
    }
    return jitter(policy.backoff(before: retry))
  }
}

extension Result<ReceivedResponse, Failure> {
  fileprivate func outcomeUnknown(_ request: Request) -> Bool {
    switch self {
    case .success(let response): response.failure(for: request).outcomeUnknown
    case .failure(let failure): failure.outcomeUnknown
    }
  }
}

public struct RetryPolicy: Sendable {
  public var retries: Int
  /// Statuses that are retried. (`--no-wait` removes 429, the rate limit.)
  public var statuses: [Int] = [408, 429, 500, 502, 503, 504] + Array(520...529)
  /// Longest requested wait; with a longer one the request is not retried (`HW_MAX_WAIT`).
  public var longestWait: Duration = .seconds(120)

  public init(retries: Int = 2) { self.retries = retries }

  /// Returns the reason for a retry, for the user, or nil to give up.
  ///
  /// A failure is retryable if its transport has marked it so, because sending the request again cannot execute it
  /// twice. For a response, the request decides.
  func reason(_ outcome: Result<ReceivedResponse, Failure>, of request: Request) -> String? {
    switch outcome {
    case .failure(let failure):
      return failure.kind == .connection && failure.retryable ? failure.message : nil
    case .success(let response):
      // A request beyond the rate limit was not executed.
      let isLimited = response.status == 429
      guard request.isRetryable || isLimited, statuses.contains(response.status),
        !request.meaningfulErrors.contains(where: { $0.matches(response.response) })
      else { return nil }
      return isLimited ? "rate limited" : "status \(response.status)"
    }
  }

  /// The longest backoff before a retry (from 1). A random part keeps clients from retrying at the same time.
  func backoff(before retry: Int) -> Duration {
    min(.seconds(30), longestWait, .seconds(1 << min(max(0, retry - 1), 20)))
  }
}

/// The wait that a service requests of its clients. Malformed headers count as missing.
public enum RetryAfter {
  /// Reads `Retry-After`, or for a 429 without it the reset of the rate limit. Other statuses ignore the reset, which a
  /// service may send with every response.
  public static func wait(_ response: Response, now: Timestamp) -> Duration? {
    requested(response.headers, now: now)
      ?? (response.status == 429 ? limitReset(response.headers, now: now) : nil)
  }

  /// Reads `Retry-After`, in seconds or as a date; zero for a past time.
  static func requested(_ headers: Headers, now: Timestamp) -> Duration? {
    guard let text = headers["Retry-After"] else { return nil }
    if let seconds = Int64(fieldText: text) { return .seconds(seconds) }
    return HTTPDate.parse(text).map { max(.zero, $0 - sent(headers, now)) }
  }

  /// Reads `X-RateLimit-Reset`, the time until the rate limit is renewed; zero for a past time.
  static func limitReset(_ headers: Headers, now: Timestamp) -> Duration? {
    // Milliseconds would be a wait of thousands of years.
    guard let reset = headers["X-RateLimit-Reset"].flatMap({ Int64(fieldText: $0) }), reset < 100_000_000_000
    else { return nil }
    // Seconds since 1970, or for some services the seconds left: a small number cannot be a current time.
    return reset < 1_000_000_000
      ? .seconds(reset) : max(.zero, Timestamp(seconds: reset) - sent(headers, now))
  }

  /// The time of the response by the service's clock (`Date`), with which its instants are compared.
  private static func sent(_ headers: Headers, _ now: Timestamp) -> Timestamp {
    headers["Date"].flatMap { HTTPDate.parse($0) } ?? now
  }
}
