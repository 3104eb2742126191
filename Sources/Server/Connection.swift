import System

/// One client, between two events. An idle connection holds no buffer at all: bytes are read into and written from
/// buffers that all share, and only what is left over is kept here.
final class Connection {
  let socket: Socket
  let token: UInt64
  var state = State.reading
  var parser: RequestParser
  /// Received, but not answered yet: the beginning of a request, or requests that wait for their turn.
  var pending: [UInt8] = []
  /// Whole requests may be among `pending`.
  var hasBacklog = false
  /// Answers that the socket did not take yet; `body` follows `output`, and of both together `sent` bytes are gone.
  var output: [UInt8] = []
  var body: [UInt8] = []
  var sent = 0
  var requestSince: Duration?
  var saidContinue = false
  /// A fault holds the answer to the last request back; those behind it wait.
  var isHeld = false
  /// When it has waited too long; nil where something else ends the wait.
  var deadline: Duration?
  /// How the connection ends once everything is sent.
  var ending = Closing.open

  enum State {
    /// For a request, or the rest of one.
    case reading
    /// Until the client takes what is there; nothing more is read from it meanwhile.
    case writing
    /// Until the answer that a fault holds back is due.
    case held
    /// Everything is said; what the client still sends is thrown away, so that a reset does not overtake the answer.
    case lingering
    case closed
  }

  enum Closing {
    case open
    case close
    /// The client may be sending still.
    case linger
  }

  init(_ socket: Socket, token: UInt64, limits: RequestLimits, deadline: Duration) {
    self.socket = socket
    self.token = token
    self.deadline = deadline
    parser = RequestParser(limits)
  }

  /// Nothing has been asked that is not answered.
  var isIdle: Bool { state == .reading && pending.isEmpty }

  var hasOutput: Bool { sent < output.count + body.count }
}

/// The connections, by the token that events carry. A place is used again, a token never: an event that was under
/// way when its connection closed finds nobody.
struct ConnectionTable {
  private var places: [Connection?] = []
  private var free: [Int] = []
  private var generation: UInt64 = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }
  var all: [Connection] { places.compactMap { $0 } }

  subscript(_ token: UInt64) -> Connection? {
    let place = Int(token & 0xFF_FFFF)
    guard place < places.count, let connection = places[place], connection.token == token else { return nil }
    return connection
  }

  mutating func insert(_ socket: Socket, _ limits: RequestLimits, deadline: Duration) -> Connection {
    let place = free.popLast() ?? places.count
    // From 1 on: the tokens of generation 0 are the server's own.
    generation &+= 1
    let token = (generation &<< 24) | UInt64(place)
    let connection = Connection(socket, token: token, limits: limits, deadline: deadline)
    if place == places.count { places.append(connection) } else { places[place] = connection }
    count += 1
    return connection
  }

  mutating func remove(_ connection: Connection) {
    let place = Int(connection.token & 0xFF_FFFF)
    guard self[connection.token] != nil else { return }
    places[place] = nil
    free.append(place)
    count -= 1
  }
}
