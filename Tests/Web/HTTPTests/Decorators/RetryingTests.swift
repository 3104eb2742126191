import System
import TestSupport
import Testing

@testable import HTTP

@Suite struct RetryingTests {
  let time = FakeClock()
  let notes = RecordedMessages()

  private func retrying(
    _ inner: any Transport, _ policy: RetryPolicy = RetryPolicy(), deadline: Deadline? = nil
  ) -> RetryingTransport {
    RetryingTransport(
      inner, policy: policy, deadline: deadline, time: time, jitter: { $0 / 2 }, report: notes.add)
  }

  private func request(_ method: HTTP.Method, headers: Headers = [:]) throws -> Request {
    Request(method, try URL("https://host/x"), headers: headers)
  }

  @Test(arguments: HTTP.Method.allCases, [408, 429, 500, 502, 503, 504, 520, 524, 529])
  func transientStatusIsRetriedIfIdempotent(method: HTTP.Method, status: Int) throws {
    let service = ScriptedTransport(.status(status), .status(200))
    let response = try retrying(service).send(request(method))
    // What is beyond the rate limit was not done.
    let again = method != .post && method != .patch || status == 429
    #expect(response.status == (again ? 200 : status))
    #expect(service.requests.count == (again ? 2 : 1))
    #expect(response.attempts == service.requests.count)
  }

  @Test func aKeyMakesAPostRepeatable() throws {
    let service = ScriptedTransport(.status(503), .status(201))
    #expect(try retrying(service).send(request(.post, headers: ["Idempotency-Key": "1"])).status == 201)
  }

  @Test func aPostIsSentAgainWhenTheTransportSaysNothingWas() throws {
    // The mark that a refused connection carries, and a lost answer to a POST does not.
    let service = ScriptedTransport(.refused, .status(200))
    #expect(try retrying(service).send(request(.post)).status == 200)
    let lost = Result<Response, Failure>.failure(
      Failure(.connection, "no answer within 30 s", retryable: false))
    #expect(throws: Failure.self) { try retrying(ScriptedTransport(lost, .status(200))).send(request(.post)) }
  }

  /// A DELETE would be, by its method.
  @Test func unrepeatableRequestIsSentOnce() throws {
    var once = try request(.delete)
    once.isOnlyOnce = true
    let service = ScriptedTransport(.status(503), .status(200))
    #expect(try retrying(service).send(once).status == 503)
    #expect(try retrying(ScriptedTransport(.refused, .status(200))).send(once).status == 200)
  }

  /// Whether the first was done stays open, whatever becomes of the last.
  @Test(
    arguments: [
      (.put, .status(502), true), (.put, .status(429), false), (.put, .refused, false),
      (.get, .status(502), false),
    ] as [(HTTP.Method, Result<Response, Failure>, Bool)])
  func unclearAttemptKeepsOutcomeUnknown(
    method: HTTP.Method, first: Result<Response, Failure>, outcomeUnknown: Bool
  ) throws {
    do throws(Failure) {
      _ = try retrying(ScriptedTransport(first, .refused)).send(Request(method, URL("https://host/x")))
      Issue.record("it was answered")
    } catch {
      #expect(error.outcomeUnknown == outcomeUnknown)
    }
  }

  @Test(arguments: [200, 204, 301, 304, 400, 401, 403, 404, 409, 501, 505, 519, 530])
  func finalStatusIsReturned(status: Int) throws {
    let service = ScriptedTransport(.status(status))
    #expect(try retrying(service).send(request(.get)).status == status)
    #expect(service.requests.count == 1)
  }

  @Test(arguments: [
    Failure(.interrupted, "interrupted", retryable: true), .explained,
    Failure(.rateLimited, "reached", retryable: true), Failure(.invalidData, "too large", retryable: true),
    Failure(.connection, "not to be trusted"), Failure(.storage, "disk full", retryable: true),
  ])
  func permanentFailureIsReturned(failure: Failure) throws {
    let service = ScriptedTransport(.failure(failure), .status(200))
    #expect(throws: failure) { try retrying(service).send(request(.get)) }
    #expect(service.requests.count == 1 && time.sleeps.isEmpty)
  }

  @Test func lastOutcomeIsReturnedAfterRetries() throws {
    let service = ScriptedTransport(.refused, .status(503), .status(502))
    #expect(try retrying(service).send(request(.get)).status == 502)
    #expect(service.requests.count == 3)
    #expect(
      notes.lines == [
        "'host:80' refused the connection; next attempt in 0.5 s (1 of 2)",
        "status 503; next attempt in 1 s (2 of 2)",
      ])
  }

  @Test(arguments: [0, 1, 5]) func requestsEqualRetriesPlusOne(retries: Int) throws {
    let service = ScriptedTransport(.refused)
    #expect(throws: Failure.self) { try retrying(service, RetryPolicy(retries: retries)).send(request(.get)) }
    #expect(service.requests.count == retries + 1)
    #expect(time.sleeps.count == retries)
  }

  @Test func backsOffLongerEachTimeUpToABound() throws {
    #expect(throws: Failure.self) {
      try retrying(ScriptedTransport(.refused), RetryPolicy(retries: 8)).send(request(.get))
    }
    #expect(time.sleeps == [0.5, 1, 2, 4, 8, 15, 15, 15].map { .milliseconds($0 * 1000) })
    #expect(RetryPolicy().backoff(before: .max) == .seconds(30))
  }

  @Test(
    arguments: [
      (["Retry-After": "12"], "12 s"), (["Retry-After": "Mon, 01 Jan 2024 00:00:07 GMT"], "7 s"),
      (["X-RateLimit-Reset": "1704067260"], "60 s"),
    ] as [(Headers, String)])
  func waitsAsTheServiceSays(headers: Headers, wait: String) throws {
    let service = ScriptedTransport(.status(429, headers: headers), .status(200))
    #expect(try retrying(service).send(request(.get)).status == 200)
    #expect(notes.lines == ["rate limited; next attempt in \(wait) (1 of 2)"])
  }

  @Test func doesNotBeginAWaitThatIsTooLong() throws {
    let long = ScriptedTransport(.status(503, headers: ["Retry-After": "121"]))
    #expect(try retrying(long).send(request(.get)).status == 503)
    let late = ScriptedTransport(.status(503, headers: ["Retry-After": "20"]))
    let deadline = Deadline(in: .seconds(20), time)
    #expect(try retrying(late, deadline: deadline).send(request(.get)).status == 503)
    #expect(time.sleeps.isEmpty && notes.lines.isEmpty)
  }

  @Test func beginsAWaitThatIsJustShortEnough() throws {
    let long = ScriptedTransport(.status(503, headers: ["Retry-After": "120"]), .status(200))
    #expect(try retrying(long).send(request(.get)).status == 200)
    let early = ScriptedTransport(.status(503, headers: ["Retry-After": "19"]), .status(200))
    let deadline = Deadline(in: .seconds(20), time)
    #expect(try retrying(early, deadline: deadline).send(request(.get)).status == 200)
    // A longer maximum waits longer.
    var policy = RetryPolicy()
    policy.longestWait = .seconds(3600)
    let longer = ScriptedTransport(.status(429, headers: ["Retry-After": "3600"]), .status(200))
    #expect(try retrying(longer, policy).send(request(.get)).status == 200)
    #expect(time.sleeps == [.seconds(120), .seconds(19), .seconds(3600)])
  }

  @Test(
    arguments: [("121", nil, .setting), ("20", 20, .deadline)] as [(String, Int?, ReceivedResponse.Bound)])
  func namesTheBoundThatAWaitExceeds(seconds: String, deadline: Int?, bound: ReceivedResponse.Bound) throws {
    let service = ScriptedTransport(.status(503), .status(503, headers: ["Retry-After": seconds]))
    let deadline = deadline.map { Deadline(in: .seconds($0), time) }
    let response = try retrying(service, deadline: deadline).send(request(.get))
    #expect(response.attempts == 2 && service.requests.count == 2)
    #expect(response.refusedWait?.bound == bound)
    #expect(response.refusedWait?.length == Int(seconds).map { .seconds($0) })
  }

  @Test func countsTheAttemptsBelowItToo() throws {
    for (statuses, attempts) in [([503, 200], 3), ([200], 2)] {
      var left = statuses[...]
      let service = ScriptedTransport { _ in Response(left.removeFirst()) }
      service.change = { $0.attempts = 2 }
      #expect(try retrying(service).send(request(.get)).attempts == attempts)
    }
  }

  @Test(arguments: [(429, "rate limited"), (408, "status 408"), (503, "status 503")])
  func retryIsReportedWithReason(status: Int, reason: String) throws {
    let response = ReceivedResponse(Response(status))
    #expect(try RetryPolicy().reason(.success(response), of: request(.get)) == reason)
  }

  @Test func aBackoffIsNoLongerThanTheLongestWait() {
    var policy = RetryPolicy()
    policy.longestWait = .seconds(3)
    #expect(
      [-1, 0, 1, 2, 3, 4].map { policy.backoff(before: $0) } == [1, 1, 1, 2, 3, 3].map { .seconds($0) })
  }

  /// The hint of the failure would name that time too.
  @Test(arguments: [408, 500, 503, 520])
  func theRenewalOfTheRateLimitDelaysNoOtherRetry(status: Int) throws {
    let headers: Headers = ["X-RateLimit-Reset": "3000", "X-RateLimit-Remaining": "10"]
    let service = ScriptedTransport(.status(status, headers: headers), .status(200))
    #expect(try retrying(service).send(request(.get)).status == 200)
    #expect(time.sleeps == [.milliseconds(500)])
    let failing = ScriptedTransport(.status(status, headers: headers))
    let response = try retrying(failing).send(request(.get))
    #expect(failing.requests.count == 3)
    #expect(response.failure(for: try request(.get)).hint == "server error: try later")
  }

  /// It is a result: the same request has the same response.
  @Test func anErrorWithAMeaningIsNotRetried() throws {
    var known = try request(.get)
    known.meaningfulErrors = [MeaningfulError(500, "Failed to get node")]
    let service = ScriptedTransport(.success(.text(500, #"{"error":"Failed to get node"}"#)), .status(200))
    #expect(try retrying(service).send(known).status == 500)
    #expect(service.requests.count == 1)
    let trouble = ScriptedTransport(.success(.text(500, "database is down")), .status(200))
    #expect(try retrying(trouble).send(known).status == 200)
  }

  /// Of the response 500 with the body `axb`.
  @Test(arguments: [
    (500, "", true), (500, "x", true), (500, "y", false), (503, "x", false), (503, "", false),
  ])
  func meaningfulErrorNeedsStatusAndText(status: Int, text: String, isMeant: Bool) {
    #expect(MeaningfulError(status, text).matches(.text(500, "axb")) == isMeant)
    if text.isEmpty { #expect(MeaningfulError(status).matches(Response(500)) == isMeant) }
  }

  /// Its failure names the wait in seconds, whatever form the service uses.
  @Test(
    arguments: [
      ["Retry-After": "60"], ["Retry-After": "Mon, 01 Jan 2024 00:01:00 GMT"], ["X-RateLimit-Reset": "60"],
      ["X-RateLimit-Reset": "1704067260"],
    ] as [Headers])
  func leavesOutWhatThePolicyLeavesOut(headers: Headers) throws {
    var policy = RetryPolicy()
    policy.statuses.removeAll { $0 == 429 }
    let service = ScriptedTransport(.status(429, headers: headers))
    let response = try retrying(service, policy).send(request(.get))
    #expect(response.status == 429 && service.requests.count == 1)
    #expect(response.failure(for: try request(.get)).hint == "retry in 60 s")
  }
}
