import HTTP
import System

/// The unparsed bytes of a connection: the beginning of a request, or requests that wait.
struct UnparsedInput {
  fileprivate var bytes: [UInt8] = []
  fileprivate var parser: RequestParser
  fileprivate var requestStart: Duration?
  fileprivate var hasSentContinue = false

  init(_ limits: RequestLimits) { parser = RequestParser(limits) }

  var isEmpty: Bool { bytes.isEmpty }

  var count: Int { bytes.count + parser.chunks.count }

  mutating func clear() {
    bytes = []
    parser = RequestParser(parser.limits)
  }

  fileprivate mutating func discardChunks() { parser.discardChunks(from: &bytes) }

  /// Restarts the time of the next request, whose bytes waited for the response before it.
  mutating func restartTimeout() { requestStart = nil }
}

/// The read side of a server: reads whole requests from sockets, and passes them to the turn.
final class RequestReader {
  /// Requests and response bytes of one connection in a batch; the rest waits for the next turn.
  private static var requestsPerBatch: Int { 128 }
  private static var bytesPerBatch: Int { 64 * 1024 }
  /// After so many bytes of responses a turn reads no further socket, and after twice as many it leaves the backlog to
  /// the next one. Otherwise 128 connections that request a large list would need 128 lists at once.
  private static var bytesPerTurn: Int { 4 * 1024 * 1024 }

  private let configuration: ServerConfiguration
  private let clock: LoopClock
  private let connections: ConnectionTable
  private let turn: Turn
  private var buffer = [UInt8](repeating: 0, count: 64 * 1024)

  init(
    _ configuration: ServerConfiguration, _ clock: LoopClock, _ connections: ConnectionTable, _ turn: Turn
  ) {
    self.configuration = configuration
    self.clock = clock
    self.connections = connections
    self.turn = turn
  }

  /// Whether a socket was not read in this turn, because the responses of the turn are too large.
  private(set) var hasPostponed = false

  func read(_ connection: Connection) {
    guard !connection.isInBacklog else { return }
    guard turn.bytes < RequestReader.bytesPerTurn else {
      hasPostponed = true
      return
    }
    let count: Int
    do throws(SystemError) {
      count = try connection.socket.descriptor.read(into: &buffer)
    } catch .wouldBlock {
      return
    } catch {
      return connections.close(connection)
    }
    // The client has finished sending, and every whole request was handled.
    if count == 0 { return connections.close(connection) }
    if connection.input.isEmpty {
      let taken = consume(connection, buffer, count)
      connection.input.bytes = Array(buffer[taken..<count])
    } else {
      connection.input.bytes.append(contentsOf: buffer[0..<count])
      consumeInput(connection)
    }
    updateDeadline(connection)
  }

  func resumeBacklog() {
    for connection in connections.takeBacklog() {
      guard turn.bytes < 2 * RequestReader.bytesPerTurn else {
        connections.addToBacklog(connection)
        continue
      }
      consumeInput(connection)
      updateDeadline(connection)
    }
  }

  func startTurn() { hasPostponed = false }

  /// Rejects incomplete requests, the longest first, until the unanswered bytes are within the limit.
  func enforceLimit() {
    guard connections.inputCount > configuration.incompleteLimit else { return }
    let incomplete = connections.all.filter { $0.state == .reading && !$0.isInBacklog && !$0.input.isEmpty }
    for connection in incomplete.sorted(by: { $0.input.count > $1.input.count }).dropLast() {
      reject(connection, .overloaded)
      connections.countInput(of: connection)
      if connections.inputCount <= configuration.incompleteLimit { return }
    }
  }

  func discard(_ connection: Connection) {
    do throws(SystemError) {
      if try connection.socket.descriptor.read(into: &buffer) == 0 { connections.close(connection) }
    } catch .wouldBlock {
    } catch {
      connections.close(connection)
    }
  }

  /// Discards received bytes before a socket is closed: otherwise the connection would be reset, and the response lost.
  func discard(_ socket: Socket) { _ = try? socket.descriptor.read(into: &buffer) }

  private func consumeInput(_ connection: Connection) {
    // Moved out of the connection: with a second owner, a change would copy the bytes.
    var bytes = connection.input.bytes
    connection.input.bytes = []
    let taken = consume(connection, bytes, bytes.count)
    if taken == bytes.count { return }
    bytes.removeSubrange(0..<taken)
    connection.input.bytes = bytes
  }

  private func updateDeadline(_ connection: Connection) {
    defer { connections.countInput(of: connection) }
    if connection.input.isEmpty {
      connection.deadline = clock.now + configuration.idleTimeout
      connection.idleSince = clock.now
      return
    }
    if connection.isInBacklog {
      // The client waits for the server, not the server for the client.
      connection.deadline = nil
      return
    }
    connection.input.discardChunks()
    let start = connection.input.requestStart ?? clock.now
    connection.input.requestStart = start
    let limit = connection.input.parser.hasHead ? configuration.requestTimeout : configuration.headTimeout
    connection.deadline = start + limit
  }

  /// Passes the complete requests among the first `end` bytes to the turn, at most a batch. Returns the consumed bytes.
  private func consume(_ connection: Connection, _ bytes: [UInt8], _ end: Int) -> Int {
    var start = 0
    var requests = 0
    var size = 0
    while start < end, connection.closing == .open, !connection.isDelayed {
      guard requests < RequestReader.requestsPerBatch, size < RequestReader.bytesPerBatch else {
        connections.addToBacklog(connection)
        break
      }
      do throws(RequestError) {
        let isWhole = try connection.input.parser.advance(bytes.span.extracting(start..<end))
        guard isWhole else {
          if connection.input.parser.expects100Continue, !connection.input.hasSentContinue {
            connection.input.hasSentContinue = true
            turn.append(QueuedResponse(Response(100)), to: connection)
          }
          return start
        }
      } catch {
        reject(connection, error)
        return end
      }
      let request = ReceivedRequest(bytes, from: start, connection.input.parser)
      start += connection.input.parser.position
      connection.input.parser = RequestParser(configuration.requestLimits)
      connection.input.requestStart = nil
      connection.input.hasSentContinue = false
      connection.hasSentRequest = true
      connection.hasPendingResponse = true
      size += turn.respond(to: request, on: connection)
      requests += 1
    }
    // The response may come at the end of this turn.
    if start < end, connection.isDelayed { connections.addToBacklog(connection) }
    return start
  }

  func reject(_ connection: Connection, _ error: RequestError) {
    var rejection = QueuedResponse.rejection(error)
    // Without a head the method is unknown, and its initial value is GET.
    rejection.omitsBody = connection.input.parser.head.method == .head
    turn.reject(rejection, error.reason, on: connection)
    connection.hasPendingResponse = true
    connection.input.clear()
    connection.closing = .linger
  }
}
