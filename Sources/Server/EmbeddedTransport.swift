import HTTP
import System

/// Calls the backends in the process: what `demo:` and `embedded:` addresses mean.
public struct EmbeddedTransport: Transport {
  let router: Router

  public init(_ router: Router) {
    self.router = router
  }

  public func send(_ request: Request) -> Response {
    router.respond(to: request)
  }
}
