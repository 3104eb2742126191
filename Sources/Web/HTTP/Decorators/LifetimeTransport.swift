import System

/// Copies the lifetime in a response's body (`ttl` of GBFS) to its headers, for a cache above.
public struct LifetimeTransport: Transport {
  let inner: any Transport
  let lifetime: (Response) -> Int64?

  /// `lifetime` returns the seconds until the response changes, or nil to keep its headers.
  public init(_ inner: any Transport, _ lifetime: @escaping (Response) -> Int64?) {
    self.inner = inner
    self.lifetime = lifetime
  }

  public func send(_ request: Request) throws(Failure) -> ReceivedResponse {
    var response = try inner.send(request)
    guard response.status == 200, let seconds = lifetime(response.response) else { return response }
    // A cache subtracts `Age`, but the lifetime in the body begins when it is received.
    response.headers["Cache-Control"] = "max-age=\(seconds + (response.age ?? 0))"
    return response
  }
}
