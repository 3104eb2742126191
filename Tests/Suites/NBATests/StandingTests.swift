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
    #expect(east[1].tally.wins == 2 && east[1].tally.losses == 1 && east[1].tally.streakText == "L1")
    #expect(east[1].tally.shareRounded == 0.667 && east[1].gamesBehind == 0)
    let last = try #require(east.first { $0.team.id == 3 })
    #expect(last.tally == Tally(wins: 1, losses: 3, streak: -1) && last.gamesBehind == 1.5)
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

  /// Those that may be over are reported.
  @Test(arguments: ["standings", "record LAL --regular"])
  func gamesWithoutAWinnerOrStatusAreReportedAndTheCupFinalIsLeftOut(line: String) throws {
    let games = [
      Sample.game(), Sample.game(id: 2, scores: ("90", "90")), Sample.game(id: 3, status: "3rd Qtr"),
      Sample.game(id: 4).replacing(#""status":"Final""#, with: #""status":null"#),
      Sample.game(id: 5, more: #""ist_stage":"Championship","#),
      Sample.game(id: 7, visitor: "null"), Sample.game(id: 8, visitor: Sample.lakers),
      Sample.game(id: 6, scores: ("0", "0")).replacing(#""status":"Final""#, with: #""status":null"#),
    ].joined(separator: ",")
    let service = ScriptedGames(.text(#"{"data":[\#(games)],"meta":{}}"#))
    let ran = Ran(line.split(separator: " ").map(String.init) + ["--json", "--fields", "games"], service)
    #expect(ran.status == 0 && ran.output.contains(#""games":1"#), "\(ran)")
    #expect(!ran.output.contains(#""games":2"#))
    #expect(
      ran.errors.contains("6 not counted, without a winner, status or opponent: 2, 3, 4, 7, 8, …\n"),
      "\(ran.errors)")
  }

  @Test func recordAgainstATeamReportsOnlyItsGames() {
    let games = [
      Sample.game(), Sample.game(id: 2, scores: ("90", "90")),
      Sample.game(id: 3, scores: ("90", "90"), visitor: Sample.lakers),
    ].joined(separator: ",")
    let ran = Ran(
      ["record", "LAL", "--vs", "BOS", "--tsv"], ScriptedGames(.text(#"{"data":[\#(games)],"meta":{}}"#)))
    #expect(ran.errors == "hw: 1 not counted, without a winner, status or opponent: 2\n", "\(ran)")
  }

  @Test(arguments: ["team=LAL", "team=lakers", "team=Los Angeles Lakers"])
  func conditionComparesAllNamesOfATeam(condition: String) {
    let service = ScriptedGames(.text(#"{"data":[\#(Sample.game())],"meta":{}}"#))
    let ran = Ran(
      ["standings", "--where", condition, "--tsv", "--no-header", "--fields", "team.abbreviation"], service)
    #expect(ran.output == "LAL\n", "\(ran)")
  }

  @Test func theSeasonOfATeamHasGamesInProgressAndReportsOthers() {
    let games = [
      Sample.game(),
      Sample.game(id: 2, date: "2025-01-15", status: "1st Qtr", period: 1, scores: ("10", "20")),
      Sample.game(id: 3, date: "2025-01-14", status: "2nd Qtr", period: 2),
    ].joined(separator: ",")
    let ran = Ran(["team", "BOS"], ScriptedGames(.text(#"{"data":[\#(games)],"meta":{}}"#)))
    #expect(
      ran.output.hasSuffix(
        """
        Season      2024: 0-1 (0-0 at home), L1

        Last games
        2024-12-25  lost  104-110  at Los Angeles Lakers

        Now
        1st Qtr  20-10  at Los Angeles Lakers

        """), "\(ran.output)")
    #expect(ran.errors == "hw: 1 not counted, without a winner, status or opponent: 3\n")
  }

  /// The streak of a team without games is a dash in every format.
  @Test(arguments: [("streak=-", ["BOS"]), ("streak!=-", ["DEN", "LAL"]), ("streak>-", ["LAL"])])
  func aStreakOfNoGamesIsFound(condition: String, teams: [String]) throws {
    let game = Sample.game(visitor: try team(8))
    let service = ScriptedGames(.text(#"{"data":[\#(game)],"meta":{}}"#))
    let ran = Ran(
      [
        "standings", "--where", condition, "--fields", "team.abbreviation", "--tsv", "--no-header",
      ], service)
    #expect(ran.lines.sorted() == teams, "\(ran.errors)")
  }

  @Test func teamsWithoutGamesComeLastAndHaveNoRank() throws {
    let table = Standing.tables(try games([(2, 3, true)]), teams: League.teams).standings
    let east = table.filter { $0.team.conference == "East" }
    #expect(east.prefix(2).map(\.team.id) == [2, 3])
    #expect(east.map(\.gamesBehind) == [0, 1] + Array(repeating: nil, count: 13))
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
