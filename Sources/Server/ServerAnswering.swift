import HTTP
import System

/// From a whole request to its answer, with all that the configuration wants done on the way.
extension Server {
  /// Lets the router answer, and says how many bytes the body has.
  func answer(_ request: ReceivedRequest, _ connection: Connection) -> Int {
    let resolution = router.resolve(request)
    let backend = router.backend(of: resolution)
    let fault = faults.isEmpty ? FaultPlan.Draw() : faults.draw(backend.map { router.backends[$0].suite })
    let (response, failure) = respond(request, resolution, fault, backend)
    if response.status >= 500, let failure, fault.outcome == nil { configuration.complain?(failure) }
    var answer = Answer(response)
    answer.omitsBody = request.method == .head
    answer.isHandlers = true
    answer.backend = backend
    answer.delay = fault.delay
    answer.isDropped = fault.outcome == .drop
    share(&answer, request)
    if configuration.log != nil {
      answer.record = Answer.Record(
        method: request.method, target: request.target, since: now, failure: failure)
    }
    if !(200...599).contains(answer.response.status) {
      // Not an answer that HTTP knows: a defect of the handler.
      answer.response = router.refuse(500, Failure(.defect, "status \(response.status)"), backend: backend)
    }
    if drainsUntil != nil {
      answer.connection = .closes
      connection.ending = .linger
    } else if !request.head.keepsAlive {
      answer.connection = .closes
      connection.ending = .close
    } else if request.head.minorVersion == 0 {
      answer.connection = .staysAlive
    }
    // The requests behind it wait, as behind a slow service.
    if answer.delay > .zero { connection.isHeld = true }
    answers.append((connection, answer))
    return answer.bodyCount
  }

  private func respond(
    _ request: ReceivedRequest, _ resolution: Router.Resolution, _ fault: FaultPlan.Draw, _ backend: Int?
  ) -> (Response, Failure?) {
    switch fault.outcome {
    case .status(let status):
      let failure = Failure(.connection, "fault \(status)")
      var response = router.refuse(status, failure, backend: backend, request)
      if status == 429 { response.headers["Retry-After"] = "1" }
      return (response, failure)
    case .garbage:
      _ = router.answer(request, resolution)
      let page = "<!doctype html><title>Garbage</title>\u{0}"
      return (Response(200, headers: ["Content-Type": "text/html"], body: Array(page.utf8)), nil)
    case .drop, nil:
      return router.answer(request, resolution)
    }
  }

  /// Pages of other origins may read; a browser asks before it sends anything unusual.
  private func share(_ answer: inout Answer, _ request: ReceivedRequest) {
    guard request.head.hasOrigin, configuration.crossOrigin == .mayRead else { return }
    switch request.method {
    case .get, .head:
      answer.isShared = true
    case .options:
      answer.isShared = true
      answer.response.headers["Access-Control-Allow-Methods"] = "GET, HEAD"
      answer.response.headers["Access-Control-Allow-Headers"] = "Authorization, *"
      answer.response.headers["Access-Control-Max-Age"] = "600"
    default:
      break
    }
  }
}
