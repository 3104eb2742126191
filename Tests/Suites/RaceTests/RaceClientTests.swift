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

/// What the client makes of responses, in `recorded/responses.txt`: `ROUTE STATUS [NAME=VALUE…] BODY`, at 18 s after a minute.
@Suite struct ResponsesOfTheService {
  @Test func responsesAreReadAsRecorded() throws {
    try RecordedText.holdRequests("responses.txt", begin: {}) { words in
      var headers = Headers()
      for field in words.dropFirst(2).dropLast() {
        let sides = field.split(separator: "=", maxSplits: 1).map(String.init)
        headers[sides[0]] = sides[1]
      }
      let client = RaceClient(Int(words[1]) ?? 0, words[words.count - 1], headers)
      do throws(Failure) {
        return [try read(words[0], client)]
      } catch {
        let address = error.captchaAddress.map { "; to \($0.text)" } ?? ""
        let wait = error.retryAfter.map { "; after \($0)" } ?? ""
        return ["! \(error.described)\(address)\(wait)"]
      }
    }
  }

  private func read(_ route: String, _ client: RaceClient) throws(Failure) -> String {
    func shown(_ moment: RaceMoment) -> String {
      "race \(moment.race ?? "-"), \(moment.remaining.map { "\($0)" } ?? "-") left"
    }
    switch route {
    case "duration": return "= \(try client.start().length)"
    case "start": return "= \(shown(try client.start().moment))"
    case "captcha": return "= \(try client.captchaTest().text)"
    default:
      let standings = try client.standings()
      return "= \(standings.bees.map(\.name)), \(shown(standings.moment)), \(standings.age) old"
    }
  }

  @Test func standingsMayBeMany() throws {
    let many = (0..<10_000).map { "{\"name\":\"Bee\($0)\",\"color\":\"#000000\"}" }.joined(separator: ",")
    #expect(try RaceClient(200, "{\"beeList\":[\(many)]}").standings().bees.count == 10_000)
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
