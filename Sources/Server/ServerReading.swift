import HTTP
import System

/// From a readable socket to answers.
extension Server {
  /// A batch ends after so many requests or bytes of answers; the rest waits for the next turn.
  private static var requestsPerBatch: Int { 128 }
  private static var bytesPerBatch: Int { 64 * 1024 }

  func read(_ connection: Connection) {
    guard !connection.hasBacklog else { return }
    let count: Int
    do throws(SystemError) {
      count = try Server.receive(connection.socket, &input)
    } catch .wouldBlock {
      return
    } catch {
      return close(connection)
    }
    // The client has said everything, and everything whole is answered: the rest, if any, is half a request.
    guard count > 0 else { return close(connection) }
    if connection.pending.isEmpty {
      let taken = consume(connection, input, count)
      if taken < count, connection.state != .closed { connection.pending = Array(input[taken..<count]) }
    } else {
      connection.pending.append(contentsOf: input[0..<count])
      consumePending(connection)
    }
    noteProgress(connection)
  }

  func resumeBacklog() {
    guard !backlog.isEmpty else { return }
    let waiting = backlog
    backlog.removeAll(keepingCapacity: true)
    for connection in waiting where connection.hasBacklog && connection.state == .reading {
      connection.hasBacklog = false
      consumePending(connection)
      noteProgress(connection)
    }
  }

  private func consumePending(_ connection: Connection) {
    // Taken out meanwhile, so that it is nobody else's and need not be copied.
    var bytes = connection.pending
    connection.pending = []
    let taken = consume(connection, bytes, bytes.count)
    if taken == bytes.count { return }
    bytes.removeSubrange(0..<taken)
    connection.pending = bytes
  }

  /// Sets the time until which the next step must come.
  private func noteProgress(_ connection: Connection) {
    guard connection.state == .reading else { return }
    if connection.pending.isEmpty {
      connection.requestSince = nil
      connection.deadline = now + configuration.idleTimeout
      return
    }
    if connection.hasBacklog {
      // It waits for us, not we for it.
      connection.requestSince = nil
      connection.deadline = nil
      return
    }
    connection.parser.discardChunks(from: &connection.pending)
    let since = connection.requestSince ?? now
    connection.requestSince = since
    let limit = connection.parser.hasHead ? configuration.requestTimeout : configuration.headTimeout
    connection.deadline = since + limit
  }

  /// Answers the whole requests among the first `end` bytes, one batch at most, and says how many bytes it took.
  private func consume(_ connection: Connection, _ bytes: [UInt8], _ end: Int) -> Int {
    var start = 0
    var answered = 0
    var size = 0
    while start < end, connection.ending == .open, !connection.isHeld {
      guard answered < Server.requestsPerBatch, size < Server.bytesPerBatch else {
        connection.hasBacklog = true
        backlog.append(connection)
        break
      }
      do throws(Refusal) {
        let isWhole = try connection.parser.advance(bytes.span.extracting(start..<end))
        if connection.parser.hasHead, !isAuthorized(connection, bytes, start) {
          deny(connection)
          return end
        }
        guard isWhole else {
          giveLeave(connection)
          break
        }
      } catch {
        refuse(connection, error)
        return end
      }
      let request = ReceivedRequest(bytes, from: start, connection.parser)
      start += connection.parser.position
      connection.parser = RequestParser(configuration.limits)
      connection.requestSince = nil
      connection.saidContinue = false
      size += answer(request, connection)
      answered += 1
    }
    return start
  }

  private func isAuthorized(_ connection: Connection, _ bytes: [UInt8], _ start: Int) -> Bool {
    guard let token = configuration.token else { return true }
    let head = connection.parser.head
    // A browser asks whether it may ask before it tells any secret.
    if head.method == .options { return true }
    let value = head.authorization.lowerBound + start..<head.authorization.upperBound + start
    return BearerToken.matches(bytes.span, value, token)
  }

  /// `100 Continue`, once for a request that waits for it.
  private func giveLeave(_ connection: Connection) {
    guard connection.parser.awaitsLeave, !connection.saidContinue else { return }
    connection.saidContinue = true
    answers.append((connection, .goOn))
  }

  private func deny(_ connection: Connection) {
    var answer = Answer.refusal(Refusal(401, "a token is wanted"))
    answer.response.headers["WWW-Authenticate"] = "Bearer"
    end(connection, answer)
  }

  /// Answers what cannot be understood, for the last time on this connection.
  func refuse(_ connection: Connection, _ refusal: Refusal) {
    end(connection, .refusal(refusal))
  }

  private func end(_ connection: Connection, _ answer: Answer) {
    answers.append((connection, answer))
    connection.pending = []
    connection.ending = .linger
  }

  /// Reads what is there, as far as `buffer` has room.
  static func receive(_ socket: Socket, _ buffer: inout [UInt8]) throws(SystemError) -> Int {
    try socket.receive(into: &buffer)
  }

  /// Throws away what a client sends after its last answer.
  func discard(_ connection: Connection) {
    do throws(SystemError) {
      if try Server.receive(connection.socket, &input) == 0 { close(connection) }
    } catch .wouldBlock {
    } catch {
      close(connection)
    }
  }
}
