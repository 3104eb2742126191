import HTTP
import System

/// The write side of a server: sends a turn's responses to sockets.
final class ResponseSender {
  private let configuration: ServerConfiguration
  private let clock: LoopClock
  private let connections: ConnectionTable
  private let unsent: UnsentBytes
  private let exchanges: ExchangeLog
  private var encoder = ResponseEncoder()
  private var batch: [UInt8] = []
  private var writable: [Connection] = []
  /// The connection that was last sent a part of a large body. Other large bodies wait while its output is not empty.
  private var current: Connection?
  /// Bytes of large bodies that this turn may still send.
  private var bytesLeft = Socket.largestPart
  /// Responses that a fault delays, in the order of their due times.
  private var delayed: [(due: Duration, connection: Connection, response: QueuedResponse)] = []

  init(
    _ configuration: ServerConfiguration, _ clock: LoopClock, _ connections: ConnectionTable,
    _ unsent: UnsentBytes, _ exchanges: ExchangeLog
  ) {
    self.configuration = configuration
    self.clock = clock
    self.connections = connections
    self.unsent = unsent
    self.exchanges = exchanges
    batch.reserveCapacity(2 * ResponseEncoder.copiedBodyLimit)
  }

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
      flush(connection)
    }
    // A connection may have two batches, and must not be closed after the first.
    for entry in entries { settle(entry.connection) }
  }

  func noteWritable(_ connection: Connection) { writable.append(connection) }

  /// Sends parts of unsent bodies, beginning with the connection that was last sent one: large bodies are sent one
  /// after the other, as far as their clients accept them. A turn with many of them takes no longer than with one.
  func resume() {
    if let index = writable.firstIndex(where: { $0 === current }) { writable.swapAt(0, index) }
    for connection in writable where connection.state == .writing {
      if bytesLeft < ResponseSender.smallestPart {
        connection.isPassedOver = true
      } else {
        resume(connection)
      }
    }
    writable.removeAll(keepingCapacity: true)
    bytesLeft = Socket.largestPart
  }

  private static var smallestPart: Int { 16 << 10 }

  private func resume(_ connection: Connection) {
    current = connection
    if connection.isPassedOver {
      connection.isPassedOver = false
      connection.rate = TransferRate(at: clock.now, buffered: connection.socket.bufferedCount)
    }
    do throws(SystemError) {
      let count = try connection.output.send(to: connection.socket, atMost: bytesLeft)
      bytesLeft -= count
      connection.rate.add(count)
    } catch {
      return connections.close(connection)
    }
    settle(connection)
  }

  /// Sends as much of a response as the socket of a rejected connection accepts.
  func send(_ response: QueuedResponse, to socket: Socket) {
    exchanges.add(response, isSent: true)
    batch.removeAll(keepingCapacity: true)
    _ = encoder.encode(response, into: &batch)
    _ = try? socket.send(batch, then: [], from: 0)
  }

  /// Appends a response to the batch. Sends the batch if the body is too large to be copied.
  private func encode(_ response: QueuedResponse, _ connection: Connection) {
    exchanges.add(response, isSent: connection.state != .closed && !response.isDropped)
    guard connection.state != .closed else { return }
    if response.isDropped {
      // The responses before this one are sent.
      flush(connection)
      return connections.close(connection)
    }
    if encoder.encode(response, into: &batch) {
      flush(connection, body: response.sharedBody ?? unsent.hold(response.response.body))
      batch.removeAll(keepingCapacity: true)
    }
  }

  /// Sends the batch and then `body`, and stores what the socket does not accept.
  private func flush(_ connection: Connection, body: UnsentBytes.HeldBody? = nil) {
    guard connection.state != .closed, !batch.isEmpty else { return }
    var sent = 0
    if connection.output.isEmpty {
      // A large body waits for the end of the current one, and for the next turn if few `bytesLeft` remain.
      let mayBegin = (current?.output.isEmpty ?? true) && bytesLeft >= ResponseSender.smallestPart
      do throws(SystemError) {
        sent = try connection.socket.send(
          batch, then: mayBegin ? body?.bytes ?? [] : [], from: 0, atMost: batch.count + bytesLeft)
      } catch {
        return connections.close(connection)
      }
      if body != nil, mayBegin { current = connection }
      bytesLeft -= max(0, sent - batch.count)
    }
    if sent < batch.count { connection.output.append(unsent.hold(Array(batch[sent...]))) }
    if let body, sent < batch.count + body.bytes.count {
      connection.output.append(body, sent: max(0, sent - batch.count))
    }
  }

  /// Sets what the connection waits for after its responses: their transmission, a delayed one, a request, or its end.
  func settle(_ connection: Connection) {
    connection.hasPendingResponse = false
    guard connection.state != .closed else { return }
    if !connection.output.isEmpty {
      if connection.state != .writing {
        connection.rate = TransferRate(at: clock.now, buffered: connection.socket.bufferedCount)
        connection.deadline = nil
      }
      connections.change(connection, to: .writing, waitingFor: .writing)
      return
    }
    if connection.isDelayed {
      connection.deadline = nil
      return connections.change(connection, to: .delayed, waitingFor: .nothing)
    }
    switch connection.closing {
    case .open:
      guard connection.state != .reading else { return }
      connections.change(connection, to: .reading, waitingFor: .reading)
      connection.deadline = clock.now + configuration.idleTimeout
      connection.idleSince = clock.now
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

  /// Closes connections whose clients accept their responses too slowly. Runs once a second.
  func closeSlow() {
    for connection in connections.all where connection.state == .writing && !connection.isPassedOver {
      noteRate(connection)
      if connection.rate.isTooSlow { connections.close(connection) }
    }
  }

  /// Closes connections, the slowest first, until the unsent bytes are within the limit. One remains in any case.
  func enforceLimit() {
    guard unsent.count > configuration.unsentLimit else { return }
    var waiting = connections.all.filter { $0.state == .writing }
    waiting.forEach(noteRate)
    // Passed over connections come last; of those that accept nothing, the longest waiting comes first.
    func rank(_ connection: Connection) -> (Int, Double, Duration) {
      (connection.isPassedOver ? 1 : 0, connection.rate.bytesPerSecond, connection.rate.start)
    }
    waiting.sort { rank($0) < rank($1) }
    for connection in waiting.dropLast() {
      connections.close(connection)
      if unsent.count <= configuration.unsentLimit { return }
    }
  }

  private func noteRate(_ connection: Connection) {
    connection.rate.note(at: clock.now, buffered: connection.socket.bufferedCount)
  }

  var nextDue: Duration? { delayed.first?.due }

  private func delay(_ response: QueuedResponse, _ connection: Connection) {
    guard connection.state != .closed else { return exchanges.add(response, isSent: false) }
    let due = clock.now + response.delay
    let index = delayed.lastIndex { $0.due <= due }.map { $0 + 1 } ?? 0
    delayed.insert((due, connection, response), at: index)
  }

  func sendDue() {
    let due = delayed.prefix { $0.due <= clock.now }
    delayed.removeFirst(due.count)
    for (_, connection, response) in due {
      guard connection.state != .closed else {
        exchanges.add(response, isSent: false)
        continue
      }
      connection.isDelayed = false
      batch.removeAll(keepingCapacity: true)
      encode(response, connection)
      flush(connection)
      settle(connection)
    }
  }
}
