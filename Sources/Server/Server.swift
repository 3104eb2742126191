import HTTP
import System

/// Answers HTTP/1.1 on one address: one thread, one event loop.
///
/// A turn of the loop reads from every connection that is ready, calls the handlers of all whole requests (at most a
/// batch for each connection), then `turnEnded`, and then sends each connection its answers in one piece. A client
/// that does not take its answers is not read from; so what one connection can hold is bounded.
public final class Server {
  let configuration: ServerConfiguration
  let router: Router
  let listener: Listener
  let queue: EventQueue
  var faults: FaultPlan
  let mostConnections: Int

  var connections = ConnectionTable()
  /// Shared by all connections, one after the other.
  var input = [UInt8](repeating: 0, count: 64 * 1024)
  var outgoing: [UInt8] = []
  var encoder = ResponseEncoder()

  /// What this turn brought: each connection's answers stand together, in the order of its requests.
  var answers: [(connection: Connection, answer: Answer)] = []
  /// Connections with whole requests left over from their last batch.
  var backlog: [Connection] = []
  /// Answers that a fault holds back, the next one due first.
  var delayed: [(due: Duration, connection: Connection, answer: Answer)] = []

  var now: Duration
  private var nextTick = Duration.zero
  private var isAccepting = true
  /// Set once the server has been asked to stop.
  private(set) var drainsUntil: Duration?
  private var hasClosedIdle = false

  private static let eventsPerTurn = 128
  private static let acceptsPerTurn = 64
  private static let listenerToken: UInt64 = 0
  private static let stopToken: UInt64 = 1

  /// Listens, and says why it cannot; nobody is answered before `run`.
  public init(_ router: Router, on address: ListenAddress, _ configuration: ServerConfiguration)
    throws(Failure)
  {
    self.configuration = configuration
    self.router = router
    faults = configuration.faults
    now = configuration.time.uptime()
    // Some descriptors are for others: the standard streams, a database, a child.
    mostConnections = max(1, min(configuration.connections, DescriptorLimit.raise() - 32))
    listener = try Listener(address.socket)
    do throws(SystemError) {
      queue = try EventQueue(capacity: Server.eventsPerTurn)
      try queue.add(listener.descriptor, .reading, token: Server.listenerToken)
      if let stop = configuration.stopSignal { try queue.add(stop, .reading, token: Server.stopToken) }
    } catch {
      listener.close()
      throw Failure(.connection, "cannot wait for connections: \(error.text)")
    }
    outgoing.reserveCapacity(2 * ResponseEncoder.copiedBody)
  }

  /// Where it listens; port 0 has become a number.
  public var address: SocketAddress { listener.address }

  /// As `HW_URL` takes it: `http://127.0.0.1:7400`, `unix:/path`.
  public var url: String { address.family == .unix ? "\(address)" : "http://\(address)" }

  /// Answers until a signal or `stopSignal` asks to stop; then requests in flight finish, within the grace. A second
  /// signal ends it at once.
  public func run() throws(Failure) {
    defer { closeAll() }
    while true {
      do throws(SystemError) {
        try turn(waitingAtMost: .seconds(1))
        if Interruption.pending != nil { beginDraining() }
      } catch .interrupted {
        if drainsUntil != nil { return }
        beginDraining()
      } catch {
        throw Failure(.connection, "cannot wait for events: \(error.text)")
      }
      if let drainsUntil, connections.isEmpty || now >= drainsUntil { return }
    }
  }

  /// One turn of the loop. It waits a second at most: a signal that falls between the check and the wait is seen
  /// soon all the same.
  func turn(waitingAtMost limit: Duration) throws(SystemError) {
    let count = try queue.wait(milliseconds: patience(limit))
    now = configuration.time.uptime()
    if now >= nextTick { tick() }
    for index in 0..<count { handle(queue[index]) }
    resumeBacklog()
    endTurn()
    sendDue()
    // While events are left, a request may stand unread in a socket that looks idle.
    if drainsUntil != nil, count < Server.eventsPerTurn {
      for connection in connections.all where connection.isIdle { close(connection) }
      hasClosedIdle = true
    }
  }

  private func patience(_ limit: Duration) -> Int32 {
    guard backlog.isEmpty, drainsUntil == nil || hasClosedIdle else { return 0 }
    var wait = min(limit, nextTick - now)
    if let drainsUntil { wait = min(wait, drainsUntil - now) }
    if let first = delayed.first { wait = min(wait, first.due - now) }
    // Rounded up: waking too early would mean waking twice.
    return Int32(clamping: Int((max(wait, .zero) / .milliseconds(1)).rounded(.up)))
  }

  private func handle(_ event: EventQueue.Event) {
    switch event.token {
    case Server.listenerToken: if drainsUntil == nil { accept() }
    case Server.stopToken: beginDraining()
    default:
      guard let connection = connections[event.token] else { return }
      switch connection.state {
      case .reading where event.isReadable || event.isBroken: read(connection)
      case .writing where event.isWritable: continueWriting(connection)
      case .lingering where event.isReadable || event.isBroken: discard(connection)
      case .writing where event.isBroken, .held where event.isBroken: close(connection)
      default: break
      }
    }
  }

  /// Once a second: the date, and whoever took too long.
  private func tick() {
    let time = configuration.time.now()
    nextTick = now + .seconds(1) - .nanoseconds(Int64(time.nanoseconds))
    encoder.setDate(time)
    for connection in connections.all {
      guard let deadline = connection.deadline, deadline <= now else { continue }
      if connection.isIdle || connection.state != .reading {
        close(connection)
      } else {
        refuse(connection, .timeout)
      }
    }
    resumeAccepting()
  }
}

extension Server {
  /// Takes in who waits, a bounded number a turn. Without a descriptor left it stops listening until a connection
  /// ends or a second has passed, rather than be told again and again.
  private func accept() {
    for _ in 0..<Server.acceptsPerTurn {
      do throws(SystemError) {
        let socket = try listener.accept()
        guard connections.count < mostConnections else {
          turnAway(socket)
          continue
        }
        let connection = connections.insert(
          socket, configuration.limits, deadline: now + configuration.headTimeout)
        do throws(SystemError) {
          try queue.add(socket.descriptor, .reading, token: connection.token)
        } catch {
          close(connection)
        }
      } catch .wouldBlock {
        return
      } catch {
        guard error.isExhaustion else { continue }
        isAccepting = false
        try? queue.change(listener.descriptor, .nothing, token: Server.listenerToken)
        return
      }
    }
  }

  func resumeAccepting() {
    guard !isAccepting, drainsUntil == nil else { return }
    isAccepting = true
    try? queue.change(listener.descriptor, .reading, token: Server.listenerToken)
  }

  /// One connection too many.
  private func turnAway(_ socket: Socket) {
    var response = ErrorStyle.json.answer(503, Failure(.connection, "too many connections"), true)
    response.headers["Retry-After"] = "1"
    var answer = Answer(response)
    answer.connection = .closes
    outgoing.removeAll(keepingCapacity: true)
    _ = encoder.encode(answer, into: &outgoing)
    // What has come is read first: closing over unread bytes would reset the connection and lose the answer.
    _ = try? Server.receive(socket, &input)
    _ = try? send(socket, outgoing, [], from: 0)
    socket.finishSending()
    socket.close()
  }

  /// Stops listening, and lets what is under way finish.
  private func beginDraining() {
    guard drainsUntil == nil else { return }
    // Whoever has connected already is under way too.
    accept()
    drainsUntil = now + configuration.grace
    if let stop = configuration.stopSignal { try? queue.remove(stop) }
    try? queue.remove(listener.descriptor)
    listener.close()
  }

  /// Leaves nothing open, once there will be no more turns.
  func closeAll() {
    for connection in connections.all { close(connection) }
    if drainsUntil == nil { listener.close() }
  }
}
