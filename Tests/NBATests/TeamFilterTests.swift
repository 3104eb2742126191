import HTTP
import JSON
import Server
import System
import TestSupport
import Testing

@testable import NBA

/// The backend's filters of teams, and the opponent of a record.
@Suite struct TeamFilterTests {
  private func ids(_ query: String) throws -> [Int] {
    let router = Router([NBABackend(.demo(seed: 1, time: FakeClock("2025-01-15"))).backend])
    let response = router.respond(to: Request(.get, try HTTP.URL("http://host/teams?\(query)")))
    return try JSON.parse(response.body)["data"].array.map { try $0["id"].int }
  }

  @Test func aDivisionHasItsTeams() throws {
    let pacific = League.teams.filter { $0.division == "Pacific" }.map(\.id)
    #expect(pacific.count == 5)
    #expect(try ids("division=Pacific") == pacific)
    #expect(try ids("division=Pacific&conference=East") == [])
    #expect(try ids("conference=West").count == 15)
  }

  @Test func aRecordAgainstATeamNamesIt() {
    let ran = Ran("record", "LAL", "--vs", "BOS", "--fields", "vs.full_name", "--tsv", "--no-header")
    #expect(ran.lines == ["Boston Celtics"])
  }

  /// Each sign alone is enough: a service may have one before the others.
  @Test(arguments: [(1, "0", "0", "1st Qtr"), (0, "2", "0", "x"), (0, "0", "2", "x"), (0, "0", "0", "Final")])
  func aGameHasBegun(period: Int, home: String, visitor: String, status: String) throws {
    var known = TeamCache()
    let text = Sample.game(status: status, period: period, scores: (home, visitor))
    #expect(try Game(JSON.parse(text), &known).hasBegun)
    let waiting = Sample.game(status: "2024-12-25T20:00:00Z", period: 0, scores: ("0", "0"))
    #expect(try !Game(JSON.parse(waiting), &known).hasBegun)
    let unknown = waiting.replacing(#""period":0"#, with: #""period":null"#)
    #expect(try !Game(JSON.parse(unknown), &known).hasBegun)
  }
}
