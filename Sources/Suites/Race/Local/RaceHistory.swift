import Command
import JSON
import Store
import System

/// Races that were watched on this machine. Events are stored as they happen, so interrupted races are kept, too.
final class RaceHistory {
  private let database: Database
  private var current: Int?

  struct Entry: Sendable {
    var id: Int
    var started: Timestamp
    var url: String
    var duration: Double?
    /// Leader of the last standings, stored in the column `winner`.
    var leader: String?
    var end: RaceRecording.End
    var changes: Int

    var winner: String? { end == .finished ? leader : nil }
  }

  init(_ store: Store) throws(Failure) { database = try store.open(RaceHistory.migrations) }

  static let migrations = Migrations(
    "races",
    [
      """
      CREATE TABLE race (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        started INTEGER NOT NULL,
        url TEXT NOT NULL,
        duration REAL,
        winner TEXT,
        ending TEXT NOT NULL
      );
      CREATE TABLE event (
        race INTEGER NOT NULL REFERENCES race ON DELETE CASCADE,
        seq INTEGER NOT NULL,
        kind TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (race, seq)
      ) WITHOUT ROWID;
      """
    ], isLocal: true)

  // MARK: Writing

  func begin(at time: Timestamp, url: String) throws(Failure) {
    current = try database.transaction { () throws(Failure) in
      try database.run(
        "INSERT INTO race (started, url, ending) VALUES (?, ?, ?)",
        [.integer(Int(time.seconds)), .text(url), .text(RaceRecording.End.interrupted.rawValue)])
      return try database.first("SELECT max(id) FROM race") { row throws(Failure) in try row[0].integer }
    }
  }

  func add(_ events: [RaceEvent]) throws(Failure) {
    guard let current else { return }
    try database.transaction { () throws(Failure) in
      guard try database.first("SELECT 1 FROM race WHERE id = ?", [.integer(current)], { _ in true }) != nil
      else { throw Failure(.notFound, "it was deleted meanwhile") }
      for event in events {
        let body = JSONWriter.bytes { event.write(to: &$0) }
        guard body.count <= 128 << 10 else {
          throw Failure(.storage, "its standings have \(body.count) bytes")
        }
        try database.run(
          "INSERT INTO event VALUES (?, ?, ?, ?)",
          [
            .integer(current), .integer(event.seq), .text(event.kind.rawValue),
            .text(String(decoding: body, as: UTF8.self)),
          ])
        try update(current, with: event)
      }
    }
  }

  private func update(_ race: Int, with event: RaceEvent) throws(Failure) {
    if event.kind == .start {
      try database.run(
        "UPDATE race SET duration = ? WHERE id = ?",
        [event.duration.map { .real($0.seconds) } ?? .null, .integer(race)])
    }
    guard let end = event.end else { return }
    try database.run(
      "UPDATE race SET ending = ?, winner = coalesce(?, winner) WHERE id = ?",
      [.text(end.rawValue), event.leader.map(SQLValue.text) ?? .null, .integer(race)])
  }

  // MARK: Reading

  /// All races, latest first. The caller sorts, filters and limits them.
  func entries() throws(Failure) -> [Entry] {
    try database.rows(
      """
      SELECT id, started, url, duration, winner, ending,
        (SELECT count(*) FROM event WHERE race = race.id AND kind = 'standings')
      FROM race ORDER BY id DESC
      """
    ) { row throws(Failure) in
      Entry(
        id: try row[0].integer, started: Timestamp(seconds: Int64(try row[1].integer)), url: try row[2].text,
        duration: try row[3].orNull?.real, leader: try row[4].orNull?.text,
        end: RaceRecording.End(rawValue: try row[5].text) ?? .interrupted, changes: try row[6].integer)
    }
  }

  func recording(_ id: Int) throws(Failure) -> RaceRecording {
    let events = try database.rows(
      "SELECT body FROM event WHERE race = ? ORDER BY seq", [.integer(id)]
    ) { row throws(Failure) in try RaceEvent(JSON.parse(try row[0].text)) }
    guard !events.isEmpty else {
      throw Failure(.notFound, "race \(id) is not in the history", hint: "'hw race history' lists the races")
    }
    return RaceRecording(events: events)
  }

  /// The results of a bee in the races of one service whose finish was seen.
  struct Record: Equatable, Sendable {
    var bee: String
    var url: String
    var races = 0
    var wins = 0
    var podiums = 0
    /// Sum of the positions.
    var positions = 0
    var lastWin: Timestamp?
  }

  /// Results of all bees, most wins first, at addresses that contain `service`. A race with an id counts once.
  func records(of service: String? = nil) throws(Failure) -> [Record] {
    var records: [[String]: Record] = [:]
    var counted: Set<[String]> = []
    try database.each(
      """
      SELECT event.body, race.started, race.url FROM race JOIN event ON event.race = race.id
      WHERE race.ending = 'finished' AND event.kind = 'finish' ORDER BY race.id
      """
    ) { row throws(Failure) in
      let url = try row[2].text
      guard RaceHistory.matches(url, service) else { return }
      let started = Timestamp(seconds: Int64(try row[1].integer))
      let finish = try RaceEvent(JSON.parse(try row[0].text))
      if let race = finish.race, !counted.insert([url, race]).inserted { return }
      let bees = finish.bees ?? []
      var seen: Set<String> = []
      for (index, bee) in bees.enumerated() where seen.insert(bee.name).inserted {
        var record = records[[url, bee.name]] ?? Record(bee: bee.name, url: url)
        record.races += 1
        record.positions += index + 1
        if index < 3 { record.podiums += 1 }
        if index == 0 {
          record.wins += 1
          record.lastWin = max(record.lastWin ?? started, started)
        }
        records[[url, bee.name]] = record
      }
    }
    return records.values.sorted { a, b in
      (-a.wins, -a.podiums, a.bee, a.url) < (-b.wins, -b.podiums, b.bee, b.url)
    }
  }

  static func matches(_ url: String, _ service: String?) -> Bool {
    service.map { url.lowercased().contains($0.lowercased()) } ?? true
  }

  func latest() throws(Failure) -> Int {
    guard let latest = try entries().first?.id else {
      throw Failure(
        .notFound, "the history has no races", hint: "'hw race watch' adds races, but none of 'demo:'")
    }
    return latest
  }

  /// Deletes races with their events in one transaction. Returns the races that were not deleted by another process.
  func delete(_ races: [Entry]) throws(Failure) -> [Entry] {
    try database.transaction { () throws(Failure) in
      var deleted: [Entry] = []
      for race in races {
        let count = try database.run("DELETE FROM race WHERE id = ?", [.integer(race.id)])
        if count > 0 { deleted.append(race) }
      }
      return deleted
    }
  }
}

extension Context {
  /// History for commands that add no race: it does not create a file.
  func readableRaceHistory() throws(Failure) -> RaceHistory {
    try RaceHistory(raceStore.forReading(RaceHistory.migrations))
  }

  var raceStore: Store {
    get throws(Failure) { store(in: try UserFolders(environment).data) }
  }
}

/// Records races in the history. A failure of the history is reported, and the race continues without it.
final class RaceRecorder {
  private var history: RaceHistory?
  private let time: any TimeKeeper
  private let url: String
  private let report: (String) -> Void

  convenience init(_ call: Invocation, _ context: Context, url: String, report: @escaping (String) -> Void) {
    self.init(url: url, time: context.time, report: report)
    // Races of sample data and recorded ones are not added to the history.
    guard call[Race.keepsHistory], !call[StandardOptions.explain], !context.isReplaying,
      !url.hasPrefix("demo:")
    else { return }
    attempt { () throws(Failure) in history = try RaceHistory(context.raceStore) }
  }

  init(history: RaceHistory? = nil, url: String, time: any TimeKeeper, report: @escaping (String) -> Void) {
    self.history = history
    self.url = url
    self.time = time
    self.report = report
  }

  func add(_ events: [RaceEvent]) {
    guard let history, let first = events.first else { return }
    attempt { () throws(Failure) in
      // A watch can join a race in the middle.
      let start = Timestamp(seconds: time.now().seconds - first.elapsed.components.seconds)
      if first.seq == 1 { try history.begin(at: start, url: url) }
      try history.add(events)
    }
  }

  private func attempt(_ body: () throws(Failure) -> Void) {
    do throws(Failure) {
      try body()
    } catch {
      history = nil
      report("this race is not added to the history: \(error.message)")
    }
  }
}
