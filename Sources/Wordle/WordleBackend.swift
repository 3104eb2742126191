import HTTP
import JSON
import Server
import Store
import System

/// The service's contract, answered over a database. An account is a token; without one there is the account of this
/// machine. Like the service, it validates nothing but the shape of what it is sent.
struct WordleBackend {
  private let database: Database

  init(_ settings: BackendSettings) throws(Failure) {
    database = try settings.store.open(WordleBackend.migrations)
  }

  var backend: Backend {
    Backend(
      "wordle",
      routes: [
        Route(.get, "/scores") { call throws(Failure) in
          try WordleBackend.answer(scores(of: account(call)))
        }
      ])
  }

  private static let migrations = Migrations(
    "wordle",
    [
      """
      CREATE TABLE account (token TEXT PRIMARY KEY);
      CREATE TABLE score (
        account TEXT NOT NULL REFERENCES account,
        id INTEGER NOT NULL,
        date TEXT NOT NULL,
        word TEXT NOT NULL,
        tries TEXT NOT NULL,
        PRIMARY KEY (account, id)
      );
      """
    ])

  /// The account of whoever asks; it is born, with the initial scores, when it first asks for something.
  private func account(_ call: Call) throws(Failure) -> String {
    let token = call.header("X-Authorization") ?? ""
    let known = try database.first("SELECT 1 FROM account WHERE token = ?", [.text(token)]) { _ in true }
    if known == nil {
      try database.transaction { () throws(Failure) in
        try database.run("INSERT INTO account VALUES (?)", [.text(token)])
        for score in Score.initial { try insert(score, account: token) }
      }
    }
    return token
  }

  private func insert(_ score: Score, account: String) throws(Failure) {
    try database.run(
      "INSERT INTO score VALUES (?, ?, ?, ?, ?)",
      [
        .text(account), .integer(score.id), .text(score.date.description), .text(score.word),
        .text(score.tries.joined(separator: ",")),
      ])
  }

  private func scores(of account: String) throws(Failure) -> [Score] {
    try database.rows(
      "SELECT id, date, word, tries FROM score WHERE account = ? ORDER BY date DESC, id DESC",
      [.text(account)]
    ) { row throws(Failure) in
      guard let date = CalendarDay(try row[1].text) else {
        throw Failure(.storage, "score \(try row[0].integer) has no date")
      }
      return Score(
        id: try row[0].integer, date: date, word: try row[2].text,
        tries: try row[3].text.split(separator: ",").map(String.init))
    }
  }

  private static func answer(_ scores: [Score]) -> Response {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("scores")
      writer.array { writer in
        for score in scores { score.write(to: &writer) }
      }
    }
    return Response(200, headers: ["Content-Type": "application/json"], body: writer.bytes)
  }
}
