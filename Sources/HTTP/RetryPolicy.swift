import System

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
      request.mayBeRepeated && statuses.contains(response.status) ? reason(response.status) : nil
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

extension Request {
  /// Whether doing it twice is as good as once: by its method, or because it carries a key by which the service knows
  /// it again.
  var mayBeRepeated: Bool { !isOnlyOnce && (method.isIdempotent || headers["Idempotency-Key"] != nil) }
}
