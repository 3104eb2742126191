import HTTP
import JSON
import Server
import Store
import System
import TestSupport
import Testing

@testable import NBA

@Suite struct TheBackend {
  private let time = FakeClock("2025-01-15")

  private func router(seed: UInt64 = 1, isService: Bool = false) -> Router {
    var settings = BackendSettings.demo(seed: seed, time: time)
    settings.hasSamples = !isService
    return Router([NBABackend(settings)])
  }

  private func ask(_ router: Router, _ target: String, key: String? = nil) throws -> Response {
    let headers: Headers = key.map { ["Authorization": $0] } ?? [:]
    return router.respond(to: Request(.get, try HTTP.URL("http://host" + target), headers: headers))
  }

  private func json(_ router: Router, _ target: String) throws -> JSON {
    let response = try ask(router, target)
    try #require(response.status == 200, "\(target): \(response.text)")
    return try JSON.parse(response.body)
  }

  @Test func listsTheTeamsAsTheyAre() throws {
    let teams = try json(router(), "/teams")["data"].array.map { try Team($0) }
    #expect(teams.map(\.id) == Array(1...30) + Array(37...51))
    #expect(
      teams.filter(\.isCurrent).count == 30
        && teams.filter { $0.abbreviation == "WAS" }.map(\.id) == [30, 42])
    #expect(teams.filter { $0.fullName == "Denver Nuggets" }.map(\.id) == [8, 50])
    #expect(teams[12].city == "LA" && teams[12].fullName == "LA Clippers" && teams[30].conference == "    ")
    #expect(try Team(json(router(), "/teams/14")["data"]).name == "Lakers")
    #expect(try ask(router(), "/teams/31").status == 404)
  }

  @Test(arguments: [1, 7, 25, 100])
  func pagesAreWholeListInOrderNothingTwice(size: Int) throws {
    let router = router()
    let whole = try json(router, "/players?per_page=100")["data"].array.map { try $0["id"].int }
    var (ids, cursor): ([Int], Int?) = ([], 0)
    while let at = cursor, ids.count < whole.count {
      let page = try json(router, "/players?per_page=\(size)&cursor=\(at)")
      ids += try page["data"].array.map { try $0["id"].int }
      cursor = try page["meta"]["next_cursor"].orNull?.int
      #expect(try page["meta"]["per_page"].int == size)
    }
    #expect(Array(ids.prefix(100)) == whole && ids == ids.sorted())
  }

  @Test func everyTeamPlaysEightyTwoGamesHalfOfThemAtHome() throws {
    let games = SampleSeason(2023, seed: 1).games()
    #expect(Set(games.map(\.id)).count == games.count)
    for team in 0..<30 {
      let own = games.filter { !$0.isPostseason && ($0.home == team || $0.visitor == team) }
      #expect(own.count == 82 && (39...43).contains(own.filter { $0.home == team }.count))
      #expect(Set(own.map(\.day)).count == 82)
    }
    let playOffs = games.filter(\.isPostseason)
    #expect((60...105).contains(playOffs.count) && playOffs.allSatisfy { $0.date.year == 2024 })
  }

  @Test func fiveSeasonsThatTellAllThereIs() throws {
    let router = router()
    var kinds: Set<String> = []
    for year in 2020...2024 {
      var cursor: Int? = 0
      while let at = cursor {
        let page = try json(router, "/games?seasons[]=\(year)&per_page=100&cursor=\(at)")
        for game in try page["data"].array {
          kinds.insert(game["datetime"].kind == .absent ? "bare" : "rich")
          if game["home_q1"].kind == .null { kinds.insert("null quarter") }
          if try game["period"].int > 4 { kinds.insert("overtime") }
          if try game["postseason"].bool { kinds.insert("play-off") }
          kinds.insert(try game["status"].string.hasPrefix("20") ? "instant" : try game["status"].string)
          kinds.insert(try game["status"].string.hasSuffix("ET") ? "wall clock" : "other")
        }
        cursor = try page["meta"]["next_cursor"].orNull?.int
      }
    }
    let wanted: Set = [
      "bare", "rich", "null quarter", "overtime", "play-off", "instant", "Final", "Postponed", "wall clock",
    ]
    #expect(wanted.isSubset(of: kinds))
    #expect(try json(router, "/games?seasons[]=2019")["data"].array.isEmpty)
  }

  @Test(
    arguments: [
      ("dates[]=2024-01-02", "date", "2024-01-02"),
      ("start_date=2024-01-02&end_date=2024-01-02", "date", "2024-01-02"),
      ("seasons%5B%5D=2022&bogus=1", "season", "2022"),
      ("postseason=true&seasons[]=2023", "postseason", "true"),
    ])
  func filtersAreKeptAndWhatIsUnknownIsIgnored(query: String, field: String, value: String) throws {
    let games = try json(router(), "/games?per_page=100&" + query)["data"].array
    #expect(!games.isEmpty)
    for game in games {
      var bytes: [UInt8] = []
      game[field].appendRaw(to: &bytes)
      #expect(String(decoding: bytes, as: UTF8.self).replacing("\"", with: "") == value)
    }
  }

  @Test(
    arguments: [
      ("/games?per_page=101", 400), ("/games?per_page=0", 400), ("/players?cursor=x", 400),
      ("/players?cursor=-1", 400), ("/games?cursor=-1", 400),
      ("/games?start_date=2024-02-30", 400), ("/players/1", 404), ("/games/1", 404), ("/nothing", 404),
    ])
  func unanswerableQueryIsRefused(target: String, status: Int) throws {
    #expect(try ask(router(), target).status == status)
  }

  @Test func answersBelowTheServicesVersionToo() throws {
    #expect(
      try ask(router(), "/v1/teams/14").status == 200 && ask(router(), "/nba/v1/teams/14").status == 200)
  }

  @Test func serverInPlaceOfServiceRequiresKey() throws {
    let service = router(isService: true)
    let refused = try ask(service, "/teams")
    #expect(refused.status == 401 && refused.text == "Unauthorized")
    #expect(try ask(service, "/teams", key: "").status == 401)
    #expect(try ask(service, "/teams", key: "any").status == 200)
    #expect(try ask(router(), "/teams").status == 200)
  }

  @Test func aGameUnfolds() throws {
    let game = try #require(SampleSeason(2024, seed: 1).games().first { $0.id % 5 == 2 && !$0.isPostponed })
    func status(_ minutes: Int64, seconds: Int64 = 0) throws -> (String, Int) {
      var writer = JSONWriter()
      let now = Timestamp(seconds: game.tipOff + minutes * 60 + seconds)
      game.write(to: &writer, at: now, homeAdvantage: 0)
      let json = try JSON.parse(writer.bytes)
      return (try json["status"].string, try json["home_team_score"].int)
    }
    #expect(try status(-1).0.hasSuffix("Z") && status(-1).1 == 0)
    #expect(try status(0, seconds: -1).0.hasSuffix("Z"))
    let texts = try [0, 37, 38, 67, 68, 75, 76, 113, 114, 149, 150].map { try status($0).0 }
    #expect(
      texts == [
        "1st Qtr", "1st Qtr", "2nd Qtr", "2nd Qtr", "Halftime", "Halftime", "3rd Qtr", "3rd Qtr", "4th Qtr",
        "4th Qtr", "Final",
      ])
    #expect(try status(29).1 == 0 && status(30).1 > 0)
    #expect(try status(1).0 == "1st Qtr" && status(70).0 == "Halftime" && status(70).1 > 30)
    #expect(try status(200).0 == "Final" && status(200).1 >= status(120).1)
  }
}
