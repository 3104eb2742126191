import HTTP
import System
import TestSupport
import Testing

@testable import Server

/// What one client may use: each limit just met and just exceeded.
@Suite struct LimitsTests {
  private static func get(_ lines: String = "") -> String { "GET /a HTTP/1.1\r\nHost: a\r\n\(lines)\r\n" }

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

  // MARK: Requests

  /// A request that needs 100 ms counts as twenty of 20 ms.
  @Test(arguments: ["X-Authorization: ann\r\n", ""])
  func longReadCountsAsManyRequests(_ token: String) throws {
    let time = FakeClock()
    let slow = Route(.get, "/a") { _ in
      time.advance(by: .milliseconds(100))
      return Response(200)
    }
    let stepped = try SteppedServer([slow], time: time) {
      $0.limits.requestsPerUser = 50
      $0.limits.requestsPerAddress = 50
    }
    #expect(
      try stepped.exchange(String(repeating: Self.get(token), count: 4)).statuses == [200, 200, 200, 429])
    #expect(try stepped.exchange(Self.get("X-Authorization: ben\r\n")).statuses == [200])
  }

  /// A body of 60 kB counts like 0.7 ms, and one client may use a quarter of the loop.
  @Test func longChangesCountAsManyRequests() throws {
    let stepped = try SteppedServer { $0.limits.requestsPerAddress = 1000 }
    let body = String(repeating: " ", count: 60_000)
    let change =
      "POST /echo HTTP/1.1\r\nHost: a\r\n\(Sample.json)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    for _ in 0..<50 { #expect(try stepped.exchange(change).statuses.count == 1) }
    let others = try stepped.exchange(String(repeating: Self.get(), count: 1000)).statuses.count { $0 == 200 }
    #expect((840...870).contains(others), "\(others)")
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
    try RecordedText.holdLines("clients.txt") { line in
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
      return origins.client(of: request, from: peers[words[0]])?.host ?? "none"
    }
  }
}
