import Command
import Foundation
import HTTP
import Store
import System
import TestSupport
import Testing

@testable import Race
@testable import Server

@Suite(.needs(.libsqlite3), .eachEngine) struct TheBackend {
  private let time = FakeClock(uptime: .zero)
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  private func router(
    _ settings: RaceServerSettings = .init(ServerOptions()), seed: UInt64 = 1, isInFolder: Bool = false
  ) throws -> Router {
    let address = try isInFolder ? nil : StorageEngine.address(for: nil).map { try PostgreSQLAddress($0) }
    let store =
      isInFolder
      ? Store(folder: scratch.path, time: time)
      : address.map { Store($0, environment: Environment([:]), time: time) } ?? .memory(time: time)
    let backend = BackendSettings(store: store, hasSamples: !isInFolder, seed: seed, time: time)
    return Router([try RaceBackend(backend, settings)])
  }

  private func ask(_ router: Router, _ method: HTTP.Method, _ path: String) -> Response {
    router.respond(to: Request(method, URL(scheme: .http, host: "localhost", path: path)))
  }

  /// A line of `##` begins with a new server. `server [folder] [NAME=N…]` is another one, with these settings; `pass N`
  /// and `set N` move all clocks or the calendar alone by milliseconds. `METHOD PATH` is a request, whose response has
  /// the names of the bees alone; of `N METHOD PATH`, so many, the statuses are listed.
  @Test func responsesAreAsRecorded() throws {
    var test = self
    var router = try router()
    try RecordedText.holdRequests(
      "race-requests.txt",
      begin: {
        test = try Self()
        router = try test.router()
      }
    ) { words in
      let number = words.count > 1 ? Int(words[1]) ?? 0 : 0
      switch words[0] {
      case "server": router = try test.router(words.dropFirst())
      case "pass": test.time.pass(Int64(number))
      case "set": test.time.setCalendar(forward: .milliseconds(number))
      default:
        let count = Int(words[0])
        let rest = count == nil ? words : Array(words.dropFirst())
        let method = try #require(Method(rawValue: rest[0]), "\(words)")
        let responses = (0..<(count ?? 1)).map { _ in test.ask(router, method, rest[1]) }
        if count != nil { return [responses.map { "\($0.status)" }.joined(separator: " ")] }
        return responses.flatMap(Self.lines)
      }
      return []
    }
  }

  private func router(_ words: some Sequence<String>) throws -> Router {
    let pairs = words.filter { $0.contains("=") }.map { $0.split(separator: "=").map(String.init) }
    let options = Dictionary(pairs.map { ($0[0], Int($0[1]) ?? 0) }) { $1 }
    return try router(
      RaceServerSettings(
        raceSeconds: options["seconds"] ?? 26, captchaAfter: options["after"],
        captchaChance: options["chance"] ?? 0, captchaFails: options["fails"] ?? 0),
      seed: UInt64(options["seed"] ?? 1), isInFolder: words.contains("folder"))
  }

  /// The page must be one that the client reaches: behind a proxy the server's own address is not.
  @Test(arguments: [
    (nil, "127.0.0.1:7400", "http://127.0.0.1:7400/recaptcha/"),
    (nil, "localhost", "https://www.google.com/recaptcha/"),
    ("https://bees.example/race/", "bees.example", "https://bees.example/race/recaptcha/"),
  ])
  func captchaIsOnReachablePage(publicURL: String?, host: String, start: String) throws {
    var backend = BackendSettings.demo(seed: 1, time: time)
    backend.publicURL = publicURL
    let router = Router([try RaceBackend(backend, .init(ServerOptions()))])
    let request = Request(.get, try URL("http://\(host)/captchaTest"))
    #expect(router.respond(to: request).text.contains("\"\(start)"))
  }

  private static func lines(_ response: Response) -> [String] {
    let fields = response.headers.fields.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
    let text = response.text.replacing(/{"name":"Bee([^"]*)","color":"[^"]*"}/) { String($0.1) }
    return ["\(response.status) \(text.replacing("\n", with: "|"))", "  \(fields)"]
  }

  /// The least and the greatest numbers of a race, and such as no race has.
  @Test(arguments: [
    (1, 0, 1, 200), (Int.max - 1, 0, 1, 200), (1, 253_402_300_799_999, 1, 200), (1, 0, 86_400_000, 200),
    (Int.max, 0, 1, 500), (Int.min, 0, 1, 500), (0, 0, 1, 500), (1, Int.min, 1, 500), (1, Int.max, 1, 500),
    (1, -1, 1, 500), (1, 0, Int.max, 500), (1, 0, Int.min, 500), (1, 0, 0, 500), (1, Int.max, Int.max, 500),
  ])
  func rowThatNoRaceHasIsDamage(number: Int, began: Int, length: Int, status: Int) throws {
    let router = try router(isInFolder: true)
    let database = try Database(.file("\(scratch.path)/race.db"), time: time)
    try database.run(
      "INSERT INTO race VALUES (?, ?, ?)", [.integer(number), .integer(began), .integer(length)])
    #expect(ask(router, .get, "/bees/race/status").status == status)
    if status == 500 { #expect(ask(router, .get, "/bees/race/duration").status == 500) }
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

  /// On a server with users too: the page has no token.
  @Test func nothingOfARaceNeedsAToken() throws {
    let settings = BackendSettings(store: .memory(time: FakeClock()), hasSamples: false, time: FakeClock())
    let routes = try RaceBackend(settings, .init(ServerOptions())).routes
    #expect(routes.count == 5 && routes.allSatisfy { !$0.needsToken })
  }

  /// The page has no script and no style but its own.
  @Test func captchaPageHasAStrictPolicy() throws {
    let page = ask(try router(), .get, CaptchaGate.page)
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
}
