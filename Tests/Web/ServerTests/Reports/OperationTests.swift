import HTTP
import Synchronization
import System
import TestSupport
import Testing

@testable import Server

/// /healthz, /readyz and /metrics.
@Suite(.ownThread) struct OperationTests {
  private static func get(_ path: String, _ lines: String = "", method: String = "GET") -> String {
    "\(method) \(path) HTTP/1.1\r\nHost: a\r\n\(lines)\r\n"
  }

  /// A monitor whose store is there or not, as the test says.
  private final class Switch: Sendable {
    let isReachable = Mutex(true)
    let isFull = Mutex(false)
    /// Examinations wait until this pipe can be read, if they are to wait.
    let gate: Pipe
    let waits: Bool

    init(waits: Bool = false) throws {
      gate = try Pipe()
      self.waits = waits
    }

    deinit {
      gate.reader.close()
      gate.writer.close()
    }

    func monitor() throws -> StoreMonitor {
      try StoreMonitor {
        if self.waits { _ = try? self.gate.reader.read(atMost: 1) }
        return StoreMonitor.Report(
          isReachable: self.isReachable.withLock { $0 }, free: 4096, isFull: self.isFull.withLock { $0 })
      }
    }
  }

  /// A probe has no token, comes under any name, and is frequent.
  @Test(.needs(.libsqlite3)) func healthProbeNeedsNoTokenAndHasNoLimit() throws {
    let users = try UserTable(.memory(time: FakeClock()))
    try users.add(.init(user: User("ann", isAdmin: false), added: Timestamp(seconds: 0)), token: "x")
    let access = Access(users, isPublic: true, publicSuites: [])
    let faults = try FaultPlan("503:1", seed: 1, suites: ["sample"])
    let stepped = try SteppedServer([ScriptedBackend("sample", routes: Sample.routes)], access: access) {
      $0.origins.isPublic = false
      $0.limits.requestsPerAddress = 1
      $0.faults = faults
    }
    let client = try stepped.exchange(
      String(repeating: Self.get("/healthz", "X-Forwarded-For: 1.2.3.4\r\n"), count: 5))
    #expect(client.statuses == [200, 200, 200, 200, 200])
  }

  @Test func readinessDependsOnTheStore() throws {
    let store = try Switch()
    let monitor = try store.monitor()
    let stepped = try SteppedServer { $0.monitor = monitor }
    func status(_ path: String) throws -> [Int] {
      let client = try stepped.exchange(Self.get(path))
      try stepped.wait(for: 1, client)
      return client.statuses
    }
    #expect(try status("/readyz") == [200])
    store.isReachable.withLock { $0 = false }
    #expect(try status("/readyz") == [503])
    #expect(try status("/healthz") == [200])
    store.isReachable.withLock { $0 = true }
    #expect(try status("/readyz") == [200])
    store.isFull.withLock { $0 = true }
    #expect(try status("/readyz") == [503])
    #expect(try status("/healthz") == [200])
  }

  @Test func unresponsiveStoreIsNotReadyAndDelaysNoOtherRequest() throws {
    let store = try Switch(waits: true)
    let monitor = try store.monitor()
    let stepped = try SteppedServer { $0.monitor = monitor }
    let waiting = try stepped.exchange(Self.get("/readyz") + Self.get("/a"))
    #expect(waiting.text.isEmpty)
    #expect(try stepped.exchange(Sample.get).statuses == [200])
    stepped.time.advance(by: .milliseconds(1999))
    try stepped.hear(waiting)
    #expect(waiting.text.isEmpty)
    stepped.time.advance(by: .milliseconds(1))
    try stepped.wait(for: 2, waiting)
    #expect(waiting.statuses == [503, 200] && waiting.text.contains("the store cannot be reached\n"))
    // Two reports for two requests of one time: the thread is free again after one of them.
    try store.gate.writer.writeAll([0])
    let first = try stepped.exchange(Self.get("/readyz"))
    try store.gate.writer.writeAll([0])
    try stepped.wait(for: 1, first)
    #expect(first.statuses == [200])
  }

  /// Without a word from the store, which may not respond.
  @Test func stoppingServerIsNotReadyWithoutAskingTheStore() throws {
    let store = try Switch(waits: true)
    let monitor = try store.monitor()
    let stop = try Pipe()
    defer { stop.reader.close() }
    let stepped = try SteppedServer {
      $0.monitor = monitor
      $0.stopSignal = stop.reader
    }
    let client = try stepped.exchange("GET /readyz HTTP/1.1\r\n")
    stop.writer.close()
    try stepped.step()
    try stepped.say("Host: a\r\n\r\n", client)
    #expect(client.statuses == [503] && client.body == "stopping\n" && client.isClosed)
  }

  // MARK: Metrics

  private func serve(
    _ routes: [Route] = Sample.routes, _ configure: (inout ServerConfiguration) -> Void = { _ in }
  ) throws -> (SteppedServer, SocketAddress) {
    let sockets = ServerSockets(
      [try Listener(SocketAddress(listening: "127.0.0.1:0"))],
      metrics: try Listener(SocketAddress(listening: "127.0.0.1:0")))
    let stepped = try SteppedServer([ScriptedBackend("sample", routes: routes)], on: sockets, configure)
    return (stepped, try #require(sockets.metrics).address)
  }

  private func metrics(_ stepped: SteppedServer, _ address: SocketAddress) throws -> PrometheusText {
    let metrics = PrometheusText(try metricsText(stepped, address))
    #expect(metrics.violations == [])
    return metrics
  }

  private func metricsText(_ stepped: SteppedServer, _ address: SocketAddress) throws -> String {
    let client = try Client(to: address)
    try stepped.say("GET /metrics HTTP/1.1\r\nHost: \(address)\r\n\r\n", client)
    try stepped.wait(for: 1, client)
    #expect(client.statuses == [200] && client.has("Content-Type: \(MetricsText.mediaType)"))
    return client.body
  }

  /// Every line, after some requests, refusals and faults.
  @Test func metricsAreAsRecorded() throws {
    let store = try Switch()
    let monitor = try store.monitor()
    let (stepped, address) = try serve {
      $0.monitor = monitor
      $0.limits.requestsPerAddress = 12
      $0.connections = 3
    }
    let client = try stepped.exchange(
      Self.get("/items/1") + Self.get("/items/2") + Self.get("/throws/storage") + Self.get("/no/where")
        + Self.get("/throws/conflict") + Self.get("/a", method: "DELETE") + Self.get("/a", method: "PUT"))
    stepped.time.advance(by: .milliseconds(30))
    _ = try stepped.exchange("nonsense\r\n")
    for _ in 0..<4 { _ = try stepped.exchange(Self.get("/a") + Self.get("/a")) }
    // Connections with a part of a request are not displaced.
    let busy = try (0..<4).map { _ in try stepped.exchange("GET /a HTTP/1.1\r\n") }
    for client in busy { try stepped.say("Host: a\r\nConnection: close\r\n\r\n", client) }
    var text = try metricsText(stepped, address)
    text.replace(/\d+-\d+-\d+T[0-9:.]+Z/, with: "TIME")
    try RecordedText.hold("metrics.txt", to: text)
    withExtendedLifetime(client) {}
  }

  /// Paths, tokens and methods from outside make no new label.
  @Test func labelsAreBounded() throws {
    let (stepped, address) = try serve()
    let client = try stepped.connect()
    for index in 0..<50 {
      try stepped.say(
        Self.get("/items/\(index)") + Self.get("/nowhere/\(index)", "X-Authorization: \(index)\r\n"), client)
    }
    let metrics = try metrics(stepped, address)
    #expect(metrics.samples.keys.count { $0.hasPrefix("hw_http_requests_total") } == 2)
  }

  @Test func theAddressForMetricsServesNothingElse() throws {
    let (stepped, address) = try serve()
    func ask(_ path: String, _ host: String? = nil) throws -> [Int] {
      let client = try Client(to: address)
      try stepped.say("GET \(path) HTTP/1.1\r\nHost: \(host ?? "\(address)")\r\n\r\n", client)
      return client.statuses
    }
    #expect(try ["/a", "/healthz", "/metrics"].map { try ask($0) } == [[404], [404], [200]])
    #expect(try ask("/metrics", "evil.example") == [403])
    #expect(try stepped.exchange(Self.get("/metrics")).statuses == [404])
  }

  /// Also those that a limit refuses.
  @Test func requestsWithUnknownTokensAreCounted() throws {
    let route = Route(.get, "/a") { _ throws(Failure) in throw Access.unknownToken }
    let (stepped, address) = try serve([route]) { $0.limits.wrongTokens = 1 }
    #expect(try stepped.exchange(Self.get("/a") + Self.get("/a")).statuses == [401, 429])
    let samples = try metrics(stepped, address).samples
    #expect(samples["hw_unknown_tokens_total"] == 2)
    #expect(samples[#"hw_limited_total{limit="wrong_tokens"}"#] == 1)
  }

  /// They can be asked for under any name, also where the service itself has names.
  @Test func metricsOnPublicAddressAcceptAnyHost() throws {
    let sockets = ServerSockets(
      [try Listener(SocketAddress(listening: "127.0.0.1:0"))],
      metrics: try Listener(SocketAddress(listening: "0.0.0.0:0")))
    let stepped = try SteppedServer([ScriptedBackend("sample", routes: Sample.routes)], on: sockets) {
      $0.origins.hosts = ["a"]
      $0.origins.requiresHost = true
    }
    let port = try #require(sockets.metrics?.address.port)
    let client = try Client(to: #require(SocketAddress(numeric: "127.0.0.1", port: port)))
    let lines = "HTTP/1.1\r\nHost: other.example\r\n\r\n"
    try stepped.say("GET /metrics \(lines)", client)
    try stepped.wait(for: 1, client)
    #expect(client.statuses == [200])
    #expect(try stepped.exchange("GET /a \(lines)").statuses == [403])
  }

  @Test func helpAndLabelsAreEscaped() {
    var text = MetricsText()
    text.family("a", .gauge, "back\\slash\nline")
    text.sample(1, [("b", "q\"b\\n\n")])
    #expect(text.text == "# HELP a back\\\\slash\\nline\n# TYPE a gauge\na{b=\"q\\\"b\\\\n\\n\"} 1\n")
    #expect(PrometheusText(text.text).violations == [])
  }

  // MARK: Reports that wait

  /// Without room for the request that waits, there is no word from the store.
  @Test func withoutMemoryToWaitStoreCountsAsUnreachable() throws {
    let store = try Switch(waits: true)
    let monitor = try store.monitor()
    let (stepped, address) = try serve {
      $0.monitor = monitor
      $0.incompleteLimit = 0
    }
    let client = try stepped.exchange(Self.get("/readyz") + Self.get("/healthz"))
    #expect(client.statuses == [503, 200] && client.text.contains("the store cannot be reached\n"))
    #expect(try metrics(stepped, address).samples["hw_store_up"] == 0)
  }

  @Test func reportsShareAnExamination() throws {
    let store = try Switch(waits: true)
    let monitor = try store.monitor()
    let (stepped, address) = try serve { $0.monitor = monitor }
    let clients = try [("/metrics", address), ("/readyz", stepped.server.address)].map { path, address in
      let client = try Client(to: address)
      try stepped.say("GET \(path) HTTP/1.1\r\nHost: \(address)\r\n\r\n", client)
      #expect(client.text.isEmpty)
      return client
    }
    try store.gate.writer.writeAll([0])
    for client in clients {
      try stepped.wait(for: 1, client)
      #expect(client.statuses == [200])
    }
    #expect(clients[0].body.contains("\nhw_store_free_bytes 4096\n") && clients[1].body == "ready\n")
  }

  // MARK: What metrics do not change

  @Test func metricsHaveNoLimitOfConnections() throws {
    let (stepped, address) = try serve {
      $0.limits.connectionsPerAddress = 1
      $0.origins.isPublic = false
      $0.origins.hosts = ["a"]
    }
    let first = try stepped.exchange(Sample.get)
    #expect(first.statuses == [200])
    let second = try stepped.connect()
    try stepped.hear(second)
    #expect(second.statuses == [429])
    _ = try metrics(stepped, address)
    let samples = try metrics(stepped, address).samples
    #expect(samples["hw_connections_rejected_total"] == 1)
    #expect(samples[#"hw_limited_total{limit="connections"}"#] == 1)
    let own = #"hw_http_requests_total{suite="metrics",route="/metrics",method="GET",status="200"}"#
    #expect(samples[own] == 1)
    withExtendedLifetime(first) {}
  }
}
