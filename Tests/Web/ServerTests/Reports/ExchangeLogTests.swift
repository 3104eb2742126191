import HTTP
import Store
import System
import TestSupport
import Testing

@testable import Server

/// One record per request, and its id.
@Suite struct ExchangeLogTests {
  private final class Records {
    var all: [AccessRecord] = []
  }

  private func serve(_ configure: (inout ServerConfiguration) -> Void = { _ in }) throws -> (
    SteppedServer, Records
  ) {
    let records = Records()
    let stepped = try SteppedServer {
      configure(&$0)
      $0.log = { records.all.append($0) }
    }
    return (stepped, records)
  }

  private static func get(_ lines: String) -> String { "GET /a HTTP/1.1\r\nHost: a\r\n\(lines)\r\n" }

  @Test func requestIdOfClientIsKeptIfValid() throws {
    let (stepped, records) = try serve()
    let long = String(repeating: "x", count: 129)
    let good = ["a", "0af7651916cd43dd-8448.eb211:c8/0+9_c=", String(long.dropLast())]
    for id in good {
      #expect(try stepped.exchange(Self.get("X-Request-Id: \(id)\r\n")).has("X-Request-Id: \(id)"))
    }
    let bad = ["", long, "a b", "a\"b", "a\tb", "ä", "<script>", "$(x)", "a;b", "\u{7F}a", "a,b", "%0a"]
    var made: Set<String> = []
    for id in bad {
      let client = try stepped.exchange(Self.get("X-Request-Id: \(id)\r\n"))
      guard client.statuses == [200] else { continue }
      let line = try #require(client.text.split(separator: "\r\n").first { $0.hasPrefix("X-Request-Id: ") })
      #expect(!line.hasSuffix(": \(id)"))
      made.insert(String(line))
    }
    #expect(made.count >= bad.count - 1, "each is new")
    #expect(records.all.count { good.contains($0.id) } == good.count)
  }

  /// A server without a log returns what it was given, and makes nothing up.
  @Test func withoutLogNoRequestIdIsGenerated() throws {
    let stepped = try SteppedServer()
    #expect(try stepped.exchange(Self.get("X-Request-Id: a\r\n")).has("X-Request-Id: a"))
    #expect(!(try stepped.exchange(Self.get(""))).text.contains("X-Request-Id"))
  }

  @Test func everyRequestHasOneRecord() throws {
    let (stepped, records) = try serve {
      $0.limits.requestsPerAddress = 4
      $0.requestLimits.body = 10
    }
    _ = try stepped.exchange(
      "GET /a?pin=1234 HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n"
        + "GET /throws/storage HTTP/1.1\r\nHost: a\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n"
        + "HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n" + Sample.get + Sample.get + Sample.post("0123456789ab"))
    let all = records.all
    #expect(all.map(\.status) == [200, 500, 404, 200, 200, 429, 413])
    #expect(all.map(\.client) == ["192.0.2.1"] + Array(repeating: "127.0.0.1", count: 6))
    #expect(all[0].target == "/a?pin=•••" && all[0].bytes == 2)
    #expect(all[3].method == .head && all[3].bytes == 0)
    #expect(all[6].method == nil && all[6].target == "" && all[6].failure != nil)
    #expect(Set(all.map(\.id)).count == 7)
    #expect(all.allSatisfy { $0.time.seconds == 1_767_323_045 })
  }

  @Test func requestOfDisconnectedClientIsLogged() throws {
    let gate = try Pipe()
    defer { [gate.reader, gate.writer].forEach { $0.close() } }
    let (stepped, records) = try serve {
      $0.faults = (try? FaultPlan("delay:2s", seed: 1, suites: ["sample"])) ?? FaultPlan()
    }
    do {
      let client = try stepped.exchange(Sample.get)
      #expect(client.text.isEmpty)
    }
    try stepped.step()
    stepped.time.advance(by: .seconds(3))
    try stepped.step()
    #expect(records.all.map(\.status) == [200] && records.all[0].bytes == 2)
    // Of this one the server knows before the response is due.
    try stepped.exchange(Sample.get).reset()
    try stepped.step()
    #expect(stepped.server.connections.count == 0 && records.all.count == 1)
    stepped.time.advance(by: .seconds(3))
    try stepped.step()
    #expect(records.all.map(\.status) == [200, 200] && records.all[1].bytes == 0)
  }

  @Test func aRejectedConnectionHasARecord() throws {
    let (stepped, records) = try serve { $0.connections = 1 }
    let busy = try stepped.exchange("GET /a HT")
    let second = try stepped.connect()
    try stepped.hear(second)
    #expect(records.all.map(\.status) == [503] && records.all[0].client == "127.0.0.1")
    #expect(!second.body.isEmpty && records.all[0].bytes == second.body.utf8.count)
    withExtendedLifetime(busy) {}
  }

  @Test(.needs(.libsqlite3)) func recordNamesUser() throws {
    let users = try UserTable(.memory(time: FakeClock()))
    try users.add(.init(user: User("ann", isAdmin: false), added: Timestamp(seconds: 0)), token: "right")
    let access = Access(users, isPublic: true, publicSuites: [])
    let records = Records()
    let stepped = try SteppedServer([ScriptedBackend("sample", routes: Sample.routes)], access: access) {
      $0.log = { records.all.append($0) }
    }
    _ = try stepped.exchange(
      Self.get("X-Authorization: right\r\n") + Self.get("X-Authorization: wrong\r\n")
        + "GET /throws/conflict HTTP/1.1\r\nHost: a\r\nX-Authorization: right\r\n\r\n")
    #expect(records.all.map(\.user) == ["ann", nil, "ann"])
    #expect(records.all.map(\.status) == [200, 401, 409])
  }

  @Test func newIdsAreNumbered() throws {
    let (stepped, records) = try serve()
    _ = try stepped.exchange(String(repeating: Self.get(""), count: 17))
    #expect(Set(records.all.map { $0.id.prefix(13) }).count == 1 && records.all.count == 17)
    #expect(
      records.all.map { $0.id.dropFirst(13) } == [
        "1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b", "c", "d", "e", "f", "10", "11",
      ])
  }

  /// A delay is part of it.
  @Test func recordHasDurationIncludingDelay() throws {
    let faults = try FaultPlan("delay:1500ms", seed: 1, suites: ["sample"])
    let (stepped, records) = try serve { $0.faults = faults }
    let client = try stepped.exchange(Self.get("") + "GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(records.all.isEmpty)
    stepped.time.advance(by: .milliseconds(1500))
    try stepped.hear(client)
    #expect(client.statuses == [200, 404])
    #expect(records.all.map(\.duration) == [.milliseconds(1500), .zero])
    let end = Timestamp(seconds: 1_767_323_046, nanoseconds: 500_000_000)
    #expect(records.all.map(\.time) == [end, end])
  }

  @Test func recordNamesInjectedFault() throws {
    let faults = try FaultPlan("429:1", seed: 1, suites: ["sample"])
    let (stepped, records) = try serve { $0.faults = faults }
    #expect(try stepped.exchange(Self.get("")).statuses == [429])
    #expect(records.all.map(\.failure) == [Failure(.connection, "fault 429")])
  }

  /// In the order of the requests, when they are due at the same time.
  @Test func delayedResponsesAreSentInTheirOrder() throws {
    let faults = try FaultPlan("delay:1s", seed: 1, suites: ["sample"])
    let (stepped, records) = try serve { $0.faults = faults }
    let clients = try (1...3).map { try stepped.exchange("GET /a?\($0) HTTP/1.1\r\nHost: a\r\n\r\n") }
    stepped.time.advance(by: .seconds(1))
    for client in clients { try stepped.wait(for: 1, client) }
    #expect(records.all.map(\.target) == ["/a?1", "/a?2", "/a?3"])
  }

  /// Nobody gets what follows a response that takes the connection with it, delayed or not.
  @Test func requestsAfterDroppedResponseAreLoggedAtOnce() throws {
    let records = Records()
    let backends = ["kept", "lost", "late"].map { name in
      ScriptedBackend(name, routes: [Route(.get, "/\(name)") { _ in Response(200, body: Array(name.utf8)) }])
    }
    let plan = try FaultPlan("lost=drop:1;late=delay:1s", seed: 1, suites: backends.map(\.suite))
    let stepped = try SteppedServer(backends) {
      $0.faults = plan
      $0.log = { records.all.append($0) }
    }
    let client = try stepped.exchange(
      ["kept", "lost", "kept", "late"].map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
    #expect(client.statuses == [200] && client.isClosed)
    #expect(records.all.map(\.target) == ["/kept", "/lost", "/kept", "/late"])
    #expect(records.all.map(\.bytes) == [4, 0, 0, 0])
    stepped.time.advance(by: .seconds(2))
    try stepped.step()
    #expect(records.all.count == 4)
  }

  @Test func failedCommitIsLoggedWithItsFailure() throws {
    let records = Records()
    let full = Failure(.storage, "full")
    var backend = ScriptedBackend("sample", routes: Sample.routes)
    backend.runTransaction = { _ throws(Failure) in throw full }
    let stepped = try SteppedServer([backend]) { $0.log = { records.all.append($0) } }
    let client = try stepped.exchange(Sample.post("") + "GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.statuses == [500, 404])
    #expect(records.all.map(\.status) == [500, 404] && records.all[0].bytes == 33)
    #expect(records.all.map(\.failure) == [full, Failure(.notFound, "no route '/nowhere'")])
  }
}
