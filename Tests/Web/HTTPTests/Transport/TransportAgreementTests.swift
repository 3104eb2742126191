import Foundation
import System
import TestSupport
import Testing

@testable import HTTP

/// A response is valid or not, whatever carries it: one table of cases for both transports.
@Suite struct TransportAgreementTests {
  enum Carrier: CaseIterable {
    case socket, curl

    static var available: [Carrier] { allCases.filter { $0 != .curl || Tool.libcurl.isPresent } }

    var transport: any Transport { transport(within: TimeLimits()) }

    func transport(within limits: TimeLimits) -> any Transport {
      switch self {
      case .socket: SocketTransport(limits: limits, time: SystemTime())
      case .curl: CurlTransport(environment: Environment([:]), limits: limits, time: SystemTime())
      }
    }
  }

  private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

  static let accepted: [(bytes: String, body: String)] = [
    (ok("hello"), "hello"), (ok(""), ""),
    ("HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello", "hello"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello", "hello"),
    ("HTTP/1.0 200 OK\r\n\r\nhello", "hello"),
    ("HTTP/1.1 200 OK\nContent-Length: 5\n\nhello", "hello"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhello", "hel"),
    (chunked + "2;x=y\r\nhe\r\n03\r\nllo\r\n0\r\nT: 1\r\n\r\n", "hello"),
    ("HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "hello"),
    (
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\n" + ok("x"), "x"
    ),
    ("HTTP/1.1 204 No Content\r\nContent-Length: 9\r\n\r\n", ""),
    ("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", ""),
  ]

  @Test(arguments: Carrier.available, accepted.indices)
  func readsAResponse(carrier: Carrier, index: Int) throws {
    let (bytes, body) = Self.accepted[index]
    let server = try ScriptedServer { peer in
      peer.answer(bytes)
      // A delimited response needs no close.
      if !bytes.hasPrefix("HTTP/1.0") { peer.fallSilent() }
    }
    defer { server.stop() }
    let response = try carrier.transport.send(Request(.get, server.url))
    #expect(response.string == body)
    #expect(response.headers["T"] == nil && response.headers["Link"] == nil)
  }

  static let refused: [(bytes: String, kind: Failure.Kind)] = [
    // Nothing, or less than was announced: it may be complete the next time.
    ("", .connection), ("HTTP/1.1 20", .connection),
    ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", .connection),
    (chunked + "5\r\nhello\r\n", .connection), (chunked + "5\r\nhel", .connection), (chunked, .connection),
    // Something other than HTTP/1.
    ("SSH-2.0-OpenSSH_9.2\r\n", .invalidData), ("HTTP/2 200\r\n\r\n", .invalidData),
    ("HTTP/2 200 OK\r\nContent-Length: 5\r\n\r\nhello", .invalidData),
    ("HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n", .invalidData),
    ("HTTP/1.1 101 Switching\r\n\r\n", .invalidData),
    (String(repeating: "HTTP/1.1 103 Hints\r\n\r\n", count: 17) + ok("x"), .invalidData),
    // Malformed lines of the head.
    ("HTTP/1.1 200 O\u{1b}K\r\nContent-Length: 0\r\n\r\n", .invalidData),
    ("HTTP/1.1 200 OK\r\nA : b\r\nContent-Length: 0\r\n\r\n", .invalidData),
    ("HTTP/1.1 200 OK\r\nA: b\r\n c\r\nContent-Length: 0\r\n\r\n", .invalidData),
    ("HTTP/1.1 200 OK\r\nA: b\u{1b}[0m\r\nContent-Length: 0\r\n\r\n", .invalidData),
    ("HTTP/1.1 200 OK\r\nA: b\rc\r\nContent-Length: 0\r\n\r\n", .invalidData),
    ("HTTP/1.1 200 OK\r\nA: b\0\r\nContent-Length: 0\r\n\r\n", .invalidData),
    ("HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 0\r\n\r\n", .invalidData),
    // An unclear or unreadable body.
    ("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", .invalidData),
    ("HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\n", .invalidData),
    ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello", .invalidData),
    ("HTTP/1.1 200 OK\r\nContent-Length: 6\r\nContent-Length: 5\r\n\r\nhello", .invalidData),
    ("HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n\r\nhello", .invalidData),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", .invalidData),
    ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello", .invalidData),
    ("HTTP/1.1 200 OK\r\nContent-Length: 5368709120\r\n\r\n", .invalidData),
    ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", .invalidData),
    (chunked + "xyz\r\n", .invalidData), (chunked + "\r\nhello\r\n0\r\n\r\n", .invalidData),
    (chunked + "5\r\nhelloworld\r\n0\r\n\r\n", .invalidData),
    (chunked + "11111111111111111\r\nhello\r\n0\r\n\r\n", .invalidData),
  ]

  @Test(arguments: Carrier.available, refused.indices)
  func refusesAResponse(carrier: Carrier, index: Int) throws {
    let (bytes, kind) = Self.refused[index]
    let server = try ScriptedServer(answering: bytes)
    defer { server.stop() }
    let failure = #expect(throws: Failure.self, "\(bytes.debugDescription)") {
      try carrier.transport.send(Request(.get, server.url))
    }
    #expect(failure?.kind == kind, "\(bytes.debugDescription): \(failure?.message ?? "")")
    #expect(failure?.message.contains("'127.0.0.1:\(server.port)'") == true)
    #expect(failure?.hint?.isEmpty == false)
    #expect(failure?.retryable == (kind == .connection))
  }

  /// Takes one request on this port, writes `bytes` and resets the connection.
  private func resetting(after bytes: String) throws -> Int {
    let (listener, port) = try Loopback.listen()
    Thread.detachNewThread {
      let peer = accept(listener, nil, nil)
      close(listener)
      var buffer = [UInt8](repeating: 0, count: 4096)
      _ = recv(peer, &buffer, buffer.count, 0)
      _ = Array(bytes.utf8).withUnsafeBytes { Foundation.send(peer, $0.baseAddress, $0.count, 0) }
      var option = linger(l_onoff: 1, l_linger: 0)
      setsockopt(peer, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
      close(peer)
    }
    return port
  }

  @Test(
    arguments: Carrier.available,
    [
      ("", "'PEER' closed the connection without a response"),
      ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", "the response of 'PEER', a 200, was cut short"),
    ])
  func aConnectionThatIsReset(carrier: Carrier, problem: (bytes: String, message: String)) throws {
    let port = try resetting(after: problem.bytes)
    let url = URL(scheme: .http, host: "127.0.0.1", port: port)
    let failure = #expect(throws: Failure.self) { try carrier.transport.send(Request(.get, url)) }
    #expect(failure?.kind == .connection && failure?.retryable == true)
    #expect(failure?.message == problem.message.replacing("PEER", with: "127.0.0.1:\(port)"))
  }

  @Test(
    arguments: Carrier.available,
    [
      ("", "closed the connection without a response"),
      ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", ", a 200, was cut short"),
      ("SSH-2.0-OpenSSH_9.2\r\n", "is not HTTP"), ("HTTP/2 200\r\n\r\n", "status line"),
      ("HTTP/1.1 101 Switching\r\n\r\n", "switches protocols"),
      ("HTTP/1.1 200 OK\r\nA : b\r\n\r\n", "name: value"),
      ("HTTP/1.1 200 O\u{1b}K\r\n\r\n", "control character"),
      ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello", "Content-Length"),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "transfer coding"),
      ("HTTP/1.1 200 OK\r\nContent-Length: 5368709120\r\n\r\n", "larger than 64 MiB"),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "chunk"),
    ])
  func describesTheProblem(carrier: Carrier, problem: (bytes: String, message: String)) throws {
    let server = try ScriptedServer(answering: problem.bytes)
    defer { server.stop() }
    let failure = #expect(throws: Failure.self) { try carrier.transport.send(Request(.get, server.url)) }
    #expect(failure?.message.contains(problem.message) == true, "\(failure?.message ?? "")")
  }

  @Test(arguments: Carrier.available) func closesWhatItKeptAtItsEnd(carrier: Carrier) throws {
    let isClosed = DispatchSemaphore(value: 0)
    let server = try ScriptedServer { peer in
      peer.answer(ok("x"))
      peer.fallSilent()
      isClosed.signal()
    }
    defer { server.stop() }
    #expect(try carrier.transport.send(Request(.get, server.url)).string == "x")
    #expect(isClosed.wait(timeout: .now() + 60) == .success)
  }

  /// A port that lets nobody else connect: its queue of new connections is full.
  private func fullQueue() throws -> (port: Int, close: () -> Void) {
    let (listener, port) = try Loopback.listen()
    // The shortest one, for one connection.
    _ = Foundation.listen(listener, 0)
    let address = try #require(SocketAddress(numeric: "127.0.0.1", port: UInt16(port)))
    var clients: [Socket] = []
    for _ in 0..<4 {
      let client = try Socket(.v4)
      clients.append(client)
      _ = try client.connect(to: address)
    }
    return (
      port,
      { [clients] in
        for client in clients { client.close() }
        close(listener)
      }
    )
  }

  /// The limit of a connection is not that of the whole attempt.
  @Test(arguments: Carrier.available)
  func waitsForAConnectionNoLongerThanAllowed(carrier: Carrier) throws {
    let queue = try fullQueue()
    defer { queue.close() }
    let transport = carrier.transport(
      within: TimeLimits(connect: .milliseconds(100), attempt: .seconds(3600)))
    let url = URL(scheme: .http, host: "127.0.0.1", port: queue.port)
    let failure = #expect(throws: Failure.self) { try transport.send(Request(.post, url)) }
    #expect(failure?.message == "no connection to '127.0.0.1:\(queue.port)' within 0.1 s")
    #expect(failure?.retryable == true && failure?.outcomeUnknown == false, "nothing was sent")
  }
}
