import Command
import HTTP
import JSON
import Server
import Store
import System

/// What `hw serve` can change: how long a race lasts, and when a CAPTCHA is required.
struct RaceServerSettings: Sendable {
  var raceSeconds = 26
  /// Require a CAPTCHA after so many calls; nil for never.
  var captchaAfter: Int?
  /// The chance that a call requires a CAPTCHA, in percent.
  var captchaChance = 0
  /// So many attempts at a CAPTCHA fail.
  var captchaFails = 0
}

extension RaceServerSettings {
  private static let seconds = Option(
    "race-seconds", .count(1...86_400, "SECONDS"), default: 26, "Let a race last SECONDS")
  private static let captchaAfter = Option(
    "captcha-after", ValueKind<Int>.count(0 ... .max), "Require a CAPTCHA after N calls, until it is solved")
  private static let captchaChance = Option(
    "captcha-chance", .count(0...100, "PERCENT"), default: 0,
    "Require a CAPTCHA at random, each time until it is solved")
  private static let captchaFails = Option(
    "captcha-fails", .count(0 ... .max), default: 0, "Let the first N attempts at a CAPTCHA fail")

  /// What `hw serve` can be told about the race.
  static let options: [any Declared] = [seconds, captchaAfter, captchaChance, captchaFails]

  init(_ options: ServerOptions) {
    self.init(
      raceSeconds: options[Self.seconds], captchaAfter: options[Self.captchaAfter],
      captchaChance: options[Self.captchaChance], captchaFails: options[Self.captchaFails])
  }
}

/// The service's API, served: one race after the other, the same for all clients.
///
/// A race starts with the first request for its length. Later requests get the rest of it, so all clients see the same
/// finish. The standings of the finish remain for a while; a race that is requested meanwhile starts after that.
final class RaceBackend {
  private let database: Database
  private let time: any TimeKeeper
  private let seed: UInt64
  /// In milliseconds.
  private let length: Int
  private var gate: CaptchaGate
  /// The calls in the current minute of the clock.
  private var window = (minute: Int64(0), calls: 0)

  /// The milliseconds between a finish and the next start.
  static let rest = 15_000

  init(_ settings: BackendSettings, _ race: RaceServerSettings) throws(Failure) {
    database = try settings.store.open(RaceBackend.migrations)
    time = settings.time
    seed = settings.seed
    length = race.raceSeconds * 1000
    gate = CaptchaGate(race, seed: settings.seed)
  }

  var backend: Backend {
    Backend(
      "race", state: .storeAndMemory,
      routes: [
        Route(.get, "/bees/race/duration") { call throws(Failure) in try self.counted(call, self.duration) },
        Route(.get, "/bees/race/status") { call throws(Failure) in try self.counted(call, self.status) },
        Route(.get, "/captchaTest") { call throws(Failure) in
          try self.limited { () throws(Failure) in self.gate.challenge(call) }
        },
        Route(.get, CaptchaGate.page) { _ in CaptchaPage.response },
        Route(.post, CaptchaGate.verification, isOpen: true) { _ in self.gate.verify() },
      ])
  }

  static let migrations = Migrations(
    "race",
    ["CREATE TABLE race (number INTEGER PRIMARY KEY, began INTEGER NOT NULL, length INTEGER NOT NULL);"])

  // MARK: The race

  private struct Race {
    var number: Int
    /// In milliseconds since 1970.
    var began: Int
    var length: Int

    /// The race, if its numbers can be calculated with. Another program may have written the row.
    var checked: Race {
      get throws(Failure) {
        let lastInstant = 253_402_300_799_999
        guard (1..<Int.max).contains(number), (0...lastInstant).contains(began),
          (1...86_400_000).contains(length)
        else {
          throw Failure(
            .storage, "the database of races has an invalid row: race \(number)",
            hint: "delete the row with sqlite3, or name another folder with --store")
        }
        return self
      }
    }
  }

  private func duration() throws(Failure) -> Response {
    let race = try current()
    let left = max(1, (race.began + race.length - now + 999) / 1000)
    return RaceBackend.json(200) { writer in
      writer.object { writer in
        writer.member("timeInSeconds", left)
      }
    }
  }

  private func status() throws(Failure) -> Response {
    let last = try latest()
    // Until a race starts, the standings are those of the finish before it.
    let race = last.map { $0.began > now ? Race(number: $0.number - 1, began: 0, length: $0.length) : $0 }
    let part = race.map { Double(now - $0.began) / Double(max(1, $0.length)) } ?? 0
    let bees = RaceCourse(seed: seed, race: race?.number ?? 1).order(at: part)
    return RaceBackend.json(200) { writer in
      writer.object { writer in
        writer.member("beeList", bees.write)
      }
    }
  }

  /// The race that is running or about to start; a new one if there is none.
  private func current() throws(Failure) -> Race {
    while true {
      if let race = try runningOrNew() { return race }
    }
  }

  /// Nil if another server has started a race of this number just now.
  private func runningOrNew() throws(Failure) -> Race? {
    let last = try latest()
    if let last, now < last.began + last.length, now > last.began - RaceBackend.rest { return last }
    let rested = last.map { $0.began + $0.length + RaceBackend.rest } ?? now
    let race = Race(
      number: (last?.number ?? 0) + 1, began: rested - now <= RaceBackend.rest ? max(now, rested) : now,
      length: length)
    let added = try database.transaction { () throws(Failure) in
      try database.run(
        "INSERT INTO race VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        [.integer(race.number), .integer(race.began), .integer(race.length)])
    }
    return added == 1 ? race : nil
  }

  private func latest() throws(Failure) -> Race? {
    try database.first("SELECT number, began, length FROM race ORDER BY number DESC LIMIT 1") {
      row throws(Failure) in
      try Race(number: row[0].integer, began: row[1].integer, length: row[2].integer).checked
    }
  }

  private var now: Int {
    let time = time.now()
    return Int(time.seconds) * 1000 + Int(time.nanoseconds / 1_000_000)
  }

  // MARK: Rate limit and CAPTCHA

  private func counted(
    _ call: Call, _ respond: () throws(Failure) -> Response
  ) throws(Failure) -> Response {
    try limited { () throws(Failure) in gate.stops() ? gate.challenge(call) : try respond() }
  }

  /// 30 calls in each minute of the clock, from all clients together.
  private func limited(_ respond: () throws(Failure) -> Response) throws(Failure) -> Response {
    let second = time.now().seconds
    if window.minute != second / 60 { window = (second / 60, 0) }
    let limit = 30
    window.calls += 1
    var response: Response
    if window.calls > limit {
      response = RaceBackend.json(429) { writer in
        writer.object { writer in
          writer.object("error") { writer in
            writer.member("code", 429)
            writer.member("message", "You have exceeded the rate limit for this API endpoint.")
          }
        }
      }
    } else {
      response = try respond()
    }
    response.headers["X-RateLimit-Limit"] = "\(limit)"
    response.headers["X-RateLimit-Remaining"] = "\(max(0, limit - window.calls))"
    response.headers["X-RateLimit-Reset"] = "\((window.minute + 1) * 60)"
    return response
  }

  static func json(_ status: Int, _ write: (inout JSONWriter) -> Void) -> Response {
    var writer = JSONWriter()
    write(&writer)
    return Response(status, headers: ["Content-Type": "application/json"], body: writer.bytes)
  }
}
