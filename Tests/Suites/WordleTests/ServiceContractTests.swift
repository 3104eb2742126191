import Command
import HTTP
import System
import TestSupport
import Testing

@testable import Wordle

/// What `hw check` expects of a service.
@Suite struct ServiceContracts {
  private let newest = game(8, "at", "to", "at").json

  /// A service that sends this list, these scores, and `unknown` for the score that nobody has.
  private func outcomes(
    _ list: String, score: String, unknown: Int = 404
  ) throws -> (outcomes: [CheckOutcome], targets: [String]) {
    let transport = ScriptedTransport { request in
      let headers: Headers = ["Content-Type": "application/json"]
      return switch request.url.target {
      case "/scores": Response(200, headers: headers, body: Array(list.utf8))
      case "/scores/8": Response(200, headers: headers, body: Array(score.utf8))
      default: Response(unknown)
      }
    }
    let endpoint = Endpoint(try URL("http://host"), transport)
    let run = CheckRun("wordle", endpoint, FakeClock())
    return (try run.outcomes(of: Wordle.checks), transport.targets)
  }

  /// The documentation says a list, and the service sends an object with one.
  @Test(arguments: [true, false]) func aListOrAnObject(isObject: Bool) throws {
    let list = "[\(newest),\(game(7, "at", "at").json)]"
    let (outcomes, targets) = try outcomes(isObject ? "{\"scores\":\(list)}" : list, score: newest)
    #expect(outcomes.map(\.status) == [.ok, .ok, .ok], "\(outcomes.map(\.findings))")
    #expect(targets == ["/scores", "/scores/8", "/scores/999999999"])
  }

  @Test func invalidScoreBreaksContract() throws {
    let bad = #"{"id":8,"date":"2022-13-08","word":5,"tries":["at"]}"#
    let outcomes = try outcomes("[\(newest)]", score: bad, unknown: 200).outcomes
    #expect(outcomes.map(\.status) == [.ok, .fail, .fail])
    #expect(outcomes[1].findings.count == 1 && outcomes[1].findings[0].contains("at date: "))
    #expect(outcomes[2].findings == ["expected status 404, got 200"])
    #expect(try self.outcomes("[\(bad)]", score: newest).outcomes[0].status == .fail)
  }
}
