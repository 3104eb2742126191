import Foundation
import System
import TestSupport
import Testing

@testable import HTTP

@Suite struct SocketTransportTests {
  let time = SystemTime()
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  func transport(attempt: Duration = .seconds(30), sizeLimit: Int = ReceivedResponse.sizeLimit)
    -> SocketTransport
  {
    SocketTransport(limits: TimeLimits(attempt: attempt), time: time, sizeLimit: sizeLimit)
  }

  @Test func writesRequests() throws {
    let server = try ScriptedServer(answering: ok(""))
    defer { server.stop() }
    let url = server.url.appending(path: "a b", query: ["q": "1"])
    let headers: Headers = ["X-A": "b", "Content-Length": "99", "Connection": "close"]
    _ = try transport().send(Request(.post, url, headers: headers, body: Array("xyz".utf8)))
    _ = try transport().send(Request(.get, url))
    #expect(
      server.requests == [
        "POST /x/a%20b?q=1 HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nX-A: b\r\nContent-Length: 3",
        "GET /x/a%20b?q=1 HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)",
      ])
  }

  @Test func headDoesNotWaitForBody() throws {
    let server = try ScriptedServer {
      $0.answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
      $0.fallSilent()
    }
    defer { server.stop() }
    let response = try transport().send(Request(.head, server.url))
    #expect(response.headers["content-length"] == "5")
    #expect(response.body.isEmpty)
  }

  /// What libcurl accepts (a coding) or reports in another way (a chunk that is announced, but not sent).
  @Test(arguments: [
    ("Content-Encoding: br\r\nContent-Length: 1\r\n\r\nx", "coding 'br'"),
    ("Transfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\n", "larger than 64 MiB"),
  ])
  func unreadableResponseIsRefused(bytes: String, message: String) throws {
    let server = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\n" + bytes)
    defer { server.stop() }
    let failure = #expect(throws: Failure.self) { try transport().send(Request(.get, server.url)) }
    #expect(failure?.kind == .invalidData)
    #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "")")
  }

  @Test(arguments: [
    ok("x", "Connection: Close\r\n"), ok("x") + "junk", "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx",
    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
  ])
  func givesUpAConnectionThatCannotBeTrusted(answer: String) throws {
    let server = try ScriptedServer { peer in
      while peer.read() != nil { peer.write(answer) }
    }
    defer { server.stop() }
    let transport = transport()
    for _ in 1...2 { #expect(try transport.send(Request(.get, server.url)).string == "x") }
    #expect(server.connections == 2)
  }

  /// What comes before the next request is no response to it.
  @Test func closesAKeptConnectionWithUnexpectedBytes() throws {
    let (isNext, isSent, isClosed) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let server = try ScriptedServer { peer in
      peer.answer(ok("\(peer.number)"))
      guard peer.number == 1 else { return peer.fallSilent() }
      isNext.wait()
      peer.write("junk")
      isSent.signal()
      peer.fallSilent()
      isClosed.signal()
    }
    defer { server.stop() }
    let transport = transport()
    #expect(try transport.send(Request(.post, server.url)).string == "1")
    isNext.signal()
    isSent.wait()
    // The bytes are on their way; nothing tells when they have come.
    try time.sleep(for: .milliseconds(50))
    #expect(try transport.send(Request(.post, server.url)).string == "2")
    #expect(isClosed.wait(timeout: .now() + 60) == .success)
    withExtendedLifetime(transport) {}
  }

  @Test func eachServiceHasAConnectionOfItsOwn() throws {
    let servers = try ["a", "b"].map { name in
      try ScriptedServer { peer in
        while peer.read() != nil { peer.write(ok(name)) }
      }
    }
    defer { for server in servers { server.stop() } }
    let transport = transport()
    let responses = try [0, 1, 0, 1].map { try transport.send(Request(.get, servers[$0].url)).string }
    #expect(responses == ["a", "b", "a", "b"])
    #expect(servers.map(\.connections) == [1, 1])
  }

  /// One of no further use, whatever came of it.
  @Test(arguments: [ok("x", "Connection: close\r\n"), "SSH-2.0\r\n\r\n", ""])
  func closesAConnectionThatItDoesNotKeep(answer: String) throws {
    let isClosed = DispatchSemaphore(value: 0)
    let server = try ScriptedServer { peer in
      peer.answer(answer)
      peer.fallSilent()
      isClosed.signal()
    }
    defer { server.stop() }
    let transport = transport(attempt: .milliseconds(20))
    _ = try? transport.send(Request(.get, server.url))
    #expect(isClosed.wait(timeout: .now() + 60) == .success)
    withExtendedLifetime(transport) {}
  }

  /// The server takes the second request of a connection and hangs up: it never answers twice.
  @Test(arguments: [(HTTP.Method.post, false), (.delete, true)])
  func asksAgainWhenAKeptConnectionWasGivenUp(method: HTTP.Method, isOnlyOnce: Bool) throws {
    let server = try ScriptedServer { peer in
      peer.answer(ok("\(peer.number)"))
      peer.read()
    }
    defer { server.stop() }
    let transport = transport()
    for number in 1...2 {
      let response = try transport.send(Request(.put, server.url))
      #expect(response.string == "\(number)" && response.attempts == number)
    }
    var last = Request(method, server.url)
    last.isOnlyOnce = isOnlyOnce
    let failure = #expect(throws: Failure.self) { try transport.send(last) }
    #expect(failure?.outcomeUnknown == true && failure?.retryable == false)
    #expect(server.requests.count == 4, "what is to be done once is not repeated")
  }

  @Test func doesNotPostOnAConnectionThatIsClosedAlready() throws {
    let server = try ScriptedServer(answering: ok("x"))
    defer { server.stop() }
    let transport = transport()
    for _ in 1...2 {
      #expect(try transport.send(Request(.post, server.url)).status == 200)
      // The close is on its way; nothing tells when it has come.
      try time.sleep(for: .milliseconds(50))
    }
    #expect(server.connections == 2)
  }

  @Test func responseIsReadThoughBodyWasNotSent() throws {
    let server = try ScriptedServer { $0.answer("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n") }
    defer { server.stop() }
    let request = Request(.post, server.url, body: Array(repeating: 0, count: 8 << 20))
    #expect(try transport().send(request).status == 413)
  }

  /// Its resolver need not know the name.
  @Test func localhostSubdomainIsLoopback() throws {
    let server = try ScriptedServer(answering: ok("here"))
    defer { server.stop() }
    let url = URL(scheme: .http, host: "api.localhost", port: server.port)
    #expect(try transport().send(Request(.get, url)).string == "here")
  }

  @Test func impossibleAddressIsReported() {
    let path = "/" + String(repeating: "a", count: 200)
    for (url, message) in [
      (URL(scheme: .unix, socket: path), "cannot connect to 'unix:\(path)': the path is not a socket"),
      (
        URL(scheme: .http, host: "127.0.0.1", port: 70_000),
        "cannot connect to '127.0.0.1:70000': port 70000 does not exist"
      ),
    ] {
      let failure = #expect(throws: Failure.self) { try transport().send(Request(.get, url)) }
      #expect(failure?.message == message)
    }
  }

  /// At a socket file, where each further connection would block.
  private func fullQueue() throws -> (queue: FullQueue, url: URL) {
    let file = scratch.file("socket")
    return (try FullQueue(.unix, SocketAddress(unixPath: file)), URL(scheme: .unix, socket: file))
  }

  @Test(arguments: [(2, 3, 2), (3, 1, 1)])
  func fullQueueIsRetriedUntilTimeout(connect: Int, attempt: Int, limit: Int) throws {
    let (queue, url) = try fullQueue()
    defer { queue.close() }
    let time = FakeClock()
    let limits = TimeLimits(connect: .seconds(connect), attempt: .seconds(attempt))
    let transport = SocketTransport(limits: limits, time: time)
    let failure = #expect(throws: Failure.self) { try transport.send(Request(.get, url)) }
    #expect(failure?.message == "no connection to 'unix:\(url.socket)' within \(limit) s")
    #expect(time.sleeps == Array(repeating: .milliseconds(5), count: limit * 200))
  }

  @Test func anInterruptionEndsTheWaitForAQueue() throws {
    let (queue, url) = try fullQueue()
    defer { queue.close() }
    let time = FakeClock { _ throws(Failure) in throw Interruption.failure }
    let transport = SocketTransport(limits: TimeLimits(), time: time)
    #expect(throws: Interruption.failure) { try transport.send(Request(.get, url)) }
    #expect(time.sleeps.count == 1)
  }

  @Test func speaksOverASocketFile() throws {
    let file = scratch.file("socket")
    let server = try ScriptedServer(socketFile: file) { $0.answer(ok("here")) }
    defer { server.stop() }
    let url = try URL("unix:\(file)")
    #expect(try transport().send(Request(.get, url.appending(path: "scores"))).string == "here")
    #expect(server.requests == ["GET /scores HTTP/1.1\r\nHost: localhost"])
    unlink(file)
    let failure = #expect(throws: Failure.self) { try transport().send(Request(.get, url)) }
    #expect(failure?.message == "cannot connect to 'unix:\(file)': no such file or directory")
  }
}
