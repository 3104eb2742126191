import Synchronization
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

  /// The first row is a game with a score, not one of next spring.
  @Test func theNewestPlayedGameIsTheFirst() {
    let points = Ran("games", "LAL", "-n", "1", "--csv", "--no-header", "--fields", "home_team_score").lines
    #expect(points.compactMap { Int($0) }.allSatisfy { $0 > 60 } && points.count == 1)
  }

  // MARK: A day

  @Test func theDayOfTheLeague() {
    let day = Ran("games", "--on", "2025-01-14", "--jsonl", "--fields", "date,home_team_score,id")
    #expect(day.status == 0 && day.lines.count > 3)
    #expect(day.lines.allSatisfy { $0.contains(#""date":"2025-01-14""#) })
    let yesterday = Ran("games", "--on", "yesterday", "--jsonl", "--fields", "date,home_team_score,id")
    #expect(yesterday.output == day.output)
    #expect(Ran("games", "--on", "1d", "--jsonl", "--fields", "date,home_team_score,id").output == day.output)
    let one = Ran("games", "ATL", "--on", "2025-01-14", "--jsonl").lines.count
    #expect(one <= 1)
    #expect(Ran("games", "--on", "2024-08-01", "--json").output == "[]\n")
  }

  /// Of the service's time zone: at noon in Tokyo on the 16th it is still the 15th there.
  @Test func todayIsTheDayInAmerica() {
    func days(_ clock: FakeClock) -> Set<String> {
      let ran = Ran(
        .only("nba", NBA.suite),
        ["nba", "games", "--on", "today", "--csv", "--no-header", "--fields", "date"],
        environment: ["HW_URL": "demo:"], time: clock)
      return Set(ran.lines)
    }
    let night = Timestamp(seconds: 1_736_996_400 - 12 * 3600)  // 2025-01-15T15:00Z
    #expect(days(FakeClock(night, offset: 9 * 3600)) == ["2025-01-15"])
    let late = Timestamp(seconds: 1_736_996_400)  // 2025-01-16T03:00Z
    #expect(days(FakeClock(late, offset: 9 * 3600)) == ["2025-01-15"])
  }

  @Test func theScoresOfADayAreWatched() {
    // 2025-01-15T02:30Z: games of the 14th are being played.
    let clock = FakeClock(Timestamp(seconds: 1_736_908_200))
    let stop = Mutex(4)
    let time = FakeClock(clock.now()) { _ throws(Failure) in
      let isOver = stop.withLock { left in
        left -= 1
        return left < 0
      }
      if isOver { throw Interruption.failure }
    }
    let ran = Ran(
      .only("nba", NBA.suite),
      [
        "nba", "games", "--on", "today", "--watch", "1800", "--jsonl", "--fields",
        "id,home_team_score,status",
      ],
      environment: ["HW_URL": "demo:"], time: time)
    #expect(ran.status == 130)
    #expect(ran.lines.contains { $0.contains(#""event":"added""#) })
    #expect(ran.lines.contains { $0.contains(#""event":"changed""#) }, "\(ran.output)")
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

  @Test(
    arguments: [
      (["--season", "2023"], "2023-10", "2024-07"),
      (["--since", "2024-12-01", "--until", "2024-12-31"], "2024-12", "2025-01"),
      (["--season", "2023", "--postseason"], "2024-04", "2024-07"),
      (["--until", "2023-01-15"], "2022-10", "2023-01-16"),
      (["--since", "7d", "--until", "yesterday"], "2025-01-08", "2025-01-15"),
      (["--since", "2023-12-01", "--until", "2024-11-05"], "2023-12", "2024-11-06"),
    ])
  func chosenBySeasonDaysAndKind(words: [String], from: String, before: String) {
    let days = Ran(words: ["games", "GSW", "--csv", "--no-header"] + words).lines.map {
      String($0.prefix(10))
    }
    let mayBeNone = words.contains("--postseason")
    #expect(mayBeNone || !days.isEmpty)
    #expect(days.allSatisfy { $0 >= from && $0 < before } && days == days.sorted(by: >))
  }
}
