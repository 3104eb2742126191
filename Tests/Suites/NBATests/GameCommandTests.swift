import System
import TestSupport
import Testing

@testable import NBA

/// Run on the sample data, on 2025-01-15, where clocks are an hour ahead of UTC.
@Suite struct GameCommands {
  @Test func theSeasonThatIsPlayedNewestFirst() {
    let ran = Ran("games", "LAL", "--csv", "--no-header")
    let days = ran.lines.map { $0.prefix(10) }
    #expect(days == days.sorted(by: >))
    #expect(days.allSatisfy { $0 >= "2024-10-22" && $0 <= "2025-01-15" })
    #expect(ran.lines.allSatisfy { $0.contains("Los Angeles Lakers") })
    // The others have not begun: together they are the season.
    let upcoming = Ran("games", "LAL", "--upcoming", "--csv", "--no-header")
    let later = upcoming.lines.map { $0.prefix(10) }
    #expect(later == later.sorted() && later.allSatisfy { $0 >= "2025-01-15" })
    #expect(days.count > 30 && later.count > 30 && days.count + later.count == 82)
    #expect(upcoming.lines.allSatisfy { $0.contains(",0,") && $0.contains("Los Angeles Lakers") })
  }

  // MARK: A day

  /// Of the service's time zone: at noon in Tokyo on the 16th it is still the 15th there.
  @Test(arguments: [["--on", "today"], ["--on", "2025-01-15", "--where", "date=today"]])
  func todayIsTheDayInAmerica(words: [String]) {
    func days(_ clock: FakeClock) -> Set<String> {
      let ran = Ran(
        .only("nba", NBA.suite),
        ["nba", "games", "--csv", "--no-header", "--fields", "date"] + words,
        environment: ["HW_URL": "demo:"], time: clock)
      return Set(ran.lines)
    }
    let night = Timestamp(seconds: 1_736_996_400 - 12 * 3600)  // 2025-01-15T15:00Z
    #expect(days(FakeClock(night, offset: 9 * 3600)) == ["2025-01-15"])
    let late = Timestamp(seconds: 1_736_996_400)  // 2025-01-16T03:00Z
    #expect(days(FakeClock(late, offset: 9 * 3600)) == ["2025-01-15"])
  }

  @Test func allSeasonsThereAre() {
    let days = Ran("games", "LAL", "--all", "--csv", "--no-header").lines.map { $0.prefix(10) }
    #expect(days.count > 350 && days == days.sorted(by: >) && days.last.map { $0 < "2020-11" } == true)
  }

  @Test func severalTeamsInOneList() {
    let ran = Ran("games", "LAL", "bos", "--season", "2023", "--regular", "--csv", "--no-header")
    // They meet twice or three times, and games that were postponed are not listed.
    #expect((158...162).contains(ran.lines.count))
  }
}
