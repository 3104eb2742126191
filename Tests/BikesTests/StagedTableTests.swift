import Store
import System
import TestSupport
import Testing

@testable import Bikes
@testable import Server

/// The last step of an import, two rows at a time.
@Suite(installed, .eachEngine) struct StagedRows {
  @Test("A part that is full may be the last, and another one looks", arguments: 1...5, [false, true])
  func parts(rows: Int, isRepeated: Bool) throws {
    let server = try TestServer()
    let lines = (0..<rows).map { body(name: "\"B\($0)\"") }.joined(separator: "\n")
    #expect(try server.ask(.post, "/imports/0123456789?first=0", lines).status == 200)
    #expect(server.router.commit(0) == nil)
    let table = StagedTable(bikes: BikeTable(database: server.backend.database), rowsPerStep: 2)
    try server.backend.database.transaction { () throws(Failure) in
      try table.begin("0123456789", asker: nil, isRepeated: isRepeated, digest: nil, at: 7)
      var parts = 0
      while try table.step("0123456789", asker: nil, at: 7) { parts += 1 }
      #expect(parts == rows / 2)
      let progress = try table.progress(of: "0123456789", asker: nil)
      #expect(progress?.state == (isRepeated ? .repeated : .done) && progress?.isRepeated == isRepeated)
      #expect(progress?.added == (isRepeated ? 0 : rows) && progress?.present == 0)
      #expect(try table.count("0123456789", asker: nil).rows == 0)
      // What is over is not done again.
      #expect(try !table.step("0123456789", asker: nil, at: 7))
      #expect(try table.progress(of: "9876543210", asker: nil) == nil)
      #expect(try !table.step("9876543210", asker: nil, at: 7))
    }
  }

  /// A part begins behind those before it, whatever became of their rows.
  @Test func partsWithIdsThatAreTaken() throws {
    let server = try TestServer()
    let lines = ["0", "1", "7", "8", "9"].map { "{\"id\":\"\($0)\"," + body().dropFirst() }
    let staged = try server.ask(.post, "/imports/0123456789?first=0", lines.joined(separator: "\n"))
    #expect(staged.status == 200 && server.router.commit(0) == nil)
    let table = StagedTable(bikes: BikeTable(database: server.backend.database), rowsPerStep: 2)
    try server.backend.database.transaction { () throws(Failure) in
      try table.begin("0123456789", asker: nil, isRepeated: false, digest: nil, at: 7)
      while try table.step("0123456789", asker: nil, at: 7) {}
      let progress = try table.progress(of: "0123456789", asker: nil)
      #expect(progress?.added == 3 && progress?.present == 2)
      #expect(try table.count("0123456789", asker: nil).rows == 0)
    }
    #expect(try server.client.bikes().map(\.id) == ["0", "1", "2", "7", "8", "9"])
  }

  @Test(
    "The number of a first row has limits",
    arguments: [
      ("first=0", 200), ("first=100000000", 200), ("first=100000001", 400), ("first=-1", 400),
      ("first=x", 400),
      ("first=", 400), ("rows=0", 400),
    ])
  func firstNumbers(query: String, status: Int) throws {
    #expect(try TestServer().ask(.post, "/imports/0123456789?\(query)", body()).status == status)
  }

  @Test(arguments: [
    (63, "0", 400), (64, "0", 200), (65, "0", 400), (64, "A", 400), (64, "g", 400), (64, "f", 200),
  ])
  func digests(count: Int, digit: String, status: Int) throws {
    let digest = String(repeating: digit, count: count)
    #expect(try TestServer().ask(.put, "/imports/0123456789?rows=0&digest=\(digest)").status == status)
  }

  @Test func anImportThatIsOverIsNotDropped() throws {
    let server = try TestServer()
    #expect(try server.ask(.delete, "/imports/0123456789").status == 200)
    #expect(try server.ask(.post, "/imports/0123456789?first=0", body()).status == 200)
    #expect(try server.ask(.delete, "/imports/0123456789").status == 200)
    // Its rows are gone, and it may be sent again.
    #expect(try server.ask(.put, "/imports/0123456789?rows=1").status == 409)
    #expect(try server.ask(.post, "/imports/0123456789?first=0", body()).status == 200)
    #expect(try server.ask(.put, "/imports/0123456789?rows=1").text == #"{"added":1,"present":0}"#)
    #expect(try server.ask(.delete, "/imports/0123456789").status == 200)
    #expect(try server.ask(.put, "/imports/0123456789?rows=1").text == #"{"added":1,"present":0}"#)
    #expect(try server.client.bikes().count == 4)
  }
}
