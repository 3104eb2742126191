import JSON
import System
import Testing

@testable import NBA

/// The course of sample games, and who may request them.
@Suite struct SampleGameTests {
  private static func game(id: Int, minute: Int = 1410) -> SampleGame {
    SampleGame(
      id: id, season: 2024, home: 0, visitor: 1, day: 20_000, minute: minute, isPostseason: false,
      isPostponed: false, homeAdvantage: 0, seed: 1)
  }

  /// The other overtimes may end in a tie.
  @Test func theThirdOvertimeHasAWinner() {
    let two = Self.game(id: 46).points()
    #expect(two == .init(home: [28, 25, 25, 24, 10, 10], visitor: [25, 21, 22, 34, 10, 12]))
    let three = Self.game(id: 6069).points()
    #expect(three == .init(home: [27, 30, 24, 28, 13, 5, 12], visitor: [33, 27, 25, 24, 13, 5, 11]))
    #expect(!two.homeWins && three.homeWins)
  }

  /// The time on the East coast is four hours behind UTC.
  @Test(arguments: [
    (960, "12:00 pm ET"), (969, "12:09 pm ET"), (970, "12:10 pm ET"), (1019, "12:59 pm ET"),
    (1020, "1:00 pm ET"), (1410, "7:30 pm ET"), (1440, "8:00 pm ET"), (1620, "11:00 pm ET"),
  ])
  func theStartOfABareRow(minute: Int, text: String) throws {
    var writer = JSONWriter()
    Self.game(id: 5, minute: minute).write(to: &writer, at: Timestamp(seconds: 0))
    #expect(try JSON.parse(writer.bytes)["status"].string == text)
  }
}
