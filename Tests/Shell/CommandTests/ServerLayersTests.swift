import HTTP
import Server
import System
import Testing
import TestSupport

@testable import Command

/// The layers between a command and a server on this machine. The clock moves only by what is slept.
@Suite struct ServiceLayerTests {
  private static let limit = 5
  private static let service = Service(
    "box", address: "http://127.0.0.1:1", limit: .fixed(limit, per: .seconds(60)), reason: "")

  private static let times = Operand("TIMES", ValueKind<Int>.count(1...9), "How often")

  private static let ask = Command(
    "ask", "Send the same request some times", operands: [times], options: [Service.tokenFile],
    output: .plain("Text."), needs: [.network], examples: []
  ) { call, context throws(Failure) in
    let endpoint = try context.endpoint(service)
    for _ in 0..<(try call[times]) {
      try context.output.outlet.write("\(try endpoint.send(.get, "x").status)\n")
    }
  }

  /// Tells what is left of the limit: at first, with a reservation, after the call that was reserved, after another.
  private static let plan = Command(
    "plan", "Plan the requests", options: [Service.tokenFile], output: .plain("Text."), needs: [.network],
    examples: []
  ) { _, context throws(Failure) in
    let paced = try context.pacedEndpoint(service, timeout: .milliseconds(50)) { _ in }
    func tell() throws(Failure) {
      let budget = try paced.budget()
      try context.output.explain(
        budget.map { "\($0.left) left, all in \($0.renewal.inSeconds)\n" } ?? "no limit\n")
    }
    try tell()
    guard try paced.budget() != nil else { return }
    try paced.reserve(ahead: .seconds(1))
    try tell()
    _ = try paced.reserved.send(.get, "x")
    try tell()
    _ = try paced.endpoint.send(.get, "x")
    try tell()
  }

  private static let change = Command(
    "change", "Change after a look", options: [Service.tokenFile], output: .plain("Text."),
    needs: [.network, .writes], examples: []
  ) { _, context throws(Failure) in
    for _ in 0..<2 { _ = try context.endpoint(service).send(.get, "x") }
  }

  private static let program = Sample.program(
    Suite(
      "box", "Boxes", service: service, backend: { _, _ in ScriptedBackend("box", routes: []) },
      commands: [ask, plan, change]))

  private let home: ScratchDirectory
  /// In no margin of a minute.
  private let clock = FakeClock(Timestamp(seconds: FakeClock.start.seconds + 10))

  init() throws { home = try ScratchDirectory() }

  /// Responds to every request alike, also to several on one connection.
  private func server(_ head: String, body: String = "{}") throws -> ScriptedServer {
    try ScriptedServer { peer in
      while peer.read() != nil {
        peer.write("HTTP/1.1 \(head)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
      }
    }
  }

  private func url(_ server: ScriptedServer) -> String { "http://127.0.0.1:\(server.port)" }

  private func run(
    _ words: String, environment: [String: String] = [:], time: (any TimeKeeper)? = nil
  ) -> Ran {
    let words = words.split(separator: " ").map(String.init)
    return withExtendedLifetime(home) {
      Ran(
        Self.program, ["box"] + words,
        environment: ["HOME": home.path].merging(environment) { $1 }, time: time ?? clock)
    }
  }

  private func setting(_ maxWait: String?) -> [String: String] {
    maxWait.map { ["HW_MAX_WAIT": $0] } ?? [:]
  }

  // MARK: Retries

  @Test func retryWaitIsRandomPartOfBackoff() throws {
    let server = try server("503 Busy")
    defer { server.stop() }
    let ran = run("ask 1 --retries 4 --url \(url(server))")
    #expect(ran.output == "503\n" && server.requests.count == 5)
    #expect(clock.sleeps.count == 4)
    #expect(zip(clock.sleeps, [1, 2, 4, 8]).allSatisfy { $0 <= .seconds($1) }, "\(clock.sleeps)")
    let total = clock.sleeps.reduce(.zero, +)
    #expect(total > .zero && total < .seconds(15))
    let lines = ran.errors.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.allSatisfy { $0.hasPrefix("hw: status 503; next attempt in ") })
    #expect(lines.first?.hasSuffix(" (1 of 4)") == true && lines.last?.hasSuffix(" (4 of 4)") == true)
  }

  @Test(arguments: [(nil, 120, true), (nil, 121, false), ("4", 5, false), ("200", 200, true)])
  func theLongestWaitBeforeARetry(maxWait: String?, seconds: Int, isRetried: Bool) throws {
    let server = try server("503 Busy\r\nRetry-After: \(seconds)")
    defer { server.stop() }
    let ran = run("ask 1 --retries 1 --url \(url(server))", environment: setting(maxWait))
    #expect(ran.output == "503\n")
    #expect(clock.sleeps == (isRetried ? [.seconds(seconds)] : []))
    #expect(server.requests.count == (isRetried ? 2 : 1))
  }

  /// Other failures are retried.
  @Test(arguments: [(429, 1), (503, 3)])
  func noWaitDoesNotRetryRateLimit(status: Int, requests: Int) throws {
    let server = try server("\(status) No")
    defer { server.stop() }
    #expect(run("ask 1 --no-wait --url \(url(server))").output == "\(status)\n")
    #expect(server.requests.count == requests && clock.sleeps.count == requests - 1)
  }

  // MARK: The rate limit

  /// A wait that the service asks for has the limit of a retry, and that of the deadline.
  @Test(arguments: [
    (nil, "", 120, true), (nil, "", 121, false), ("5", "", 5, true), ("5", "", 6, false),
    ("5000", "", 5000, true), ("5000", "", 5001, false), ("3900", "--deadline 4000", 3900, true),
    (nil, "--deadline 100", 101, false), (nil, "--no-wait", 1, false),
  ])
  func theLongestWaitForTheRateLimit(maxWait: String?, options: String, seconds: Int, isSent: Bool) throws {
    let server = try server("200 OK\r\nX-RateLimit-Remaining: 0\r\nRetry-After: \(seconds)")
    defer { server.stop() }
    let ran = run("ask 2 --url \(url(server)) \(options)", environment: setting(maxWait))
    #expect(ran.status == (isSent ? 0 : 8) && ran.output == (isSent ? "200\n200\n" : "200\n"))
    #expect(clock.sleeps == (isSent ? [.seconds(seconds)] : []))
    #expect(server.requests.count == (isSent ? 2 : 1))
    #expect(
      ran.errors.hasPrefix(
        isSent
          ? "hw: rate limit: waiting \(seconds) s for the next slot\n"
          : "hw: the rate limit of '127.0.0.1:\(server.port)' is reached: \(Self.limit) calls in a minute\n"))
  }

  // MARK: The cache

  @Test(arguments: [("", 0), ("-v", 1)])
  func unwritableCacheIsReportedWithVerboseOnly(option: String, count: Int) throws {
    let server = try server("200 OK\r\nCache-Control: max-age=60")
    defer { server.stop() }
    try home.write("", to: "file")
    let ran = run("ask 2 \(option) --url \(url(server))", environment: ["XDG_CACHE_HOME": home.file("file")])
    #expect(ran.output == "200\n200\n")
    #expect(ran.errors.split(separator: "\n").count { $0.hasPrefix("hw: cache: ") } == count)
  }

  /// As the service allows it, or the user.
  @Test(arguments: [
    ("Cache-Control: max-age=60", "", 1), ("Cache-Control: max-age=60", "--no-cache", 2), ("X-A: b", "", 2),
    ("X-A: b", "--max-age 60", 1), ("X-A: b", "--max-age 60 --no-cache", 2),
  ])
  func cacheOptionsDecideRequests(field: String, options: String, requests: Int) throws {
    let server = try server("200 OK\r\n\(field)")
    defer { server.stop() }
    #expect(run("ask 2 \(options) --url \(url(server))").output == "200\n200\n")
    #expect(server.requests.count == requests)
    if options.hasSuffix("--no-cache") { #expect(home.names(".cache/hw") == []) }
  }

  /// A change that is made from a cached response could undo that of somebody else.
  @Test func changesUseNoCachedResponse() throws {
    let server = try server("200 OK")
    defer { server.stop() }
    let ran = run("change --url \(url(server))", environment: ["HW_MAX_AGE": "600"])
    #expect(ran.status == 0 && server.requests.count == 2, "\(ran)")
  }

  /// What is kept is used however old it is; what is not kept is not requested.
  @Test func completionUsesCachedResponsesOnly() throws {
    let server = try server("200 OK\r\nCache-Control: max-age=1", body: "seven")
    defer { server.stop() }
    #expect(run("ask 1 --url \(url(server))").output == "200\n")
    clock.advance(by: .seconds(1_000_000))
    let context = Context(
      Invocation(Self.ask, suite: nil), of: Self.program,
      environment: ["HOME": home.path, "HW_BOX_URL": url(server)], time: clock)
    func words(_ path: URL.Path) throws -> [String] {
      let source = WordSource(of: Self.service) { endpoint throws(Failure) in
        [Choice(try endpoint.send(.get, path).text, "")]
      }
      return try context.words(of: source, on: []).map(\.name)
    }
    #expect(try words("x") == ["seven"])
    let other = failure { try words("y") }
    #expect(
      other?.kind == .connection && other?.message == "there is no cached response for '\(url(server))/y'")
    #expect(server.requests.count == 1)
  }

  // MARK: Planned requests

  @Test func plannedRequestsCountAgainstLimit() throws {
    let server = try server("200 OK")
    defer { server.stop() }
    #expect(
      run("plan --url \(url(server))").lines == [
        "5 left, all in 52 s", "4 left, all in 52 s", "4 left, all in 52 s", "3 left, all in 52 s",
      ])
    // For a server on this machine each process counts alone, and nothing waits.
    #expect(run("plan --url \(url(server))").lines.first == "5 left, all in 52 s")
    #expect(clock.sleeps == [] && server.requests.count == 4)
  }

  @Test(arguments: ["--explain", "--demo", "--demo --explain"])
  func localServiceHasNoRateLimit(options: String) {
    let ran = run("plan \(options)")
    #expect(ran.output == "no limit\n" && ran.status == 0, "\(ran.errors)")
  }

  /// Whoever plans shows what `-v` prints.
  @Test(arguments: [0, 1, 2]) func plannedRequestsAreLoggedWithVerbose(verbosity: Int) throws {
    var call = Invocation(Self.plan, suite: nil).told(verbosity)
    call.set(StandardOptions.url.declaration, to: "demo:", text: "demo:")
    let errors = MemorySink()
    let context = Context(call, of: Self.program, time: clock, errors: errors)
    let messages = RecordedMessages()
    let paced = try context.pacedEndpoint(Self.service, timeout: .seconds(1)) { messages.add($0) }
    #expect(try paced.endpoint.send(.get, "x").status == 404)
    #expect(messages.lines.count { $0.hasPrefix("GET demo:/x → 404, ") } == min(verbosity, 1))
    #expect(messages.lines.contains { $0.hasPrefix("< ") } == (verbosity > 1))
    #expect(errors.text == "")
  }

  /// That of the plan unless another one is typed.
  @Test(arguments: [("", "0.1 s"), ("--timeout 0.4", "0.4 s"), ("--timeout 0.01", "10 ms")])
  func plannedRequestHasATimeLimit(options: String, limit: String) throws {
    let server = try ScriptedServer {
      $0.read()
      $0.fallSilent()
    }
    defer { server.stop() }
    let ran = run("plan \(options) --url \(url(server))", time: SystemTime())
    #expect(ran.status == 5)
    #expect(
      ran.errors.hasPrefix("hw: no response from '127.0.0.1:\(server.port)' within \(limit)\n"),
      "\(ran.errors)")
  }

  /// Like all requests of the program, whether they were reserved or not.
  @Test func aPlanIsRecordedAndNamesTheProgram() throws {
    let server = try server("200 OK")
    defer { server.stop() }
    let ran = run("plan --record \(home.file("recording")) --url \(url(server))")
    #expect(ran.status == 0, "\(ran.errors)")
    #expect(home.names("recording").count { $0.hasSuffix(".exchange") } == 2)
    #expect(server.requests.count == 2)
    #expect(server.requests.allSatisfy { $0.contains("User-Agent: sample/1") })
  }

  // MARK: Other ways

  /// Its server is on this machine: a request is sent once, whatever the response is, and each time.
  @Test(arguments: ["503 Busy", "200 OK\r\nCache-Control: max-age=60"])
  func socketFileHasNoRetryCacheOrLimit(head: String) throws {
    let path = home.file("s")
    let server = try ScriptedServer(socketFile: path) { peer in
      while peer.read() != nil { peer.write("HTTP/1.1 \(head)\r\nContent-Length: 2\r\n\r\n{}") }
    }
    defer { server.stop() }
    let status = head.prefix(3)
    #expect(run("ask 2 --url unix:\(path)").output == "\(status)\n\(status)\n")
    #expect(server.requests.count == 2 && clock.sleeps == [])
  }

  /// hw's own name says nothing to who reads the line.
  @Test(arguments: [
    ([:], "curl http://h.test/x\n"),
    (["HW_USER_AGENT": "mine"], "curl -H 'User-Agent: mine' http://h.test/x\n"),
  ])
  func theLineOfCurlHasTheNameThatWasSet(environment: [String: String], line: String) {
    #expect(run("ask 1 --explain --url http://h.test", environment: environment).output == line)
  }
}

/// Which secrets go where is in the sessions `box` and `cup`.
@Suite struct ServiceKeyTests {
  @Test func embeddedBackendNeedsNoKey() throws {
    let local = Service(
      "mug", address: "embedded:",
      credential: Credential(
        header: "X-Key", setting: "key", file: SamplePrograms.keyFile, hint: "get a key"), reason: "")
    var call = Invocation(SamplePrograms.showKey, suite: nil)
    call.set(StandardOptions.explain.declaration, to: true)
    #expect(try Context(call).endpoint(local).base == URL("embedded:"))
  }

  @Test func aFileWithoutASecret() throws {
    let context = Context(Invocation(SamplePrograms.showKey, suite: nil))
    let scratch = try ScratchDirectory()
    for text in ["", "\n", "\r\n\n"] {
      try scratch.write(text, to: "empty")
      let path = scratch.file("empty")
      #expect(
        failure { try context.secret(in: path, called: "key") }
          == Failure(.usage, "'\(path)' contains no key"))
    }
  }
}
