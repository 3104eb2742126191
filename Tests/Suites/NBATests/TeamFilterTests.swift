import JSON
import Testing

@testable import NBA

/// The opponent of a record, and when a game has begun.
@Suite struct TeamFilterTests {
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
