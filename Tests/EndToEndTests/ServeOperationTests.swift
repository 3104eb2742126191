import Foundation
import Synchronization
import TestSupport
import Testing

/// What an operator of `hw serve` has: health, metrics, a log and limits, on both engines.
@Suite(.ownThread, .eachEngine) struct ServeOperation {
  private static func store(_ home: Home) throws -> String {
    try StorageEngine.address(for: nil) ?? home.file("data")
  }

  /// A public server with a user, behind a proxy that this process plays.
  private static func publicServer(
    _ words: [String] = [], in given: Home? = nil, environment: [String: String?] = [:]
  ) throws -> (server: Serving.Server, token: String, store: String) {
    let home = try given ?? Home()
    let store = try store(home)
    let added = try shell("hw users add ann --store '\(store)'", in: home)
    try #require(added.status == 0, "\(added.errors)")
    let token = added.output.trimmingCharacters(in: .newlines)
    let server = try Serving.Server(
      ["--store", store, "--public-url", "https://bikes.example"] + words, in: home, environment: environment)
    return (server, token, store)
  }

  private static func statuses(
    _ count: Int, _ server: Serving.Server, _ headers: [String]
  ) throws -> [Int] {
    let client = try #require(RawConnection(server.url))
    for _ in 0..<count { client.send("GET", "/bikes", headers: headers) }
    return (0..<count).map { _ in client.answer()?.status ?? 0 }
  }

  // MARK: Health

  @Test(arguments: [[], ["wordle"], ["nodes", "bikes"]]) func everySelectionHasHealth(_ suites: [String])
    throws
  {
    let (server, _, _) = try Self.publicServer(suites)
    for path in ["/healthz", "/readyz"] {
      #expect(RawConnection(server.url)?.ask("GET", path)?.status == 200)
      #expect(RawConnection(server.url)?.ask("POST", path, "{}")?.status == 405)
    }
    #expect(RawConnection(server.url)?.ask("GET", "/metrics")?.status == 404)
    #expect(server.stop().status == 0)
  }

  @Test func aServerWithoutItsStoreIsNotReady() throws {
    guard StorageEngine.current == .sqlite else { return }
    let home = try Home()
    let (server, _, _) = try Self.publicServer(in: home)
    let client = try #require(RawConnection(server.url))
    #expect(client.ask("GET", "/readyz")?.status == 200)
    try FileManager.default.moveItem(atPath: home.file("data"), toPath: home.file("gone"))
    #expect(client.ask("GET", "/readyz")?.status == 503)
    #expect(client.ask("GET", "/healthz")?.status == 200)
    try FileManager.default.moveItem(atPath: home.file("gone"), toPath: home.file("data"))
    #expect(client.ask("GET", "/readyz")?.status == 200)
  }

  @Test(.needs(.postgresql))
  func aServerWithoutItsDatabaseIsNotReady() throws {
    guard StorageEngine.current == .postgreSQL else { return }
    let database = try PostgreSQLServer()
    let server = try Serving.Server(["--store", database.address()])
    let client = try #require(RawConnection(server.url))
    #expect(client.ask("GET", "/readyz")?.status == 200)
    try database.stop()
    #expect(client.ask("GET", "/readyz")?.status == 503)
    #expect(client.ask("GET", "/healthz")?.status == 200)
    try database.start()
    try waitUntil("the server to be ready again") { client.ask("GET", "/readyz")?.status == 200 }
    #expect(server.stop().status == 0)
  }

  // MARK: Metrics

  @Test func metricsHaveAnAddressOfTheirOwn() throws {
    let home = try Home()
    let (server, token, _) = try Self.publicServer(["--metrics-listen", "127.0.0.1:0"], in: home)
    let lines = home.text(".ready").split(separator: "\n").map(String.init)
    #expect(lines.count == 2 && home.text(".1") == home.text(".ready"))
    let base = lines[0]
    let metrics = try #require(lines.last).replacing("/metrics", with: "")
    #expect(base != metrics)
    let client = try #require(RawConnection(base))
    let rent = client.ask("PUT", "/bikes/0/rented", headers: ["X-Authorization: \(token)"])
    let page = try #require(RawConnection(metrics)?.ask("GET", "/metrics"))
    #expect(page.status == 200)
    let rented = rent?.status == 200 ? 1 : 0
    for line in [
      "hw_users 1", "hw_bikes_rented \(rented)", "hw_store_up 1",
      "hw_http_requests_total{suite=\"bikes\",route=\"/bikes/:id/rented\",method=\"PUT\",status=\"\(rent?.status ?? 0)\"} 1",
    ] {
      #expect(page.body.contains("\n\(line)\n"), "\(line) in \(page.body)")
    }
    let size = page.body.split(separator: "\n").first { $0.hasPrefix("hw_store_bytes ") }
    #expect(try #require(size.flatMap { Int($0.dropFirst(15)) }) > 10_000)
    #expect(!page.body.contains(token))
    #expect(server.stop().status == 0)
  }

  // MARK: Log

  private static let hostile = [
    "X-Request-Id: a\"b c", "User-Agent: \u{85}\u{202E}", "Referer: x\" 200 0",
  ]

  @Test func theJSONLogHasOneObjectPerRequest() throws {
    let home = try Home()
    let (server, token, _) = try Self.publicServer(["--log", "json"], in: home)
    let client = try #require(RawConnection(server.url))
    let user = ["X-Authorization: \(token)", "X-Forwarded-For: 192.0.2.7", "X-Request-Id: my-id"]
    #expect(client.ask("GET", "/bikes?pin=1234&token=\(token)", headers: user)?.status == 200)
    let refused = client.ask("GET", "/bikes/%1B%5B31m%22%0A?x=%22", headers: Self.hostile)
    #expect(refused?.status == 401 || refused?.status == 404)
    #expect(client.ask("GET", "/bikes", headers: ["X-Authorization: wrong"])?.status == 401)
    #expect(client.send(Array("nonsense\r\n\r\n".utf8)))
    #expect(client.answer()?.status == 400)
    #expect(server.stop().status == 0)
    let log = home.text(".2")
    #expect(!log.contains(token) && !log.contains("1234"))
    let objects = try log.split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
    #expect(objects.map { $0["status"] as? Int } == [200, refused?.status, 401, 400])
    let first = objects[0]
    #expect(first["client"] as? String == "192.0.2.7" && first["user"] as? String == "ann")
    #expect(first["id"] as? String == "my-id" && first["method"] as? String == "GET")
    #expect((first["milliseconds"] as? Double).map { $0 >= 0 } == true && first["error"] is NSNull)
    #expect((first["time"] as? String)?.hasSuffix("Z") == true && (first["bytes"] as? Int ?? 0) > 1)
    #expect(objects[1]["id"] as? String != "a\"b c")
    #expect(objects[2]["error"] as? String == "no user has this token" && objects[2]["user"] is NSNull)
    #expect(objects[3]["method"] is NSNull)
    #expect(log.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A })
  }

  @Test func theTextLogHasOneLinePerRequest() throws {
    let home = try Home()
    let (server, token, _) = try Self.publicServer(["--log", "text", "wordle"], in: home)
    let client = try #require(RawConnection(server.url))
    let answer = client.ask("GET", "/scores?pin=1", headers: ["Authorization: Bearer \(token)"])
    let id = answer?.head.split(separator: "\r\n").first { $0.hasPrefix("X-Request-Id: ") }?.dropFirst(14)
    #expect(client.ask("GET", "/%22%20%5C%0A", headers: Self.hostile)?.status == 404)
    #expect(server.stop().status == 0)
    let lines = home.text(".2").split(separator: "\n")
    try #require(lines.count == 2)
    let fields = lines[0].split(separator: " ")
    try #require(fields.count == 9)
    #expect(fields[1...5] == ["127.0.0.1", "ann", try #require(id), "GET", "/scores?pin=•••"])
    #expect(fields[6] == "200" && Int(fields[7]) == answer?.body.utf8.count && Double(fields[8]) != nil)
    #expect(lines[1].hasSuffix(#" "no route '/%22%20%5C%0A'""#), "\(lines[1])")
  }

  /// Without --log, unknown tokens and internal failures are reported all the same.
  @Test func unknownTokensAreReportedAndLimited() throws {
    let home = try Home()
    let (server, token, _) = try Self.publicServer(
      in: home, environment: ["HW_SERVE_WRONG_TOKENS": "3"])
    let wrong = ["X-Authorization: wrong", "X-Forwarded-For: 192.0.2.9"]
    #expect(try Self.statuses(5, server, wrong) == [401, 401, 401, 429, 429])
    #expect(try Self.statuses(1, server, ["X-Authorization: wrong", "X-Forwarded-For: 192.0.2.8"]) == [401])
    #expect(
      try Self.statuses(1, server, ["X-Authorization: \(token)", "X-Forwarded-For: 192.0.2.9"]) == [200])
    #expect(server.stop().status == 0)
    let log = home.text(".2")
    #expect(log.split(separator: "\n").count == 4, "\(log)")
    #expect(log.contains("hw: bikes: a request with an unknown token from 192.0.2.9\n"))
  }

  /// The requests that were read before SIGTERM get their responses after it, and their lines.
  @Test func noLineOfTheLogIsLostAfterSIGTERM() throws {
    let home = try Home()
    let server = try Serving.Server(
      ["--store", try Self.store(home), "--log", "text", "--fault", "delay:1s"], in: home)
    let clients = try (0..<5).map { number in
      let client = try #require(RawConnection(server.url))
      #expect(client.send("GET", "/scores?number=\(number)"))
      try waitUntil("the server to read the request") { client.isRead }
      return client
    }
    kill(server.started.id, SIGTERM)
    for client in clients { #expect(client.answer()?.status == 200) }
    #expect(server.started.end().status == 0)
    let log = home.text(".2")
    for number in clients.indices { #expect(log.contains(" /scores?number=\(number) 200 "), "\(log)") }
    #expect(!log.contains("lost"), "\(log)")
  }

  /// Requests whose log needs three times what a pipe and the memory of the log hold.
  private static let longPath = "/healthz?\(String(repeating: "x", count: 4000))"
  private static let manyRequests = 800

  private static func serverWithTextLog(_ home: Home, _ redirection: String, errors: Int32) throws -> Started
  {
    let line =
      "exec hw serve --store data --log text --listen 127.0.0.1:0 --ready-file .ready \(redirection)"
    return try Started(["sh", "-c", line], in: home, errors: errors)
  }

  /// The number of the lines that are lost is exact.
  @Test func aLogThatIsNotReadHoldsUpNobody() throws {
    guard StorageEngine.current == .sqlite else { return }
    let home = try Home()
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let reader = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    let server = try Self.serverWithTextLog(home, "", errors: ends[1])
    close(ends[1])
    let client = try #require(RawConnection(try home.wait(for: ".ready").trimmingCharacters(in: .newlines)))
    for _ in 0..<Self.manyRequests { try #require(client.ask("GET", Self.longPath)?.status == 200) }
    let log = Mutex("")
    let isRead = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while true {
        let part = String(decoding: reader.availableData, as: UTF8.self)
        if part.isEmpty { break }
        log.withLock { $0 += part }
      }
      isRead.signal()
    }
    // The next line for which there is room is preceded by the number.
    var later = 0
    try waitUntil("the loss to be reported") {
      later += 1
      return client.ask("GET", "/healthz?later")?.status == 200
        && log.withLock { $0.contains(" lines of the log were lost\n") }
    }
    kill(server.id, SIGTERM)
    #expect(server.end().status == 0)
    try #require(isRead.wait(timeout: .now() + 60) == .success)
    let lines = log.withLock { $0 }.split(separator: "\n")
    let losses = lines.filter { $0.hasSuffix(" lines of the log were lost") }
    let lost = losses.compactMap { Int($0.split(separator: " ")[1]) }.reduce(0, +)
    let logged = lines.count { $0.contains(" GET /healthz?") && $0.contains(" 200 ") }
    #expect(lost > 0 && logged + lost == Self.manyRequests + later)
    #expect(lines.count == logged + losses.count)
  }

  @Test("A log without a reader, or without a file, holds up nobody", arguments: ["no reader", "closed"])
  func aLogThatCannotBeWritten(_ kind: String) throws {
    guard StorageEngine.current == .sqlite else { return }
    let home = try Home()
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { close(ends[1]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    close(ends[0])
    let server = try Self.serverWithTextLog(home, kind == "closed" ? "2>&-" : "", errors: ends[1])
    let client = try #require(RawConnection(try home.wait(for: ".ready").trimmingCharacters(in: .newlines)))
    for _ in 0..<Self.manyRequests { try #require(client.ask("GET", Self.longPath)?.status == 200) }
    kill(server.id, SIGTERM)
    #expect(server.end().status == 0)
    // Another file that got the number of the descriptor has none of the lines.
    #expect(try shell("grep -rl healthz data .1", in: home).status == 1)
  }

  // MARK: Users

  @Test(
    "A change of the users counts for the first request",
    arguments: [
      ("rotate ann", 401), ("delete ann --yes", 401), ("add bob", 200),
    ])
  func usersBeforeTheFirstRequest(change: String, status: Int) throws {
    let home = try Home()
    let (server, token, store) = try Self.publicServer(in: home)
    #expect(try shell("hw users add mia --store '\(store)'", in: home).status == 0)
    #expect(try shell("hw users \(change) --store '\(store)'", in: home).status == 0)
    #expect(try Self.statuses(1, server, ["X-Authorization: \(token)"]) == [status])
    #expect(server.stop().status == 0)
  }

  // MARK: Limits

  @Test func aPublicServerLimitsEachClient() throws {
    let (server, token, _) = try Self.publicServer()
    let one = ["X-Authorization: \(token)", "X-Forwarded-For: 192.0.2.1"]
    let statuses = try Self.statuses(300, server, one)
    // 50 per second and user; a slow machine takes more than a second.
    #expect(statuses.prefix(50).allSatisfy { $0 == 200 } && statuses.contains(429))
    #expect(server.stop().status == 0)
  }

  @Test func settingsChangeTheLimits() throws {
    let (server, token, _) = try Self.publicServer(
      environment: ["HW_SERVE_REQUESTS_PER_ADDRESS": "1", "HW_SERVE_REQUESTS_PER_USER": "0"])
    func ask(_ address: String, _ count: Int) throws -> [Int] {
      try Self.statuses(count, server, ["X-Authorization: \(token)", "X-Forwarded-For: \(address)"])
    }
    #expect(try ask("192.0.2.1", 2) == [200, 429])
    #expect(try (1...60).allSatisfy { try ask("192.0.2.1\($0)", 1) == [200] || $0 > 55 })
    #expect(server.stop().status == 0)
  }

  @Test func settingsOfTheServerHaveItsName() throws {
    let home = try Home()
    let file = home.file("config")
    try "serve.requests-per-address = 1\nnodes.lang = de\nlog = json\n"
      .write(toFile: file, atomically: true, encoding: .utf8)
    let (server, token, _) = try Self.publicServer(
      in: home, environment: ["HW_CONFIG": file, "HW_SERVE_REQUESTS_PER_USER": "0"])
    #expect(try Self.statuses(2, server, ["X-Authorization: \(token)"]) == [200, 429])
    #expect(server.stop().status == 0)
    let list = try shell(
      "hw config list --origin --csv | grep -E '^(serve.req|serve.listen|log)'", in: home,
      environment: ["HW_CONFIG": file, "HW_SERVE_LISTEN": "127.0.0.1:0", "HW_LISTEN": "127.0.0.1:1"])
    #expect(
      list.output.split(whereSeparator: \.isNewline).map(String.init) == [
        "serve.listen,127.0.0.1:0,,HW_SERVE_LISTEN", "serve.requests-per-address,1,,\(file):1",
        "serve.requests-per-user,,,default",
      ])
    #expect(list.errors.contains("line 3: unknown setting 'log'; did you mean 'serve.log'?"))
    #expect(list.errors.contains("unknown variable 'HW_LISTEN'"))
  }

  @Test func aPrivateServerHasNoLimits() throws {
    let home = try Home()
    let server = try Serving.Server(["--store", try Self.store(home)], in: home)
    #expect(try Self.statuses(500, server, []).allSatisfy { $0 == 200 })
    #expect(server.stop().status == 0)
  }

  @Test func scoresAreLimited() throws {
    let (server, token, _) = try Self.publicServer(
      environment: ["HW_SERVE_SCORES_PER_ACCOUNT": "4", "HW_SERVE_SCORE_SIZE": "100"])
    let client = try #require(RawConnection(server.url))
    func post(_ id: Int, _ padding: Int) -> Int? {
      let text = #"{"id":\#(id),"date":"2022-03-27","word":"nymph","tries":["nymph"]}"#
      let body = text + String(repeating: " ", count: padding - text.utf8.count)
      return client.ask("POST", "/scores", body, headers: ["X-Authorization: \(token)"])?.status
    }
    #expect([post(300, 101), post(300, 100), post(301, 90)] == [413, 201, 409])
    #expect(server.stop().status == 0)
  }
}
