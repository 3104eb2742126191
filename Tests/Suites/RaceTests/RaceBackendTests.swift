import Foundation
import HTTP
import JSON
import Store
import Synchronization
import System
import TestSupport
import Testing

@testable import Race
@testable import Server

/// A backend and its clock.
private struct TestServer {
  let time = FakeClock(uptime: .zero)
  let router: Router

  init(_ settings: RaceServerSettings = .init(), seed: UInt64 = 1) throws {
    let address = try StorageEngine.address(for: nil).map { try PostgreSQLAddress($0) }
    let store =
      address.map { [time] in Store($0, environment: Environment([:]), time: time) } ?? .memory(time: time)
    let backend = BackendSettings(store: store, hasSamples: true, seed: seed, time: time)
    router = Router([try RaceBackend(backend, settings)])
  }

  func get(_ path: String) -> Response { ask(.get, path) }

  func ask(_ method: HTTP.Method, _ path: String) -> Response {
    router.respond(to: Request(method, URL(scheme: .http, host: "localhost", path: path)))
  }

  func seconds() throws -> Int { try JSON.parse(get("/bees/race/duration").body)["timeInSeconds"].int }
  func bees() throws -> [Bee] { try [Bee](JSON.parse(get("/bees/race/status").body)["beeList"]) }
}

@Suite(.needs(.libsqlite3), .eachEngine) struct TheBackend {
  @Test func racesForTwentySixSecondsAndEndsOnTime() throws {
    let server = try TestServer()
    #expect(try server.seconds() == 26)
    var leaders: [String] = []
    for _ in 0..<26 {
      leaders.append(try server.bees()[0].name)
      server.time.pass(1000)
    }
    #expect(zip(leaders, leaders.dropFirst()).count { $0 != $1 } >= 2, "the lead changes")
  }

  @Test func laterWatcherSeesSameFinish() throws {
    let server = try TestServer()
    _ = try server.seconds()
    server.time.pass(10_400)
    #expect(try server.seconds() == 26)
    server.time.pass(15_600)
    let finish = try server.bees()
    server.time.pass(14_000)
    #expect(try server.bees() == finish)
  }

  @Test func everyRequestGetsTheConfiguredLengthAndTheNextRaceBeginsAtOnce() throws {
    let server = try TestServer(.init(raceSeconds: 3))
    func order(_ race: Int, _ part: Double) -> [Bee] { RaceCourse(seed: 1, race: race).order(at: part) }
    #expect(try server.seconds() == 3)
    server.time.pass(1000)
    #expect(try server.seconds() == 3)
    server.time.pass(2000)
    #expect(try server.bees() == order(1, 1))
    #expect(try server.seconds() == 3)
    // Who asks a moment late still sees the finish.
    server.time.pass(1000)
    #expect(try server.bees() == order(1, 1))
    server.time.pass(1000)
    #expect(try server.bees() == order(2, 2.0 / 3))
    server.time.pass(1000)
    #expect(try server.bees() == order(2, 1))
    server.time.pass(300_000)
    #expect(try server.bees() == order(2, 1))
    #expect(try server.seconds() == 3)
  }

  @Test func bothResponsesNameTheRaceAndTheTimeThatRemains() throws {
    let server = try TestServer(.init(raceSeconds: 3))
    func moment(_ path: String) throws -> RaceMoment { try RaceMoment(JSON.parse(server.get(path).body)) }
    let (duration, status) = ("/bees/race/duration", "/bees/race/status")
    #expect(try moment(status) == RaceMoment(), "no race has started")
    let first = try moment(duration)
    #expect(first.race != nil && first.remaining == .seconds(3))
    server.time.pass(1250)
    #expect(try moment(duration) == RaceMoment(race: first.race, remaining: .milliseconds(1750)))
    #expect(try moment(status) == RaceMoment(race: first.race, remaining: .milliseconds(1750)))
    server.time.pass(2000)
    #expect(try moment(status) == RaceMoment(race: first.race, remaining: .zero))
    let second = try moment(duration)
    #expect(second.race != first.race && second.remaining == .seconds(3))
    #expect(
      try moment(status) == RaceMoment(race: first.race, remaining: .zero), "the finish remains a moment")
    server.time.pass(2000)
    #expect(try moment(status) == RaceMoment(race: second.race, remaining: .seconds(1)))
  }

  @Test func aRaceIsJoinedUntilItsFinish() throws {
    let server = try TestServer(.init(raceSeconds: 3))
    _ = try server.seconds()
    server.time.pass(2999)
    _ = try server.seconds()
    // Had another race begun, its standings would be shown from now on.
    server.time.pass(1501)
    #expect(try server.bees() == RaceCourse(seed: 1, race: 1).order(at: 1))
  }

  @Test func anotherConfiguredLengthIsAnotherRace() throws {
    let time = FakeClock(uptime: .zero)
    let scratch = try ScratchDirectory()
    func seconds(_ configured: Int) throws -> Int {
      let settings = BackendSettings(
        store: Store(folder: scratch.path, time: time), hasSamples: false, time: time)
      let router = Router([try RaceBackend(settings, .init(raceSeconds: configured))])
      let url = URL(scheme: .http, host: "localhost", path: "/bees/race/duration")
      return try JSON.parse(router.respond(to: Request(.get, url)).body)["timeInSeconds"].int
    }
    #expect(try seconds(600) == 600)
    time.pass(1000)
    #expect(try seconds(5) == 5)
  }

  @Test(
    arguments: [
      (Int.max, 0, 1), (Int.min, 0, 1), (0, 0, 1), (1, Int.min, 1), (1, Int.max, 1), (1, -1, 1),
      (1, 0, Int.max),
      (1, 0, Int.min), (1, 0, 0), (1, Int.max, Int.max),
    ], ["/bees/race/duration", "/bees/race/status"])
  func rowThatNoRaceHasIsDamageAndNotCrash(_ row: (number: Int, began: Int, length: Int), path: String) throws
  {
    let scratch = try ScratchDirectory()
    let folder = scratch.path
    let time = FakeClock(uptime: .zero)
    let settings = BackendSettings(store: Store(folder: folder, time: time), hasSamples: false, time: time)
    let router = Router([try RaceBackend(settings, .init())])
    let request = Request(.get, URL(scheme: .http, host: "localhost", path: path))
    #expect(router.respond(to: request).status == 200)
    let database = try Database(.file("\(folder)/race.db"), time: time)
    try database.run("DELETE FROM race")
    try database.run(
      "INSERT INTO race VALUES (?, ?, ?)", [.integer(row.number), .integer(row.began), .integer(row.length)])
    #expect(router.respond(to: request).status == 500)
  }

  /// The least and the greatest numbers of a row that is none of those.
  @Test(arguments: [
    (1, 0, 1), (Int.max - 1, 0, 1), (1, 253_402_300_799_999, 1), (1, 0, 86_400_000),
  ])
  func extremeRow(number: Int, began: Int, length: Int) throws {
    let scratch = try ScratchDirectory()
    let time = FakeClock(uptime: .zero)
    let settings = BackendSettings(
      store: Store(folder: scratch.path, time: time), hasSamples: false, time: time)
    let router = Router([try RaceBackend(settings, .init())])
    let database = try Database(.file("\(scratch.path)/race.db"), time: time)
    try database.run(
      "INSERT INTO race VALUES (?, ?, ?)", [.integer(number), .integer(began), .integer(length)])
    let request = Request(.get, URL(scheme: .http, host: "localhost", path: "/bees/race/status"))
    #expect(router.respond(to: request).status == 200)
  }

  @Test func theSameSeedIsTheSameRace() throws {
    let (one, other, another) = (try TestServer(seed: 7), try TestServer(seed: 7), try TestServer(seed: 8))
    var differs = false
    for server in [one, other, another] { _ = try server.seconds() }
    for _ in 0..<10 {
      let bees = try one.bees()
      #expect(try other.bees() == bees)
      differs = try differs || another.bees() != bees
      for server in [one, other, another] { server.time.pass(2500) }
    }
    #expect(differs)
  }

  @Test(
    arguments: [1, 2, 3, 4, 5] as [UInt64])
  func funLeadChangesAndWhoWinsIsNotWhoLedAtHalfTime(seed: UInt64) {
    let races = (1...40).map { RaceCourse(seed: seed, race: $0) }
    let changes = races.map { race in
      let leaders = (0...26).map { race.order(at: Double($0) / 26)[0].name }
      return zip(leaders, leaders.dropFirst()).count { $0 != $1 }
    }
    #expect(changes.reduce(0, +) > 40 * 3)
    #expect(races.count { $0.order(at: 0.5)[0] != $0.order(at: 1)[0] } > 15)
    #expect(Set(races.map { $0.order(at: 1)[0].name }).count >= 5)
    for race in races {
      // As a watch of 26 seconds polls.
      let polls = (0...10).map { race.order(at: Double($0) / 10) }
      let steps = zip(polls, polls.dropFirst()).flatMap { before, after in
        after.indices.map { abs($0 - (before.firstIndex(of: after[$0]) ?? 99)) }
      }
      #expect(steps.allSatisfy { $0 <= 5 } && steps.count { $0 > 2 } < steps.count / 10)
      #expect(race.order(at: 0.86)[0] == race.order(at: 1)[0])
    }
  }

  @Test func takesThirtyCallsInAMinuteByTheClock() throws {
    let server = try TestServer()
    for _ in 0..<30 { #expect(server.get("/bees/race/status").status == 200) }
    let refused = server.get("/bees/race/status")
    #expect(refused.status == 429)
    #expect(
      refused.text
        == #"{"error":{"code":429,"message":"You have exceeded the rate limit for this API endpoint."}}"#)
    #expect(refused.headers["X-RateLimit-Limit"] == "30")
    #expect(refused.headers["X-RateLimit-Remaining"] == "0")
    #expect(refused.headers["X-RateLimit-Reset"] == "\(FakeClock.start.seconds + 60)")
    #expect(refused.headers["Retry-After"] == "60")
    #expect(server.get("/captchaTest").status == 429)
    server.time.pass(60_000)
    let fresh = server.get("/bees/race/duration")
    #expect(fresh.status == 200)
    #expect(fresh.headers["X-RateLimit-Remaining"] == "29")
  }

  @Test func wantsACaptchaAfterSoManyCallsUntilItIsSolved() throws {
    let server = try TestServer(.init(captchaAfter: 2, captchaFails: 1))
    let statuses = (0..<4).map { _ in server.get("/bees/race/status").status }
    #expect(statuses == [200, 200, 403, 403])
    #expect(server.get("/bees/race/duration").text.contains("captchaUrl"))
    let failed = server.ask(.post, "/recaptcha/api2/userverify")
    #expect(failed.status == 200)
    #expect(CaptchaVerdict(body: failed.body) == .failed)
    #expect(server.get("/bees/race/status").status == 403)
    #expect(CaptchaVerdict(body: server.ask(.post, "/recaptcha/api2/userverify").body) == .passed)
    #expect(server.get("/bees/race/status").status == 200)
  }

  @Test func wantsOneAtRandom() throws {
    let server = try TestServer(.init(captchaChance: 50))
    let statuses = (0..<8).map { _ in
      defer { _ = server.ask(.post, "/recaptcha/api2/userverify") }
      return server.get("/bees/race/status").status
    }
    #expect(Set(statuses) == [200, 403])
  }

  @Test func attemptsAreAnsweredAsByTheRealPage() throws {
    let server = try TestServer(.init(captchaFails: 1))
    let attempts = (0..<3).map { _ in server.ask(.post, "/recaptcha/api2/userverify") }
    let (failed, passed) = (")]}'\n[\"uvresp\",\"\",0,120]", ")]}'\n[\"uvresp\",\"a-token\",1,120]")
    #expect(attempts.map(\.text) == [failed, passed, passed])
    #expect(
      attempts.map { $0.headers["Content-Type"] }
        == Array(repeating: "application/json; charset=utf-8", count: 3))
  }

  /// On a server with users too: the page has no token.
  @Test func nothingOfARaceNeedsAToken() throws {
    let settings = BackendSettings(store: .memory(time: FakeClock()), hasSamples: false, time: FakeClock())
    let routes = try RaceBackend(settings, .init()).routes
    #expect(routes.count == 5 && routes.allSatisfy { !$0.needsToken })
  }

  @Test func theTestRouteAlwaysWantsOne() throws {
    let server = try TestServer()
    let answer = server.get("/captchaTest")
    #expect(answer.status == 403)
    #expect(answer.text == #"{"captchaUrl":"https://www.google.com/recaptcha/api2/demo"}"#)
    #expect(server.get(CaptchaGate.page).text.contains("userverify?k="))
  }

  /// The page has no script and no style but its own.
  @Test func captchaPageHasAStrictPolicy() throws {
    let page = try TestServer().get(CaptchaGate.page)
    let policy = try #require(page.headers["Content-Security-Policy"])
    for (name, rule) in [("script", "script-src"), ("style", "style-src")] {
      let parts = page.text.components(separatedBy: "<\(name)>")
      try #require(parts.count == 2)
      let text = parts[1].components(separatedBy: "</\(name)>")[0]
      #expect(policy.contains("\(rule) 'sha256-\(Base64.encode(SHA256.hash(Array(text.utf8))))';"))
    }
    #expect(policy.hasPrefix("default-src 'none'; ") && !policy.contains("unsafe"))
    #expect(policy.hasSuffix("base-uri 'none'; form-action 'none'; frame-ancestors 'none'"))
  }

  @Test func aClockThatWasSetBackBeginsAnotherRace() throws {
    let server = try TestServer()
    _ = try server.seconds()
    server.time.setCalendar(forward: .seconds(-3600))
    #expect(try server.seconds() == 26)
    // The race of the future is not shown.
    #expect(try server.bees() == RaceCourse(seed: 1, race: 2).order(at: 0))
    #expect(try server.bees().count == 9)
  }

  @Test func beforeTheFirstRaceItsOrderIsThatOfItsStart() throws {
    #expect(try TestServer().bees() == RaceCourse(seed: 1, race: 1).order(at: 0))
  }

  @Test(
    arguments: [(10, 1_999), (3, 1_499)])
  func finishIsShownForTwoSecondsOfNextRaceAndForHalfOfItAtMost(length: Int, milliseconds: Int64) throws {
    let server = try TestServer(.init(raceSeconds: length))
    _ = try server.seconds()
    server.time.pass(Int64(length) * 1000)
    _ = try server.seconds()
    server.time.pass(milliseconds)
    #expect(try server.bees() == RaceCourse(seed: 1, race: 1).order(at: 1))
    server.time.pass(1)
    let part = Double(milliseconds + 1) / Double(length * 1000)
    #expect(try server.bees() == RaceCourse(seed: 1, race: 2).order(at: part))
  }

  /// Servers on one store: their clocks differ a little.
  @Test(
    arguments: [
      (-2_000, 1), (-2_001, 2),
    ])
  func clockThatIsTwoSecondsLateJoinsRaceAndLaterOneBeginsAnother(milliseconds: Int, race: Int) throws {
    let server = try TestServer()
    _ = try server.seconds()
    server.time.setCalendar(forward: .milliseconds(milliseconds))
    _ = try server.seconds()
    #expect(try server.bees() == RaceCourse(seed: 1, race: race).order(at: 0))
  }

  @Test func aCaptchaAfterSoManyCallsIsRequiredOnce() throws {
    func statuses(_ count: Int) throws -> [Int] {
      let server = try TestServer(.init(captchaAfter: count))
      return (0..<6).map { _ in
        let status = server.get("/bees/race/status").status
        if status == 403 { _ = server.ask(.post, "/recaptcha/api2/userverify") }
        return status
      }
    }
    #expect(try statuses(0) == [403, 200, 200, 200, 200, 200])
    #expect(try statuses(1) == [200, 403, 200, 200, 200, 200])
    let always = try TestServer(.init(captchaChance: 100))
    #expect((0..<3).map { _ in always.get("/bees/race/status").status } == [403, 403, 403])
  }

  @Test func callsThatAreRefusedCountInTheirMinuteAlone() throws {
    let server = try TestServer()
    server.time.pass(59_000)
    for _ in 0..<31 { _ = server.get("/captchaTest") }
    #expect(server.get("/bees/race/status").headers["Retry-After"] == "1")
    server.time.pass(1000)
    let next = server.get("/bees/race/status")
    #expect(next.status == 200 && next.headers["X-RateLimit-Remaining"] == "29")
    #expect(next.headers["X-RateLimit-Reset"] == "\(FakeClock.start.seconds + 120)")
  }
}

/// Invented races. Other tests compare their orders only with each other.
@Suite struct RaceCourses {
  @Test(
    arguments: [
      (1, 1, 0.0, "Gees Keep Stouri Aman ch Come M Ware Low"),
      (1, 1, 0.25, "Keep Gees Aman ch M Stouri Come Low Ware"),
      (1, 1, 0.6, "Gees ch Keep Aman Ware M Come Stouri Low"),
      (1, 1, 1.0, "Gees Aman ch Keep Come Ware M Low Stouri"),
      (1, 2, 0.5, "ch Low Come Keep M Stouri Ware Gees Aman"),
      (2, 1, 0.5, "M ch Keep Ware Low Aman Come Stouri Gees"),
    ] as [(UInt64, Int, Double, String)])
  func orders(seed: UInt64, race: Int, part: Double, order: String) {
    let bees = RaceCourse(seed: seed, race: race).order(at: part)
    #expect(bees.map { $0.name.dropFirst(3) }.joined(separator: " ") == order)
  }
}
