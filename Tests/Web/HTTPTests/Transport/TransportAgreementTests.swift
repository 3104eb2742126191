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

    func transport(
      within limits: TimeLimits = TimeLimits(), sizeLimit: Int = ReceivedResponse.sizeLimit
    ) -> any Transport {
      switch self {
      case .socket: SocketTransport(limits: limits, time: SystemTime(), sizeLimit: sizeLimit)
      case .curl:
        CurlTransport(environment: Environment([:]), limits: limits, time: SystemTime(), sizeLimit: sizeLimit)
      }
    }

    func failure(_ request: Request, _ transport: (any Transport)? = nil) -> Failure? {
      #expect(throws: Failure.self) { try (transport ?? self.transport).send(request) }
    }
  }

  private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

  static let accepted: [(bytes: String, body: String)] = [
    (ok("hello"), "hello"), (ok(""), ""), ("HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello", "hello"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello", "hello"),
    ("HTTP/1.0 200 OK\r\n\r\nhello", "hello"), ("HTTP/1.1 200 OK\nContent-Length: 5\n\nhello", "hello"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhello", "hel"),
    (chunked + "2;x=y\r\nhe\r\n03\r\nllo\r\n0\r\nT: 1\r\n\r\n", "hello"),
    ("HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "hello"),
    ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\n" + ok("x"), "x"),
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

  static let refused: [(bytes: String, kind: Failure.Kind, words: String)] = [
    // Nothing, or less than was announced: it may be complete the next time.
    ("", .connection, "closed the connection without a response"), ("HTTP/1.1 20", .connection, ""),
    ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", .connection, ", a 200, was cut short"),
    (chunked + "5\r\nhello\r\n", .connection, ""), (chunked + "5\r\nhel", .connection, ""),
    (chunked, .connection, ""),
    // Something other than HTTP/1.
    ("SSH-2.0-OpenSSH_9.2\r\n", .invalidData, "is not HTTP"),
    ("HTTP/2 200\r\n\r\n", .invalidData, "status line"),
    ("HTTP/2 200 OK\r\nContent-Length: 5\r\n\r\nhello", .invalidData, ""),
    ("HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n", .invalidData, ""),
    ("HTTP/1.1 101 Switching\r\n\r\n", .invalidData, "switches protocols"),
    (String(repeating: "HTTP/1.1 103 Hints\r\n\r\n", count: 17) + ok("x"), .invalidData, ""),
    // Malformed lines of the head.
    ("HTTP/1.1 200 O\u{1b}K\r\nContent-Length: 0\r\n\r\n", .invalidData, "control character"),
    ("HTTP/1.1 200 OK\r\nA : b\r\nContent-Length: 0\r\n\r\n", .invalidData, "name: value"),
    ("HTTP/1.1 200 OK\r\nA: b\r\n c\r\nContent-Length: 0\r\n\r\n", .invalidData, ""),
    ("HTTP/1.1 200 OK\r\nA: b\u{1b}[0m\r\nContent-Length: 0\r\n\r\n", .invalidData, ""),
    ("HTTP/1.1 200 OK\r\nA: b\rc\r\nContent-Length: 0\r\n\r\n", .invalidData, ""),
    ("HTTP/1.1 200 OK\r\nA: b\0\r\nContent-Length: 0\r\n\r\n", .invalidData, ""),
    ("HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 0\r\n\r\n", .invalidData, ""),
    // An unclear or unreadable body.
    ("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", .invalidData, ""),
    ("HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\n", .invalidData, ""),
    (
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello", .invalidData, "Content-Length"
    ),
    ("HTTP/1.1 200 OK\r\nContent-Length: 6\r\nContent-Length: 5\r\n\r\nhello", .invalidData, ""),
    ("HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n\r\nhello", .invalidData, ""),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", .invalidData, "transfer coding"),
    ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello", .invalidData, ""),
    ("HTTP/1.1 200 OK\r\nContent-Length: 5368709120\r\n\r\n", .invalidData, "larger than 64 MiB"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", .invalidData, ""),
    (chunked + "xyz\r\n", .invalidData, "chunk"), (chunked + "\r\nhello\r\n0\r\n\r\n", .invalidData, ""),
    (chunked + "5\r\nhelloworld\r\n0\r\n\r\n", .invalidData, ""),
    (chunked + "11111111111111111\r\nhello\r\n0\r\n\r\n", .invalidData, ""),
  ]

  @Test(arguments: Carrier.available, refused.indices)
  func refusesAResponse(carrier: Carrier, index: Int) throws {
    let (bytes, kind, words) = Self.refused[index]
    let server = try ScriptedServer(answering: bytes)
    defer { server.stop() }
    let failure = #expect(throws: Failure.self, "\(bytes.debugDescription)") {
      try carrier.transport.send(Request(.get, server.url))
    }
    #expect(failure?.kind == kind, "\(bytes.debugDescription): \(failure?.message ?? "")")
    #expect(failure?.message.contains("'127.0.0.1:\(server.port)'") == true)
    #expect(words.isEmpty || failure?.message.contains(words) == true, "\(failure?.message ?? "")")
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
  func resetConnectionIsReportedAlike(carrier: Carrier, problem: (bytes: String, message: String)) throws {
    let port = try resetting(after: problem.bytes)
    let url = URL(scheme: .http, host: "127.0.0.1", port: port)
    let failure = #expect(throws: Failure.self) { try carrier.transport.send(Request(.get, url)) }
    #expect(failure?.kind == .connection && failure?.retryable == true)
    #expect(failure?.message == problem.message.replacing("PEER", with: "127.0.0.1:\(port)"))
  }

  @Test(arguments: Carrier.available) func keptConnectionIsClosedWithTransport(carrier: Carrier) throws {
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

  /// The limit of a connection is not that of the whole attempt.
  @Test(arguments: Carrier.available)
  func waitsForAConnectionNoLongerThanAllowed(carrier: Carrier) throws {
    let queue = try FullQueue(.v4, SocketAddress(numeric: "127.0.0.1", port: 0))
    defer { queue.close() }
    let transport = carrier.transport(
      within: TimeLimits(connect: .milliseconds(100), attempt: .seconds(3600)))
    let port = Int(queue.listener.address.port ?? 0)
    let url = URL(scheme: .http, host: "127.0.0.1", port: port)
    let failure = #expect(throws: Failure.self) { try transport.send(Request(.post, url)) }
    #expect(failure?.message == "no connection to '127.0.0.1:\(port)' within 0.1 s")
    #expect(failure?.retryable == true && failure?.outcomeUnknown == false, "nothing was sent")
  }

  // MARK: Limits

  @Test(arguments: Carrier.available, ["", "Transfer-Encoding: chunked\r\n"])
  func endlessBodyIsRefused(carrier: Carrier, field: String) throws {
    let server = try ScriptedServer { peer in
      peer.answer("HTTP/1.1 200 OK\r\n\(field)\r\n")
      let piece = String(repeating: "x", count: 1024)
      while peer.write(field.isEmpty ? piece : "400\r\n\(piece)\r\n") {}
    }
    defer { server.stop() }
    let failure = carrier.failure(.init(.get, server.url), carrier.transport(sizeLimit: 100 << 10))
    #expect(failure?.kind == .invalidData && failure?.message.contains("larger than 100 KiB") == true)
  }

  @Test(arguments: Carrier.available) func endlessHeadIsRefused(carrier: Carrier) throws {
    let server = try ScriptedServer { peer in
      peer.answer("HTTP/1.1 200 OK\r\n")
      while peer.write("X: \(String(repeating: "y", count: 1000))\r\n") {}
    }
    defer { server.stop() }
    #expect(carrier.failure(.init(.get, server.url))?.kind == .invalidData)
  }

  /// However the end of the body is told.
  @Test(
    arguments: Carrier.available,
    [
      ("Content-Length: 5\r\n\r\nhello", true), ("Content-Length: 6\r\n\r\nhello!", false),
      ("\r\nhello", true), ("\r\nhello!", false),
      ("Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", true),
      ("Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n3\r\nlo!\r\n0\r\n\r\n", false),
      ("Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n", false),
    ])
  func bodyAboveLimitIsRefused(carrier: Carrier, message: (rest: String, isRead: Bool)) throws {
    let server = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\n\(message.rest)")
    defer { server.stop() }
    let transport = carrier.transport(sizeLimit: 5)
    if message.isRead {
      #expect(try transport.send(Request(.get, server.url)).string == "hello")
    } else {
      let failure = carrier.failure(.init(.get, server.url), transport)
      #expect(failure?.message.hasSuffix("is larger than 5 bytes") == true)
    }
  }

  /// All lines of the head together, with their ends; over a socket, the last of them may be longer.
  @Test(arguments: Carrier.available, [false, true])
  func headAboveLimitIsRefused(carrier: Carrier, isRead: Bool) throws {
    let size = 65_536 + (isRead ? 0 : carrier == .curl ? 1 : 13)
    var text = "HTTP/1.1 204 No\r\n"
    while text.utf8.count < size - 2000 { text += "A: \(String(repeating: "x", count: 995))\r\n" }
    text += "B: \(String(repeating: "x", count: size - text.utf8.count - 7))\r\n\r\n"
    let server = try ScriptedServer(answering: text)
    defer { server.stop() }
    if isRead {
      #expect(try carrier.transport.send(Request(.get, server.url)).status == 204)
    } else {
      let failure = carrier.failure(.init(.get, server.url))
      #expect(failure?.message.hasSuffix("has a head longer than 64 KiB") == true)
    }
  }

  @Test(arguments: Carrier.available, ["", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe"])
  func responseIsAwaitedNoLongerThanAllowed(carrier: Carrier, bytes: String) throws {
    let server = try ScriptedServer {
      $0.answer(bytes)
      $0.fallSilent()
    }
    defer { server.stop() }
    let start = SystemTime().uptime()
    let transport = carrier.transport(within: TimeLimits(attempt: .milliseconds(100)))
    let failure = carrier.failure(.init(.get, server.url), transport)
    #expect(failure?.kind == .connection)
    #expect(failure?.message == "no response from '127.0.0.1:\(server.port)' within 0.1 s")
    // Nor much shorter: libcurl counts whole milliseconds.
    #expect(SystemTime().uptime() - start > .milliseconds(80))
  }

  @Test(arguments: Carrier.available) func deadlineEndsTheWaitForAResponse(carrier: Carrier) throws {
    let server = try ScriptedServer { $0.fallSilent() }
    defer { server.stop() }
    let deadline = Deadline(in: .milliseconds(100), SystemTime())
    let transport = carrier.transport(within: TimeLimits(deadline: deadline))
    for _ in 1...2 {
      let failure = carrier.failure(.init(.get, server.url), transport)
      #expect(failure?.kind == .connection && failure?.message == "deadline of 0.1 s reached")
    }
    #expect(server.connections == 1, "nothing is sent once the deadline is reached")
  }

  // MARK: Connections

  @Test(arguments: Carrier.available) func nobodyListensIsRetryable(carrier: Carrier) throws {
    let server = try ScriptedServer(answering: "")
    server.stop()
    let failure = carrier.failure(.init(.post, server.url))
    #expect(failure?.message == "'127.0.0.1:\(server.port)' refused the connection")
    #expect(failure?.retryable == true, "nothing was sent")
  }

  @Test(arguments: Carrier.available) func postWithoutResponseIsNotRetryable(carrier: Carrier) throws {
    let server = try ScriptedServer(answering: "")
    defer { server.stop() }
    let failure = carrier.failure(.init(.post, server.url))
    #expect(failure?.retryable == false)
    #expect(failure?.hint?.contains("may have been done") == true)
    #expect(server.connections == 1)
  }

  @Test(arguments: Carrier.available) func connectionIsKept(carrier: Carrier) throws {
    let server = try ScriptedServer { peer in
      while peer.read() != nil { peer.write(ok("\(peer.number)")) }
    }
    defer { server.stop() }
    let transport = carrier.transport
    for _ in 1...5 { #expect(try transport.send(Request(.get, server.url)).string == "1") }
    #expect(server.connections == 1)
  }

  /// More than a socket takes at once.
  @Test(arguments: Carrier.available) func largeBodyIsSentWhole(carrier: Carrier) throws {
    let size = 2 << 20
    let server = try ScriptedServer { peer in
      peer.read()
      peer.write(ok("\(peer.readBody(size).count)"))
    }
    defer { server.stop() }
    let request = Request(.put, server.url, body: Array(repeating: 0, count: size))
    #expect(try carrier.transport.send(request).string == "\(size)")
    // libcurl would ask before it sends so much.
    #expect(server.requests.first?.contains("Expect:") == false)
  }

  @Test(arguments: Carrier.available) func unknownHostIsNamed(carrier: Carrier) throws {
    let failure = carrier.failure(.init(.get, try URL("http://nowhere.invalid/")))
    #expect(failure?.kind == .connection && failure?.message == "cannot resolve 'nowhere.invalid'")
  }
}
