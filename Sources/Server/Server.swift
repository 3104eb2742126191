import HTTP
import System

/// Serves HTTP/1.1 on one address: one thread, one event loop.
///
/// A turn of the loop reads from every connection that is ready (`RequestReader`), calls the handlers of all whole
/// requests, at most one batch for each connection, commits (`Turn`), and then sends each connection its responses in
/// one piece (`ResponseSender`). The server does not read from a client that does not accept its responses, so the
/// memory of one connection is bounded; the configuration bounds that of all together.
public final class Server {
  private let configuration: ServerConfiguration
  private let clock: TurnClock
  private let listener: Listener
  private let queue: EventQueue
  private let turn: Turn
  private let reader: RequestReader
  private let sender: ResponseSender
  let unsent = UnsentBytes()
  let connections: ConnectionTable
  let connectionLimit: Int

  private var nextTick = Duration.zero
  private var isAccepting = true
  /// The table's `closedCount` when the server ran out of descriptors.
  private var closedCountAtPause = 0
  /// Set once the server has been asked to stop.
  private var drainEnd: Duration?
  private var hasClosedIdle = false

  private static let eventsPerTurn = 128
  private static let acceptsPerTurn = 64
  private static let listenerToken: UInt64 = 0
  private static let stopToken: UInt64 = 1
  /// The tokens of connections are larger by far.
  private static let workerTokens: Range<UInt64> = 2..<1024

  /// Listens, or throws the reason why it cannot; requests are served by `run`. With `workers`, the handlers of all
  /// backends that use a store run there, and not in the event loop.
  public init(
    _ router: Router, workers: WorkerPool? = nil, on address: ListenAddress,
    _ configuration: ServerConfiguration
  ) throws(Failure) {
    self.configuration = configuration
    clock = TurnClock(configuration.time)
    // Some descriptors are reserved for others: the standard streams, a database, a child.
    connectionLimit = max(1, min(configuration.connections, DescriptorLimit.raise() - 32))
    listener = try Listener(address.socket)
    do throws(SystemError) {
      queue = try EventQueue(capacity: Server.eventsPerTurn)
      try queue.add(listener.descriptor, .reading, token: Server.listenerToken)
      if let stop = configuration.stopSignal { try queue.add(stop, .reading, token: Server.stopToken) }
      for (token, descriptor) in zip(Server.workerTokens, workers?.descriptors ?? []) {
        try queue.add(descriptor, .reading, token: token)
      }
    } catch {
      listener.close()
      throw Failure(.connection, "cannot wait for connections: \(error.text)")
    }
    connections = ConnectionTable(queue)
    turn = Turn(configuration, clock, router, workers, unsent)
    reader = RequestReader(configuration, clock, connections, turn)
    sender = ResponseSender(configuration, clock, connections, unsent)
  }

  /// The address it listens on; port 0 has become a number.
  public var address: SocketAddress { listener.address }

  /// As a value of `HW_URL`: `http://127.0.0.1:7400`, `unix:/path`.
  public var url: String { address.family == .unix ? "\(address)" : "http://\(address)" }

  /// Serves until a signal or `stopSignal` asks to stop; then requests in progress finish within the grace period. A
  /// second signal ends it immediately.
  public func run() throws(Failure) {
    defer { closeAll() }
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

  /// One turn of the loop. It waits at most a second, so that a signal between the check and the wait is noticed
  /// soon.
  func runTurn(waitingAtMost limit: Duration) throws(SystemError) {
    let count = try queue.wait(milliseconds: timeout(atMost: limit))
    clock.advance()
    if clock.now >= nextTick { tick() }
    reader.startTurn()
    for index in 0..<count { handle(queue[index]) }
    reader.resumeBacklog()
    turn.retryLocked()
    reader.enforceLimit()
    if !turn.isEmpty {
      turn.commit()
      turn.end { sender.send($0) }
    }
    for connection in turn.takeWaiting() { sender.settle(connection) }
    turn.dispatch()
    sender.sendDue()
    sender.enforceLimit()
    // While events are left, a socket that looks idle may hold an unread request.
    if drainEnd != nil, count < Server.eventsPerTurn, !reader.hasPostponed {
      for connection in connections.all where connection.isIdle { connections.close(connection) }
      hasClosedIdle = true
    }
    if connections.closedCount != closedCountAtPause { resumeAccepting() }
  }

  private func timeout(atMost limit: Duration) -> Int32 {
    guard !connections.hasBacklog, drainEnd == nil || hasClosedIdle else { return 0 }
    var wait = min(limit, nextTick - clock.now)
    if let drainEnd { wait = min(wait, drainEnd - clock.now) }
    for due in [sender.nextDue, turn.nextAttempt] {
      if let due { wait = min(wait, due - clock.now) }
    }
    // Rounded up: waking too early would mean waking twice.
    return Int32(clamping: Int((max(wait, .zero) / .milliseconds(1)).rounded(.up)))
  }

  private func handle(_ event: EventQueue.Event) {
    switch event.token {
    case Server.listenerToken: if drainEnd == nil { accept() }
    case Server.stopToken: startDraining()
    case Server.workerTokens: turn.collect()
    default:
      guard let connection = connections[event.token] else { return }
      switch connection.state {
      case .reading where event.isReadable || event.isBroken: reader.read(connection)
      case .writing where event.isWritable: sender.resume(connection)
      case .lingering where event.isReadable || event.isBroken: reader.discard(connection)
      case .writing where event.isBroken, .delayed where event.isBroken: connections.close(connection)
      default: break
      }
    }
  }

  /// Once a second: sets the date and ends connections that timed out.
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
    sender.closeSlow()
    resumeAccepting()
  }

  // MARK: Accepting

  /// Accepts a bounded number of connections. Without a free descriptor it stops listening until a connection closes
  /// or a second has passed, instead of receiving the same event again and again.
  private func accept() {
    for _ in 0..<Server.acceptsPerTurn {
      do throws(SystemError) {
        let socket = try listener.accept()
        guard connections.count < connectionLimit else {
          rejectConnection(socket)
          continue
        }
        connections.add(socket, configuration.limits, deadline: clock.now + configuration.headTimeout)
      } catch .wouldBlock {
        return
      } catch {
        guard error.isExhaustion else { continue }
        isAccepting = false
        closedCountAtPause = connections.closedCount
        try? queue.change(listener.descriptor, .nothing, token: Server.listenerToken)
        return
      }
    }
  }

  private func resumeAccepting() {
    guard !isAccepting, drainEnd == nil else { return }
    isAccepting = true
    try? queue.change(listener.descriptor, .reading, token: Server.listenerToken)
  }

  private func rejectConnection(_ socket: Socket) {
    reader.discard(socket)
    sender.send(.tooManyConnections, to: socket)
    socket.finishSending()
    socket.close()
  }

  // MARK: Stopping

  /// Stops listening, and lets requests in progress finish.
  private func startDraining() {
    guard drainEnd == nil else { return }
    // Connections that wait to be accepted are in progress too.
    accept()
    drainEnd = clock.now + configuration.grace
    turn.isDraining = true
    if let stop = configuration.stopSignal { try? queue.remove(stop) }
    try? queue.remove(listener.descriptor)
    listener.close()
  }

  /// Closes everything, after the last turn.
  func closeAll() {
    for connection in connections.all { connections.close(connection) }
    if drainEnd == nil { listener.close() }
  }
}
