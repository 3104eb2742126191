import HTTP
import System

/// The time in the event loop: everything in one turn happens at the same instant.
final class TurnClock {
  let time: any TimeKeeper
  private(set) var now: Duration

  init(_ time: any TimeKeeper) {
    self.time = time
    now = time.uptime()
  }

  func advance() { now = time.uptime() }
}

/// The responses of one turn of the event loop: it routes the requests that were read, applies what the configuration
/// adds (faults, cross-origin access, the access log), and commits. Nothing is sent before the commit.
final class Turn {
  typealias Entry = (connection: Connection, response: QueuedResponse)

  private let configuration: ServerConfiguration
  private let clock: TurnClock
  private let router: Router
  private let unsent: UnsentBytes
  private var faults: FaultPlan
  /// The responses for one connection follow one another, in the order of its requests.
  private var entries: [Entry] = []
  /// Bytes of the bodies of the turn's responses, those that are not sent for HEAD included.
  private(set) var bytes = 0
  /// Once set, every connection closes after its response.
  var isDraining = false

  init(_ configuration: ServerConfiguration, _ clock: TurnClock, _ router: Router, _ unsent: UnsentBytes) {
    self.configuration = configuration
    self.clock = clock
    self.router = router
    self.unsent = unsent
    faults = configuration.faults
  }

  func append(_ response: QueuedResponse, to connection: Connection) {
    entries.append((connection, response))
  }

  /// Routes the request and returns the size of the response's body, also if it is not sent.
  func respond(to request: ReceivedRequest, on connection: Connection) -> Int {
    let resolution = router.resolve(request)
    let backend = router.backend(of: resolution)
    let fault = faults.isEmpty ? FaultPlan.Draw() : faults.draw(backend.map { router.backends[$0].suite })
    let (response, failure) = respond(request, resolution, fault, backend)
    if response.status >= 500, let failure, fault.outcome == nil { configuration.logFailure?(failure) }
    var queued = QueuedResponse(response)
    queued.omitsBody = request.method == .head
    queued.isFromRoute = true
    queued.backend = backend
    queued.delay = fault.delay
    queued.isDropped = fault.outcome == .drop
    allowOtherOrigins(&queued, request)
    if configuration.log != nil {
      queued.record = QueuedResponse.Record(
        suite: backend.map { router.backends[$0].suite }, method: request.method,
        target: Secrets.shown(target: request.target), start: clock.now, failure: failure)
    }
    if !(200...599).contains(queued.response.status) {
      // Not a final status of HTTP: a defect of the handler.
      queued.response = router.errorResponse(
        500, Failure(.defect, "status \(response.status)"), backend: backend)
    }
    if isDraining {
      queued.persistence = .close
      connection.closing = .linger
    } else if !request.head.keepsAlive {
      queued.persistence = .close
      connection.closing = .close
    } else if request.head.minorVersion == 0 {
      queued.persistence = .keepAlive
    }
    // The requests after it wait, as they would for a slow service.
    if queued.delay > .zero { connection.isDelayed = true }
    let size = queued.response.body.count
    if size > ResponseEncoder.copiedBody {
      let shared = unsent.share(queued.response.body)
      // The storage of the equal body, if there is one; that of the handler's is then freed.
      queued.response.body = shared.bytes
      queued.sharedBody = shared
    }
    bytes += size
    append(queued, to: connection)
    return size
  }

  private func respond(
    _ request: ReceivedRequest, _ resolution: Router.Resolution, _ fault: FaultPlan.Draw, _ backend: Int?
  ) -> (Response, Failure?) {
    switch fault.outcome {
    case .status(let status):
      let failure = Failure(.connection, "fault \(status)")
      var response = router.errorResponse(status, failure, backend: backend, request)
      if status == 429 { response.headers["Retry-After"] = "1" }
      return (response, failure)
    case .garbage:
      _ = router.respond(request, resolution)
      let page = "<!doctype html><title>Garbage</title>\u{0}"
      return (Response(200, headers: ["Content-Type": "text/html"], body: Array(page.utf8)), nil)
    case .drop, nil:
      return router.respond(request, resolution)
    }
  }

  /// Pages of other origins may read; a browser sends a preflight before anything else.
  private func allowOtherOrigins(_ response: inout QueuedResponse, _ request: ReceivedRequest) {
    guard request.head.hasOrigin else { return }
    switch request.method {
    case .get, .head:
      response.allowsOtherOrigins = true
    case .options:
      response.allowsOtherOrigins = true
      response.response.headers["Access-Control-Allow-Methods"] = "GET, HEAD"
      response.response.headers["Access-Control-Allow-Headers"] = "Authorization, *"
      response.response.headers["Access-Control-Max-Age"] = "600"
    default:
      break
    }
  }

  // MARK: Commit

  var isEmpty: Bool { entries.isEmpty }

  /// Commits each backend that responded in this turn. The responses of one that cannot commit become errors: they
  /// report changes that were not stored.
  func commit() {
    for (index, backend) in router.backends.enumerated() where backend.commit != nil {
      guard entries.contains(where: { $0.response.isFromRoute && $0.response.backend == index }) else {
        continue
      }
      if let failure = router.commit(index) { replaceResponses(of: index, with: failure) }
    }
  }

  private func replaceResponses(of backend: Int, with failure: Failure) {
    configuration.logFailure?(failure)
    for index in entries.indices
    where entries[index].response.isFromRoute && entries[index].response.backend == backend {
      entries[index].response.response = router.errorResponse(uncommitted: failure, backend: backend)
      entries[index].response.sharedBody = nil
      entries[index].response.record?.failure = failure
    }
  }

  /// Passes the turn's responses to `send` and starts an empty turn. What is appended meanwhile belongs to that one.
  func end(_ send: ([Entry]) -> Void) {
    var ended = entries
    entries = []
    bytes = 0
    send(ended)
    // The storage is reused, except if there are new entries.
    guard entries.isEmpty else { return }
    ended.removeAll(keepingCapacity: true)
    entries = ended
  }
}
