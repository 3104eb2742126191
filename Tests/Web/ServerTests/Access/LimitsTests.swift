import HTTP
import Store
import System
import TestSupport
import Testing

@testable import Server

/// What one client may use: each limit just met and just exceeded.
@Suite struct LimitsTests {
  private static func get(_ lines: String = "") -> String { "GET /a HTTP/1.1\r\nHost: a\r\n\(lines)\r\n" }

  private static func statuses(_ ok: Int, _ refused: Int) -> [Int] {
    Array(repeating: 200, count: ok) + Array(repeating: 429, count: refused)
  }

  // MARK: Counting

  @Test func aLimiterAllowsItsNumberPerPeriod() {
    var limiter = RateLimiter<Int>(3, per: .seconds(1))
    #expect((0..<3).allSatisfy { _ in limiter.use(1, at: .zero) == nil })
    #expect(limiter.use(1, at: .zero)! > .zero)
    #expect(limiter.use(2, at: .zero) == nil)
    // What was refused does not count: a third of a second later there is room for one.
    #expect(limiter.use(1, at: .milliseconds(334)) == nil)
    #expect(limiter.use(1, at: .milliseconds(334)) != nil)
    #expect((0..<3).allSatisfy { _ in limiter.use(1, at: .seconds(3)) == nil })
    #expect(limiter.use(1, at: .seconds(3)) != nil)
  }

  @Test(arguments: [1, 2, 7, 60, 1000, 1_000_000])
  func limiterAllowsExactNumberForEveryRate(_ count: Int) {
    var limiter = RateLimiter<Int>(count, per: .seconds(1))
    #expect((0..<count).allSatisfy { _ in limiter.use(1, at: .seconds(5)) == nil })
    #expect(limiter.use(1, at: .seconds(5)) != nil)
  }

  @Test func theMemoryOfALimiterIsBounded() {
    var limiter = RateLimiter<Int>(2, per: .seconds(10), capacity: 100)
    #expect(limiter.use(-1, at: .zero) == nil)
    for key in 0..<10_000 {
      #expect(limiter.use(key, at: .zero) == nil)
      // A key that is in use is not forgotten, also while it is refused.
      if key == 0 { #expect(limiter.use(-1, at: .zero) == nil) }
      if key > 0, key.isMultiple(of: 40) { #expect(limiter.use(-1, at: .milliseconds(1)) != nil) }
    }
    #expect(limiter.keyCount <= 200)
  }

  /// A table that is full of keys in use is not exchanged for them.
  @Test func keysInUseAreNotDisplaced() {
    var limiter = RateLimiter<Int>(100, per: .seconds(10), capacity: 3)
    for _ in 0..<3 { for key in 0..<3 { #expect(limiter.use(key, at: .zero) == nil) } }
    #expect(limiter.keyCount == 3)
    _ = limiter.use(3, at: .zero)
    #expect(limiter.keyCount == 4)
    // It is alone in the newer table.
    _ = limiter.use(0, at: .zero)
    #expect(limiter.keyCount == 5)
  }

  @Test(arguments: [
    (UsageCounts.Excess.Limit.address, "too many requests from this address"),
    (.user, "too many requests with this token"),
    (.wrongTokens, "too many requests with unknown tokens from this address"),
    (.connections, "too many connections from this address"),
  ])
  func exceededLimitIsNamedInFailure(limit: UsageCounts.Excess.Limit, message: String) {
    let excess = UsageCounts.Excess(limit: limit, wait: .milliseconds(1001))
    #expect(excess.failure == Failure(.rateLimited, message) && excess.retryAfter == "2")
  }

  // MARK: Requests

  @Test func requestsPerAddress() throws {
    let stepped = try SteppedServer { $0.limits.requestsPerAddress = 3 }
    let client = try stepped.exchange(String(repeating: Self.get(), count: 5))
    #expect(client.statuses == Self.statuses(3, 2))
    #expect(client.has("Retry-After: 1") && !client.isClosed)
    #expect(client.text.contains("too many requests from this address"))
    // Another connection and another token do not help.
    #expect(try stepped.exchange(Self.get("X-Authorization: x\r\n")).statuses == [429])
    stepped.time.advance(by: .seconds(1))
    #expect(try stepped.exchange(String(repeating: Self.get(), count: 4)).statuses == Self.statuses(3, 1))
  }

  @Test func requestsPerUser() throws {
    let stepped = try SteppedServer { $0.limits.requestsPerUser = 2 }
    func ask(_ line: String, _ count: Int) throws -> [Int] {
      try stepped.exchange(String(repeating: Self.get("\(line)\r\n"), count: count)).statuses
    }
    #expect(try ask("X-Authorization: ann", 3) == Self.statuses(2, 1))
    #expect(try ask("Authorization: Bearer ann", 1) == [429], "the same token in the other header")
    #expect(try ask("X-Authorization: ben", 3) == Self.statuses(2, 1))
    let refused = try stepped.exchange(Self.get("X-Authorization: ben\r\n"))
    #expect(refused.text.contains("too many requests with this token"))
    #expect(try ask("Accept: */*", 5) == Self.statuses(5, 0), "nobody has no limit of a user")
    stepped.time.advance(by: .seconds(1))
    #expect(try ask("X-Authorization: ann", 3) == Self.statuses(2, 1))
  }

  @Test(.needs(.libsqlite3))
  func unknownTokensAreReportedAndLimited() throws {
    let users = try UserTable(.memory(time: FakeClock()))
    try users.add(.init(user: User("ann", isAdmin: false), added: Timestamp(seconds: 0)), token: "right")
    let access = Access(users, isPublic: true, publicSuites: [])
    var reports: [String] = []
    let stepped = try SteppedServer([ScriptedBackend("sample", routes: Sample.routes)], access: access) {
      $0.limits.wrongTokens = 2
      $0.logUnknownToken = { reports.append("\($0) \($1)") }
    }
    let wrong = (1...3).map { Self.get("X-Authorization: wrong\($0)\r\n") }.joined()
    let client = try stepped.exchange(wrong + Self.get("X-Authorization: right\r\n") + Self.get())
    #expect(client.statuses == [401, 401, 429, 429, 401], "no token of that address is looked up")
    #expect(client.has("Retry-After: 30"))
    #expect(client.text.contains("too many requests with unknown tokens from this address"))
    #expect(
      client.text.contains("no user has this token") && client.text.contains("this needs the token of a user")
    )
    #expect(reports == ["sample 127.0.0.1", "sample 127.0.0.1"])
    stepped.time.advance(by: .seconds(30))
    #expect(try stepped.exchange(wrong).statuses == [401, 429, 429])
  }

  // MARK: The client's address

  /// A line has the peer, words for the rules, and the fields of a request; the next one has the address of its client.
  @Test func addressesOfClientsAreAsRecorded() throws {
    let peers = [
      "local": "127.0.0.1", "remote": "198.51.100.9", "mapped": "::ffff:198.51.100.9",
    ].compactMapValues { SocketAddress(numeric: $0, port: 1) }
    var text = ""
    for line in RecordedText.text("clients.txt").split(separator: "\n") where !line.hasPrefix("= ") {
      text += "\(line)\n"
      guard !line.hasPrefix("#") else { continue }
      let parts = line.split(separator: " | ")
      let words = parts[0].split(separator: " ").map(String.init)
      var origins = OriginRules()
      origins.isPublic = !words.contains("private")
      for word in words where word.hasPrefix("proxies=") {
        origins.proxies = Set(word.dropFirst(8).split(separator: ",").map(String.init))
      }
      var headers: Headers = [:]
      for field in parts.dropFirst() {
        let sides = field.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
        headers.append(String(sides[0]), String(sides[1]))
      }
      let request = try ReceivedRequest(Request(.get, URL("http://a/"), headers: headers))
      text += "= \(RequestClient.address(of: request, from: peers[words[0]], origins)?.host ?? "none")\n"
    }
    try RecordedText.hold("clients.txt", to: text)
  }

  @Test func behindAProxyEachClientHasItsOwnLimit() throws {
    let stepped = try SteppedServer { $0.limits.requestsPerAddress = 2 }
    func ask(_ address: String) throws -> [Int] {
      try stepped.exchange(String(repeating: Self.get("X-Forwarded-For: \(address)\r\n"), count: 3)).statuses
    }
    #expect(try ask("192.0.2.1") == Self.statuses(2, 1))
    #expect(try ask("192.0.2.2") == Self.statuses(2, 1))
    #expect(try ask("203.0.113.1, 192.0.2.2") == [429, 429, 429])
    #expect(try ask("2001:db8::1") == Self.statuses(2, 1))
    #expect(try ask("2001:db8::2") == [429, 429, 429])
  }

  // MARK: Bad input

  @Test(.needs(.libsqlite3), arguments: [true, false])
  func badTokensAndHosts(_ isPublic: Bool) throws {
    let users = try UserTable(.memory(time: FakeClock()))
    try users.add(.init(user: User("ann", isAdmin: false), added: Timestamp(seconds: 0)), token: "right")
    let access = Access(users, isPublic: isPublic, publicSuites: [])
    let stepped = try SteppedServer([ScriptedBackend("sample", routes: Sample.routes)], access: access) {
      $0.origins.isPublic = isPublic
      $0.origins.hosts = ["a"]
      $0.limits.requestsPerUser = 10
      $0.limits.wrongTokens = 100
    }
    let long = String(repeating: "x", count: 10_000)
    func ask(_ lines: String, host: String = "a") throws -> [Int] {
      try stepped.exchange("GET /a HTTP/1.1\r\nHost: \(host)\r\n\(lines)\r\n").statuses
    }
    #expect(try ask("X-Authorization: right\r\n") == [200])
    for token in ["x", long, "right\r\n right", "right\nX-Authorization: right", "\u{1}", "ri\u{0}ght"] {
      let statuses = try ask("X-Authorization: \(token)\r\n")
      #expect([[400], [401]].contains(statuses), "\(token.prefix(20)): \(statuses)")
    }
    #expect(try ask("X-Authorization: right\r\n", host: long) == [isPublic ? 200 : 403])
    #expect(try ask("X-Authorization: right\r\n", host: String(repeating: "x", count: 20_000)) == [431])
    #expect(
      try ask("X-Authorization: right\r\nX-Forwarded-For: \(long)\r\n") == [isPublic ? 200 : 403])
  }
}
