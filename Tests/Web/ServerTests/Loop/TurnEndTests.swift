import HTTP
import System
import TestSupport
import Testing

@testable import Server

/// Changes of a turn, which run at its end: the failure of one transaction is that of its requests alone.
@Suite struct TurnEndTests {
  private static let full = Failure(.storage, "disk full")

  private func backends(isFull: Bool, _ note: @escaping () -> Void = {}) -> [any Backend] {
    var kept = ScriptedBackend(
      "kept",
      routes: [
        Route(.put, "/kept") { _ in Response(200) },
        Route(.put, "/large") { _ in
          Response(200, body: [UInt8](repeating: UInt8(ascii: "x"), count: 200_000))
        },
      ])
    kept.runTransaction = { body throws(Failure) in
      note()
      try body()
      if isFull { throw TurnEndTests.full }
    }
    return [kept, ScriptedBackend("other", routes: [Route(.get, "/other") { _ in Response(200) }])]
  }

  @Test(arguments: [(false, [200, 200]), (true, [500, 200])])
  func failedTransactionFailsItsRequestsOnly(isFull: Bool, statuses: [Int]) throws {
    var (runs, complaints): (Int, [String]) = (0, [])
    let stepped = try SteppedServer(backends(isFull: isFull) { runs += 1 }) {
      $0.logFailure = { complaints.append($0.message) }
    }
    let client = try stepped.exchange(
      "PUT /kept HTTP/1.1\r\nHost: a\r\n\r\nGET /other HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.statuses == statuses)
    #expect(complaints == (isFull ? ["disk full"] : []))
    #expect(runs == 1)
  }

  /// The body of a large response is sent by itself; the error in its place is not.
  @Test func largeResponseOfFailedTransactionBecomesError() throws {
    let stepped = try SteppedServer(backends(isFull: true))
    let client = try stepped.exchange("PUT /large HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.statuses == [500] && !client.body.contains("x"))
    #expect(client.has("Content-Length: \(client.body.utf8.count)"))
    #expect(stepped.server.unsent.count == 0)
  }

  private static let page = "PUT /kept HTTP/1.1\r\nHost: a\r\n"

  @Test(arguments: [
    (TurnEndTests.page, "429:1", 429), ("PUT /kept HTTP/1.1\r\n", "", 400),
    ("\(TurnEndTests.page)Origin: http://b\r\n", "", 403), ("GET /kept HTTP/1.1\r\nHost: a\r\n", "", 405),
  ])
  func refusedRequestRunsNoTransaction(head: String, fault: String, status: Int) throws {
    var runs = 0
    let plan = fault.isEmpty ? FaultPlan() : try FaultPlan(fault, seed: 1, suites: ["kept"])
    let stepped = try SteppedServer(backends(isFull: true) { runs += 1 }) { $0.faults = plan }
    #expect(try stepped.exchange("\(head)\r\n").statuses == [status] && runs == 0)
  }

  @Test(arguments: ["PUT /kept", "GET /status/101"])
  func failedResponseKeepsRequestId(line: String) throws {
    let stepped = try SteppedServer(
      backends(isFull: true) + [ScriptedBackend("sample", routes: Sample.routes)])
    let client = try stepped.exchange("\(line) HTTP/1.1\r\nHost: a\r\nX-Request-Id: abc\r\n\r\n")
    #expect(client.statuses == [500] && client.has("X-Request-Id: abc"))
  }

  @Test func embeddedTransportReportsFailedTransaction() throws {
    let transport = EmbeddedTransport(Router(backends(isFull: true)))
    #expect(throws: TurnEndTests.full) { try transport.send(Request(.put, URL("demo:/kept"))) }
    #expect(try transport.send(Request(.get, URL("demo:/other"))).status == 200)
    #expect(try transport.send(Request(.get, URL("demo:/nowhere"))).status == 404)
  }
}
