import HTTP
import System
import TestSupport
import Testing

@testable import Command

@Suite struct CheckTests {
  /// A service with a response for each path. It refuses requests that a cache could answer.
  private static func service(_ answers: [String: Result<Response, Failure>]) -> ScriptedTransport {
    ScriptedTransport { request throws(Failure) in
      guard request.headers["Cache-Control"] == "no-store" else { throw Failure(.defect, "a copy would do") }
      return try (answers[request.url.path] ?? .success(Response(404))).get()
    }
  }

  private static let list = Check(
    "the list", "/list",
    tolerated: [
      Check.ToleratedResponse(429, "busy"),
      Check.ToleratedResponse(403, "a gate") { json throws(Failure) in _ = try json["gate"].string },
    ], read: { json throws(Failure) in for item in try json.array { _ = try item["id"].int } })
  private static let item = Check(
    "an item", after: list, explained: "/item/ID",
    { answer throws(Failure) in
      try Array(answer.array).first.map { item throws(Failure) in "/item/\(try item["id"].int)" }
    }, read: { json throws(Failure) in _ = try json["id"].int })

  private static func json(_ text: String, _ status: Int = 200) -> Result<Response, Failure> {
    .success(
      Response(status, headers: ["Content-Type": "application/json; charset=utf-8"], body: Array(text.utf8)))
  }

  private static let cases: [([String: Result<Response, Failure>], [String])] = [
    (["/list": json(#"[{"id":7}]"#), "/item/7": json(#"{"id":7}"#)], ["ok", "ok"]),
    (
      ["/list": json(#"[{"id":7}]"#)],
      ["ok", "FAIL: expected status 200, got 404: Content-Type: expected application/json, got none"]
    ),
    (["/list": json("[]")], ["ok", "skip: the list is empty"]),
    (
      ["/list": json("<html>")],
      ["FAIL: line 1, column 1: expected a value, found '<'", "FAIL: there was no response for the list"]
    ),
    (
      ["/list": json(#"[{"id":"a"},{"id":"b"},{"id":"c"}]"#)],
      [
        "FAIL: line 1, column 8, at [0].id: expected an integer, found a string",
        "FAIL: line 1, column 8, at [0].id: expected an integer, found a string",
      ]
    ),
    (["/list": json("{}", 429)], ["warn: returned 429: busy", "FAIL: there was no response for the list"]),
    (["/list": .failure(Failure(.connection, "refused"))], ["down: refused", "down: no request was sent"]),
    (
      ["/list": .failure(Failure(.unauthorized, "no key"))],
      ["FAIL: no key", "FAIL: there was no response for the list"]
    ),
    (
      ["/list": json(#"[{"id":7}]"#), "/item/7": json("slow down", 429)],
      ["ok", "down: 'GET http://service.test/item/7' returned 429: slow down"]
    ),
    (
      ["/list": json(#"{"gate":"x"}"#, 403)],
      ["warn: returned 403: a gate", "FAIL: there was no response for the list"]
    ),
    (
      ["/list": json("oops", 403)],
      ["FAIL: expected status 200, got 403", "FAIL: there was no response for the list"]
    ),
    (
      ["/list": json(#"{"gate":7}"#, 403)],
      ["FAIL: expected status 200, got 403", "FAIL: there was no response for the list"]
    ),
    (["/list": .failure(Failure(.rateLimited, "full"))], ["down: full", "down: no request was sent"]),
  ]

  @Test(arguments: cases.indices)
  func responseDecidesOutcome(index: Int) throws {
    let (answers, wanted) = CheckTests.cases[index]
    let endpoint = Endpoint(try URL("http://service.test"), CheckTests.service(answers))
    let run = CheckRun("zoo", endpoint, SystemTime())
    let outcomes = try run.outcomes(of: [CheckTests.list, CheckTests.item])
    for (outcome, words) in zip(outcomes, wanted) {
      let told = ([outcome.status.rawValue] + outcome.findings).joined(separator: ": ")
      #expect(told == words)
    }
    #expect(outcomes.map(\.title) == ["the list", "an item"])
  }

  @Test func aStatusThatIsExpectedIsNotRetried() throws {
    let (service, clock) = (ScriptedTransport(Response(500)), FakeClock())
    let retrying = RetryingTransport(
      service, policy: RetryPolicy(), deadline: nil, time: clock, jitter: { $0 }, report: { _ in })
    let run = CheckRun("zoo", Endpoint(try URL("http://service.test"), retrying), clock)
    let outcomes = try run.outcomes(of: [Check("x", "/x", status: 500, type: nil, read: nil)])
    #expect(outcomes.map(\.status) == [.ok] && service.requests.count == 1 && clock.sleeps == [])
  }

  /// Without a secret, what requires one is skipped, and so is everything after it.
  @Test func checkWithoutSecretIsSkipped() throws {
    let service = Self.service(["/list": Self.json(#"[{"id":7}]"#), "/item/7": Self.json("{}", 401)])
    let endpoint = Endpoint(try URL("http://service.test"), service)
    let run = CheckRun("zoo", endpoint, SystemTime(), missingSecret: "give a token")
    let outcomes = try run.outcomes(of: [Self.list, Self.item, Self.list])
    #expect(outcomes.map(\.status) == [.ok, .skip])
    #expect(outcomes.last?.findings == ["give a token"])
  }

  private static func outcomes(
    of checks: [Check], missingSecret: String? = nil, _ respond: @escaping () throws(Failure) -> Response
  ) throws -> (outcomes: [CheckOutcome], requests: Int) {
    let service = ScriptedTransport { _ throws(Failure) in try respond() }
    let run = CheckRun(
      "zoo", Endpoint(try URL("http://service.test"), service), FakeClock(), missingSecret: missingSecret)
    return (try run.outcomes(of: checks), service.requests.count)
  }

  /// A status that the check expects is never excused, and no sign of a secret that is missing.
  @Test func aStatusThatIsExpected() throws {
    let locked = Check("x", "/x", status: 401, type: nil, read: nil)
    let open = Check("y", "/y", type: nil, read: nil)
    func statuses(_ checks: [Check], _ secret: String?) throws -> [String] {
      try Self.outcomes(of: checks, missingSecret: secret) { Response(401) }.outcomes.map(\.status.rawValue)
    }
    #expect(try statuses([locked, open, locked], "give a key") == ["ok", "skip"])
    #expect(try statuses([locked, open, locked], nil) == ["ok", "FAIL", "ok"])
    #expect(
      try Self.outcomes(of: [open]) { Response(401) }.outcomes[0].failure?.kind == .unauthorized,
      "a refused key")
    let busy = Check(
      "z", "/z", status: 429, type: nil, tolerated: [Check.ToleratedResponse(429, "busy")], read: nil)
    #expect(try Self.outcomes(of: [busy]) { Response(429) }.outcomes[0].status == .ok)
  }

  @Test func failureEndsChecks() throws {
    let check = Check("x", "/x", type: nil, read: nil)
    #expect(throws: Failure(.interrupted, "stop")) {
      try Self.outcomes(of: [check]) { () throws(Failure) in throw Failure(.interrupted, "stop") }
    }
    for kind in [Failure.Kind.usage, .storage, .defect, .closedPipe] {
      #expect(throws: Failure(kind, "here")) {
        try Self.outcomes(of: [check]) { () throws(Failure) in throw Failure(kind, "here") }
      }
    }
    // Under --explain each is asked.
    let explained = try Self.outcomes(of: [check, check]) { () throws(Failure) in throw .explained }
    #expect(explained.requests == 2 && explained.outcomes.map(\.status) == [.ok, .ok])
    for successes in [0, 1] {
      var responses = Array(repeating: Response(200), count: successes)
      let later = try Self.outcomes(of: [check, check, check]) { () throws(Failure) in
        guard let response = responses.popLast() else { throw Failure(.connection, "gone") }
        return response
      }
      #expect(later.requests == successes + 1)
      #expect(later.outcomes.map(\.status) == [successes == 0 ? .down : .ok, .down, .down])
    }
  }

  /// The contract says nothing about how often a client may call.
  @Test func theRateLimitEndsTheChecks() throws {
    let check = Check("x", "/x", type: nil, read: nil)
    let refused = try Self.outcomes(of: [check, check]) { Response(429, headers: ["Retry-After": "30"]) }
    #expect(refused.requests == 1 && refused.outcomes.map(\.status) == [.down, .down])
    let failure = try #require(refused.outcomes[0].failure)
    #expect(failure.kind == .rateLimited && failure.hint == "retry in 30 s")
    #expect(refused.outcomes[0].detail == "GET http://service.test/x 429")
  }

  @Test(arguments: [(nil, "none"), ("text/html; charset=utf-8", "text/html")] as [(String?, String)])
  func anotherMediaTypeIsAWarning(type: String?, named: String) throws {
    var response = Response(200)
    response.headers["Content-Type"] = type
    let outcome = try Self.outcomes(of: [Check("x", "/x", read: nil)]) { response }.outcomes[0]
    #expect(outcome.status == .warn)
    #expect(outcome.findings == ["Content-Type: expected application/json, got \(named)"])
  }

  /// A service that is away is reported once, and a secret that is refused for each check.
  @Test func failureOfFirstCheckIsReported() throws {
    let (away, refused) = (Failure(.connection, "no").with(.refused), Failure(.unauthorized, "no key"))
    for (failure, next) in [(away, nil), (refused, refused)] as [(Failure, Failure?)] {
      let outcomes = try Self.outcomes(of: [Self.list, Self.item]) { () throws(Failure) in throw failure }
      #expect(outcomes.outcomes.map(\.failure) == [failure, next])
    }
  }
}
