import HTTP
import JSON
import Server
import System
import TestSupport
import Testing

@testable import NBA

@Suite struct TheBackend {
  private let time = FakeClock("2025-01-15")

  private func router(isService: Bool = false, time: FakeClock? = nil) -> Router {
    var settings = BackendSettings.demo(seed: 1, time: time ?? self.time)
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
    #expect(
      (60...105).contains(playOffs.count)
        && playOffs.allSatisfy { CalendarDay(daysSinceEpoch: $0.day).year == 2024 })
  }

  @Test(arguments: [
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

  /// Without the wrong filter all rows would be the result.
  @Test(arguments: [
    "games?seasons[]=abc", "games?seasons[]=", "games?team_ids[]=abc", "players?team_ids[]=x",
    "games?postseason=maybe", "games?postseason=1", "games?dates[]=2026-13-25", "games?cursor=x",
  ])
  func aWrongValueOfAFilterIsRefused(target: String) throws {
    let name = try #require(target.split(separator: "?").last?.prefix { $0 != "=" })
    let refused = try ask(router(), "/\(target)")
    #expect(refused.status == 400 && refused.text.contains("\(name) "), "\(refused.text)")
    #expect(try ask(router(), "/games?seasons[]=2024&postseason=false&per_page=1").status == 200)
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
      game.write(to: &writer, at: now)
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

  private func page(_ router: Router, _ target: String) throws -> (ids: [Int], next: Int?) {
    let json = try json(router, target)
    return (
      try json["data"].array.map { try $0["id"].int }, try json["meta"]["next_cursor"].orNull?.int
    )
  }

  /// A page that ends with the last item is the last page.
  @Test(arguments: ["/players?team_ids[]=14", "/games?seasons[]=2022&dates[]=2022-11-15"])
  func aFullLastPageHasNoCursor(target: String) throws {
    let router = router()
    let all = try page(router, target + "&per_page=100")
    try #require(all.ids.count > 2 && all.next == nil)
    let exact = try page(router, target + "&per_page=\(all.ids.count)")
    #expect(exact.ids == all.ids && exact.next == nil)
    let shorter = try page(router, target + "&per_page=\(all.ids.count - 1)")
    #expect(shorter.ids == all.ids.dropLast() && shorter.next == shorter.ids.last)
    let rest = try page(router, target + "&per_page=100&cursor=\(all.ids[0])")
    #expect(rest.ids == Array(all.ids.dropFirst()))
  }

  @Test func oneItemIsFoundByItsId() throws {
    let router = router()
    for path in ["/games", "/players"] {
      let id = try #require(try page(router, path + "?per_page=3").ids.last)
      #expect(try json(router, "\(path)/\(id)")["data"]["id"].int == id)
    }
  }

  /// The first games of the play-offs are on April 19.
  @Test(arguments: [("2025-04-16", 0), ("2025-04-17", 8)])
  func playOffsAreListedTwoDaysBefore(today: String, count: Int) throws {
    let router = router(time: FakeClock(today))
    let json = try json(router, "/games?seasons[]=2024&postseason=true&per_page=100")
    let days = try json["data"].array.map { try $0["date"].string }
    #expect(days == Array(repeating: "2025-04-19", count: count))
  }
}
