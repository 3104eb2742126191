import HTTP
import TestSupport
import Testing

@testable import Server
@testable import System

/// Who waits for whom, and for how long: by a clock that the test moves.
@Suite struct ServerTimeTests {
  @Test func slowClientsDoNotDelayOthers() throws {
    let stepped = try SteppedServer()
    // Both ends are this process's, whose limit may be as low as 1024 descriptors.
    let slow = try (0..<min(1000, stepped.server.connectionLimit / 2 - 50)).map { _ in
      try Client(to: stepped.server.address)
    }
    for letter in "GET /" {
      for client in slow { _ = client.trySending([letter.asciiValue ?? 0]) }
      stepped.time.advance(by: .seconds(1))
      try stepped.step(20)
      #expect(try stepped.exchange(Sample.get).statuses == [200])
    }
    #expect(stepped.server.connections.count >= slow.count)
    stepped.time.advance(by: .seconds(11))
    try stepped.step(20)
    #expect(slow.allSatisfy { $0.receive() && $0.statuses == [408] })
  }

  /// What it has sent already does not cost it the response, however much that is.
  @Test(arguments: [0, 200_000]) func rejectedConnectionReceives503AfterSendingData(count: Int) throws {
    let stepped = try SteppedServer { $0.connections = 1 }
    let busy = try stepped.exchange("GET /a HT")
    let client = try Client(to: stepped.server.address)
    _ = client.trySending(Array((Sample.get + String(repeating: "x", count: count)).utf8)[...])
    try stepped.step()
    let error = client.socket.connectionError
    #expect(count == 0 ? error == nil : error != SystemError(ECONNRESET))
    try stepped.hear(client)
    #expect(client.statuses == [503] && client.isClosed)
    withExtendedLifetime(busy) {}
  }

  @Test func refusedConnectionLingersForTwoSeconds() throws {
    let stepped = try SteppedServer()
    let client = try stepped.exchange("GET\r\n")
    try stepped.step()
    for left in [1, 0] {
      stepped.time.advance(by: .seconds(1))
      try stepped.step()
      #expect(stepped.server.connections.count == left)
    }
    withExtendedLifetime(client) {}
  }

  /// What it sends is not read, and when it goes the wait is over.
  @Test(arguments: [false, true])
  func dataAfterRefusalIsDiscarded(isReset: Bool) throws {
    let stepped = try SteppedServer()
    let client = try stepped.exchange("GET\r\n")
    #expect(client.statuses == [400] && client.isClosed)
    let connection = try #require(stepped.server.connections.all.first)
    _ = client.trySending(Array(Sample.get.utf8)[...])
    try waitUntil("the request to be discarded") {
      try stepped.step(1)
      return client.socket.bufferedCount == 0 && connection.socket.unreadCount == 0
    }
    #expect(connection.state == .lingering && stepped.server.connections.inputCount == 0)
    if isReset { client.reset() } else { client.close() }
    try waitUntil("the connection to close") {
      try stepped.step(1)
      return stepped.server.connections.isEmpty
    }
  }

  @Test func aTurnAcceptsSixtyFourConnections() throws {
    let stepped = try SteppedServer()
    var clients: [Client] = []
    var most = 0
    // On a busy machine some of them arrive later.
    for _ in 0..<5 where most < 64 {
      for _ in 0..<70 { clients.append(try Client(to: stepped.server.address)) }
      for _ in 0..<1000 where stepped.server.connections.count < clients.count {
        let before = stepped.server.connections.count
        try stepped.server.runTurn(waitingAtMost: .milliseconds(10))
        most = max(most, stepped.server.connections.count - before)
      }
    }
    #expect(most == 64 && stepped.server.connections.count == clients.count)
  }

  /// The first at once, and the server wakes for the next.
  @Test func watchdogIsNotifiedOncePerInterval() throws {
    let scratch = try ScratchDirectory()
    let address = try #require(SocketAddress(unixPath: scratch.file("notify")))
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(descriptor) }
    let status = unsafe address.withSockaddr { unsafe bind(descriptor, $0, $1) }
    try #require(status == 0)
    func signs() -> [String] {
      var signs: [String] = []
      while true {
        var buffer = [UInt8](repeating: 0, count: 100)
        let count = unsafe recv(descriptor, &buffer, 100, Int32(MSG_DONTWAIT))
        guard count > 0 else { return signs }
        signs.append(String(decoding: buffer.prefix(count), as: UTF8.self))
      }
    }
    let manager = try ServiceManager(
      Environment(["NOTIFY_SOCKET": scratch.file("notify"), "WATCHDOG_USEC": "600000"]))
    let stepped = try SteppedServer { $0.serviceManager = manager }
    for (pause, expected, timeout) in [(0, ["WATCHDOG=1"], 300), (299, [], 1), (1, ["WATCHDOG=1"], 300)] {
      stepped.time.advance(by: .milliseconds(pause))
      try stepped.step()
      #expect(signs() == expected && stepped.server.timeout(atMost: .milliseconds(600)) == Int32(timeout))
    }
  }

  // MARK: The end

  /// A server that can be told to stop.
  private func stoppable() throws -> (SteppedServer, stop: () -> Void) {
    let pipe = try Pipe()
    let stepped = try SteppedServer { $0.stopSignal = pipe.reader }
    // A byte, and not only the end: a process that another test starts may hold the pipe open.
    return (
      stepped,
      {
        try? pipe.writer.writeAll([0])
        pipe.writer.close()
      }
    )
  }

  @Test func stoppingServerClosesIdleAndFinishesPendingRequests() throws {
    let (stepped, stop) = try stoppable()
    let idle = try stepped.exchange(Sample.get)
    let late = try stepped.exchange(
      "POST /echo HTTP/1.1\r\nHost: a\r\n\(Sample.json)Content-Length: 3\r\n\r\na")
    let unread = try stepped.connect()
    _ = unread.trySending(Array(Sample.get.utf8)[...])
    stop()
    try stepped.step()
    for client in [idle, unread] { try stepped.hear(client) }
    #expect(idle.isClosed && idle.statuses == [200])
    #expect(unread.isClosed && unread.statuses == [200])
    #expect(!late.isClosed)
    try stepped.say("bc", late)
    #expect(late.statuses == [200] && late.body == "abc" && late.isClosed)
    let refused = try Client(to: stepped.server.address)
    #expect(refused.socket.connectionError != nil || refused.receive() == false)
  }

  /// More requests than events of one turn, or more bytes of responses.
  @Test(arguments: [(200, "/a"), (80, "/large/100000")])
  func requestsThatHaveArrivedAreAnsweredBeforeTheServerStops(count: Int, target: String) throws {
    let (stepped, stop) = try stoppable()
    let clients = try (0..<count).map { _ in try Client(to: stepped.server.address) }
    func wait(until isDone: (Client) -> Bool) throws {
      for _ in 0..<6000 where !clients.allSatisfy(isDone) {
        try stepped.step(1)
        for client in clients where !isDone(client) { _ = client.receive() }
      }
    }
    for client in clients { _ = client.trySending(Array(Sample.get.utf8)[...]) }
    try wait { $0.statuses.count == 1 }
    for client in clients {
      _ = client.trySending(Array("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)[...])
    }
    stop()
    try wait(until: \.isClosed)
    for client in clients { #expect(client.statuses == [200, 200] && client.isClosed) }
  }

  @Test func stoppingServerWaitsFiveSeconds() throws {
    let (stepped, stop) = try stoppable()
    let late = try stepped.exchange(
      "POST /echo HTTP/1.1\r\nHost: a\r\n\(Sample.json)Content-Length: 3\r\n\r\na")
    stepped.time.advance(by: .milliseconds(300))
    stop()
    try stepped.step()
    #expect(stepped.server.timeout(atMost: .milliseconds(600)) == 600)
    stepped.time.advance(by: .milliseconds(4700))
    try stepped.step()
    #expect(stepped.server.timeout(atMost: .milliseconds(600)) == 300)
    #expect(stepped.server.connections.count == 1)
    stepped.time.advance(by: .milliseconds(300))
    try stepped.server.run()
    // The child of another test may hold the socket until it executes its program.
    try waitUntil("the end of the connection") { late.receive() && late.isClosed }
    #expect(late.text.isEmpty)
  }
}
