import HTTP
import JSON
import System
import TestSupport
import Testing

@testable import Race

extension FakeClock {
  /// At 2024-01-01T00:00:18Z.
  static func at18() -> FakeClock { FakeClock(Timestamp(seconds: FakeClock.start.seconds + 18)) }
}

extension RaceClient {
  init(_ status: Int, _ body: String, _ headers: Headers = [:]) {
    let response = Response(status, headers: headers, body: Array(body.utf8))
    self.init(
      endpoint: Endpoint(URL(scheme: .https, host: "race.example"), ScriptedTransport(response)),
      time: FakeClock.at18())
  }
}

@Suite struct TheLengthOfARace {
  @Test(arguments: [
    ("26", 26), ("1", 1), ("86400", 86_400), ("26.0", 26), ("2.6e1", 26),
  ])
  func isWhatTheServiceSays(number: String, seconds: Int) throws {
    #expect(try RaceClient(200, "{\"timeInSeconds\":\(number)}").duration() == .seconds(seconds))
  }

  @Test(
    arguments: [
      ("", RaceMoment()), (#","race":null,"remainingSeconds":null"#, RaceMoment()),
      (#","race":"7","remainingSeconds":2.5"#, RaceMoment(race: "7", remaining: .milliseconds(2500))),
    ])
  func raceAndWhatRemainsOfItAreReadWhereServiceSendsThem(members: String, moment: RaceMoment) throws {
    let client = RaceClient(200, #"{"timeInSeconds":26,"beeList":[]\#(members)}"#, ["Age": "3"])
    #expect(try client.start().moment == moment)
    #expect(try client.standings() == RaceStandings(bees: [], moment: moment, age: .seconds(3)))
    for bad in [
      #""race":7"#, #""remainingSeconds":-1"#, #""remainingSeconds":27"#, #""remainingSeconds":"2""#,
    ] {
      let client = RaceClient(200, #"{"timeInSeconds":26,\#(bad)}"#)
      #expect(failure { _ = try client.start() }?.kind == .invalidData)
    }
  }

  /// A value that is too large means very old, not new.
  @Test(arguments: [("3", 3), ("99999999999999999999", 1 << 31), ("-5", 0), ("1e3", 0), ("x", 0)])
  func ageOfStandingsIsBounded(_ field: String, _ seconds: Int) throws {
    let standings = try RaceClient(200, #"{"beeList":[]}"#, ["Age": field]).standings()
    #expect(standings.age == .seconds(seconds))
  }

  @Test(
    arguments: [
      "0", "-5", "86401", "99999999999999999999", "9223372036854775807", "1e400", "\"26\"", "null", "26.5",
      "[]",
      "true",
    ])
  func invalidLengthOfRaceNamesField(value: String) {
    let failure = failure { _ = try RaceClient(200, "{\"timeInSeconds\":\(value)}").duration() }
    #expect(failure?.kind == .invalidData)
    #expect(failure?.message.contains("timeInSeconds") == true)
  }

  @Test(
    arguments: [
      (200, ""), (200, "<!doctype html><title>Beeceptor</title>"), (200, "gone"), (200, "{}"), (200, "[26]"),
      (302, "moved"),
    ])
  func bodyThatIsNotJSONIsInvalidDataForEveryStatus(status: Int, body: String) {
    #expect(failure { _ = try RaceClient(status, body).duration() }?.kind == .invalidData)
  }
}

@Suite struct TheStandings {
  @Test func mayBeEmptyAndMayBeMany() throws {
    #expect(try RaceClient(200, "{\"beeList\":[]}").standings().bees.isEmpty)
    let many = (0..<10_000).map { "{\"name\":\"Bee\($0)\",\"color\":\"#000000\"}" }.joined(separator: ",")
    #expect(try RaceClient(200, "{\"beeList\":[\(many)]}").standings().bees.count == 10_000)
  }

  @Test(
    arguments: [
      ("{}", "beeList"), ("{\"beeList\":null}", "beeList"), ("{\"beeList\":{}}", "beeList"),
      ("{\"beeList\":[{\"name\":\"A\"},{\"color\":\"red\"}]}", "beeList[1].name"),
      ("{\"beeList\":[{\"name\":5}]}", "beeList[0].name"),
      ("{\"beeList\":[{\"name\":\"A\",\"color\":[]}]}", "beeList[0].color"),
    ])
  func rowThatIsNoBeeNamesItself(body: String, path: String) {
    let failure = failure { _ = try RaceClient(200, body).standings() }
    #expect(failure?.kind == .invalidData)
    #expect(failure?.message.contains(path) == true)
  }
}

@Suite struct Refusals {
  static let body =
    #"{"error":{"code":429,"message":"You have exceeded the rate limit for this API endpoint."}}"#

  @Test(
    arguments: [
      ([:], nil), (["X-RateLimit-Reset": "1704067260"], 42), (["X-RateLimit-Reset": "1704067230"], 12),
      (["Retry-After": "7"], 7), (["Retry-After": "soon"], nil), (["X-RateLimit-Reset": "-1"], nil),
      (["Retry-After": "999999999999"], 86_400),
    ] as [(Headers, Int?)])
  func rateLimitSaysHowLongWhereServiceDoes(headers: Headers, seconds: Int?) {
    for body in [Refusals.body, "", "<html>"] {
      let failure = failure { _ = try RaceClient(429, body, headers).standings() }
      #expect(failure?.kind == .rateLimited)
      #expect(failure?.retryAfter == seconds.map { .seconds($0) })
      #expect(failure?.hint?.hasSuffix(" in \(seconds.map(String.init) ?? "42.0") s") == true)
    }
  }

  @Test(
    arguments: [
      "https://www.google.com/recaptcha/api2/demo", "https://example.org:8443/a?b=c#d",
      "http://127.0.0.1:7400/x",
      "http://localhost/x", "http://[::1]:80/x",
    ])
  func captchaIsOneOnAnyRoute(url: String) throws {
    let client = RaceClient(403, "{\"captchaUrl\":\"\(url)\"}")
    for ask in [{ _ = try client.duration() }, { _ = try client.standings() }] {
      let failure = failure(ask)
      #expect(failure?.kind == .captcha)
      #expect(failure?.captchaAddress?.text == url)
      #expect(failure?.message.contains(url) == true)
    }
    #expect(try client.captchaTest().text == url)
  }

  @Test(
    arguments: [
      "javascript:alert(1)", "http://example.org/", "file:///etc/passwd", "data:text/html,x", "",
      "ftp://example.org",
      "https://", "https://a b/", "//example.org/x", "https://example.org/\\u001b[2J", "demo:", "unix:/run/x",
      "https://example.org/" + String(repeating: "x", count: 5000),
    ])
  func addressThatNoWindowShouldOpenIsInvalidData(url: String) {
    let failure = failure { _ = try RaceClient(403, "{\"captchaUrl\":\"\(url)\"}").standings() }
    #expect(failure?.kind == .invalidData)
  }

  @Test(
    "A 403 without an address is a refusal like any other",
    arguments: [
      "{}", "Forbidden", "", "{\"captchaUrl\":null}", "{\"captchaUrl\":5}", "[]",
    ])
  func forbidden(body: String) {
    #expect(failure { _ = try RaceClient(403, body).standings() }?.kind == .unauthorized)
  }

  @Test func aRateLimitCanBeTriedAgain() {
    let limited = failure { _ = try RaceClient(429, "", ["Retry-After": "7"]).standings() }
    #expect(
      limited?.described
        == "rateLimited: the rate limit of 'race.example' is reached; "
        + "hint: retry in 7 s; retryable; retryAfter integer(7)")
    let unnamed = failure { _ = try RaceClient(429, "").standings() }
    #expect(unnamed?.retryable == true && unnamed?.details == [])
    #expect(
      unnamed?.hint == "all clients share this limit: retry in a few seconds, or in 42.0 s")
  }

  @Test func aServiceInTroubleCannotBeHad() {
    #expect(failure { _ = try RaceClient(503, "").standings() }?.kind == .connection)
    #expect(failure { _ = try RaceClient(500, "").captchaTest() }?.kind == .connection)
    #expect(failure { _ = try RaceClient(200, "{}").captchaTest() }?.kind == .invalidData)
  }
}

/// What `hw check race` requires of the service.
@Suite struct RaceContract {
  @Test(arguments: [(#"{"captchaUrl":"https://a/"}"#, true), (#"{"captchaUrl":"demo:"}"#, false)])
  func theCaptchaHasAnAddress(text: String, isAccepted: Bool) throws {
    let check = try #require(Race.checks.first { $0.title == "the CAPTCHA to test with" })
    let (read, json) = (try #require(check.read), try JSON.parse(text))
    #expect(((try? read(json)) != nil) == isAccepted)
  }

  /// A CAPTCHA can be required at any time.
  @Test func captchaIsTolerated() {
    #expect(Race.checks.map(\.status) == [200, 200, 403])
    let responses = [
      Response(403, body: Array(#"{"captchaUrl":"https://a/"}"#.utf8)), Response(429),
      Response(403, body: Array("oops".utf8)), Response(403, body: Array(#"{"error":"x"}"#.utf8)),
      Response(500, body: Array(#"{"captchaUrl":"https://a/"}"#.utf8)),
    ]
    let excused = Race.checks.map { check in
      responses.map { response in check.tolerated.contains { $0.applies(to: response) } }
    }
    #expect(excused[0] == [true, false, false, false, false] && excused[1] == excused[0])
    #expect(excused[2].allSatisfy { !$0 })
  }
}
