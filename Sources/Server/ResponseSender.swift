import HTTP
import System

/// Responses that the socket did not accept yet.
struct UnsentOutput {
  private var bytes: [UInt8] = []
  /// Follows `bytes`: a large body is not copied.
  private var body: [UInt8] = []
  /// How many bytes of both together are sent.
  private var sent = 0

  var isEmpty: Bool { count == 0 }
  var count: Int { bytes.count + body.count - sent }

  /// Appends responses of which the first `sent` bytes are sent already.
  mutating func append(_ responses: [UInt8], body: [UInt8], sent: Int) {
    bytes += self.body
    bytes += responses
    self.body = body
    self.sent += sent
  }

  /// Sends what the socket accepts; returns the number of bytes.
  mutating func send(to socket: Socket) throws(SystemError) -> Int {
    let count = try socket.send(bytes, then: body, from: sent)
    sent += count
    return count
  }

  /// Releases the buffers.
  mutating func clear() {
    guard !bytes.isEmpty || !body.isEmpty else { return }
    bytes = []
    body = []
    sent = 0
  }
}

/// The write side of a server: from a turn's responses to sockets.
final class ResponseSender {
  private let configuration: ServerConfiguration
  private let clock: TurnClock
  private let connections: ConnectionTable
  private var encoder = ResponseEncoder()
  /// The responses for one connection until they are sent; shared by all connections, one after the other.
  private var batch: [UInt8] = []
  /// Responses that a fault delays, in the order in which they are due.
  private var delayed: [(due: Duration, connection: Connection, response: QueuedResponse)] = []

  init(_ configuration: ServerConfiguration, _ clock: TurnClock, _ connections: ConnectionTable) {
    self.configuration = configuration
    self.clock = clock
    self.connections = connections
    batch.reserveCapacity(2 * ResponseEncoder.copiedBody)
  }

  /// Sets the time for the Date header.
  func setDate(_ time: Timestamp) { encoder.setDate(time) }

  /// Sends each connection its responses of the turn in one piece.
  func send(_ entries: [Turn.Entry]) {
    var index = 0
    while index < entries.count {
      let connection = entries[index].connection
      batch.removeAll(keepingCapacity: true)
      while index < entries.count, entries[index].connection === connection {
        let response = entries[index].response
        index += 1
        if response.delay > .zero {
          delay(response, connection)
        } else {
          encode(response, connection)
        }
      }
      flush(connection, body: [])
    }
    // Afterwards, since a connection may have had two batches and must not be closed after the first.
    for entry in entries { settle(entry.connection) }
  }

  /// Sends what a connection has left.
  func resume(_ connection: Connection) {
    do throws(SystemError) {
      // Any progress counts: a slow client is not a dead one.
      if try connection.output.send(to: connection.socket) > 0 {
        connection.deadline = clock.now + configuration.writeTimeout
      }
    } catch {
      return connections.close(connection)
    }
    settle(connection)
  }

  /// Sends a response to a socket that has no connection, as far as the socket accepts it.
  func send(_ response: QueuedResponse, to socket: Socket) {
    batch.removeAll(keepingCapacity: true)
    _ = encoder.encode(response, into: &batch)
    _ = try? socket.send(batch, then: [], from: 0)
  }

  /// Appends a response to the batch, and sends the batch if the body is better not copied.
  private func encode(_ response: QueuedResponse, _ connection: Connection) {
    guard connection.state != .closed else { return }
    if let record = response.record { log(record, response) }
    if response.isDropped {
      // Only this response is lost, not those before it.
      flush(connection, body: [])
      return connections.close(connection)
    }
    if encoder.encode(response, into: &batch) {
      flush(connection, body: response.response.body)
      batch.removeAll(keepingCapacity: true)
    }
  }

  private func log(_ record: QueuedResponse.Record, _ response: QueuedResponse) {
    configuration.log?(
      AccessRecord(
        suite: record.suite, method: record.method, target: record.target,
        status: response.response.status, bytes: response.bodyCount,
        duration: configuration.time.uptime() - record.start, failure: record.failure))
  }

  /// Sends the batch and then `body`, and stores what the socket does not accept.
  private func flush(_ connection: Connection, body: [UInt8]) {
    guard connection.state != .closed, !batch.isEmpty else { return }
    if !connection.output.isEmpty { return connection.output.append(batch, body: body, sent: 0) }
    do throws(SystemError) {
      let sent = try connection.socket.send(batch, then: body, from: 0)
      if sent < batch.count + body.count { connection.output.append(batch, body: body, sent: sent) }
    } catch {
      connections.close(connection)
    }
  }

  /// Decides what the connection waits for, now that as much as possible is sent.
  func settle(_ connection: Connection) {
    guard connection.state != .closed else { return }
    if !connection.output.isEmpty {
      if connection.state != .writing { connection.deadline = clock.now + configuration.writeTimeout }
      connections.change(connection, to: .writing, waitingFor: .writing)
      return
    }
    connection.output.clear()
    if connection.isDelayed {
      connection.deadline = nil
      return connections.change(connection, to: .delayed, waitingFor: .nothing)
    }
    switch connection.closing {
    case .open:
      guard connection.state != .reading else { return }
      connections.change(connection, to: .reading, waitingFor: .reading)
      connection.deadline = clock.now + configuration.idleTimeout
      connection.input.restartTimeout()
      if !connection.input.isEmpty { connections.addToBacklog(connection) }
    case .close:
      connections.close(connection)
    case .linger:
      connection.socket.finishSending()
      connection.deadline = clock.now + .seconds(2)
      connections.change(connection, to: .lingering, waitingFor: .reading)
    }
  }

  // MARK: Delayed responses

  /// When the next delayed response is due.
  var nextDue: Duration? { delayed.first?.due }

  private func delay(_ response: QueuedResponse, _ connection: Connection) {
    guard connection.state != .closed else { return }
    let due = clock.now + response.delay
    var place = delayed.count
    while place > 0, delayed[place - 1].due > due { place -= 1 }
    delayed.insert((due, connection, response), at: place)
  }

  /// Sends the delayed responses that are due.
  func sendDue() {
    let due = delayed.prefix { $0.due <= clock.now }
    guard !due.isEmpty else { return }
    delayed.removeFirst(due.count)
    for (_, connection, response) in due where connection.state != .closed {
      connection.isDelayed = false
      batch.removeAll(keepingCapacity: true)
      encode(response, connection)
      flush(connection, body: [])
      settle(connection)
    }
  }
}

extension Socket {
  /// Sends what the socket accepts now of the two arrays, after their first `from` bytes; returns the number of
  /// bytes.
  fileprivate func send(_ first: [UInt8], then second: [UInt8], from: Int) throws(SystemError) -> Int {
    let head = unsafe first.span.bytes.extracting(droppingFirst: min(from, first.count))
    let rest = unsafe second.span.bytes.extracting(droppingFirst: max(0, from - first.count))
    do throws(SystemError) {
      return try head.isEmpty ? send(rest) : send(head, then: rest)
    } catch .wouldBlock {
      return 0
    }
  }
}
