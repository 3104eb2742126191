import HTTP
import JSON
import Server
import Store
import System

/// The service's contract, answered over a database. An account is a token; without one there is the account of this
/// machine. Like the service, it validates nothing but the shape of what it is sent: a date may be none.
struct WordleBackend {
  private let database: Database
  private let samples: [Score]

  init(_ settings: BackendSettings) throws(Failure) {
    database = try settings.store.open(WordleBackend.migrations)
    samples = settings.hasSamples ? SampleScores(seed: settings.seed).scores : Score.initial
  }

  var backend: Backend {
    Backend(
      "wordle",
      routes: [
        Route(.get, "/scores") { call throws(Failure) in try list(of: account(call)) },
        Route(.get, "/scores/:id") { call throws(Failure) in
          try WordleBackend.answer(200, body(call["id"], of: account(call)))
        },
        Route(.post, "/scores") { call throws(Failure) in
          let score = try StoredScore(posted: call.body)
          try add(score, to: account(call))
          return WordleBackend.answer(201, score.body)
        },
        Route(.delete, "/scores") { call throws(Failure) in
          let account = try account(call)
          try fill(account, with: Score.initial)
          return try list(of: account)
        },
        Route(.delete, "/scores/:id") { call throws(Failure) in
          let account = try account(call)
          let body = try body(call["id"], of: account)
          try database.run(
            "DELETE FROM score WHERE account = ? AND id = ?", [.text(account), .integer(id(call["id"]))])
          return WordleBackend.answer(200, body)
        },
      ])
  }

  /// A score is kept as it is sent, so that a long list is put together by the database alone.
  private static let migrations = Migrations(
    "wordle",
    [
      """
      CREATE TABLE account (token TEXT PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE score (
        account TEXT NOT NULL REFERENCES account,
        date TEXT NOT NULL,
        id INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (account, date, id),
        UNIQUE (account, id)
      ) WITHOUT ROWID;
      """
    ])

  /// The account of whoever asks; it is born, with its scores, when it first asks for something.
  private func account(_ call: Call) throws(Failure) -> String {
    let token = call.header("X-Authorization") ?? ""
    let known = try database.first("SELECT 1 FROM account WHERE token = ?", [.text(token)]) { _ in true }
    if known == nil {
      try database.transaction { () throws(Failure) in
        try database.run("INSERT OR IGNORE INTO account VALUES (?)", [.text(token)])
        try fill(token, with: samples)
      }
    }
    return token
  }

  private func fill(_ account: String, with scores: [Score]) throws(Failure) {
    try database.transaction { () throws(Failure) in
      try database.run("DELETE FROM score WHERE account = ?", [.text(account)])
      for score in scores { try add(StoredScore(score), to: account) }
    }
  }

  private func add(_ score: StoredScore, to account: String) throws(Failure) {
    let added = try database.run(
      "INSERT OR IGNORE INTO score VALUES (?, ?, ?, ?)",
      [.text(account), .text(score.date), .integer(score.id), .text(score.body)])
    guard added > 0 else { throw Failure(.conflict, "there is a score \(score.id) already") }
  }

  private func id(_ text: String) throws(Failure) -> Int {
    guard let id = Int(text) else { throw Failure(.usage, "invalid id") }
    return id
  }

  private func body(_ text: String, of account: String) throws(Failure) -> String {
    let id = try id(text)
    let body = try database.first(
      "SELECT body FROM score WHERE account = ? AND id = ?", [.text(account), .integer(id)]
    ) { row throws(Failure) in try row[0].text }
    guard let body else { throw Failure(.notFound, "no score \(id)") }
    return body
  }

  /// The list is put together where it is kept, and goes out as it comes from there.
  private func list(of account: String) throws(Failure) -> Response {
    let list = try database.first(
      """
      SELECT CAST('{"scores":[' || ifnull(group_concat(body), '') || ']}' AS BLOB) FROM
        (SELECT body FROM score WHERE account = ? ORDER BY date DESC, id DESC)
      """, [.text(account)]
    ) { row throws(Failure) in try row[0].blob }
    return Response(200, headers: WordleBackend.headers, body: list ?? [])
  }

  private static func answer(_ status: Int, _ body: String) -> Response {
    Response(status, headers: headers, body: Array(body.utf8))
  }

  private static let headers: Headers = ["Content-Type": "application/json"]
}

/// A score as the backend keeps it: its date is any text, since the service looks at none of it.
private struct StoredScore {
  let id: Int
  let date: String
  /// As it is sent.
  let body: String

  init(_ score: Score) {
    var writer = JSONWriter()
    score.write(to: &writer)
    self.init(id: score.id, date: score.date.description, writer)
  }

  private init(id: Int, date: String, _ writer: JSONWriter) {
    self.id = id
    self.date = date
    body = String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Reads what was posted; what is missing is refused in the service's own words.
  init(posted: [UInt8]) throws(Failure) {
    let json = try JSON.parse(posted)
    for name in ["id", "date", "word", "tries"] where json[name].orNull == nil {
      throw Failure(.usage, "missing \(name)")
    }
    let (id, date, word) = (try json["id"].int, try json["date"].string, try json["word"].string)
    var tries: [String] = []
    for one in try json["tries"].array { tries.append(try one.string) }
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("id")
      writer.integer(id)
      writer.key("date")
      writer.string(date)
      writer.key("word")
      writer.string(word)
      writer.key("tries")
      writer.array { writer in
        for one in tries { writer.string(one) }
      }
    }
    self.init(id: id, date: date, writer)
  }
}
