import System

/// Sends plain http over TCP or a Unix socket without a library: a local response takes a tenth of the time that it
/// takes with libcurl. One connection per service is kept for the next request.
final class SocketTransport: Transport {
  private let limits: TimeLimits
  private let time: any TimeKeeper
  private let sizeLimit: Int
  private var idle: [(url: URL, socket: Socket)] = []

  init(limits: TimeLimits, time: any TimeKeeper, sizeLimit: Int = ReceivedResponse.sizeLimit) {
    self.limits = limits
    self.time = time
    self.sizeLimit = sizeLimit
  }

  deinit {
    for connection in idle { connection.socket.close() }
  }

  func send(_ request: Request) throws(Failure) -> ReceivedResponse {
    let wire = try request.wire()
    let timeout = try limits.attempt(time)
    let attempt = Exchange.AttemptTime(time: time, end: time.uptime() + timeout, timeout: timeout)
    var attempts = 1
    do throws(ConnectionError) {
      if let socket = takeIdle(for: request.url) {
        do throws(ConnectionError) {
          return try exchange(request, wire, on: socket, attempt)
        } catch .closed where request.isRetryable {
          // The server closed the idle connection when it was used again, and did not execute the request.
          attempts += 1
        }
      }
      let socket = try connect(to: request.url, attempt)
      var response = try exchange(request, wire, on: socket, attempt)
      response.attempts = attempts
      return response
    } catch {
      throw limits.failure(error, of: request)
    }
  }

  private func exchange(
    _ request: Request, _ wire: [UInt8], on socket: Socket, _ attempt: Exchange.AttemptTime
  ) throws(ConnectionError) -> ReceivedResponse {
    var exchange = Exchange(wire, for: request.method, on: socket, sizeLimit: sizeLimit, attempt: attempt)
    defer {
      if exchange.keepsConnection { idle.append((request.url, socket)) } else { socket.close() }
    }
    return ReceivedResponse(try exchange.run())
  }

  /// Removes and returns an idle connection. One that is readable was closed, or contains unexpected bytes.
  private func takeIdle(for url: URL) -> Socket? {
    guard let index = idle.firstIndex(where: { $0.url.hasSameOrigin(as: url) }) else { return nil }
    let socket = idle.remove(at: index).socket
    if (try? socket.wait(for: .reading, atMost: .zero, time: time)) == false { return socket }
    socket.close()
    return nil
  }

  private func connect(to url: URL, _ attempt: Exchange.AttemptTime) throws(ConnectionError) -> Socket {
    let limit = min(limits.connect, attempt.timeout)
    let end = time.uptime() + min(limit, attempt.left)
    var lastError = ConnectionError.unknownHost
    for address in try addresses(of: url) {
      do throws(SystemError) {
        return try connect(to: address, until: end)
      } catch .timedOut {
        throw .connectTimedOut(limit)
      } catch .interrupted {
        throw .interrupted
      } catch {
        // The next address may work; the error of the last one is reported.
        lastError = error == .connectionRefused ? .refused : .notConnected(error.text)
      }
    }
    throw lastError
  }

  private func addresses(of url: URL) throws(ConnectionError) -> [SocketAddress] {
    if url.scheme == .unix {
      guard let address = SocketAddress(unixPath: url.socket) else {
        throw .notConnected("the path is not a socket")
      }
      return [address]
    }
    guard let port = UInt16(exactly: url.port) else { throw .notConnected("port \(url.port) does not exist") }
    do throws(Failure) {
      return try SocketAddress.resolve(url.host, port: port)
    } catch {
      throw error.kind == .interrupted ? .interrupted : .unknownHost
    }
  }

  private func connect(to address: SocketAddress, until end: Duration) throws(SystemError) -> Socket {
    let socket = try Socket(address.family)
    do throws(SystemError) {
      if try !connectsAtOnce(socket, to: address, until: end) {
        guard try socket.wait(for: .writing, atMost: end - time.uptime(), time: time) else { throw .timedOut }
        if let error = socket.connectionError { throw error }
      }
      return socket
    } catch {
      socket.close()
      throw error
    }
  }

  private func connectsAtOnce(
    _ socket: Socket, to address: SocketAddress, until end: Duration
  ) throws(SystemError) -> Bool {
    while true {
      do throws(SystemError) {
        return try socket.connect(to: address)
      } catch .wouldBlock {
        // The queue of a Unix socket is full, and there is no event for the change.
        guard time.uptime() < end else { throw .timedOut }
        do throws(Failure) { try time.sleep(for: .milliseconds(5)) } catch { throw .interrupted }
      }
    }
  }
}

/// Sends one request on a connection, and receives the response.
struct Exchange {
  let request: [UInt8]
  let socket: Socket
  let attempt: AttemptTime
  private var reader: ResponseReader

  struct AttemptTime {
    let time: any TimeKeeper
    let end: Duration
    let timeout: Duration

    var left: Duration { end - time.uptime() }
  }

  init(_ request: [UInt8], for method: Method, on socket: Socket, sizeLimit: Int, attempt: AttemptTime) {
    self.request = request
    self.socket = socket
    self.attempt = attempt
    reader = ResponseReader(for: method, limit: sizeLimit)
  }

  var keepsConnection: Bool { reader.keepsConnection }

  mutating func run() throws(ConnectionError) -> Response {
    try write()
    var buffer = [UInt8](repeating: 0, count: 32 << 10)
    while true {
      if let response = reader.response { return response }
      let count = try receive(into: &buffer)
      do throws(MessageError) {
        if count > 0 { try reader.read(buffer.span.extracting(..<count)) } else { try reader.end() }
      } catch {
        throw reader.hasBegun ? ConnectionError(error, status: reader.status) : .closed
      }
    }
  }

  private func write() throws(ConnectionError) {
    var written = 0
    while written < request.count {
      do throws(SystemError) {
        written += try unsafe socket.send(request.span.bytes.extracting(droppingFirst: written))
      } catch .wouldBlock {
        try wait(for: .writing)
      } catch .interrupted {
        throw .interrupted
      } catch {
        // A server may reject a request before it has read all of it; its response can still be read.
        return
      }
    }
  }

  /// Returns 0 at the end of the connection.
  private func receive(into buffer: inout [UInt8]) throws(ConnectionError) -> Int {
    while true {
      try wait(for: .reading)
      do throws(SystemError) {
        return try socket.descriptor.read(into: &buffer)
      } catch .wouldBlock {
        continue
      } catch {
        throw ConnectionError(error, else: reader.hasBegun ? .cutShort(status: reader.status) : .closed)
      }
    }
  }

  private func wait(for readiness: Socket.Readiness) throws(ConnectionError) {
    let isReady: Bool
    do throws(SystemError) {
      isReady = try socket.wait(for: readiness, atMost: attempt.left, time: attempt.time)
    } catch {
      throw ConnectionError(error, else: .closed)
    }
    guard isReady else { throw .timedOut(attempt.timeout) }
  }
}
