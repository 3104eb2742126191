import HTTP
import JSON
import Server
import System
import TestSupport
import Testing

@testable import Store
@testable import Wordle

/// A database of the version before PostgreSQL, in which triggers keep the results. Its scores belong to the
/// account of those who send no token.
@Suite(.enabled(if: Database.isAvailable)) struct EarlierStores {
  @Test func areReadWithoutLoss() throws {
    let scratch = try ScratchDirectory()
    let time = FakeClock()
    try SQLiteEngine(.file(scratch.file("wordle.db")), time: time).execute(
      StoredVersion.text("wordle.sql"))
    let store = Store(folder: scratch.path, time: time)
    let settings = BackendSettings(store: store, hasSamples: false, time: time)
    let router = Router([try WordleBackend(settings).backend])
    func ask(_ method: HTTP.Method, _ path: String, _ body: String = "") throws -> Response {
      router.respond(
        to: Request(
          method, try URL("demo:\(path)"), headers: [:], body: Array(body.utf8)))
    }
    func ids() throws -> [Int] {
      try JSON.parse(ask(.get, "/scores").body)["scores"].array.map { try $0["id"].int }
    }
    #expect(try ids() == [265, 264, 263])
    #expect(try ask(.get, "/scores?as=statistics").text.contains(#""played":3,"solved":3,"#))
    // What the triggers did is done without them.
    #expect(
      try ask(.post, "/scores", #"{"id":266,"date":"2022-03-12","word":"a","tries":["b"]}"#).status == 201)
    #expect(try ask(.delete, "/scores/263").status == 200)
    #expect(try ask(.get, "/scores?as=statistics").text.contains(#""played":3,"solved":2,"#))
    #expect(try ids() == [266, 265, 264])
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
    #expect(try databaseSchema(opened(stepped)) == databaseSchema(opened(WordleBackend.migrations)))
  }
}
