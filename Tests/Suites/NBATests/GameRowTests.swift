import JSON
import System
import TestSupport
import Testing

@testable import NBA

/// Each side of a game has its own columns.
@Suite struct GameRowTests {
  private static let periods = ["q1", "q2", "q3", "q4", "ot1", "ot2", "ot3"]

  @Test func eachSideHasItsOwnDetails() throws {
    var members: [(String, String)] = [
      ("home_timeouts_remaining", "21"), ("visitor_timeouts_remaining", "22"), ("home_in_bonus", "true"),
      ("visitor_in_bonus", "false"),
    ]
    for (number, period) in Self.periods.enumerated() {
      members += [("home_\(period)", "\(number + 1)"), ("visitor_\(period)", "\(number + 11)")]
    }
    let more = members.map { "\"\($0.0)\":\($0.1)," }.joined()
    var known = TeamCache()
    let game = try Game(JSON.parse(Sample.game(period: 7, more: more)), &known)
    let row = GameRow(game: game, time: FakeClock())
    for (path, value) in members {
      let field = try #require(GameRow.fields.first { $0.column.path == path })
      #expect(field.text(of: row) == value, "\(path)")
    }
  }
}
