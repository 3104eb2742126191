import System

/// Serves HTTP/1.1 on one or more addresses: one thread, one event loop.
///
/// A turn of the loop reads from every connection that is ready (`RequestReader`), calls the handlers of all whole
/// requests, at most one batch for each connection (`Turn`), and then sends each connection its responses in one piece
/// (`ResponseSender`). The server does not read from a client that does not accept its responses, so the
/// memory of one connection is bounded; the configuration bounds the total.
public final class Server {
  private let configuration: ServerConfiguration
  private let clock: LoopClock
  private let sockets: ServerSockets
  private let queue: EventQueue
  private let turn: Turn
  private let reader: RequestReader
  private let sender: ResponseSender
  private let exchanges: ExchangeLog
  let unsent = UnsentBytes()
  let connections: ConnectionTable
  let connectionLimit: Int

  private var nextTick = Duration.zero
  private var isAccepting = true
  /// The table's `closedCount` when descriptors ran out. A higher one resumes accepting.
  private var closedCountAtPause = 0
  private var drainEnd: Duration?
  private var drainStart = Duration.zero
  private var hasClosedIdle = false
  private var nextWatchdogPing: Duration?
  /// Idle connections, the longest idle last, to close for new ones when the table is full. Found at most once a turn.
  private var displaceable: [Connection]?

  private static let eventsPerTurn = 128
  private static let acceptsPerTurn = 64
  private static let monitorToken: UInt64 = 0
  private static let stopToken: UInt64 = 1
  private static let workerTokens: Range<UInt64> = 2..<1024
  private static let listenerTokens: Range<UInt64> = 1024..<2048

  /// Creates a server on listening sockets, which it closes at the end. With `workers`, the handlers of all backends
  /// that use a store run there, and not in the event loop.
  public init(
    _ router: Router, workers: WorkerPool? = nil, on sockets: ServerSockets,
    _ configuration: ServerConfiguration
  ) throws(Failure) {
    // `Turn` expects the backend of the reports last.
    let router = Router(router.runner.backends + [ReportBackend.service], access: router.runner.access)
    self.sockets = sockets
    self.configuration = configuration
    clock = LoopClock(configuration.time)
    // Reserves descriptors for others: the standard streams, a database, a child.
    connectionLimit = max(1, min(configuration.connections, DescriptorLimit.raise() - 32))
    do throws(SystemError) {
      queue = try EventQueue(capacity: Server.eventsPerTurn)
      for (token, listener) in zip(Server.listenerTokens, sockets.all) {
        try queue.add(listener.descriptor, .reading, token: token)
      }
      if let monitor = configuration.monitor {
        try queue.add(monitor.descriptor, .reading, token: Server.monitorToken)
      }
      if let stop = configuration.stopSignal { try queue.add(stop, .reading, token: Server.stopToken) }
      for (token, descriptor) in zip(Server.workerTokens, workers?.descriptors ?? []) {
        try queue.add(descriptor, .reading, token: token)
      }
    } catch {
      for listener in sockets.all { listener.close() }
      throw Failure(.connection, "cannot wait for connections: \(error.text)")
    }
    exchanges = ExchangeLog(
      configuration,
      sockets.metrics == nil
        ? nil : ServerMetrics(startTime: configuration.time.now(), version: configuration.version))
    connections = ConnectionTable(queue, countsNetworks: configuration.limits.connectionsPerAddress != nil)
    turn = Turn(
      configuration, clock, router, workers, unsent, exchanges, connections,
      metricsAddress: sockets.metrics?.address)
    reader = RequestReader(configuration, clock, connections, turn)
    sender = ResponseSender(configuration, clock, connections, unsent, exchanges)
  }

  /// The first address; port 0 has become a number.
  public var address: SocketAddress { sockets.service[0].address }

  /// The first address as a value of `HW_URL`: `http://127.0.0.1:7400`, `unix:/path`.
  public var url: String { Server.url(address) }

  public var urls: [String] { sockets.service.map { Server.url($0.address) } }

  public var metricsURL: String? {
    sockets.metrics.map { "\(Server.url($0.address))\(SelfReport.metrics.rawValue)" }
  }

  private static func url(_ address: SocketAddress) -> String {
    address.family == .unix ? "\(address)" : "http://\(address)"
  }

  /// Serves until a signal or `stopSignal`, and then finishes requests within the grace period, or to a second signal.
  public func run() throws(Failure) {
    defer { closeAll() }
    Interruption.allowLongCleanUp()
    configuration.serviceManager?.notify(.ready)
    while true {
      do throws(SystemError) {
        try runTurn(waitingAtMost: .seconds(1))
        if Interruption.pending != nil { startDraining() }
      } catch .interrupted {
        if drainEnd != nil { return }
        startDraining()
      } catch {
        throw Failure(.connection, "cannot wait for events: \(error.text)")
      }
      if let drainEnd, connections.isEmpty || clock.now >= drainEnd { return }
    }
  }

  /// Runs one turn of the loop. `limit` bounds its wait, so that a signal just before the wait is noticed soon.
  func runTurn(waitingAtMost limit: Duration) throws(SystemError) {
    let count = try queue.wait(milliseconds: timeout(atMost: limit))
    clock.advance()
    if clock.now >= nextTick { tick() }
    pingWatchdog()
    displaceable = nil
    reader.startTurn()
    for index in 0..<count { handle(queue[index]) }
    reader.resumeBacklog()
    reader.enforceLimit()
    turn.end { sender.send($0) }
    sender.resume()
    for connection in turn.takeNewlyDelayed() { sender.settle(connection) }
    turn.dispatch()
    sender.sendDue()
    sender.enforceLimit()
    // While events are left, a socket that looks idle may hold an unread request.
    if drainEnd != nil, count < Server.eventsPerTurn, !reader.hasPostponed {
      let awaitsFirstRequests = clock.now < drainStart + configuration.firstRequestGrace
      for connection in connections.all where connection.isIdle {
        // The first request of a new connection may be on its way.
        if !connection.hasSentRequest, awaitsFirstRequests { continue }
        connections.close(connection)
      }
      hasClosedIdle = true
    }
    if connections.closedCount != closedCountAtPause { resumeAccepting() }
  }

  func timeout(atMost limit: Duration) -> Int32 {
    // A server that stops does not wait before it has closed idle connections once.
    guard !connections.hasBacklog, drainEnd == nil || hasClosedIdle else { return 0 }
    var wait = min(limit, nextTick - clock.now)
    if let drainEnd { wait = min(wait, drainEnd - clock.now) }
    for due in [sender.nextDue, turn.nextAttempt, nextWatchdogPing] {
      if let due { wait = min(wait, due - clock.now) }
    }
    return wait.pollMilliseconds
  }

  private func handle(_ event: EventQueue.Event) {
    switch event.token {
    case Server.listenerTokens:
      let index = Int(event.token - Server.listenerTokens.lowerBound)
      if drainEnd == nil { accept(sockets.all[index]) }
    case Server.monitorToken: turn.collectReports()
    case Server.stopToken: startDraining()
    case Server.workerTokens: turn.collect()
    default:
      guard let connection = connections[event.token] else { return }
      switch connection.state {
      case .reading where event.isReadable || event.isBroken: reader.read(connection)
      case .writing where event.isWritable: sender.noteWritable(connection)
      case .lingering where event.isReadable || event.isBroken: reader.discard(connection)
      case .writing where event.isBroken, .delayed where event.isBroken: connections.close(connection)
      default: break
      }
    }
  }

  /// Sets the date and ends connections that timed out. Runs once a second.
  private func tick() {
    let time = configuration.time.now()
    nextTick = clock.now + .seconds(1) - .nanoseconds(Int64(time.nanoseconds))
    sender.setDate(time)
    for connection in connections.all {
      guard let deadline = connection.deadline, deadline <= clock.now else { continue }
      if connection.isIdle || connection.state != .reading {
        connections.close(connection)
      } else {
        reader.reject(connection, .timeout)
      }
    }
    turn.expire()
    configuration.everySecond?()
    sender.closeSlow()
    resumeAccepting()
  }

  /// Accepts a bounded number of connections. Without a free descriptor it stops listening until a connection closes or
  /// a second has passed, instead of receiving the same event again and again.
  private func accept(_ listener: Listener) {
    let isForMetrics = listener.descriptor == sockets.metrics?.descriptor
    for _ in 0..<Server.acceptsPerTurn {
      do throws(SystemError) {
        let (socket, peer) = try listener.accept()
        exchanges.metrics?.acceptedConnections += 1
        if !isForMetrics, let excess = excess(of: peer) {
          exchanges.metrics?.add(excess)
          reject(socket, from: peer, RequestError(429, excess.failure.message), retryAfter: excess.retryAfter)
          continue
        }
        if connections.count >= connectionLimit { displaceIdleConnection() }
        guard connections.count < connectionLimit else {
          reject(socket, from: peer, RequestError(503, "too many connections"), retryAfter: "1")
          continue
        }
        connections.add(
          socket, from: peer, isForMetrics: isForMetrics, configuration.requestLimits, at: clock.now,
          deadline: clock.now + configuration.headTimeout)
      } catch .wouldBlock {
        return
      } catch {
        guard error.isExhaustion else { continue }
        isAccepting = false
        closedCountAtPause = connections.closedCount
        listen(for: .nothing)
        return
      }
    }
  }

  private func resumeAccepting() {
    guard !isAccepting, drainEnd == nil else { return }
    isAccepting = true
    listen(for: .reading)
  }

  private func listen(for interest: EventQueue.Interest) {
    for (token, listener) in zip(Server.listenerTokens, sockets.all) {
      try? queue.change(listener.descriptor, interest, token: token)
    }
  }

  /// Returns the limit that one more connection of a client exceeds. A proxy has the connections of all its clients.
  private func excess(of peer: SocketAddress?) -> UsageCounts.Excess? {
    guard let limit = configuration.limits.connectionsPerAddress, let peer, let network = peer.network,
      !configuration.origins.isProxy(peer), connections.count(of: network) >= limit
    else { return nil }
    return UsageCounts.Excess(limit: .connections, wait: .seconds(1))
  }

  /// Closes the connection that has been idle longest and has no unread request.
  private func displaceIdleConnection() {
    var candidates = displaceable ?? connections.all.filter(\.isIdle).sorted { $0.idleSince > $1.idleSince }
    defer { displaceable = candidates }
    while let connection = candidates.popLast() {
      guard connection.isIdle, connection.socket.unreadCount == 0 else { continue }
      return connections.close(connection)
    }
  }

  private func reject(_ socket: Socket, from peer: SocketAddress?, _ error: RequestError, retryAfter: String)
  {
    exchanges.metrics?.rejectedConnections += 1
    var rejection = QueuedResponse.rejection(error, retryAfter: retryAfter)
    exchanges.addRecord(toRejection: &rejection, from: peer, error.reason, at: clock.now)
    reader.discard(socket)
    sender.send(rejection, to: socket)
    socket.finishSending()
    socket.close()
  }

  private func startDraining() {
    guard drainEnd == nil else { return }
    configuration.serviceManager?.notify(.stopping)
    // Connections that wait to be accepted are in progress too, unless another process will accept them.
    for listener in sockets.all where !listener.isInherited { accept(listener) }
    drainStart = clock.now
    drainEnd = clock.now + configuration.grace
    turn.isDraining = true
    if let stop = configuration.stopSignal { try? queue.remove(stop) }
    for listener in sockets.all {
      try? queue.remove(listener.descriptor)
      listener.close()
    }
  }

  private func pingWatchdog() {
    guard let manager = configuration.serviceManager, let interval = manager.watchdogInterval else { return }
    if let nextWatchdogPing, clock.now < nextWatchdogPing { return }
    manager.notify(.alive)
    nextWatchdogPing = clock.now + interval
  }

  func closeAll() {
    for connection in connections.all { connections.close(connection) }
    guard drainEnd == nil else { return }
    for listener in sockets.all { listener.close() }
  }
}
