import HTTP
import JSON
import System
import TestSupport
import Testing

@testable import Command

@Suite struct FindingLimitTests {
  @Test func aListIsComparedUpToAHundredFindings() throws {
    let json = try JSON.parse(Array("[\(Array(repeating: "0", count: 5000).joined(separator: ","))]".utf8))
    let findings = Contract.list(.string).findings(in: json)
    #expect(findings.count == 101)
    #expect(findings.last?.text == "too many findings; the last 4900 values were not compared")
    #expect(Contract.list(.string, count: 0...1).findings(in: json).count == 102)
    let exact = try JSON.parse(Array("[\(Array(repeating: "0", count: 100).joined(separator: ","))]".utf8))
    #expect(Contract.list(.string).findings(in: exact).count == 100)
    let oneMore = try JSON.parse(Array("[\(Array(repeating: "0", count: 101).joined(separator: ","))]".utf8))
    #expect(
      Contract.list(.string).findings(in: oneMore).last?.text
        == "too many findings; the last 1 values were not compared")
  }

  @Test func unknownFieldsAreCountedBeyondAHundred() throws {
    let members = (0..<103).map { "\"k\($0)\":1" }.joined(separator: ",")
    let findings = Contract.object([:]).findings(in: try JSON.parse(Array("{\(members)}".utf8)))
    #expect(findings.count == 101)
    #expect(findings.last?.text == "3 more fields that are not in the contract")
    #expect(findings.faults == 0)
    let exact = (0..<100).map { "\"k\($0)\":1" }.joined(separator: ",")
    #expect(Contract.object([:]).findings(in: try JSON.parse(Array("{\(exact)}".utf8))).count == 100)
  }
}

@Suite struct ContractShapeTests {
  private static let even = Contract.text("an even text") { $0.utf8.count % 2 == 0 }

  private static let cases: [(Contract, String, [String])] = [
    (.string, #""a""#, []), (.string, "1", ["expected a string, found a number, 1"]),
    (.int(), "1.0", []), (.int(), "1.5", ["expected an integer, found a number, 1.5"]),
    (.int(0 ... .max), "-1", ["expected an integer, 0 or more, found a number, -1"]),
    (.int(1...2), "3", ["expected an integer from 1 to 2, found a number, 3"]),
    (.int(), "99999999999999999999", ["expected an integer, found a number, 99999999999999999999"]),
    (.number, "1.5", []), (.number, "null", ["expected a number, found null"]),
    (.bool, "true", []), (.bool, "0", ["expected true or false, found a number, 0"]), (.any, "[{}]", []),
    (.choice(["a", "b"]), #""b""#, []),
    (.choice(["a", "b"]), #""c""#, [#"expected one of a, b, found a string, "c""#]),
    (even, #""ab""#, []), (even, #""abc""#, [#"expected an even text, found a string, "abc""#]),
    (.orNull(.bool), "null", []), (.orNull(.bool), "{}", ["expected true or false, found an object"]),
    (.either([.int(), .list(.int())]), "[1]", []),
    (.either([.int(), .list(.int())]), "[1,true]", ["expected an integer, found an array"]),
    (.list(.int()), #"[1,"x",2]"#, [#"[1]: expected an integer, found a string, "x""#]),
    (.list(.int(), count: 2...3), "[1]", ["expected 2 to 3, found 1 element"]),
    (.list(.int(), count: 1 ... .max), "[]", ["expected 1 or more, found 0 elements"]),
    (
      .bool, String(repeating: "1", count: 60),
      ["expected true or false, found a number, \(String(repeating: "1", count: 60))"]
    ),
    (
      .bool, String(repeating: "1", count: 61),
      ["expected true or false, found a number, \(String(repeating: "1", count: 60))…"]
    ),
    (.list(.int()), "{}", ["expected an array, found an object"]),
    (.object(["a": .int(), "b": .orAbsent(.bool)]), #"{"a":1}"#, []),
    (.object(["a": .int()]), "{}", ["a: expected an integer, found nothing"]),
    (.object(["a": .orNull(.int())]), "{}", ["a: expected an integer, found nothing"]),
    (.object(["a": .optional(.int())]), #"{"a":null}"#, []),
    (
      .object(["a": .object(["b": .int()])]), #"{"a":{"b":"1"}}"#,
      [#"a.b: expected an integer, found a string, "1""#]
    ),
    (.object(["a": .int()]), #"{"a":1,"news":2}"#, ["warning: news: a field that is not in the contract"]),
    (.object([:]), "3", ["expected an object, found a number, 3"]),
    (.map(.string), "[]", ["expected an object, found an array"]),
    (.map(.string), #"{"en":"x","de":1}"#, ["de: expected a string, found a number, 1"]),
    (.wrapped(.map(.string)), #""{\"en\":\"x\"}""#, []), (.wrapped(.map(.string)), #"{"en":"x"}"#, []),
    (.wrapped(.map(.string)), #""{\"en\":1}""#, ["in its JSON: en: expected a string, found a number, 1"]),
    (.wrapped(.map(.string)), #"{"en":1}"#, ["en: expected a string, found a number, 1"]),
    (.wrapped(.any), #""x""#, ["expected a string that holds JSON"]),
  ]

  @Test(arguments: cases.indices)
  func valueMatchesShape(index: Int) throws {
    let (shape, text, findings) = ContractShapeTests.cases[index]
    let found = shape.findings(in: try JSON.parse(text))
    #expect(found.map { ($0.weight == .warning ? "warning: " : "") + $0.text } == findings)
  }
}

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
      Check.ToleratedResponse(403, "a gate", expects: .object(["gate": .string])),
    ], expects: .list(.object(["id": .int()])))
  private static let item = Check(
    "an item", after: list, explained: "/item/ID",
    { answer throws(Failure) in "/item/\(try answer[0]["id"].int)" },
    expects: .object(["id": .int()]))

  private static func json(_ text: String, _ status: Int = 200) -> Result<Response, Failure> {
    .success(
      Response(status, headers: ["Content-Type": "application/json; charset=utf-8"], body: Array(text.utf8)))
  }

  private static let cases: [([String: Result<Response, Failure>], [String])] = [
    (["/list": json(#"[{"id":7}]"#), "/item/7": json(#"{"id":7}"#)], ["ok", "ok"]),
    (
      ["/list": json(#"[{"id":7}]"#)],
      ["ok", "FAIL: expected status 200, got 404|Content-Type: expected application/json, got none"]
    ),
    (["/list": json("[]")], ["ok", "FAIL: line 1, column 1, at [0].id: expected an integer, found nothing"]),
    (
      ["/list": json("<html>")],
      [
        "FAIL: expected JSON: line 1, column 1: expected a value, found '<'",
        "FAIL: there was no response for the list",
      ]
    ),
    (
      ["/list": json(#"[{"id":"a"},{"id":"b"},{"id":"c"}]"#)],
      ["FAIL: [0].id: expected an integer, found a string, \"a\" (and 2 more like it)", "FAIL"]
    ),
    (
      ["/list": json(#"[{"id":7,"x":1}]"#), "/item/7": json(#"{"id":7}"#)],
      ["warn: [0].x: a field that is not in the contract", "ok"]
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
    (["/list": json(#"{"gate":7}"#, 403)], ["FAIL: expected status 200, got 403", "FAIL"]),
    (["/list": .failure(Failure(.rateLimited, "full"))], ["down: full", "down: no request was sent"]),
  ]

  @Test(arguments: cases.indices)
  func responseDecidesOutcome(index: Int) throws {
    let (answers, wanted) = CheckTests.cases[index]
    let endpoint = Endpoint(try URL("http://service.test"), CheckTests.service(answers))
    let run = CheckRun("zoo", endpoint, SystemTime())
    let outcomes = try run.outcomes(of: [CheckTests.list, CheckTests.item])
    for (outcome, words) in zip(outcomes, wanted) {
      let told =
        outcome.status.rawValue + (outcome.findings.isEmpty ? "" : ": ")
        + outcome.findings.joined(separator: "|")
      #expect(told.hasPrefix(words), "\(told)")
    }
    #expect(outcomes.map(\.title) == ["the list", "an item"])
  }

  @Test func repeatedFindingIsCountedOnce() throws {
    let check = Check("x", "/x", expects: .list(.object(["id": .int(), "name": .string])))
    let response = try Self.json(#"[{"id":"a","name":1},{"id":"b","name":"x"}]"#).get()
    #expect(
      try Self.outcomes(of: [check]) { response }.outcomes[0].findings == [
        #"[0].id: expected an integer, found a string, "a" (and 1 more like it)"#,
        "[0].name: expected a string, found a number, 1",
      ])
  }

  /// The body of an error is another one.
  @Test func onlyTheExpectedResponseIsCompared() throws {
    let response = try Self.json("{}", 404).get()
    let outcome = try Self.outcomes(of: [Self.list]) { response }.outcomes[0]
    #expect(outcome.status == .fail && outcome.findings == ["expected status 200, got 404"])
  }

  @Test func aStatusThatIsExpectedIsNotRetried() throws {
    let (service, clock) = (ScriptedTransport(Response(500)), FakeClock())
    let retrying = RetryingTransport(
      service, policy: RetryPolicy(), deadline: nil, time: clock, jitter: { $0 }, report: { _ in })
    let run = CheckRun("zoo", Endpoint(try URL("http://service.test"), retrying), clock)
    let outcomes = try run.outcomes(of: [Check("x", "/x", status: 500, type: nil, expects: nil)])
    #expect(outcomes.map(\.status) == [.ok] && service.requests.count == 1 && clock.sleeps == [])
  }

  /// Without a secret, what requires one is skipped, and so is everything after it.
  @Test func checkWithoutSecretIsSkipped() throws {
    let endpoint = Endpoint(
      try URL("http://service.test"),
      CheckTests.service(["/list": CheckTests.json(#"[{"id":7}]"#), "/item/7": CheckTests.json("{}", 401)]))
    let run = CheckRun("zoo", endpoint, SystemTime(), missingSecret: "give a token")
    let outcomes = try run.outcomes(of: [CheckTests.list, CheckTests.item, CheckTests.list])
    #expect(outcomes.map(\.status) == [.ok, .skip])
    #expect(outcomes.last?.findings == ["give a token"])
  }

  private static func outcomes(
    of checks: [Check], missingSecret: String? = nil, _ respond: @escaping () throws(Failure) -> Response
  ) throws -> (outcomes: [CheckOutcome], requests: Int) {
    let service = ScriptedTransport { _ throws(Failure) in try respond() }
    let run = CheckRun(
      "zoo", Endpoint(try URL("http://service.test"), service), FakeClock(),
      missingSecret: missingSecret)
    return (try run.outcomes(of: checks), service.requests.count)
  }

  /// A status that the check expects is never excused, and no sign of a secret that is missing.
  @Test func aStatusThatIsExpected() throws {
    let locked = Check("x", "/x", status: 401, type: nil, expects: nil)
    let open = Check("y", "/y", type: nil, expects: nil)
    func statuses(_ checks: [Check], _ secret: String?) throws -> [String] {
      try Self.outcomes(of: checks, missingSecret: secret) { Response(401) }.outcomes.map(\.status.rawValue)
    }
    #expect(try statuses([locked, open, locked], "give a key") == ["ok", "skip"])
    #expect(try statuses([locked, open, locked], nil) == ["ok", "FAIL", "ok"])
    #expect(
      try Self.outcomes(of: [open]) { Response(401) }.outcomes[0].failure?.kind == .unauthorized,
      "a refused key")
    let busy = Check(
      "z", "/z", status: 429, type: nil, tolerated: [Check.ToleratedResponse(429, "busy")], expects: nil)
    #expect(try Self.outcomes(of: [busy]) { Response(429) }.outcomes[0].status == .ok)
  }

  @Test func failureEndsChecks() throws {
    let check = Check("x", "/x", type: nil, expects: nil)
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
    let down = try Self.outcomes(of: [check, check]) { () throws(Failure) in
      throw Failure(.connection, "gone")
    }
    #expect(down.requests == 1 && down.outcomes.map(\.status) == [.down, .down])
    var responses = [Response(200)]
    let later = try Self.outcomes(of: [check, check, check]) { () throws(Failure) in
      guard let response = responses.popLast() else { throw Failure(.connection, "gone") }
      return response
    }
    #expect(later.requests == 2 && later.outcomes.map(\.status) == [.ok, .down, .down])
  }

  /// The contract says nothing about how often a client may call.
  @Test func theRateLimitEndsTheChecks() throws {
    let check = Check("x", "/x", type: nil, expects: nil)
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
    let outcome = try Self.outcomes(of: [Check("x", "/x", expects: nil)]) { response }.outcomes[0]
    #expect(outcome.status == .warn)
    #expect(outcome.findings == ["Content-Type: expected application/json, got \(named)"])
  }

  @Test func unavailableServiceIsReportedOnce() throws {
    let check = Check("x", "/x", type: nil, expects: nil)
    let refused = Failure(.connection, "no").of(.refused)
    let down = try Self.outcomes(of: [check, check]) { () throws(Failure) in throw refused }.outcomes
    #expect(down.map(\.failure) == [refused, nil])
    #expect(down.map(\.findings) == [["no"], ["no request was sent"]])
  }
}
