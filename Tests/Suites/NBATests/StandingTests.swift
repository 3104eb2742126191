import JSON
import System
import TestSupport
import Testing

@testable import NBA

@Suite struct Standings {
  private func team(_ id: Int) throws -> String {
    var writer = JSONWriter()
    try #require(League.teams.first { $0.id == id }).write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func games(_ results: [(home: Int, visitor: Int, homeWins: Bool)]) throws -> [Game] {
    var known = TeamCache()
    return try results.enumerated().map { day, result in
      try Game(
        JSON.parse(
          Sample.game(
            id: day + 1, date: "2024-12-\(10 + day)", scores: result.homeWins ? ("100", "90") : ("90", "100"),
            home: team(result.home), visitor: team(result.visitor))), &known)
    }
  }

  @Test func winsLossesShareGamesBehindAndStreak() throws {
    // 2 beats 3 twice and loses once; 1 has one win over 3.
    let played = try games([(2, 3, true), (3, 2, false), (2, 3, false), (1, 3, true)])
    let (table, counted) = Standing.tables(played.reversed(), teams: League.teams)
    #expect(counted == 4 && table.count == 30)
    let east = table.filter { $0.team.conference == "East" }
    #expect(east.prefix(2).map(\.team.id) == [1, 2])
    #expect(east.map(\.rank) == [1, 2, 3] + Array(repeating: nil, count: 12))
    #expect(east.map(\.gamesBehind) == [0, 0, 1.5] + Array(repeating: nil, count: 12))
    #expect(east[1].tally.wins == 2 && east[1].tally.losses == 1 && east[1].tally.streakText == "L1")
    #expect(east[1].tally.shareRounded == 0.667)
    let last = try #require(east.first { $0.team.id == 3 })
    #expect(last.tally == Tally(wins: 1, losses: 3, streak: -1))
  }

  @Test func onlyFinishedGamesOfTheRegularSeasonCount() throws {
    var known = TeamCache()
    let played = try [
      Sample.game(), Sample.game(postseason: true), Sample.game(status: "3rd Qtr"),
      Sample.game(visitor: "null"),
      Sample.game(scores: ("90", "90")), Sample.game(more: #""ist_stage":"Championship","#),
    ].map { try Game(JSON.parse($0), &known) }
    #expect(Standing.tables(played, teams: League.teams).counted == 1)
  }

  @Test func teamThatPlaysIsListedOnceWhateverTheListOfTeamsHas() throws {
    let teams = League.teams.filter { $0.id != 3 } + League.teams.filter { $0.id == 2 }
    let table = Standing.tables(try games([(2, 3, true)]), teams: teams).standings
    #expect(
      table.map(\.team.id)
        == Standing.tables(try games([(2, 3, true)]), teams: League.teams).standings.map(\.team.id))
  }

  @Test func equalTeamsStandByName() {
    let table = Standing.tables([], teams: League.teams).standings
    #expect(table.prefix(2).map(\.team.fullName) == ["Atlanta Hawks", "Boston Celtics"])
    #expect(table.allSatisfy { $0.gamesBehind == nil && $0.tally.streakText == "-" })
    // Whatever order the service has.
    let turned = Standing.tables([], teams: League.teams.reversed()).standings
    #expect(turned.map(\.team.id) == table.map(\.team.id))
  }

  /// An equal share of wins from more games comes first, whatever the names are.
  @Test(
    arguments: [
      // 30 wins two games, 1 one; the losers are of the other conference.
      ([(30, 7, true), (30, 8, true), (1, 7, true)], [30, 1]),
      // 30 wins two and loses two, 1 one of each.
      (
        [
          (30, 7, true), (30, 8, true), (30, 7, false), (30, 8, false), (1, 7, true), (1, 8, false),
          (2, 7, true),
        ], [2, 30, 1]
      ),
    ] as [([(Int, Int, Bool)], [Int])])
  func equalSharesStandByWins(_ results: [(Int, Int, Bool)], _ order: [Int]) throws {
    let played = try games(results.map { (home: $0.0, visitor: $0.1, homeWins: $0.2) })
    let east = Standing.tables(played, teams: League.teams).standings.filter { $0.team.conference == "East" }
    #expect(east.prefix(order.count).map(\.team.id) == order)
  }

  @Test(
    arguments: [
      (3, 0, "1.000", 1.0), (82, 0, "1.000", 1.0), (0, 3, ".000", 0), (0, 0, nil, nil), (1, 1, ".500", 0.5),
      (2, 1, ".667", 0.667), (1, 81, ".012", 0.012), (2047, 1, "1.000", 1.0),
    ] as [(Int, Int, String?, Double?)])
  func shareOfWins(_ wins: Int, _ losses: Int, _ shown: String?, _ number: Double?) throws {
    let tally = Tally(wins: wins, losses: losses)
    let standing = Standing(rank: 1, team: League.current[0], tally: tally, gamesBehind: 0)
    let share = try #require(Standing.fields.first { $0.column.path == "pct" })
    #expect(share.text(of: standing) == shown && tally.shareRounded == number)
    var record = TeamRecord(of: League.current[0], against: nil, season: 2024, [])
    record.all = tally
    let same = try #require(TeamRecord.fields.first { $0.column.path == "pct" })
    #expect(same.text(of: record) == shown)
  }

  @Test func aTeamAgainstAnother() throws {
    let played = try games([(1, 2, true), (2, 1, true), (1, 3, true), (4, 5, true)])
    let all = TeamRecord(of: League.current[0], against: nil, season: 2024, played)
    #expect(all.all == Tally(wins: 2, losses: 1, streak: 1) && all.atHome.wins == 2 && all.away.losses == 1)
    #expect(all.pointsFor == 290 && all.pointsAgainst == 280)
    let one = TeamRecord(of: League.current[0], against: League.current[1], season: 2024, played)
    #expect(one.all == Tally(wins: 1, losses: 1, streak: -1))
  }
}
