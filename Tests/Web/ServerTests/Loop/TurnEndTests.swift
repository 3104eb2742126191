import HTTP
import Synchronization
import System
import TestSupport
import Testing

@testable import Server

/// A backend's own word at the end of a turn: before it nobody is answered, and its failure is its alone.
@Suite struct TurnEndTests {
  private final class Note: Sendable {
    let turns = Mutex(0)
  }

  private func backends(_ note: Note, failing: Bool) -> [Backend] {
    [
      Backend("kept", routes: [Route(.put, "/kept") { _ in Response(200) }]) { () throws(Failure) in
        note.turns.withLock { $0 += 1 }
        if failing { throw Failure(.storage, "disk full") }
      },
      Backend("other", routes: [Route(.get, "/other") { _ in Response(200) }]),
    ]
  }

  @Test(arguments: [(false, [200, 200]), (true, [500, 200])])
  func commitFailureFailsItsBackendOnly(failing: Bool, statuses: [Int]) throws {
    let note = Note()
    var configuration = ServerConfiguration(time: FakeClock())
    var complaints: [String] = []
    configuration.logFailure = { complaints.append($0.message) }
    let server = try Server(
      Router(backends(note, failing: failing)), on: ListenAddress("127.0.0.1:0"), configuration)
    defer { server.closeAll() }
    let client = try Client(to: server.address)
    let both = "PUT /kept HTTP/1.1\r\nHost: localhost\r\n\r\nGET /other HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for _ in 0..<3 { try server.runTurn(waitingAtMost: .milliseconds(1)) }
    _ = client.trySending(Array(both.utf8)[...])
    for _ in 0..<5 where client.statuses.count < 2 {
      try server.runTurn(waitingAtMost: .milliseconds(1))
      _ = client.receive()
    }
    #expect(client.statuses == statuses)
    #expect(complaints == (failing ? ["disk full"] : []))
    #expect(note.turns.withLock { $0 } == 1)
  }

  /// The body of a large response is sent by itself; the error in its place is not.
  @Test func largeResponseOfFailedCommitBecomesError() throws {
    let backend = Backend(
      "kept",
      routes: [
        Route(.put, "/large") { _ in
          Response(200, body: [UInt8](repeating: UInt8(ascii: "x"), count: 200_000))
        }
      ]
    ) { () throws(Failure) in throw Failure(.storage, "disk full") }
    let stepped = try SteppedServer([backend])
    let client = try stepped.exchange("PUT /large HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.statuses == [500] && !client.body.contains("x"))
    #expect(client.has("Content-Length: \(client.body.utf8.count)"))
    #expect(stepped.server.unsent.count == 0)
  }

  private static let full = Failure(.storage, "disk full")
  private static let page = "GET /a HTTP/1.1\r\nHost: a\r\nOrigin: https://app.example\r\n"

  /// No handler has run, so there is nothing to commit, and no failure of it.
  @Test(arguments: [
    (TurnEndTests.page, "429:1", 429), ("GET /a HTTP/1.1\r\n", "", 400),
    ("POST /echo HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\n", "", 403),
  ])
  func aRefusalIsNotCommitted(head: String, fault: String, status: Int) throws {
    var commits = 0
    let plan = fault.isEmpty ? FaultPlan.none : try FaultPlan(fault, seed: 1, suites: ["sample"])
    let stepped = try SteppedServer(commit: { () throws(Failure) in
      commits += 1
      throw TurnEndTests.full
    }) { $0.faults = plan }
    #expect(try stepped.exchange("\(head)\r\n").statuses == [status] && commits == 0)
  }

  /// They are those of another router.
  @Test(arguments: ["GET", "POST"])
  func metricsRequestCommitsNothing(method: String) throws {
    var commits = 0
    let backend = Backend("sample", routes: Sample.routes) { () throws(Failure) in
      commits += 1
      throw TurnEndTests.full
    }
    let sockets = ServerSockets(
      [try Listener(ListenAddress("127.0.0.1:0").socket)],
      metrics: try Listener(ListenAddress("127.0.0.1:0").socket))
    let stepped = try SteppedServer([backend], on: sockets) { _ in }
    let client = try Client(to: try #require(sockets.metrics).address)
    try stepped.say("\(method) /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", client)
    try stepped.wait(for: 1, client)
    #expect(client.statuses == [method == "GET" ? 200 : 405] && commits == 0)
  }

  /// Whatever becomes of a response, it keeps its id.
  @Test(arguments: [("/a", true, "disk full"), ("/status/101", false, "status 101")])
  func failedResponseKeepsRequestIdAndOriginHeaders(path: String, cannotCommit: Bool, complaint: String)
    throws
  {
    var complaints: [String] = []
    let stepped = try SteppedServer(commit: { () throws(Failure) in
      if cannotCommit { throw TurnEndTests.full }
    }) {
      $0.logFailure = { complaints.append($0.message) }
    }
    let head = TurnEndTests.page.replacing("GET /a", with: "GET \(path)")
    let client = try stepped.exchange("\(head)X-Request-Id: abc\r\n\r\n")
    #expect(client.statuses == [500] && complaints == [complaint])
    #expect(client.has("X-Request-Id: abc"))
    #expect(!client.has("Content-Type: text/plain"))
  }

  @Test(arguments: [(false, 200), (true, 500)])
  func commitFailureFailsItsBackendOnlyInProcess(failing: Bool, status: Int) throws {
    let note = Note()
    let router = Router(backends(note, failing: failing))
    #expect(router.respond(to: Request(.put, try URL("demo:/kept"))).status == status)
    #expect(router.respond(to: Request(.get, try URL("demo:/other"))).status == 200)
    #expect(note.turns.withLock { $0 } == 1)
  }

  @Test func embeddedTransportReportsCommitFailure() throws {
    let transport = EmbeddedTransport(Router(backends(Note(), failing: true)))
    #expect(throws: Failure(.storage, "disk full")) { try transport.send(Request(.put, URL("demo:/kept"))) }
    #expect(try transport.send(Request(.get, URL("demo:/other"))).status == 200)
    #expect(try transport.send(Request(.get, URL("demo:/nowhere"))).status == 404)
  }
}
