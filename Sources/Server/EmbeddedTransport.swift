import HTTP
import System

/// Calls the backends in the process: what `demo:` and `embedded:` addresses mean.
public struct EmbeddedTransport: Transport {
  let router: Router

  public init(_ router: Router) {
    self.router = router
  }

  /// A backend that cannot work (its disk is full, say) fails here in its own words, where a server would answer 500
  /// and keep the reason to itself.
  public func send(_ request: Request) throws(Failure) -> Response {
    let (response, failure) = router.outcome(of: request)
    if response.status >= 500, let failure { throw failure }
    return response
  }
}
