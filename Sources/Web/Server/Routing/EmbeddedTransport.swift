import HTTP
import System

/// Calls the backends in the process, for `demo:` and `embedded:`.
public struct EmbeddedTransport: Transport {
  let router: Router

  public init(_ router: Router) { self.router = router }

  /// Throws an internal failure, such as a full disk, with its reason; a server would return 500 and log the reason.
  public func send(_ request: Request) throws(Failure) -> ReceivedResponse {
    let outcome = router.outcome(of: request)
    if outcome.response.status >= 500, let failure = outcome.failure { throw failure }
    return ReceivedResponse(outcome.response)
  }
}

extension Router {
  public func respond(to request: Request) -> Response { outcome(of: request).response }

  fileprivate func outcome(of request: Request) -> Outcome {
    do throws(RequestError) {
      var outcome = runner.outcome(of: route(try ReceivedRequest(request)))
      if request.method == .head { outcome.response.body = [] }
      return outcome
    } catch {
      let failure = Failure(.usage, error.reason)
      return Outcome(runner.errorResponse(error.status, failure, backend: nil), failure)
    }
  }
}
