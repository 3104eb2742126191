import System

/// Gives responses the lifetime that their format has in the body, for a cache above.
public struct LifetimeTransport: Transport {
  let inner: any Transport
  let lifetime: (Response) -> Int64?

  /// `lifetime` returns the seconds until the response changes; nil keeps what its headers say.
  public init(_ inner: any Transport, _ lifetime: @escaping (Response) -> Int64?) {
    self.inner = inner
    self.lifetime = lifetime
  }

  public func send(_ request: Request) throws(Failure) -> Response {
    var response = try inner.send(request)
    guard response.status == 200, let seconds = lifetime(response) else { return response }
    // A cache counts the time in upstream caches, which has no effect on the data.
    response.headers["Cache-Control"] = "max-age=\(seconds + (response.age ?? 0))"
    return response
  }

  public func discard(_ request: Request) { inner.discard(request) }
}
