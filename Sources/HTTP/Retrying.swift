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
