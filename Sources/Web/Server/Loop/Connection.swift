import System

/// A client's connection between two events. An idle connection holds no buffer: bytes are read into and written from
/// buffers that all connections share, and only the rest is stored here.
final class Connection {
  let socket: Socket
  let token: UInt64
  let peer: SocketAddress?
  let isForMetrics: Bool
  /// Start of the idle time; undefined while busy.
  var idleSince: Duration
  var hasSentRequest = false
  /// Whether a request of this turn is without a response to the socket so far; `settle` ends that.
  var hasPendingResponse = false
  fileprivate(set) var state = State.reading
  var input: UnparsedInput
  var output = UnsentOutput()
  var rate = TransferRate()
  /// Whether other connections are sent to first, although this socket accepts more. `rate` omits that time.
  var isPassedOver = false
  /// Whether the response to the last request is not ready. The requests after it wait.
  var isDelayed = false
  /// The timeout; nil if something else ends the wait.
  var deadline: Duration?
  var closing = Closing.open
  fileprivate(set) var isInBacklog = false
  /// Bytes of `input` that the table has counted.
  fileprivate var inputCount = 0

  enum State {
    case reading
    /// Waits until the client accepts the unsent bytes; nothing is read from it meanwhile.
    case writing
    case delayed
    /// Everything is sent. Discards what the client still sends, so that a reset does not overtake the response.
    case lingering
    case closed
  }

  enum Closing {
    case open
    case close
    case linger
  }

  fileprivate init(
    _ socket: Socket, token: UInt64, peer: SocketAddress?, isForMetrics: Bool, limits: RequestLimits,
    at now: Duration, deadline: Duration
  ) {
    self.socket = socket
    self.token = token
    self.peer = peer
    self.isForMetrics = isForMetrics
    idleSince = now
    self.deadline = deadline
    input = UnparsedInput(limits)
  }

  /// Whether every request has its response, and no part of another has arrived.
  var isIdle: Bool { state == .reading && input.isEmpty && !hasPendingResponse }
}

/// The open connections, by the token of their events. A slot is reused, a token never: a pending event of a closed
/// connection finds none.
///
/// The table also registers the events that each connection waits for, and keeps the backlog: connections with whole
/// requests for the next turn.
final class ConnectionTable {
  private let queue: EventQueue
  private var slots: [Connection?] = []
  private var free: [Int] = []
  private var generation: UInt64 = 0
  private var backlog: [Connection] = []
  private(set) var count = 0
  /// Bytes of requests without a response, of all connections together.
  private(set) var inputCount = 0
  private(set) var closedCount = 0
  private var networks: [ClientNetwork: Int]?

  init(_ queue: EventQueue, countsNetworks: Bool) {
    self.queue = queue
    networks = countsNetworks ? [:] : nil
  }

  func count(of network: ClientNetwork) -> Int { networks?[network] ?? 0 }

  private func changeNetworkCount(of connection: Connection, by change: Int) {
    guard !connection.isForMetrics, let network = connection.peer?.network else { return }
    let count = (networks?[network] ?? 0) + change
    networks?[network] = count == 0 ? nil : count
  }

  var isEmpty: Bool { count == 0 }
  var all: [Connection] { slots.compactMap { $0 } }

  subscript(_ token: UInt64) -> Connection? {
    let slot = ConnectionTable.slot(of: token)
    guard slot < slots.count, let connection = slots[slot], connection.token == token else { return nil }
    return connection
  }

  private static func slot(of token: UInt64) -> Int { Int(token & 0xFF_FFFF) }

  func add(
    _ socket: Socket, from peer: SocketAddress?, isForMetrics: Bool, _ limits: RequestLimits,
    at now: Duration, deadline: Duration
  ) {
    let slot = free.popLast() ?? slots.count
    // The tokens of generation 0 are the server's own.
    generation &+= 1
    let token = (generation &<< 24) | UInt64(slot)
    let connection = Connection(
      socket, token: token, peer: peer, isForMetrics: isForMetrics, limits: limits, at: now,
      deadline: deadline)
    if slot == slots.count { slots.append(connection) } else { slots[slot] = connection }
    count += 1
    changeNetworkCount(of: connection, by: 1)
    do throws(SystemError) {
      try queue.add(socket.descriptor, .reading, token: token)
    } catch {
      close(connection)
    }
  }

  func change(_ connection: Connection, to state: Connection.State, waitingFor interest: EventQueue.Interest)
  {
    guard connection.state != state else { return }
    connection.state = state
    do throws(SystemError) {
      try queue.change(connection.socket.descriptor, interest, token: connection.token)
    } catch {
      close(connection)
    }
  }

  func close(_ connection: Connection) {
    guard connection.state != .closed else { return }
    connection.state = .closed
    connection.input.clear()
    connection.output.clear()
    countInput(of: connection)
    let slot = ConnectionTable.slot(of: connection.token)
    slots[slot] = nil
    free.append(slot)
    count -= 1
    changeNetworkCount(of: connection, by: -1)
    closedCount += 1
    // Closing removes the socket from the queue as well.
    connection.socket.close()
  }

  func countInput(of connection: Connection) {
    let count = connection.input.count
    inputCount += count - connection.inputCount
    connection.inputCount = count
  }

  var hasBacklog: Bool { !backlog.isEmpty }

  func addToBacklog(_ connection: Connection) {
    connection.isInBacklog = true
    backlog.append(connection)
  }

  func takeBacklog() -> [Connection] {
    var waiting: [Connection] = []
    // A connection that is listed twice is taken once. `settle` adds those that do not read now.
    for connection in backlog where connection.isInBacklog && connection.state == .reading {
      connection.isInBacklog = false
      waiting.append(connection)
    }
    backlog.removeAll(keepingCapacity: true)
    return waiting
  }
}
