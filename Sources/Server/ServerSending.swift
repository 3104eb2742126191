import HTTP
import System

/// From answers to sockets.
extension Server {
  /// Commits the turn, then sends each connection what it got.
  func endTurn() {
    guard !answers.isEmpty else { return }
    commit()
    // Taken out meanwhile: sending a refusal must not meet the list it came from.
    var turn = answers
    answers = []
    var index = 0
    while index < turn.count {
      let connection = turn[index].connection
      outgoing.removeAll(keepingCapacity: true)
      while index < turn.count, turn[index].connection === connection {
        let answer = turn[index].answer
        index += 1
        if answer.delay > .zero {
          hold(connection, answer)
        } else {
          put(answer, connection)
        }
      }
      flush(connection, body: [])
    }
    // Last of all: a connection may have had two batches, and must not end after the first.
    for entry in turn { settle(entry.connection) }
    turn.removeAll(keepingCapacity: true)
    answers = turn
  }

  private func commit() {
    for (index, backend) in router.backends.enumerated() where backend.turnEnded != nil {
      guard answers.contains(where: { $0.answer.isHandlers && $0.answer.backend == index }) else { continue }
      if let failure = router.endTurn(of: index) { void(failure) { $0.backend == index } }
    }
    guard let turnEnded = configuration.turnEnded, answers.contains(where: { $0.answer.isHandlers }) else {
      return
    }
    do throws(Failure) {
      try turnEnded()
    } catch {
      void(error) { _ in true }
    }
  }

  /// Puts a refusal in the place of the turn's answers: what they claim was not kept.
  private func void(_ failure: Failure, where isConcerned: (Answer) -> Bool) {
    configuration.complain?(failure)
    for index in answers.indices where answers[index].answer.isHandlers && isConcerned(answers[index].answer)
    {
      answers[index].answer.response = router.refuse(turn: failure, backend: answers[index].answer.backend)
      answers[index].answer.record?.failure = failure
    }
  }

  /// Adds an answer to the connection's piece, and sends the piece when its body is better not copied.
  private func put(_ answer: Answer, _ connection: Connection) {
    guard connection.state != .closed else { return }
    if let record = answer.record { log(record, answer) }
    if answer.isDropped {
      // Only this answer is lost, not those before it.
      flush(connection, body: [])
      return close(connection)
    }
    if encoder.encode(answer, into: &outgoing) {
      flush(connection, body: answer.response.body)
      outgoing.removeAll(keepingCapacity: true)
    }
  }

  private func log(_ record: Answer.Record, _ answer: Answer) {
    configuration.log?(
      AccessRecord(
        suite: answer.backend.map { router.backends[$0].suite }, method: record.method, target: record.target,
        status: answer.response.status, bytes: answer.bodyCount,
        duration: configuration.time.uptime() - record.since, failure: record.failure))
  }

  /// Sends `outgoing` and then `body`, and keeps what the socket does not take.
  private func flush(_ connection: Connection, body: [UInt8]) {
    guard connection.state != .closed, !outgoing.isEmpty else { return }
    if connection.hasOutput { return keep(connection, body) }
    do throws(SystemError) {
      let sent = try send(connection.socket, outgoing, body, from: 0)
      if sent < outgoing.count + body.count {
        keep(connection, body)
        connection.sent = sent
      }
    } catch {
      close(connection)
    }
  }

  private func keep(_ connection: Connection, _ body: [UInt8]) {
    connection.output += connection.body
    connection.output += outgoing
    connection.body = body
  }

  /// What the socket takes now, of the two after their first `from` bytes.
  func send(_ socket: Socket, _ head: [UInt8], _ body: [UInt8], from: Int) throws(SystemError) -> Int {
    let first = unsafe head.span.bytes.extracting(droppingFirst: min(from, head.count))
    let second = unsafe body.span.bytes.extracting(droppingFirst: max(0, from - head.count))
    do throws(SystemError) {
      return try first.isEmpty ? socket.send(second) : socket.send(first, then: second)
    } catch .wouldBlock {
      return 0
    }
  }

  func continueWriting(_ connection: Connection) {
    do throws(SystemError) {
      let sent = try send(connection.socket, connection.output, connection.body, from: connection.sent)
      connection.sent += sent
      // Any progress counts: a slow reader is not a dead one.
      if sent > 0 { connection.deadline = now + configuration.writeTimeout }
    } catch {
      return close(connection)
    }
    settle(connection)
  }

  /// Says what the connection waits for next, now that as much as possible is sent.
  private func settle(_ connection: Connection) {
    guard connection.state != .closed else { return }
    if connection.hasOutput {
      if connection.state != .writing { connection.deadline = now + configuration.writeTimeout }
      wait(connection, .writing, for: .writing)
      return
    }
    if connection.sent > 0 {
      connection.output = []
      connection.body = []
      connection.sent = 0
    }
    if connection.isHeld {
      connection.deadline = nil
      return wait(connection, .held, for: .nothing)
    }
    switch connection.ending {
    case .open:
      guard connection.state != .reading else { return }
      wait(connection, .reading, for: .reading)
      connection.deadline = now + configuration.idleTimeout
      connection.requestSince = nil
      if !connection.pending.isEmpty {
        connection.hasBacklog = true
        backlog.append(connection)
      }
    case .close:
      close(connection)
    case .linger:
      connection.socket.finishSending()
      connection.deadline = now + .seconds(2)
      wait(connection, .lingering, for: .reading)
    }
  }

  private func wait(_ connection: Connection, _ state: Connection.State, for interest: EventQueue.Interest) {
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
    connection.pending = []
    connection.output = []
    connection.body = []
    connections.remove(connection)
    // Closing takes the socket out of the queue as well.
    connection.socket.close()
    resumeAccepting()
  }
}

/// Answers that a fault holds back.
extension Server {
  private func hold(_ connection: Connection, _ answer: Answer) {
    guard connection.state != .closed else { return }
    let due = now + answer.delay
    var place = delayed.count
    while place > 0, delayed[place - 1].due > due { place -= 1 }
    delayed.insert((due, connection, answer), at: place)
  }

  /// Sends those whose time has come.
  func sendDue() {
    let due = delayed.prefix { $0.due <= now }
    guard !due.isEmpty else { return }
    delayed.removeFirst(due.count)
    for (_, connection, answer) in due where connection.state != .closed {
      connection.isHeld = false
      outgoing.removeAll(keepingCapacity: true)
      put(answer, connection)
      flush(connection, body: [])
      settle(connection)
    }
  }
}
