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
