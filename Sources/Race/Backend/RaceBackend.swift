import HTTP
import JSON
import Server
import Store
import System

/// The service's contract, answered: one race after another, the same for everybody who asks.
///
/// A race begins when somebody asks how long it is. Whoever asks later is told what is left of it, so all see the same
/// finish; its standings then stay for a while, and a race that is asked for meanwhile begins after that.
final class RaceBackend {
  private let database: Database
  private let time: any TimeKeeper
  private let seed: UInt64
  /// In milliseconds.
  private let length: Int
  private var gate: CaptchaGate
  /// The calls of the minute by the clock that is running.
  private var window = (minute: Int64(0), calls: 0)

  /// How long a finish stands before the next race begins.
  static let rest = 15_000
  static let usualSeconds = 26

  init(_ settings: BackendSettings) throws(Failure) {
    database = try settings.store.open(RaceBackend.migrations)
    time = settings.time
    seed = settings.seed
    length = (settings.behaviour["race-seconds"] ?? RaceBackend.usualSeconds) * 1000
    gate = CaptchaGate(settings.behaviour, seed: settings.seed)
  }

  var backend: Backend {
    Backend(
      "race",
      routes: [
        Route(.get, "/bees/race/duration") { call throws(Failure) in try self.counted(call, self.duration) },
        Route(.get, "/bees/race/status") { call throws(Failure) in try self.counted(call, self.status) },
        Route(.get, "/captchaTest") { call throws(Failure) in
          try self.limited { () throws(Failure) in self.gate.challenge(call) }
        },
        Route(.get, CaptchaGate.page) { _ in CaptchaPage.response },
        Route(.post, CaptchaGate.verification) { _ in self.gate.verify() },
      ])
  }

  private static let migrations = Migrations(
    "race",
    ["CREATE TABLE race (number INTEGER PRIMARY KEY, began INTEGER NOT NULL, length INTEGER NOT NULL);"])

  // MARK: The race

  private struct Race {
    var number: Int
    /// In milliseconds since 1970.
    var began: Int
    var length: Int
  }

  private func duration() throws(Failure) -> Response {
    let race = try current()
    let left = max(1, (race.began + race.length - now + 999) / 1000)
    return RaceBackend.answer(200) { writer in
      writer.object { writer in
        writer.member("timeInSeconds", left)
      }
    }
  }

  private func status() throws(Failure) -> Response {
    let last = try latest()
    // Before a race begins, the finish of the one before it stands.
    let race = last.map { $0.began > now ? Race(number: $0.number - 1, began: 0, length: $0.length) : $0 }
    let part = race.map { Double(now - $0.began) / Double(max(1, $0.length)) } ?? 0
    let bees = RaceCourse(seed: seed, race: race?.number ?? 1).order(at: part)
    return RaceBackend.answer(200) { writer in
      writer.object { writer in
        writer.member("beeList", bees.write)
      }
    }
  }

  /// The race that is running or about to, begun where there is none.
  private func current() throws(Failure) -> Race {
    let last = try latest()
    if let last, now < last.began + last.length, now > last.began - RaceBackend.rest { return last }
    let rested = last.map { $0.began + $0.length + RaceBackend.rest } ?? now
    let race = Race(
      number: (last?.number ?? 0) + 1, began: rested - now <= RaceBackend.rest ? max(now, rested) : now,
      length: length)
    try database.run(
      "INSERT INTO race VALUES (?, ?, ?)",
      [.integer(race.number), .integer(race.began), .integer(race.length)]
    )
    return race
  }

  private func latest() throws(Failure) -> Race? {
    try database.first("SELECT number, began, length FROM race ORDER BY number DESC") { row throws(Failure) in
      Race(number: try row[0].integer, began: try row[1].integer, length: try row[2].integer)
    }
  }

  private var now: Int {
    let time = time.now()
    return Int(time.seconds) * 1000 + Int(time.nanoseconds / 1_000_000)
  }

  // MARK: The guards before it

  private func counted(
    _ call: Call, _ answer: () throws(Failure) -> Response
  ) throws(Failure) -> Response {
    try limited { () throws(Failure) in gate.stops() ? gate.challenge(call) : try answer() }
  }

  /// 30 calls in each minute by the clock, whoever makes them.
  private func limited(_ answer: () throws(Failure) -> Response) throws(Failure) -> Response {
    let second = time.now().seconds
    if window.minute != second / 60 { window = (second / 60, 0) }
    let most = 30
    window.calls += 1
    var response: Response
    if window.calls > most {
      response = RaceBackend.answer(429) { writer in
        writer.object { writer in
          writer.object("error") { writer in
            writer.member("code", 429)
            writer.member("message", "You have exceeded the rate limit for this API endpoint.")
          }
        }
      }
    } else {
      response = try answer()
    }
    response.headers["X-RateLimit-Limit"] = "\(most)"
    response.headers["X-RateLimit-Remaining"] = "\(max(0, most - window.calls))"
    response.headers["X-RateLimit-Reset"] = "\((window.minute + 1) * 60)"
    return response
  }

  static func answer(_ status: Int, _ write: (inout JSONWriter) -> Void) -> Response {
    var writer = JSONWriter()
    write(&writer)
    return Response(status, headers: ["Content-Type": "application/json"], body: writer.bytes)
  }
}
