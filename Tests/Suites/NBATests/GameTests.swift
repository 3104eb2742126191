import HTTP
import JSON
import System
import TestSupport
import Testing

@testable import NBA

@Suite struct GamesAsTheyAreSent {
  private func read(_ text: String) throws -> Game {
    var known = TeamCache()
    return try Game(JSON.parse(text), &known)
  }

  @Test func withAllThatNewerRowsHave() throws {
    let more = """
      "datetime":"2024-12-26T01:00:00.000Z","postponed":false,"home_q1":30,"home_q2":20,"home_q3":25,"home_q4":35,\
      "home_ot1":10,"home_ot2":null,"home_ot3":null,"home_timeouts_remaining":1,"home_in_bonus":true,"visitor_q1":28,\
      "visitor_in_bonus":null,"ist_stage":"Final","period_detail":"OT",
      """
    let game = try read(Sample.game(period: 5, more: more))
    #expect(game.id == 1 && game.season == 2024 && game.homeScore == 110 && game.period == 5)
    #expect((0..<7).map { game.homeSide.periods[$0] } == [30, 20, 25, 35, 10, nil, nil])
    #expect(game.homeSide.timeoutsRemaining == 1 && game.homeSide.isInBonus == true)
    #expect(game.visitorSide.periods[0] == 28 && game.visitorSide.isInBonus == nil)
    #expect(game.periodDetail == "OT" && !game.isCupFinal)
    #expect(game.cupStage == "Final" && game.isPostponed == false && game.winner == 14)
    #expect(game.tipOff == Timestamp(utc: "2024-12-26T01:00:00Z"))
  }

  @Test func withNoneOfIt() throws {
    let game = try read(Sample.game())
    #expect(game.datetime == nil && game.isPostponed == nil && game.homeSide.periods[0] == nil)
    #expect(game.home?.fullName == "Los Angeles Lakers" && game.visitor?.abbreviation == "BOS")
  }

  @Test func aTeamThatIsNotKnownYetIsNoFault() throws {
    let game = try read(Sample.game(home: "null"))
    #expect(game.home == nil && game.visitor != nil && game.winner == nil)
  }

  @Test func teamIsReadInBothForms() throws {
    var known = TeamCache()
    let renamed = Sample.lakers.replacing("Los Angeles", with: "Lake")
    for (text, city) in [(Sample.lakers, "Los Angeles"), (renamed, "Lake"), (Sample.lakers, "Los Angeles")] {
      #expect(try Game(JSON.parse(Sample.game(home: text)), &known).home?.city == city)
    }
  }

  @Test(arguments: [
    (#""season":2024,"#, "", "season"),
    (#""home_team_score":110"#, #""home_team_score":"110""#, "home_team_score"),
    (#""home_team_score":110"#, #""home_team_score":-1"#, "home_team_score"),
    (#""visitor_team_score":104"#, #""visitor_team_score":9223372036854775807"#, "visitor_team_score"),
    (#""home_team_score":110"#, #""home_team_score":10000"#, "expected 0 to 9999 points"),
    (#""date":"2024-12-25""#, #""date":"2024-02-30""#, "date"),
    (#""date":"2024-12-25""#, #""date":"soon""#, "date"),
    (#""postseason":false"#, #""postseason":"no""#, "postseason"),
    (#""status":"Final""#, #""status":7"#, "status"), (#""period":4"#, #""period":"4""#, "period"),
    (#""time":"Final""#, #""time":7"#, "time"),
    (#""id":14"#, #""id":"14""#, "home_team.id"), (#""id":1,"#, #""id":99999999999999999999,"#, "id"),
  ])
  func breachOfContractNamesPath(part: String, replacement: String, path: String) {
    let problem = #expect(throws: Failure.self) { try read(Sample.game().replacing(part, with: replacement)) }
    #expect(problem?.kind == .invalidData)
    #expect(problem?.message.contains(path) == true)
  }

  @Test(arguments: [0, 9999]) func scoresMayBeAnythingBetween(score: Int) throws {
    let text = Sample.game().replacing(#""home_team_score":110"#, with: #""home_team_score":\#(score)"#)
    #expect(try read(text).homeScore == score)
  }

  /// Both are null in some rows, and one such row must not end a list.
  @Test func statusAndPeriodMayBeUnknown() throws {
    let text = Sample.game().replacing(
      #""status":"Final","period":4,"time":"Final""#, with: #""status":null,"period":null,"time":" ""#)
    let game = try read(text)
    #expect(game.status == nil && game.period == nil && game.time == nil)
    #expect(game.statusShown { WallTime($0) } == nil && !game.isFinal && game.winner == nil)
    let service = ScriptedTransport(.text(#"{"data":[\#(text),\#(Sample.game(id: 2))],"meta":{}}"#))
    var cache = TeamCache()
    #expect(try service.client.games(.init(), .init(), &cache).items.map(\.id) == [1, 2])
    let unknown = GameRow(game: game, time: FakeClock())
    let column = try #require(GameRow.fields.first { $0.column.path == "status" })
    #expect(column.text(of: unknown) == nil)
  }

  @Test(
    arguments: [
      ("Final", 4, 1, nil, "Final"), ("Final", 5, 1, nil, "Final/OT"), ("Final", 7, 1, nil, "Final/3OT"),
      ("2024-10-22T23:30:00Z", 0, 0, nil, "2024-10-23 00:30"), ("7:30 pm ET", 0, 0, nil, "2024-12-26 01:30"),
      ("12:05 AM ET", 0, 0, nil, "2024-12-25 06:05"), ("12:00 pm ET", 0, 0, nil, "2024-12-25 18:00"),
      ("13:00 pm ET", 0, 0, nil, "13:00 pm ET"), ("7:30 pm PT", 0, 0, nil, "7:30 pm PT"),
      ("7 pm ET", 0, 0, nil, "7 pm ET"), ("7:30 pm ET", 0, 0, "2024-10-22T23:30:00.000Z", "2024-10-23 00:30"),
      ("Canceled", 0, 0, "2024-10-22T23:30:00.000Z", "Canceled"), ("3rd Qtr", 3, 60, nil, "3rd Qtr"),
      ("OT", 5, 100, nil, "OT"), ("2OT", 6, 110, nil, "2OT"),
      ("Delayed by a bat", 0, 0, nil, "Delayed by a bat"), ("", 0, 0, nil, ""),
      ("2024-13-22T23:30:00Z", 0, 0, nil, "2024-13-22T23:30:00Z"),
      ("2025-03-01T23:59:59Z", 0, 0, nil, "2025-03-02 00:59"),
    ] as [(String, Int, Int, String?, String)])
  func gameStatusIsShownInWords(status: String, period: Int, score: Int, datetime: String?, shown: String)
    throws
  {
    let more = datetime.map { #""datetime":"\#($0)","# } ?? ""
    let game = try read(Sample.game(status: status, period: period, scores: ("\(score)", "0"), more: more))
    #expect(game.statusShown { WallTime($0, offset: 3600) } == shown)
  }

  @Test func eachSideHasItsOwnDetails() throws {
    var members: [(String, String)] = [
      ("home_timeouts_remaining", "21"), ("visitor_timeouts_remaining", "22"), ("home_in_bonus", "true"),
      ("visitor_in_bonus", "false"),
    ]
    for (number, period) in ["q1", "q2", "q3", "q4", "ot1", "ot2", "ot3"].enumerated() {
      members += [("home_\(period)", "\(number + 1)"), ("visitor_\(period)", "\(number + 11)")]
    }
    let more = members.map { "\"\($0.0)\":\($0.1)," }.joined()
    let row = GameRow(game: try read(Sample.game(period: 7, more: more)), time: FakeClock())
    for (path, value) in members {
      let field = try #require(GameRow.fields.first { $0.column.path == path })
      #expect(field.text(of: row) == value, "\(path)")
    }
  }

  /// Each sign alone is enough: a service may have one before the others.
  @Test(arguments: [(1, "0", "0", "1st Qtr"), (0, "2", "0", "x"), (0, "0", "2", "x"), (0, "0", "0", "Final")])
  func aGameHasBegun(period: Int, home: String, visitor: String, status: String) throws {
    #expect(try read(Sample.game(status: status, period: period, scores: (home, visitor))).hasBegun)
    let waiting = Sample.game(status: "2024-12-25T20:00:00Z", period: 0, scores: ("0", "0"))
    #expect(try !read(waiting).hasBegun)
    #expect(try !read(waiting.replacing(#""period":0"#, with: #""period":null"#)).hasBegun)
  }
}

@Suite struct PagesOfGames {
  private func collect(_ service: ScriptedTransport) throws -> (
    ids: [Int], failure: Failure?
  ) {
    var known = TeamCache()
    let client = try service.client
    var pages = Pages<Game> { place throws(Failure) in
      try client.games(.init(teams: [14]), place, &known)
    }
    var ids: [Int] = []
    do throws(Failure) {
      while let games = try pages.next() { ids += games.map(\.id) }
    } catch {
      return (ids, error)
    }
    return (ids, nil)
  }

  /// A service that ignores a filter is noticed.
  @Test(
    arguments: [
      (.init(teams: [14]), nil), (.init(teams: [2, 30], season: 2024), nil), (.init(), nil),
      (.init(season: 2023), "season"), (.init(teams: [30]), "home_team"),
      (.init(day: CalendarDay("2024-12-25")), nil), (.init(day: CalendarDay("2024-12-24")), "date"),
      (.init(since: CalendarDay("2024-12-26")), "date"), (.init(until: CalendarDay("2024-12-24")), "date"),
      (.init(isPostseason: false), nil), (.init(isPostseason: true), "postseason"),
    ] as [(NBAClient.GamesRequest, String?)])
  func rowsThatDoNotMatchAreInvalidData(request: NBAClient.GamesRequest, path: String?) throws {
    let client = try ScriptedTransport(.page([1])).client
    var cache = TeamCache()
    let failure = failure { _ = try client.games(request, PageRequest(), &cache) }
    #expect(failure?.kind == (path == nil ? nil : .invalidData))
    #expect(
      path == nil || failure?.message.contains("data[0].\(path ?? "")") == true, "\(failure?.message ?? "")")
  }

  @Test func areAskedForOneAfterTheOther() throws {
    let service = ScriptedTransport(
      .page([1, 2], next: "2"), .page([5], next: "5"), .page([9], next: "null"))
    #expect(try collect(service).ids == [1, 2, 5, 9])
    #expect(
      service.targets == [
        "/v1/games?team_ids%5B%5D=14&per_page=100", "/v1/games?team_ids%5B%5D=14&per_page=100&cursor=2",
        "/v1/games?team_ids%5B%5D=14&per_page=100&cursor=5",
      ])
  }

  @Test(
    arguments: [#""7""#, "1.5", "true", "[2]"])
  func cursorThatIsNoNumberOfItemIsNotContracts(next: String) throws {
    let (_, failure) = try collect(ScriptedTransport(.page([1], next: next)))
    #expect(failure?.kind == .invalidData && failure?.message.contains("next_cursor") == true)
  }

  @Test(arguments: [
    (Response.text("<html><title>502 Bad Gateway</title>", status: 502), Failure.Kind.connection),
    (.text("<html><title>Hello</title>"), .invalidData), (.text(""), .invalidData),
    (.text(#"{"data":null}"#), .invalidData), (.text(#"{"error":"x"}"#), .invalidData),
    (.text("Unauthorized", status: 401), .unauthorized), (.text("{}", status: 429), .rateLimited),
    (.text(#"{"error":"no such season"}"#, status: 400), .usage),
    (.text(#"{"data":[],"meta":5}"#), .invalidData), (.text(#"{"data":[],"meta":[]}"#), .invalidData),
  ])
  func unexpectedPageIsDescribed(response: Response, kind: Failure.Kind) throws {
    let service = ScriptedTransport(response)
    #expect(try collect(service).failure?.kind == kind)
    #expect(service.targets.count == 1)
  }

  @Test func aRefusedKeyHasTwoCauses() throws {
    let failure = try collect(ScriptedTransport(.text("Unauthorized", status: 401))).failure
    #expect(failure?.message.contains("key") == true && failure?.message.contains("plan") == true)
  }
}

@Suite struct SeasonAfterSeason {
  private func game(_ id: Int, _ date: String, postseason: Bool = false) throws -> Game {
    var known = TeamCache()
    return try Game(JSON.parse(Sample.game(id: id, date: date, postseason: postseason)), &known)
  }

  private func walk(
    _ years: [Int: [Game]], newest: Int, oldest: Int? = nil, _ filter: GameFilter = .init()
  ) -> (ids: [[Int]], asked: [Int]) {
    var asked: [Int] = []
    var seasons = GamesBySeason(newest: newest, oldest: oldest, filter) { season in
      asked.append(season)
      return years[season] ?? []
    }
    var ids: [[Int]] = []
    while let games = try? seasons.next() { ids.append(games.map(\.id)) }
    return (ids, asked)
  }

  @Test func theNewestGameComesFirst() throws {
    let (ids, asked) = walk(
      [
        2024: [try game(3, "2024-11-01"), try game(1, "2025-02-01"), try game(2, "2024-11-01")],
        2023: [try game(9, "2024-01-01")],
      ], newest: 2024, oldest: 2023)
    #expect(ids == [[1, 3, 2], [9]] && asked == [2024, 2023])
  }

  /// Three years without a game are the end after a game was found, unless the user chose the end.
  @Test(arguments: [
    (2021, 2014, false, [[1], [2]]), (2024, 2014, false, [[1], [2]]), (2021, 2010, true, [[1], [2], [3]]),
    (1950, 1946, false, []),
  ])
  func theOldestSeason(newest: Int, last: Int, isBounded: Bool, expected: [[Int]]) throws {
    let (ids, asked) = walk(
      [
        2020: [try game(1, "2020-12-01")], 2017: [try game(2, "2017-12-01")],
        2011: [try game(3, "2011-12-01")],
      ], newest: newest, oldest: isBounded ? last : nil)
    #expect(ids == expected && asked == (last...newest).reversed())
  }

  @Test func aSeasonOfGamesThatAreNotWantedIsNoEmptyOne() throws {
    let years = Dictionary(
      uniqueKeysWithValues: try (2015...2024).map {
        ($0, [try game($0, "\($0)-12-01", postseason: $0 == 2015)])
      })
    #expect(walk(years, newest: 2024, GameFilter(isPostseason: true)).ids == [[2015]])
  }

  @Test func nothingIsAskedForBeforeItIsWanted() throws {
    var asked: [Int] = []
    let only = try game(1, "2024-12-01")
    var seasons = GamesBySeason(newest: 2024, oldest: nil, .init()) { season in
      asked.append(season)
      return [only]
    }
    _ = try seasons.next()
    #expect(asked == [2024])
  }

  @Test func thereAreNoneBeforeTheLeague() {
    #expect(walk([:], newest: 1947).asked == [1947, 1946])
    #expect(walk([:], newest: 1947, oldest: 1900).asked == [1947, 1946])
  }

  @Test(arguments: [
    ("2025-10-01", 2025), ("2025-09-30", 2024), ("2025-01-01", 2024), ("2025-12-31", 2025),
  ])
  func theSeasonOfADay(day: String, season: Int) throws {
    #expect(Season.of(try #require(CalendarDay(day))) == season)
  }

  /// The season of 2019 ended in October, so its last games are in the month in which the next one begins.
  @Test(arguments: [
    ("2020-09-30", 2019), ("2020-10-01", 2019), ("2020-10-31", 2019), ("2020-11-01", 2020),
    ("2019-10-01", 2019), ("2021-10-01", 2021), ("2025-01-01", 2024), ("2025-07-31", 2024),
  ])
  func theEarliestSeasonOfADay(day: String, season: Int) throws {
    #expect(Season.earliest(on: try #require(CalendarDay(day))) == season)
  }

  @Test(arguments: [
    (2024, "2025-07-31", false), (2024, "2025-08-01", true), (2024, "2024-12-01", false),
    (2019, "2020-10-31", false),
    (2019, "2020-11-01", true), (2030, "2025-08-01", false), (1960, "2025-08-01", true),
  ])
  func whenASeasonIsOver(season: Int, day: String, isOver: Bool) throws {
    #expect(Season.isOver(season, on: try #require(CalendarDay(day))) == isOver)
  }
}
