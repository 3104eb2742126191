import HTTP
import System
import TestSupport
import Testing

@testable import NBA

/// A list that is empty where the service always has something must not be used for a day or forever.
@Suite struct ClientCacheTests {
  @Test(arguments: [
    #"{"data":[]}"#, #"{"data":null}"#, "{}", "<html>", #"{"data":[{"id":"x"}]}"#,
    #"{"data":[\#(Sample.lakers)]}"#,
  ])
  func noTeamsAreAViolationOfTheContract(body: String) throws {
    let service = ScriptedTransport(.text(body))
    let hasTeam = body.contains("Lakers")
    #expect(failure { try service.client.teams() }?.kind == (hasTeam ? nil : .invalidData))
    #expect(service.discarded == (hasTeam ? [] : ["/v1/teams"]))
  }

  @Test(
    arguments: [
      (true, nil, 1), (true, "Final", 0), (true, "Postponed", 0), (true, "Scheduled", 1),
      (true, "2024-12-25T20:00:00Z", 1), (true, "4th Qtr", 1), (false, nil, 0), (false, "Scheduled", 0),
    ] as [(Bool, String?, Int)])
  func aSeasonThatIsOverIsStoredOnlyWithResults(isSettled: Bool, status: String?, count: Int) throws {
    let game = status.map { Sample.game(status: $0, period: 0, scores: ("0", "0")) } ?? ""
    let service = ScriptedTransport(.text(#"{"data":[\#(game)],"meta":{"per_page":25}}"#))
    var cache = TeamCache()
    let page = try service.client.games(.init(season: 2024), PageRequest(), &cache, isSettled: isSettled)
    #expect(page.items.isEmpty == (status == nil))
    #expect(service.discarded.count == count)
  }

  @Test func aSeasonThatIsOverIsStoredForDecades() throws {
    let service = ScriptedTransport(.page([1]))
    var cache = TeamCache()
    for isSettled in [true, false] {
      _ = try service.client.games(.init(season: 2024), PageRequest(), &cache, isSettled: isSettled)
    }
    let ages = service.requests.map(\.maxAge)
    #expect(ages.count == 2 && ages[1] == nil)
    #expect(try #require(ages[0]) > .seconds(50 * 366 * 86_400))
  }
}
