import Command
import HTTP
import JSON
import Server
import Store
import System

/// The routes of the service over a database. A hash of the token names an account; all requests without a token share
/// one. Unlike the real service, the backend refuses invalid scores: one of them would make the account unreadable.
struct WordleBackend: Backend {
  let suite = "wordle"
  private let database: Database
  private let samples: [Score]
  private let time: any TimeKeeper
  private let limits: (Caller) -> ScoreLimits

  init(_ settings: BackendSettings, limits: @escaping (Caller) -> ScoreLimits) throws(Failure) {
    (self.limits, time) = (limits, settings.time)
    database = try settings.store.open(WordleBackend.migrations)
    samples = settings.hasSamples ? SampleScores(seed: settings.seed).scores : Score.initial
  }

  func transaction(_ body: () throws(Failure) -> Void) throws(Failure) { try database.transaction(body) }

  var routes: [Route] {
    [
      Route(.get, "/scores") { call throws(Failure) in
        let account = WordleBackend.account(call)
        guard try exists(account) else { return initial(call.query) }
        return try call.query["as"] == "statistics"
          ? statistics(of: account) : list(of: account, call.query)
      },
      Route(.get, "/scores/:id") { call throws(Failure) in
        let (account, id) = (WordleBackend.account(call), try id(call))
        guard try exists(account) else {
          guard let score = samples.first(where: { $0.id == id }) else { throw WordleBackend.unknown(id) }
          return WordleBackend.response(200, score.json)
        }
        return try WordleBackend.response(200, body(id, of: account))
      },
      Route(.post, "/scores") { call throws(Failure) in
        let limits = limits(call.caller)
        if let refusal = limits.refusal(ofSize: call.body.count) { return refusal }
        let score = try Score(posted: call.body)
        let account = try lockedAccount(call)
        let body = try add(score, to: account)
        try check(limits, of: account)
        return WordleBackend.response(201, body)
      },
      Route(.delete, "/scores") { call throws(Failure) in
        let account = try lockedAccount(call)
        try replaceScores(of: account, with: Score.initial)
        return try list(of: account)
      },
      Route(.delete, "/scores/:id") { call throws(Failure) in
        let (account, id) = (try lockedAccount(call), try id(call))
        let deleted = try body(id, of: account)
        try delete(id, of: account)
        return WordleBackend.response(200, deleted)
      },
    ]
  }

  /// Locks the account until the end of the transaction. The first change creates it with its initial scores.
  private func lockedAccount(_ call: Call) throws(Failure) -> String {
    let account = WordleBackend.account(call)
    if try !exists(account) {
      let added = try database.run("INSERT INTO account VALUES (?) ON CONFLICT DO NOTHING", [.text(account)])
      // Another server may have created the account.
      if added == 1 { try replaceScores(of: account, with: samples) }
    }
    _ = try database.lock("SELECT hash FROM account WHERE hash = ?", [.text(account)]) { _ in true }
    return account
  }

  private func check(_ limits: ScoreLimits, of account: String) throws(Failure) {
    guard limits.scoresPerAccount != nil else { return }
    _ = try database.first("SELECT count(*) FROM score WHERE account = ?", [.text(account)]) {
      row throws(Failure) in try limits.check(row[0].integer)
    }
  }

  private func exists(_ account: String) throws(Failure) -> Bool {
    try database.first("SELECT 1 FROM account WHERE hash = ?", [.text(account)]) { _ in true } ?? false
  }

  /// The account of the user, or else the first half of the token's SHA-256: it is a part of every key, and 128 bits
  /// are enough to distinguish tokens. The prefix `@` of a user prevents a collision with a hash.
  private static func account(_ call: Call) -> String {
    call.caller.user.map { "@\($0.name)" }
      ?? String(SHA256.hex(Array((call.header("X-Authorization") ?? "").utf8)).prefix(32))
  }

  /// The response for an account that is not stored, because it has not changed yet.
  private func initial(_ query: Query) -> Response {
    if query["as"] == "statistics" {
      let games = samples.filter { !$0.isInitial }.map { (id: $0.id, result: $0.result) }
      return WordleBackend.response(200, "{\"statistics\":\(Statistics(games).json)}")
    }
    var scores = samples[...]
    if let limit = query["limit"].flatMap({ Int($0) }), limit >= 0 { scores = scores.prefix(limit) }
    return WordleBackend.response(200, "{\"scores\":[\(scores.map(\.json).joined(separator: ","))]}")
  }

  private func replaceScores(of account: String, with scores: [Score]) throws(Failure) {
    try database.enqueue("DELETE FROM score WHERE account = ?", [.text(account)])
    try database.enqueue("DELETE FROM results WHERE account = ?", [.text(account)])
    for score in scores { _ = try add(score, to: account) }
  }

  /// Returns the stored JSON.
  private func add(_ score: Score, to account: String) throws(Failure) -> String {
    let (body, mark) = (score.json, score.result.mark)
    let added = try database.run(
      "INSERT INTO score (account, date, id, body, mark) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
      [.text(account), .text(score.date.description), .integer(score.id), .text(body), .text(mark)])
    guard added > 0 else { throw Failure(.conflict, "there is a score \(score.id) already") }
    let (part, index) = WordleBackend.place(of: score.id)
    let blank = String(repeating: " ", count: WordleBackend.marksInPart)
    let marks = "\(blank.prefix(index))\(mark)\(blank.dropFirst(index + 1))"
    try database.enqueue(
      """
      INSERT INTO results VALUES (?, ?, ?) ON CONFLICT (account, part) DO UPDATE
      SET marks = substr(results.marks, 1, ?) || ? || substr(results.marks, ?)
      """,
      [.text(account), .integer(part), .text(marks), .integer(index), .text(mark), .integer(index + 2)])
    return body
  }

  private func delete(_ id: Int, of account: String) throws(Failure) {
    try database.enqueue("DELETE FROM score WHERE account = ? AND id = ?", [.text(account), .integer(id)])
    let (part, index) = WordleBackend.place(of: id)
    try database.enqueue(
      """
      UPDATE results SET marks = substr(marks, 1, ?) || ' ' || substr(marks, ?) WHERE account = ? AND part = ?
      """, [.integer(index), .integer(index + 2), .text(account), .integer(part)])
    // Numbers are chosen by the user: parts without results would fill the store.
    try database.enqueue(
      "DELETE FROM results WHERE account = ? AND part = ? AND trim(marks) = ''",
      [.text(account), .integer(part)])
  }

  /// The part and index of a score's mark in the table `results`.
  private static func place(of id: Int) -> (part: Int, index: Int) {
    (id >> partBits, id & (marksInPart - 1))
  }

  private static let partBits = 9
  private static let marksInPart = 1 << partBits

  private func id(_ call: Call) throws(Failure) -> Int {
    guard let id = Int(call["id"]) else { throw Failure(.usage, "invalid id") }
    return id
  }

  private func body(_ id: Int, of account: String) throws(Failure) -> String {
    let body = try database.first(
      "SELECT body FROM score WHERE account = ? AND id = ?", [.text(account), .integer(id)]
    ) { row throws(Failure) in try row[0].text }
    guard let body else { throw WordleBackend.unknown(id) }
    return body
  }

  private static func unknown(_ id: Int) -> Failure { Failure(.notFound, "there is no score \(id)") }

  /// `limit` is an extension: the real service has only the whole list.
  private func list(of account: String, _ query: Query = Query([])) throws(Failure) -> Response {
    let limit = query["limit"].flatMap { Int($0) } ?? -1
    let start = "{\"scores\":["
    var list = Array(start.utf8)
    try database.each(
      """
      SELECT body FROM score WHERE account = ? ORDER BY date DESC, id DESC \(limit < 0 ? "" : "LIMIT ?")
      """, [.text(account)] + (limit < 0 ? [] : [.integer(limit)])
    ) { row throws(Failure) in
      if list.count > start.utf8.count { list.append(UInt8(ascii: ",")) }
      try row[0].appendText(to: &list)
    }
    list += "]}".utf8
    return Response(200, headers: WordleBackend.headers, body: list)
  }

  /// An extension: the real service has no statistics.
  private func statistics(of account: String) throws(Failure) -> Response {
    var games: [Int: GameResult] = [:]
    try database.each("SELECT part, marks FROM results WHERE account = ?", [.text(account)]) {
      row throws(Failure) in
      // The sum cannot overflow: the lowest nine bits of `first` are clear, and the index has no others.
      let first = try row[0].integer << WordleBackend.partBits
      let marks = Array(try row[1].text.utf8.prefix(WordleBackend.marksInPart))
      for (index, mark) in marks.enumerated() {
        if let result = GameResult(mark: mark) { games[first + index] = result }
      }
    }
    // Reads the scores whose mark can be wrong. Initial scores do not count, and an earlier hw gave the mark of a lost
    // game to unfinished and invalid scores. After an invalid one the list is sent, whose reader reports it.
    var isInvalid = false
    try database.each(
      "SELECT body FROM score WHERE account = ? AND (mark = 'X' OR id IN (262, 263, 264))", [.text(account)]
    ) { row throws(Failure) in
      guard let score = try? Score(JSON.parse(row[0].text)) else { return isInvalid = true }
      games[score.id] = score.isInitial ? nil : score.result
    }
    // A game of the future, a score of another game, would hide the streak before it.
    let today = WallTime(time.now()).day.wordle
    guard !isInvalid, !games.keys.contains(where: { $0 > today + 1 }) else { return try list(of: account) }
    let statistics = Statistics(games.map { (id: $0.key, result: $0.value) })
    return WordleBackend.response(200, "{\"statistics\":\(statistics.json)}")
  }

  private static func response(_ status: Int, _ body: String) -> Response {
    Response(status, headers: headers, body: Array(body.utf8))
  }

  private static let headers: Headers = ["Content-Type": "application/json"]
}

extension Score {
  /// Decodes a request. The message about a missing field is that of the real service.
  fileprivate init(posted: [UInt8]) throws(Failure) {
    let json = try JSON.parse(posted)
    for name in ["id", "date", "word", "tries"] where json[name].orNull == nil {
      throw Failure(.usage, "missing \(name)")
    }
    do throws(Failure) {
      try self.init(json)
    } catch {
      // An invalid request is a usage error, not invalid data of a service.
      throw Failure(.usage, error.message, hint: error.hint)
    }
    try ScoreRules.checkShape(self)
  }
}

extension PersonalData {
  static let wordle = PersonalData { store, user throws(Failure) in
    guard try store.contains(WordleBackend.migrations) else { return [] }
    let hasScores = try store.open(WordleBackend.migrations).first(
      "SELECT 1 FROM score WHERE account = ? LIMIT 1", [.text("@\(user)")]
    ) { _ in true }
    return hasScores == nil
      ? [] : ["the scores of '\(user)' stay, for a user who gets this name with --again"]
  } prune: { _, _ in
    nil
  }
}

extension WordleBackend {
  /// Scores are stored as the JSON of the response, so that a list is only copied. Results are one mark per number and
  /// 512 numbers per row: statistics read nothing else.
  static let migrations = Migrations(
    "wordle", base: 4,
    [
      """
      CREATE TABLE account (hash TEXT PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE score (
        account TEXT NOT NULL REFERENCES account,
        date TEXT NOT NULL,
        id INTEGER NOT NULL,
        body TEXT NOT NULL,
        mark TEXT NOT NULL,
        PRIMARY KEY (account, date, id),
        UNIQUE (account, id)
      ) WITHOUT ROWID;
      CREATE TABLE results (
        account TEXT NOT NULL,
        part INTEGER NOT NULL,
        marks TEXT NOT NULL,
        PRIMARY KEY (account, part)
      ) WITHOUT ROWID;
      """
    ])
}
