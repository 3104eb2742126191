import Command
import HTTP
import JSON
import Server
import Store
import System

struct RaceServerSettings: Sendable {
  var raceSeconds: Int
  /// The number of calls before the first CAPTCHA; nil for never.
  var captchaAfter: Int?
  /// Percentage of the calls that require a CAPTCHA.
  var captchaChance: Int
  var captchaFails: Int
}

extension RaceServerSettings {
  private static let seconds = Option(
    "race-seconds", ValueKind<Int>.seconds(1...86_400), default: 26, "Set the length of a race",
    details: "A race starts with a request for its length; requests during the race join it.")
  private static let captchaAfter = Option(
    "captcha-after", ValueKind<Int>.count(0 ... .max), "Require a CAPTCHA after N calls, until it is solved")
  private static let captchaChance = Option(
    "captcha-chance", .count(0...100, "PERCENT"), default: 0,
    "Require a CAPTCHA at random, each time until it is solved")
  private static let captchaFails = Option(
    "captcha-fails", .count(0 ... .max), default: 0, "Reject the first N solutions of a CAPTCHA")

  static let options: [any Declared] = [seconds, captchaAfter, captchaChance, captchaFails]

  init(_ options: ServerOptions) {
    self.init(
      raceSeconds: options[Self.seconds], captchaAfter: options[Self.captchaAfter],
      captchaChance: options[Self.captchaChance], captchaFails: options[Self.captchaFails])
  }
}

/// The API of the service: consecutive races that all clients share.
///
/// A request for the length starts a race, or joins the current one. The standings of a finish remain until the next
/// race starts, and up to two seconds longer, for watchers whose last request is a little late.
final class RaceBackend: Backend {
  let suite = "race"
  let hasMemory = true
  /// Stores the races; nil in memory, so that sample data does not need SQLite.
  private let database: Database?
  private var races: [ServedRace] = []
  private let time: any TimeKeeper
  private let seed: UInt64
  /// In milliseconds.
  private let length: Int
  private var gate: CaptchaGate
  private var window: (minute: Int64, calls: Int)?

  /// Milliseconds after a finish for which its standings remain after the next start, limited to half a race.
  static let overlap = 2_000

  init(_ settings: BackendSettings, _ race: RaceServerSettings) throws(Failure) {
    database = settings.store.isDurable ? try settings.store.open(RaceBackend.migrations) : nil
    time = settings.time
    seed = settings.seed
    length = race.raceSeconds * 1000
    gate = CaptchaGate(race, settings)
  }

  var routes: [Route] {
    [
      Route(.get, "/bees/race/duration") { call throws(Failure) in try self.counted(call, self.duration) },
      Route(.get, "/bees/race/status") { call throws(Failure) in try self.counted(call, self.status) },
      Route(.get, "/captchaTest") { call throws(Failure) in
        try self.limited { () throws(Failure) in self.gate.challenge(call) }
      },
      Route(.get, CaptchaGate.page) { _ in CaptchaPage.response },
      Route(.post, CaptchaGate.verification, isOpen: true) { _ in self.gate.verify() },
    ]
  }

  static let migrations = Migrations(
    "race",
    ["CREATE TABLE race (number INTEGER PRIMARY KEY, began INTEGER NOT NULL, length INTEGER NOT NULL);"])

  // MARK: The race

  private struct ServedRace {
    var number: Int
    /// Milliseconds since 1970.
    var began: Int
    var length: Int
    var finish: Int { began + length }

    /// The start is a part of the id, because numbers repeat after a restart without a database.
    func moment(at now: Int) -> RaceMoment {
      RaceMoment(race: "\(number)-\(began)", remaining: .milliseconds(min(length, max(0, finish - now))))
    }

    var checked: ServedRace {
      get throws(Failure) {
        let lastInstant = 253_402_300_799_999
        guard (1..<Int.max).contains(number), (0...lastInstant).contains(began),
          (1...86_400_000).contains(length)
        else {
          throw Failure(
            .storage, "the database of races has an invalid row: race \(number)",
            hint: "delete the row with sqlite3, or move the database away")
        }
        return self
      }
    }
  }

  private func duration() throws(Failure) -> Response {
    let race = try join()
    return .json { writer in
      writer.object { writer in
        writer.member("timeInSeconds", length / 1000)
        race.moment(at: now).write(to: &writer)
      }
    }
  }

  private func status() throws(Failure) -> Response {
    let races = try latest(2)
    var race = races.first
    if let before = races.last, (0..<min(RaceBackend.overlap, length / 2)).contains(now - before.finish) {
      race = before
    }
    let part = race.map { Double(now - $0.began) / Double($0.length) } ?? 0
    let bees = RaceCourse(seed: seed, race: race?.number ?? 1).order(at: part)
    return .json { writer in
      writer.object { writer in
        writer.member("beeList", bees.write)
        race?.moment(at: now).write(to: &writer)
      }
    }
  }

  private func join() throws(Failure) -> ServedRace {
    while true {
      let last = try latest(1).first
      // Another server on this store may have a clock that is a little ahead.
      if let last, last.length == length, (last.began - RaceBackend.overlap..<last.finish).contains(now) {
        return last
      }
      // If the race cannot be added, another server has added it.
      let next = ServedRace(number: (last?.number ?? 0) + 1, began: now, length: length)
      if try add(next) { return next }
    }
  }

  /// Returns false if another server has added a race with this number.
  private func add(_ race: ServedRace) throws(Failure) -> Bool {
    guard let database else {
      races = [race] + races.prefix(1)
      return true
    }
    return try database.transaction { () throws(Failure) in
      try database.run(
        "INSERT INTO race VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        [.integer(race.number), .integer(race.began), .integer(race.length)])
    } == 1
  }

  private func latest(_ count: Int) throws(Failure) -> [ServedRace] {
    guard let database else { return Array(races.prefix(count)) }
    return try database.rows(
      "SELECT number, began, length FROM race ORDER BY number DESC LIMIT ?", [.integer(count)]
    ) { row throws(Failure) in
      try ServedRace(number: row[0].integer, began: row[1].integer, length: row[2].integer).checked
    }
  }

  private var now: Int {
    let time = time.now()
    return Int(time.seconds) * 1000 + Int(time.nanoseconds / 1_000_000)
  }

  // MARK: Rate limit and CAPTCHA

  private func counted(_ call: Call, _ respond: () throws(Failure) -> Response) throws(Failure) -> Response {
    try limited { () throws(Failure) in gate.stops() ? gate.challenge(call) : try respond() }
  }

  /// Accepts 30 calls in each minute of the clock from all clients together.
  private func limited(_ respond: () throws(Failure) -> Response) throws(Failure) -> Response {
    let second = time.now().seconds
    let minute = second / 60
    let calls = (window.flatMap { $0.minute == minute ? $0.calls : nil } ?? 0) + 1
    window = (minute, calls)
    let limit = 30
    var response: Response
    if calls > limit {
      // The live service sends no `Retry-After`; ours is more helpful.
      response = .json(429) { writer in
        writer.object { writer in
          writer.object("error") { writer in
            writer.member("code", 429)
            writer.member("message", "You have exceeded the rate limit for this API endpoint.")
          }
        }
      }
      response.headers["Retry-After"] = "\((minute + 1) * 60 - second)"
    } else {
      response = try respond()
    }
    response.headers["X-RateLimit-Limit"] = "\(limit)"
    response.headers["X-RateLimit-Remaining"] = "\(max(0, limit - calls))"
    response.headers["X-RateLimit-Reset"] = "\((minute + 1) * 60)"
    return response
  }
}

/// A generated race. In each duel one bee may overtake the next, stronger ones more often. The winner leads in the last
/// seventh of the race. Equal seeds and numbers give equal races on every machine.
struct RaceCourse: Sendable {
  private let random: SplitMix64

  private static let duels = 90
  private static let duelsWithLeadChanges = 77

  init(seed: UInt64, race number: Int) {
    random = SplitMix64(seed: seed &* 0x9E37_79B9 &+ UInt64(bitPattern: Int64(number)))
  }

  /// The order when a part of the race, from 0 to 1, is over.
  func order(at part: Double) -> [Bee] {
    var random = random
    var order = RaceCourse.bees.map { (bee: $0, strength: random.fraction()) }
    for index in order.indices.dropFirst().reversed() { order.swapAt(index, random.next(below: index + 1)) }
    for duel in 0..<Int(min(max(part, 0), 1) * Double(RaceCourse.duels)) {
      let place = random.next(below: order.count - 1)
      let isStronger = order[place + 1].strength > order[place].strength
      let overtakes = random.fraction() < (isStronger ? 0.7 : 0.3)
      if overtakes, place > 0 || duel < RaceCourse.duelsWithLeadChanges { order.swapAt(place, place + 1) }
    }
    return order.map(\.bee)
  }

  static let bees = [
    Bee(name: "BeeGees", color: "#8d62a1"), Bee(name: "BeeWare", color: "#86a162"),
    Bee(name: "BeeM", color: "#d68b6b"), Bee(name: "BeeKeep", color: "#eff7a3"),
    Bee(name: "BeeLow", color: "#bfde64"), Bee(name: "BeeStouri", color: "#183da3"),
    Bee(name: "BeeAman", color: "#8a18a3"), Bee(name: "Beech", color: "#464247"),
    Bee(name: "BeeCome", color: "#6bcad6"),
  ]
}
