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
  func overASocket(failing: Bool, statuses: [Int]) throws {
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
  @Test func aLargeResponseThatIsNotStoredBecomesAnError() throws {
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

  /// Nothing is committed, and nothing fails, where nothing was asked.
  @Test func aBackendThatWasNotAskedIsLeftAlone() throws {
    let note = Note()
    let server = try Server(
      Router(backends(note, failing: true)), on: ListenAddress("127.0.0.1:0"),
      ServerConfiguration(time: FakeClock()))
    defer { server.closeAll() }
    let client = try Client(to: server.address)
    for _ in 0..<3 { try server.runTurn(waitingAtMost: .milliseconds(1)) }
    _ = client.trySending(
      Array("GET /other HTTP/1.1\r\nHost: localhost\r\n\r\nGET /no HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)[
        ...])
    for _ in 0..<50 where client.statuses.count < 2 {
      try server.runTurn(waitingAtMost: .milliseconds(1))
      _ = client.receive()
    }
    #expect(client.statuses == [200, 404])
    #expect(note.turns.withLock { $0 } == 0)
  }

  @Test(arguments: [(false, 200), (true, 500)])
  func inTheProcess(failing: Bool, status: Int) throws {
    let note = Note()
    let router = Router(backends(note, failing: failing))
    #expect(router.respond(to: Request(.put, try URL("demo:/kept"))).status == status)
    #expect(router.respond(to: Request(.get, try URL("demo:/other"))).status == 200)
    #expect(note.turns.withLock { $0 } == 1)
  }

  @Test func inTheProcessTheReasonIsNoSecret() throws {
    let transport = EmbeddedTransport(Router(backends(Note(), failing: true)))
    #expect(throws: Failure(.storage, "disk full")) { try transport.send(Request(.put, URL("demo:/kept"))) }
    #expect(try transport.send(Request(.get, URL("demo:/other"))).status == 200)
    #expect(try transport.send(Request(.get, URL("demo:/nowhere"))).status == 404)
  }
}
