import HTTP
import JSON
import Server
import System
import TestSupport
import Testing

@testable import Store
@testable import Wordle

/// A database of the version before PostgreSQL, in which triggers keep the results. It has an account for the token
/// `carla`.
@Suite(.enabled(if: Database.isAvailable)) struct EarlierStores {
  @Test func areReadWithoutLoss() throws {
    let scratch = try ScratchDirectory()
    let time = FakeClock()
    try SQLiteEngine(.file(scratch.file("wordle.db")), time: time).execute(EarlierStores.dump)
    let store = Store(folder: scratch.path, time: time)
    let settings = BackendSettings(store: store, hasSamples: false, time: time)
    let router = Router([try WordleBackend(settings).backend])
    func ask(_ method: HTTP.Method, _ path: String, _ body: String = "") throws -> Response {
      router.respond(
        to: Request(
          method, try URL("demo:\(path)"), headers: ["X-Authorization": "carla"], body: Array(body.utf8)))
    }
    func ids() throws -> [Int] {
      try JSON.parse(ask(.get, "/scores").body)["scores"].array.map { try $0["id"].int }
    }
    #expect(try ids() == [281, 264, 262])
    #expect(try ask(.get, "/scores?as=statistics").text.contains(#""played":3,"solved":3,"#))
    // What the triggers did is done without them.
    #expect(
      try ask(.post, "/scores", #"{"id":282,"date":"2022-03-28","word":"a","tries":["b"]}"#).status == 201)
    #expect(try ask(.delete, "/scores/262").status == 200)
    #expect(try ask(.get, "/scores?as=statistics").text.contains(#""played":3,"solved":2,"#))
    #expect(try ids() == [282, 281, 264])
  }

  @Test func leadToTheShapeOfANewOne() throws {
    let time = FakeClock()
    func opened(_ migrations: Migrations) throws -> Database {
      let database = try Store.memory(time: time).open(migrations)
      // A list that the backend empties and drops.
      try database.run("DROP TABLE IF EXISTS plain_account")
      return database
    }
    let stepped = Migrations("wordle", WordleBackend.migrations.steps)
    #expect(try schema(opened(stepped)) == schema(opened(WordleBackend.migrations)))
  }

  private static let dump = """
    PRAGMA application_id = 1752659823;
    PRAGMA user_version = 3;
    PRAGMA foreign_keys=OFF;
    BEGIN TRANSACTION;
    CREATE TABLE account (hash TEXT PRIMARY KEY) WITHOUT ROWID;
    INSERT INTO account VALUES('8813d406421e0063ef8ec81fc4517033');
    CREATE TABLE score (
      account TEXT NOT NULL REFERENCES account,
      date TEXT NOT NULL,
      id INTEGER NOT NULL,
      body TEXT NOT NULL, mark TEXT NOT NULL DEFAULT 'X',
      PRIMARY KEY (account, date, id),
      UNIQUE (account, id)
    ) WITHOUT ROWID;
    INSERT INTO score VALUES('8813d406421e0063ef8ec81fc4517033','2022-03-08',262,'{"id":262,"date":"2022-03-08","word":"sweet","tries":["corgi","pause","sleds","sweet"]}','4');
    INSERT INTO score VALUES('8813d406421e0063ef8ec81fc4517033','2022-03-10',264,'{"id":264,"date":"2022-03-10","word":"lapse","tries":["stair","peony","lapse"]}','3');
    INSERT INTO score VALUES('8813d406421e0063ef8ec81fc4517033','2022-03-27',281,'{"id":281,"date":"2022-03-27","word":"nymph","tries":["train","nymph"]}','2');
    CREATE TABLE results (
      account TEXT NOT NULL,
      part INTEGER NOT NULL,
      marks TEXT NOT NULL,
      PRIMARY KEY (account, part)
    ) WITHOUT ROWID;
    INSERT INTO results VALUES('8813d406421e0063ef8ec81fc4517033',0,'                                                                                                                                                                                                                                                                      4 3                2                                                                                                                                                                                                                                      ');
    CREATE TRIGGER score_added AFTER INSERT ON score BEGIN
      INSERT OR IGNORE INTO results VALUES (new.account, new.id >> 9, printf('%512s', ''));
      UPDATE results
        SET marks = substr(marks, 1, new.id & 511) || new.mark || substr(marks, (new.id & 511) + 2)
        WHERE account = new.account AND part = new.id >> 9;
    END;
    CREATE TRIGGER score_deleted AFTER DELETE ON score BEGIN
      UPDATE results
        SET marks = substr(marks, 1, old.id & 511) || ' ' || substr(marks, (old.id & 511) + 2)
        WHERE account = old.account AND part = old.id >> 9;
    END;
    COMMIT;
    """
}

/// The columns and indices of every table: not their types, which SQLite hardly minds, nor their defaults.
private func schema(_ database: Database) throws -> [String] {
  let tables = try database.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name") {
    row throws(Failure) in try row[0].text
  }
  return try tables.flatMap { table in
    let columns = try database.rows(
      "SELECT name || ' ' || \"notnull\" || ' ' || pk FROM pragma_table_info(?)", [.text(table)]
    ) { row throws(Failure) in "\(table).\(try row[0].text)" }
    let indices = try database.rows(
      """
      SELECT list."unique" || ' ' || group_concat(info.name)
      FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS info GROUP BY list.name ORDER BY 1
      """, [.text(table)]
    ) { row throws(Failure) in "\(table) index \(try row[0].text)" }
    return columns + indices
  }
}
