import HTTP
import Store
import System

/// The requests and responses of one turn of the event loop: routes each request, applies the configuration (limits,
/// rules for origins, faults), and calls its handler or submits it to a worker. The changes of a turn run together at
/// its end, and a connection waits for its own.
final class Turn {
  typealias Entry = (connection: Connection, response: QueuedResponse)

  private let configuration: ServerConfiguration
  private let clock: LoopClock
  private let router: Router
  private let unsent: UnsentBytes
  private let exchanges: ExchangeLog
  private let connections: ConnectionTable
  private var usage: UsageCounts
  /// Index of the last backend of the router: the reports of the server about itself.
  private let reportBackend: Int
  private let metricsRouter = Router([ReportBackend.metrics])
  private let metricsOrigins: OriginRules
  private var pendingReports: [PendingRequest] = []
  private var faults: FaultPlan
  /// Responses in the order of their requests, grouped by connection.
  private var entries: [Entry] = []
  /// Bytes of the turn's response bodies, including those that HEAD omits.
  private(set) var bytes = 0
  var isDraining = false
  private let workers: WorkerPool?
  /// The requests that the workers have, by the numbers of their jobs.
  private var submitted: [Int: PendingRequest] = [:]
  private var lastNumber = 0
  private var deferred = DeferredCalls()
  /// Whether a handler was called in this turn.
  private var hasRun = false
  private var newlyDelayed: [Connection] = []
  /// Bytes of the requests that wait in copies.
  private var pendingBytes = 0

  private static let queueTimeout = Duration.seconds(10)

  init(
    _ configuration: ServerConfiguration, _ clock: LoopClock, _ router: Router, _ workers: WorkerPool?,
    _ unsent: UnsentBytes, _ exchanges: ExchangeLog, _ connections: ConnectionTable,
    metricsAddress: SocketAddress?
  ) {
    self.configuration = configuration
    self.clock = clock
    self.router = router
    self.exchanges = exchanges
    self.connections = connections
    usage = UsageCounts(configuration.limits)
    reportBackend = router.runner.backends.count - 1
    var metricsOrigins = configuration.origins
    metricsOrigins.isPublic = metricsAddress?.isLoopback == false
    metricsOrigins.requiresHost = false
    self.metricsOrigins = metricsOrigins
    self.workers = workers
    self.unsent = unsent
    faults = configuration.faults
  }

  func append(_ response: QueuedResponse, to connection: Connection) {
    entries.append((connection, response))
  }

  func reject(_ rejection: QueuedResponse, _ reason: String, on connection: Connection) {
    var rejection = rejection
    exchanges.addRecord(toRejection: &rejection, from: connection.peer, reason, at: clock.now)
    append(rejection, to: connection)
  }

  /// Routes the request and returns the size of the response's body, even if it is not sent. If the response is not
  /// ready in this turn, the connection waits, and so do the requests after it.
  func respond(to request: ReceivedRequest, on connection: Connection) -> Int {
    let routed = router(of: connection).route(request)
    var pending = PendingRequest(connection: connection, routed: routed, start: clock.now)
    if connection.isForMetrics, let (status, failure) = metricsOrigins.refusal(of: request) {
      return finish(pending, outcome(status, failure, of: pending))
    }
    if connection.isForMetrics || routed.backend == reportBackend { return respondToReport(pending) }
    if !faults.isEmpty { pending.fault = faults.draw(suite(of: pending)) }
    if usage.hasLimits, let excess = usage.use(client(of: pending), request, at: clock.now) {
      return finish(pending, refusal(of: pending, excess))
    }
    if let (status, failure) = configuration.origins.refusal(of: request) {
      return finish(pending, outcome(status, failure, of: pending))
    }
    if case .status(let status) = pending.fault.outcome {
      var outcome = outcome(status, Failure(.connection, "fault \(status)"), of: pending)
      if status == 429 { outcome.response.headers["Retry-After"] = "1" }
      return finish(pending, outcome)
    }
    // A request without a route ends at once, and so does a read if there are no workers.
    guard case .found(let backend, _, _) = routed.resolution, workers != nil || !request.method.isSafe else {
      return read(pending)
    }
    guard let kept = postpone(pending) else { return finish(pending, busy(pending)) }
    // Counts the time of parsing, about 12 ns per byte; that of the handler is not known here.
    let parsing = Duration.nanoseconds(12 * request.count)
    if usage.hasLimits { usage.use(client(of: pending), request, for: parsing, at: clock.now) }
    if let workers {
      lastNumber += 1
      submitted[lastNumber] = kept
      workers.submit(
        .init(number: lastNumber, request: kept.routed),
        mayWrite: !request.method.isSafe || router.runner.backends[backend].hasMemory)
    } else {
      admit(kept)
    }
    return 0
  }

  private func read(_ pending: PendingRequest) -> Int {
    hasRun = true
    let start = usage.hasLimits ? clock.time.uptime() : .zero
    defer {
      if usage.hasLimits {
        usage.use(client(of: pending), pending.request, for: clock.time.uptime() - start, at: clock.now)
      }
    }
    do throws(RequestRunner.Refusal) {
      var call = try router.runner.admit(pending.routed)
      if case .done(let outcome) = router.runner.read(call) { return finish(pending, outcome) }
      guard let kept = postpone(pending) else { return finish(pending, busy(pending)) }
      call.routed = kept.routed
      deferred.add(waiting: (kept, call))
      return 0
    } catch {
      return finish(pending, error.outcome)
    }
  }

  private func admit(_ kept: PendingRequest) {
    hasRun = true
    do throws(RequestRunner.Refusal) {
      deferred.add(change: (kept, try router.runner.admit(kept.routed)))
    } catch {
      release(kept, error.outcome)
    }
  }

  private func outcome(_ status: Int, _ failure: Failure, of pending: PendingRequest) -> Outcome {
    let runner = router(of: pending.connection).runner
    return Outcome(
      runner.errorResponse(status, failure, backend: pending.backend, pending.request), failure)
  }

  private func client(of pending: PendingRequest) -> ClientNetwork? {
    guard usage.needsAddress else { return nil }
    return configuration.origins.client(of: pending.request, from: pending.connection.peer)?.network
  }

  private func refusal(of pending: PendingRequest, _ excess: UsageCounts.Excess) -> Outcome {
    exchanges.metrics?.add(excess)
    var outcome = outcome(429, excess.failure, of: pending)
    outcome.response.headers["Retry-After"] = excess.retryAfter
    return outcome
  }

  /// Logs and limits unknown tokens, and returns the response to send.
  private func limitingUnknownTokens(_ pending: PendingRequest, _ outcome: Outcome) -> Outcome {
    guard outcome.failure?.cause == .unknownToken else { return outcome }
    exchanges.metrics?.unknownTokens += 1
    if let excess = usage.useWrongToken(client(of: pending), at: clock.now) {
      return refusal(of: pending, excess)
    }
    let address = configuration.origins.client(of: pending.request, from: pending.connection.peer)
    configuration.logUnknownToken?(suite(of: pending) ?? "", address?.host ?? "")
    return outcome
  }

  /// Replaces a status that is not a final one of HTTP, which is a defect of the handler.
  private func replacingInvalidStatus(_ pending: PendingRequest, _ outcome: Outcome) -> Outcome {
    let status = outcome.response.status
    guard !(200...599).contains(status) else { return outcome }
    var defect = self.outcome(500, Failure(.defect, "status \(status)"), of: pending)
    defect.user = outcome.user
    return defect
  }

  private func finish(_ pending: PendingRequest, _ outcome: Outcome) -> Int {
    let (connection, request) = (pending.connection, pending.request)
    let outcome = replacingInvalidStatus(pending, limitingUnknownTokens(pending, outcome))
    let (response, failure) = (outcome.response, outcome.failure)
    if failure?.storageProblem == .full { configuration.monitor?.noteFull() }
    if response.status >= 500, let failure, pending.fault.outcome == nil {
      configuration.logFailure?(failure)
    }
    var queued = QueuedResponse(response)
    if pending.fault.outcome == .garbage {
      let page = "<!doctype html><title>Garbage</title>\u{0}"
      queued.response = Response(
        200, headers: ["Content-Type": "text/html", "Content-Security-Policy": "default-src 'none'"],
        body: Array(page.utf8))
    }
    queued.omitsBody = request.method == .head
    queued.delay = pending.fault.delay
    queued.isDropped = pending.fault.outcome == .drop
    exchanges.addRecord(
      to: &queued, pending, suite: suite(of: pending),
      route: router(of: pending.connection).runner.pattern(of: pending.routed),
      user: outcome.user, failure)
    if isDraining {
      queued.persistence = .close
      connection.closing = .linger
    } else if !request.head.keepsAlive {
      queued.persistence = .close
      connection.closing = .close
    } else if request.head.minorVersion == 0 {
      queued.persistence = .keepAlive
    }
    // The requests after a delayed one wait, as for a slow service.
    connection.isDelayed = queued.delay > .zero
    let size = queued.response.body.count
    if size > ResponseEncoder.copiedBodyLimit {
      let shared = unsent.share(queued.response.body)
      // Frees the handler's storage if an equal body exists.
      queued.response.body = shared.bytes
      queued.sharedBody = shared
    }
    bytes += size
    append(queued, to: connection)
    return size
  }

  private func busy(_ pending: PendingRequest) -> Outcome {
    outcome(503, Failure(.storage, "the store is busy", retryable: true), of: pending)
  }

  /// Makes the connection wait. Returns the request in a copy, or nil if the copies would exceed the limit.
  private func postpone(_ pending: PendingRequest) -> PendingRequest? {
    guard pendingBytes + pending.request.count <= configuration.incompleteLimit else { return nil }
    pendingBytes += pending.request.count
    pending.connection.isDelayed = true
    newlyDelayed.append(pending.connection)
    return pending.detached
  }

  /// Ends the wait of a request with its response, which is dropped if the client has disconnected.
  private func release(_ pending: PendingRequest, _ outcome: Outcome) {
    pendingBytes -= pending.request.count
    _ = finish(pending, outcome)
  }

  func takeNewlyDelayed() -> [Connection] {
    defer { newlyDelayed.removeAll(keepingCapacity: true) }
    return newlyDelayed
  }

  var nextAttempt: Duration? { deferred.nextAttempt }

  func dispatch() { workers?.dispatch() }

  func collect() {
    for result in workers?.takeResults() ?? [] {
      if let pending = submitted.removeValue(forKey: result.number) { release(pending, result.outcome) }
    }
  }

  /// Fails requests that no worker could begin in time: the store cannot be reached, or is overloaded.
  func expire() {
    let reportStart = clock.now - configuration.reportTimeout
    releaseReports(.unreachable) { $0.start <= reportStart }
    let start = clock.now - Turn.queueTimeout
    let expired = Set(submitted.lazy.filter { $0.value.start < start }.map(\.key))
    for number in workers?.remove(expired) ?? [] {
      guard let pending = submitted.removeValue(forKey: number) else { continue }
      release(pending, busy(pending))
    }
  }

  private func router(of connection: Connection) -> Router {
    connection.isForMetrics ? metricsRouter : router
  }

  private func suite(of pending: PendingRequest) -> String? {
    pending.backend.map { router(of: pending.connection).runner.backends[$0].suite }
  }

  private func respondToReport(_ pending: PendingRequest) -> Int {
    let runner = router(of: pending.connection).runner
    guard let report = runner.pattern(of: pending.routed).flatMap(SelfReport.init(rawValue:)) else {
      return finish(pending, runner.outcome(of: pending.routed))
    }
    guard let monitor = configuration.monitor, [.readiness, .metrics].contains(report),
      !(report == .readiness && isDraining)
    else { return finish(pending, response(to: report, StoreMonitor.Report())) }
    guard var kept = postpone(pending) else { return finish(pending, response(to: report, .unreachable)) }
    kept.report = report
    pendingReports.append(kept)
    monitor.request()
    return 0
  }

  private func response(to report: SelfReport, _ store: StoreMonitor.Report) -> Outcome {
    switch report {
    case .health: return .init(SelfReport.response(200, "ok\n"))
    case .name: return .init(SelfReport.response(200, "hw serve: 'man hw-routes' describes this service\n"))
    case .metrics:
      let text = exchanges.metrics?.text(connections: connections.count, store) ?? ""
      return .init(SelfReport.response(200, text, type: MetricsText.mediaType))
    case .readiness:
      if isDraining { return .init(SelfReport.response(503, "stopping\n")) }
      if !store.isReachable { return .init(SelfReport.response(503, "the store cannot be reached\n")) }
      if store.isFull { return .init(SelfReport.response(503, "the disk of the store is full\n")) }
      return .init(SelfReport.response(200, "ready\n"))
    }
  }

  func collectReports() {
    while let report = configuration.monitor?.next() { releaseReports(report) { _ in true } }
  }

  private func releaseReports(_ store: StoreMonitor.Report, where isDue: (PendingRequest) -> Bool) {
    let due = pendingReports.filter(isDue)
    pendingReports.removeAll(where: isDue)
    for pending in due {
      if let report = pending.report { release(pending, response(to: report, store)) }
    }
  }

  /// Runs the changes of the turn, and passes its responses to `send`. Those that are appended meanwhile belong to the
  /// next turn.
  func end(_ send: ([Entry]) -> Void) {
    if deferred.nextAttempt != nil { hasRun = true }
    for pending in deferred.removeAbandoned(at: clock.now) { pendingBytes -= pending.request.count }
    for (pending, outcome) in deferred.run(router.runner, at: clock.now) { release(pending, outcome) }
    if hasRun { router.runner.turnEnded() }
    hasRun = false
    guard !entries.isEmpty else { return }
    var ended = entries
    entries = []
    bytes = 0
    send(ended)
    // Reuses the storage.
    guard entries.isEmpty else { return }
    ended.removeAll(keepingCapacity: true)
    entries = ended
  }
}
