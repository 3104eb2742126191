import HTTP
import JSON
import System
import TestSupport
import Testing

@testable import NBA

/// Days, filters and orders of games.
@Suite struct SeasonTests {
  private static func game(
    id: Int = 1, date: String = "2024-12-25", status: String = "7:30 pm ET", period: Int = 0,
    scores: (String, String) = ("0", "0"), postseason: Bool = false, more: String = ""
  ) throws -> Game {
    var known = TeamCache()
    return try Game(
      JSON.parse(
        Sample.game(
          id: id, date: date, status: status, period: period, scores: scores, postseason: postseason,
          more: more)), &known)
  }

  /// It ends at 5:00 in UTC, in summer at 4:00.
  @Test(arguments: [
    ("2025-01-15T04:59:59Z", "2025-01-14"), ("2025-01-15T05:00:00Z", "2025-01-15"),
    ("2025-07-15T03:59:59Z", "2025-07-14"), ("2025-07-15T04:00:00Z", "2025-07-15"),
    ("2025-03-09T04:59:59Z", "2025-03-08"), ("2025-03-10T03:59:59Z", "2025-03-09"),
    ("2025-03-10T04:00:00Z", "2025-03-10"), ("2025-11-02T04:00:00Z", "2025-11-02"),
    ("2025-11-03T04:30:00Z", "2025-11-02"), ("2026-11-01T04:30:00Z", "2026-11-01"),
    ("2026-03-08T04:30:00Z", "2026-03-07"), ("2026-03-09T04:30:00Z", "2026-03-09"),
    ("2025-01-01T04:30:00Z", "2024-12-31"),
  ])
  func theAmericanDay(instant: String, day: String) throws {
    #expect(Season.americanDay(try #require(Timestamp(utc: instant))).description == day)
  }

  @Test(arguments: [("2024-12-24", false), ("2024-12-25", true), ("2024-12-26", true)])
  func aGameOfTodayIsStillToCome(date: String, isUpcoming: Bool) throws {
    let today = try #require(CalendarDay("2024-12-25"))
    #expect(try Self.game(date: date).isUpcoming(on: today) == isUpcoming)
    #expect(try !Self.game(date: date, period: 1).isUpcoming(on: today))
    let filter = GameFilter(isPlayed: true)
    #expect(try !filter.matches(Self.game(date: date)))
    for status in ["Postponed", "Canceled", "cancelled"] {
      #expect(try !Self.game(date: date, status: status).isUpcoming(on: today))
    }
    #expect(try filter.matches(Self.game(date: date, period: 1)))
  }

  /// One that has not begun by the end of its day in New York, or has not ended by six o'clock, has no result.
  @Test(arguments: [
    ("7:30 pm ET", 0, "2024-12-26T04:59:59Z", false), ("7:30 pm ET", 0, "2024-12-26T05:00:00Z", true),
    ("Postponed", 0, "2025-12-26T05:00:00Z", false), ("Final", 4, "2024-12-25T05:00:00Z", true),
    ("4th Qtr", 4, "2024-12-26T10:59:59Z", false), ("4th Qtr", 4, "2024-12-26T11:00:00Z", true),
  ])
  func aGameWithoutAResult(status: String, period: Int, instant: String, isUndecided: Bool) throws {
    let game = try Self.game(status: status, period: period)
    #expect(game.isUndecided(at: try #require(Timestamp(utc: instant))) == isUndecided)
  }

  @Test func eachPartOfAFilterIsEnough() throws {
    let day = CalendarDay("2024-12-25")
    let (before, after) = (CalendarDay("2024-12-24"), CalendarDay("2024-12-26"))
    let game = try Self.game(status: "Final")
    for filter in [
      GameFilter(), .init(since: day, until: day, isPostseason: false, isPlayed: true), .init(since: before),
      .init(until: after),
    ] {
      #expect(filter.matches(game))
    }
    for filter in [GameFilter(since: after), .init(until: before), .init(isPostseason: true)] {
      #expect(!filter.matches(game))
    }
  }

  @Test func theNextGameIsTheFirst() throws {
    func start(_ hour: Int) -> String { #""datetime":"2024-12-25T\#(hour):00:00.000Z","# }
    let games = try [
      Self.game(id: 1, date: "2024-12-26", more: start(10)), Self.game(id: 2),
      Self.game(id: 3, more: start(23)), Self.game(id: 5, more: start(20)), Self.game(id: 4, more: start(20)),
      Self.game(id: 6, status: "2024-12-25T21:00:00Z"), Self.game(id: 0),
    ]
    #expect(games.sorted { $0.startsBefore($1) }.map(\.id) == [4, 5, 6, 3, 0, 2, 1])
    #expect(games.sorted { $0.precedes($1) }.map(\.id) == [1, 2, 0, 3, 6, 5, 4])
    #expect(!games[2].startsBefore(games[2]) && !games[2].precedes(games[2]))
  }

  @Test(arguments: [
    ("true", "3rd Qtr", "Postponed", "-"), ("true", "Final", "Final", "60"),
    ("false", "3rd Qtr", "3rd Qtr", "60"), ("null", "3rd Qtr", "3rd Qtr", "60"),
  ])
  func postponedGameHasNoPointsBeforeItsEnd(value: String, sent: String, status: String, points: String)
    throws
  {
    let game = try Self.game(status: sent, period: 3, scores: ("60", "58"), more: #""postponed":\#(value),"#)
    #expect(game.statusShown { WallTime($0) } == status)
    let row = GameRow(game: game, time: FakeClock())
    let column = try #require(GameRow.fields.first { $0.column.path == "home_team_score" })
    #expect(column.text(of: row) == points)
  }

  @Test(
    arguments: [
      ("110", "104", "Final", 14), ("104", "110", "Final", 2), ("104", "104", "Final", nil),
      ("110", "104", "4th Qtr", nil), ("110", "104", "Final/OT", 14),
    ] as [(String, String, String, Int?)])
  func winners(home: String, visitor: String, status: String, winner: Int?) throws {
    #expect(try Self.game(status: status, scores: (home, visitor)).winner == winner)
  }

  @Test(
    arguments: [
      ("2024-12-25T", "2024-12-25"), ("2024-12-25T00:00", "2024-12-25"), ("2024-12-25 ", nil), ("", nil),
    ] as [(String, String?)])
  func theDayOfAGame(text: String, day: String?) throws {
    var found: String?
    let failure = failure { found = try Self.game(date: text).date }
    #expect(found == day && (failure == nil) == (day != nil))
    guard day == nil else { return }
    #expect(failure?.message.contains("expected a day like 2022-03-08, found '\(text)'") == true)
  }

  @Test func aTallyCountsRows() {
    var tally = Tally()
    var texts: [String] = []
    for win in [true, true, false, false, true] {
      tally.add(win: win)
      texts.append(tally.streakText)
    }
    #expect(texts == ["W1", "W2", "L1", "L2", "W1"])
    #expect(tally == Tally(wins: 3, losses: 2, streak: 1) && tally.games == 5)
  }

  /// A former team is listed where it has played, before the conferences of today.
  @Test func aFormerTeamThatHasPlayedIsListed() throws {
    var writer = JSONWriter()
    try #require(League.historic.first).write(to: &writer)
    var known = TeamCache()
    let text = Sample.game(visitor: String(decoding: writer.bytes, as: UTF8.self))
    let played = try Game(JSON.parse(text), &known)
    let (table, counted) = Standing.tables([played], teams: League.teams)
    #expect(counted == 1 && table.count == 31)
    #expect(table[0].team.id == 37 && table[0].rank == 1 && table[0].tally.losses == 1)
    #expect(table.first { $0.team.conference == "West" }?.team.id == 14)
  }

  /// A service that sends ever new teams does not fill the memory.
  @Test func teamsAreSharedUpTo256() throws {
    var known = TeamCache()
    var shared: [Bool] = []
    for id in 1...257 {
      let json = try JSON.parse(Sample.lakers.replacing(#""id":14"#, with: #""id":\#(id)"#))
      let (first, second) = (try known.read(json), try known.read(json))
      shared.append(first === second)
    }
    #expect(shared.count { $0 } == 256 && shared.last == false)
  }
}

/// What the client asks for, and what it makes of refusals.
@Suite struct ClientRequestTests {
  @Test func everyParameterOfGamesIsSent() throws {
    let service = ScriptedTransport(.page([1]))
    var cache = TeamCache()
    let request = NBAClient.GamesRequest(
      teams: [14, 2], season: 2024, since: CalendarDay("2024-12-01"), until: CalendarDay("2024-12-31"),
      isPostseason: false, day: CalendarDay("2024-12-25"))
    _ = try service.client.games(request, .init(cursor: 7, size: 50), &cache)
    _ = try service.client.games(.init(), .init(), &cache)
    #expect(
      service.targets == [
        "/v1/games?team_ids%5B%5D=14&team_ids%5B%5D=2&seasons%5B%5D=2024&dates%5B%5D=2024-12-25"
          + "&start_date=2024-12-01&end_date=2024-12-31&postseason=false&per_page=50&cursor=7",
        "/v1/games?per_page=100",
      ])
  }

  @Test func aSearchOfOneWordIsSentAsItIsAndAWholeNameInParts() throws {
    let service = ScriptedTransport(.text(#"{"data":[],"meta":{}}"#))
    _ = try service.client.players(.either("james"), teams: [], .init(cursor: 7))
    _ = try service.client.players(.all, teams: [14], .init())
    _ = try service.client.players(.both(first: "Élie", last: "O'Neal"), teams: [14, 2], .init(size: 50))
    #expect(
      service.targets == [
        "/v1/players?search=james&per_page=100&cursor=7", "/v1/players?team_ids%5B%5D=14&per_page=100",
        "/v1/players?first_name=%C3%89lie&last_name=O%27Neal&team_ids%5B%5D=14&team_ids%5B%5D=2&per_page=50",
      ])
  }

  @Test func teamsAreAskedForOnlyIfOneIsNamed() throws {
    let service = ScriptedTransport(.text(#"{"data":[\#(Sample.lakers),\#(Sample.celtics)]}"#))
    #expect(try service.client.teamIDs([], next: "") == [])
    #expect(service.targets.isEmpty)
    #expect(try service.client.teamIDs(["lakers", "BOS", "14"], next: "") == [14, 2, 14])
    #expect(service.targets == ["/v1/teams"])
  }

  @Test(arguments: [(404, Failure.Kind.notFound), (503, .connection), (401, .unauthorized)])
  func aPlayerThatIsNotThere(status: Int, kind: Failure.Kind) throws {
    let service = ScriptedTransport(.text("{}", status: status))
    let failure = failure { try service.client.player(7) }
    #expect(failure?.kind == kind)
    #expect((failure?.message == "there is no player 7") == (status == 404))
  }

  @Test func theGamesOfASeasonAreThoseOfAllPages() throws {
    // A game of the first page has moved to the second one meanwhile.
    let service = ScriptedTransport(.page([1, 2], next: "2"), .page([2, 3]))
    var pages: [Int] = []
    let games = try service.client.season(
      2024, of: [14], isPostseason: false, today: try #require(CalendarDay("2025-01-15"))
    ) { pages.append($0) }
    #expect(games.map(\.id) == [1, 2, 3] && pages == [2, 1])
    #expect(
      service.targets.first == "/v1/games?team_ids%5B%5D=14&seasons%5B%5D=2024&postseason=false&per_page=100")
  }
}
