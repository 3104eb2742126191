import Foundation
import TestSupport
import Testing

/// The layers between a command and its service, by what a service on a real socket receives: how many requests, with
/// which header fields. A wait that should not happen is longer than the time after which a test's program is killed.
@Suite(.ownThread) struct ServiceStackOnASocket {
  private static let scores = #"{"scores":[{"id":262,"date":"2022-03-08","word":"sweet","tries":["sweet"]}]}"#
  private static let race = ##"{"beeList":[{"name":"BeeGees","color":"#8d62a1"}]}"##

  private func hw(_ words: String, _ server: LoopbackServer, in home: Home? = nil) throws -> Ending {
    try shell("hw \(words) --url \(server.url)", in: home, environment: ["HW_URL": nil])
  }

  // MARK: Rate limits

  @Test func noWaitSendsARefusedRequestOnce() throws {
    let server = try LoopbackServer { _ in .response(status: 429, headers: ["Retry-After: 100"]) }
    let ending = try hw("wordle scores --no-wait --retries 3 --json", server)
    #expect(ending.signal == nil, "it waited")
    #expect(ending.status == 8)
    #expect(ending.errors.contains(#""retryAfter":100"#), "\(ending.errors)")
    #expect(server.requests.count == 1)
  }

  /// What is known to be refused is not sent.
  @Test func noWaitSendsNothingWhileTheLimitIsReached() throws {
    let home = try Home()
    let server = try LoopbackServer { _ in
      .response(headers: ["X-RateLimit-Remaining: 0", "Retry-After: 3600"], body: Self.race)
    }
    #expect(try hw("race status", server, in: home).status == 0)
    #expect(server.requests.count == 1)
    let ending = try hw("race status --no-wait --json", server, in: home)
    #expect(ending.signal == nil, "it waited")
    #expect(ending.status == 8)
    #expect(ending.errors.contains(#""kind":"rateLimited""#))
    #expect(server.requests.count == 1)
  }

  /// Only the wait for a rate limit is left out: another failure is still worth another try.
  @Test func noWaitStillRetries() throws {
    let server = try LoopbackServer { _ in .response(status: 503, headers: ["Retry-After: 0"]) }
    #expect(try hw("wordle scores --no-wait --retries 2", server).status == 5)
    #expect(server.requests.count == 3)
  }

  // MARK: Retries

  @Test(arguments: [0, 1, 3], [408, 429, 500, 502, 503, 504, 520, 529])
  func retriesAreCounted(_ retries: Int, _ status: Int) throws {
    let server = try LoopbackServer { _ in .response(status: status, headers: ["Retry-After: 0"]) }
    let ending = try hw("wordle scores --retries \(retries)", server)
    #expect(ending.status == (status == 429 ? 8 : 5))
    #expect(server.requests.count == retries + 1)
  }

  @Test func aRetryThatSucceedsIsTheLast() throws {
    let server = try LoopbackServer { request in
      request.number < 3
        ? .response(status: 503, headers: ["Retry-After: 0"]) : .response(body: Self.scores)
    }
    let ending = try hw("wordle scores --json --retries 10", server)
    #expect(ending.status == 0)
    #expect(server.requests.count == 3)
  }

  @Test(arguments: [400, 401, 404, 501])
  func whatNoRetryHelpsIsSentOnce(_ status: Int) throws {
    let server = try LoopbackServer { _ in .response(status: status, headers: ["Retry-After: 0"]) }
    #expect(try hw("wordle scores --retries 3", server).status != 0)
    #expect(server.requests.count == 1)
  }

  /// It may have been done.
  @Test func aWriteIsSentOnce() throws {
    let server = try LoopbackServer { request in
      request.method == "GET"
        ? .response(body: Self.scores) : .response(status: 503, headers: ["Retry-After: 0"])
    }
    let ending = try hw(
      "wordle add --id 1 --date 2021-06-20 --word watch --tries watch --retries 3", server)
    #expect(ending.status == 5)
    #expect(server.requests.count { $0.method == "POST" } == 1)
  }

  // MARK: Time limits

  /// A wait that ends after the deadline is not begun.
  @Test func theDeadlineCountsTheWaitForARetry() throws {
    let server = try LoopbackServer { _ in .response(status: 503, headers: ["Retry-After: 100"]) }
    let ending = try hw("wordle scores --deadline 20 --retries 5", server)
    #expect(ending.signal == nil, "it waited")
    #expect(ending.status == 5)
    #expect(server.requests.count == 1)
  }

  @Test func theDeadlineCountsTheWaitForTheRateLimit() throws {
    let home = try Home()
    let server = try LoopbackServer { _ in
      .response(headers: ["X-RateLimit-Remaining: 0", "Retry-After: 3600"], body: Self.race)
    }
    #expect(try hw("race status", server, in: home).status == 0)
    let ending = try hw("race status --deadline 20", server, in: home)
    #expect(ending.signal == nil, "it waited")
    #expect(ending.status == 8)
    #expect(server.requests.count == 1)
  }

  /// One deadline for all attempts together: each alone would fit eleven times into it.
  @Test func theDeadlineIsOverAllAttempts() throws {
    let server = try LoopbackServer { _ in .silence }
    let ending = try hw("wordle scores --timeout 0.4 --deadline 1.5 --retries 10", server)
    #expect(ending.status == 5)
    #expect(server.requests.count <= 4, "\(server.requests.count) requests")
  }

  @Test func theTimeoutIsForEachAttempt() throws {
    let server = try LoopbackServer { _ in .silence }
    let ending = try hw("wordle scores --timeout 0.2 --retries 2", server)
    #expect(ending.signal == nil)
    #expect(ending.status == 5)
    #expect(ending.errors.contains("(2 of 2)"), "\(ending.errors)")
    // A busy machine may give up before it has sent anything.
    #expect(server.requests.count <= 3)
  }

  // MARK: The cache

  private static func numbered() throws -> LoopbackServer {
    try LoopbackServer { request in
      .response(
        headers: ["Cache-Control: max-age=0"],
        body: Self.scores.replacing("262", with: "\(request.number)"))
    }
  }

  private func id(_ options: String, _ server: LoopbackServer, _ home: Home) throws -> String {
    let ending = try hw("wordle scores --fields id --tsv --no-header \(options)", server, in: home)
    #expect(ending.status == 0, "\(ending.errors)")
    return ending.output
  }

  @Test func maxAgeTakesTheKeptResponse() throws {
    let (home, server) = (try Home(), try Self.numbered())
    #expect(try id("--max-age 3600", server, home) == "1\n")
    #expect(try id("--max-age 3600", server, home) == "1\n")
    #expect(server.requests.count == 1)
    #expect(try id("", server, home) == "2\n")
    #expect(try id("--max-age 3600 --no-cache", server, home) == "3\n")
    #expect(server.requests.count == 3)
  }

  /// What is kept belongs to one account.
  @Test func maxAgeIsForOneToken() throws {
    let (home, server) = (try Home(), try Self.numbered())
    for (token, number) in [("one", "1\n"), ("two", "2\n"), ("one", "1\n")] {
      let ending = try shell(
        "hw wordle scores --fields id --tsv --no-header --max-age 3600 --url \(server.url)", in: home,
        environment: ["HW_URL": nil, "HW_WORDLE_TOKEN": token])
      #expect(ending.output == number)
    }
    #expect(server.requests.map { $0.field("X-Authorization") } == ["one", "two"])
  }

  @Test func aWriteDropsWhatWasKept() throws {
    let home = try Home()
    let server = try LoopbackServer { request in
      request.method == "GET"
        ? .response(body: Self.scores.replacing("262", with: "\(request.number)"))
        : .response(status: 201, body: "{}")
    }
    #expect(try id("--max-age 3600", server, home) == "1\n")
    #expect(
      try hw("wordle add --id 900 --date 2021-06-20 --word watch --tries watch", server, in: home).status == 0
    )
    #expect(try id("--max-age 3600", server, home) == "\(server.requests.count)\n")
    #expect(server.requests.last?.method == "GET")
  }

  // MARK: Secrets

  private func redirected(_ status: Int, to other: LoopbackServer) throws -> (LoopbackServer, Ending) {
    let location = "\(other.url)/elsewhere"
    let server = try LoopbackServer { _ in .response(status: status, headers: ["Location: \(location)"]) }
    let ending = try shell(
      "hw wordle scores --json --url \(server.url)",
      environment: ["HW_URL": nil, "HW_WORDLE_TOKEN": "hush-hush"])
    return (server, ending)
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func aRedirectTakesTheTokenNowhereElse(_ status: Int) throws {
    let other = try LoopbackServer { _ in .response(body: Self.scores) }
    let (server, ending) = try redirected(status, to: other)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(server.requests.first?.field("X-Authorization") == "hush-hush")
    #expect(other.requests.map(\.target) == ["/elsewhere"])
    #expect(other.requests.first?.head.contains("hush") == false)
  }

  @Test func aRedirectWithinTheServiceKeepsTheToken() throws {
    let server = try LoopbackServer { request in
      request.number == 1
        ? .response(status: 307, headers: ["Location: /elsewhere"]) : .response(body: Self.scores)
    }
    let ending = try shell(
      "hw wordle scores --json --url \(server.url)",
      environment: ["HW_URL": nil, "HW_WORDLE_TOKEN": "hush-hush"])
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(server.requests.map { $0.field("X-Authorization") } == ["hush-hush", "hush-hush"])
  }

  @Test func thePathOfARedirectWithoutAnEndIsShort() throws {
    let server = try LoopbackServer { request in
      .response(status: 302, headers: ["Location: /again\(request.number)"])
    }
    #expect(try hw("wordle scores", server).status == 6)
    #expect(server.requests.count == 6)
  }
}
