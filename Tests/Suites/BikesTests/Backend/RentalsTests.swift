import HTTP
import JSON
import System
import TestSupport
import Testing

@testable import Bikes
@testable import Server

/// What several changes of one bike leave in the history, in the list and in memory.
@Suite(installed) struct SeveralChanges {
  /// A server whose bikes are in memory already.
  private func warmServer(folder: String? = nil) throws -> TestServer {
    let server = try TestServer(folder: folder)
    for _ in 0..<6 { _ = try server.client.bikes() }
    return server
  }

  private static let changes: [(HTTP.Method, String, String)] = [
    (.put, "/bikes/1", body(name: "\"Hans\"", color: "\"76CD68\"", pin: "\"5678\"", latitude: "51")),
    (.put, "/bikes/1", body(name: "\"Hans\"", color: "\"76CD68\"", pin: "\"9999\"", latitude: "51")),
    (.put, "/bikes/1", body(name: "\"Jan\"", color: "\"76CD68\"", pin: "\"9999\"", latitude: "51")),
    (.put, "/bikes/1/rented", ""), (.delete, "/bikes/1/rented", ""),
    (.put, "/bikes/1", body(latitude: "50.12")),
  ]

  @Test(arguments: [false, true])
  func everyChangeIsInListOnce(isByAnother: Bool) throws {
    let scratch = try ScratchDirectory()
    let server = try warmServer(folder: scratch.path)
    let writer = isByAnother ? try TestServer(folder: scratch.path) : server
    for (method, path, text) in SeveralChanges.changes {
      #expect(try writer.ask(method, path, text).status == 200)
      let answer = try server.ask(.get, "/bikes")
      let bikes = try JSON.parse(answer.text).array
      #expect(try bikes.map { try $0["id"].string } == ["0", "1", "2"])
      #expect(try answer.text.contains(server.ask(.get, "/bikes/1").text), "the list and the bike differ")
    }
  }

  @Test func afterAFailedCommitListAndFeedAreThoseOfTheDatabase() throws {
    let server = try warmServer()
    let feed = "/gbfs/3.0/vehicle_status.json"
    let (list, file) = (try server.ask(.get, "/bikes").text, try server.ask(.get, feed).text)
    let backend = server.backend
    var failing = ScriptedBackend("bikes", routes: backend.routes)
    failing.onTransactionEnd = backend.transactionEnded
    failing.runTransaction = { body throws(Failure) in
      try backend.transaction { () throws(Failure) in
        try body()
        try backend.database.run("PRAGMA defer_foreign_keys = ON")
        try backend.database.run(
          """
          INSERT INTO rental (id, bike, rented_at, from_latitude, from_longitude) VALUES (999, 999, 0, 0, 0)
          """)
      }
    }
    #expect(Router([failing]).respond(to: Request(.put, try URL("demo:/bikes/1/rented"))).status == 500)
    #expect(try server.ask(.get, "/bikes").text == list)
    #expect(try server.ask(.get, feed).text == file)
    // The revision is given out again; it must not be taken for the one that was undone.
    try server.ask(.put, "/bikes/2/rented")
    #expect(try server.client.bikes().map(\.isRented) == [false, false, true])
  }
}
