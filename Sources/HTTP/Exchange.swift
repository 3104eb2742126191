import System

/// One request over one connection, and its answer.
struct Exchange {
  let request: [UInt8]
  let socket: Socket
  let clock: Clock
  private var reader: ResponseReader

  /// When the exchange has to be over.
  struct Clock {
    let time: any TimeKeeper
    let end: Duration
    /// The time that was allowed, as a failure tells it.
    let timeout: Duration

    var left: Duration { end - time.uptime() }
  }

  /// `request` is what goes over the wire; `sizeLimit` bounds the body of the answer.
  init(_ request: [UInt8], answering method: Method, on socket: Socket, sizeLimit: Int, clock: Clock) {
    self.request = request
    self.socket = socket
    self.clock = clock
    reader = ResponseReader(answering: method, limit: sizeLimit)
  }

  /// Whether the connection can carry another request after this one.
  var keepsConnection: Bool { reader.keepsConnection }

  mutating func run() throws(ConnectionFault) -> Response {
    try write()
    var buffer = [UInt8](repeating: 0, count: 32 << 10)
    while true {
      if let response = reader.response { return response }
      let count = try receive(into: &buffer)
      do throws(MessageFault) {
        if count > 0 { try reader.read(buffer.span.extracting(..<count)) } else { try reader.end() }
      } catch {
        throw reader.hasBegun ? ConnectionFault(error, status: reader.status) : .closed
      }
    }
  }

  private func write() throws(ConnectionFault) {
    var written = 0
    while written < request.count {
      do throws(SystemError) {
        written += try unsafe socket.send(request.span.bytes.extracting(droppingFirst: written))
      } catch .wouldBlock {
        try wait(for: .writing)
      } catch .interrupted {
        throw .interrupted
      } catch {
        // A server may refuse a request before it has read all of it: its answer, if any, is still to be read.
        return
      }
    }
  }

  /// 0 means that the connection ended.
  private func receive(into buffer: inout [UInt8]) throws(ConnectionFault) -> Int {
    while true {
      try wait(for: .reading)
      do throws(SystemError) {
        return try socket.receive(into: &buffer)
      } catch .wouldBlock {
        continue
      } catch {
        let fault = reader.hasBegun ? ConnectionFault.cutShort(status: reader.status) : .closed
        throw error == .interrupted ? .interrupted : fault
      }
    }
  }

  private func wait(for readiness: Socket.Readiness) throws(ConnectionFault) {
    let isReady: Bool
    do throws(SystemError) {
      isReady = try socket.wait(for: readiness, atMost: clock.left, time: clock.time)
    } catch {
      throw error == .interrupted ? .interrupted : .closed
    }
    guard isReady else { throw .timedOut(clock.timeout) }
  }
}
