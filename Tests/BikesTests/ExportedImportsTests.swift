import HTTP
import JSON
import System
import TestSupport
import Testing

@testable import Bikes
@testable import Server

/// An import as the inverse of an export, and a file that comes twice.
@Suite(installed, .eachEngine) struct ExportedImports {
  private static let users = [
    "c-token": User("carla", isAdmin: false), "a-token": User("ada", isAdmin: true),
  ]

  private func server(isEmpty: Bool = false) throws -> TestServer {
    try TestServer(users: ExportedImports.users) { $0.startsEmpty = isEmpty }
  }

  private func send(
    _ bikes: [ImportedBike], to server: TestServer, as token: String, again: Bool = false
  ) throws -> ImportClient.Result {
    let upload = try #require(try ImportClient(server.client(token: token)))
    for bike in bikes { try upload.add(bike) }
    return try upload.finish(again: again)
  }

  /// As `export --pins` writes them and `import` reads them.
  private func exported(_ server: TestServer, as token: String) throws -> [ImportedBike] {
    try server.client(token: token).bikesWithPins().map { bike in
      var writer = JSONWriter()
      bike.write(to: &writer, pin: bike.pin)
      return try ImportedBike(JSON.parse(writer.bytes))
    }
  }

  @Test func anAdminKeepsIdsAndOwners() throws {
    let old = try server()
    let carla = old.client(token: "c-token")
    _ = try carla.add(profile("Wanda"))
    try old.client(token: "a-token").delete("1")
    let bikes = try exported(old, as: "a-token")
    #expect(bikes.map(\.number) == [0, 2, 3] && bikes.map(\.owner) == [nil, nil, "carla"])
    let new = try server(isEmpty: true)
    #expect(try new.client(token: "a-token").bikes().isEmpty)
    let result = try send(bikes, to: new, as: "a-token")
    #expect(result.added == 3 && result.present == 0)
    #expect(try exported(new, as: "a-token") == bikes)
    // New ids are larger than those of the file.
    #expect(try new.client(token: "c-token").add(profile()).id == "4")
    let history = try new.client(token: "a-token").rentals(of: nil, limit: 9)
    #expect(
      history.map(\.bike) == ["4", "3", "2", "0"] && history.map(\.by) == ["carla", "ada", "ada", "ada"])
  }

  /// What is none becomes a bike without one.
  @Test(
    arguments: [
      ("0", 0), ("7", 7), ("2000000000", 2_000_000_000), ("2000000001", nil), ("-1", nil), ("007", nil),
      ("+7", nil), (" 7", nil), ("7.0", nil), ("", nil), ("x", nil), ("99999999999999999999", nil),
    ] as [(String, Int?)])
  func idsOfAFile(id: String, number: Int?) throws {
    #expect(try ImportedBike(profile(), id: id).number == number)
  }

  @Test(arguments: [("carla", true), ("", false), ("a b", false), ("é", false), ("a/b", false)])
  func ownersOfAFile(name: String, isValid: Bool) throws {
    #expect(try ImportedBike(profile(), owner: name).owner == (isValid ? name : nil))
  }

  /// The numbers of one statement: as many as a power of two, so that few statements are prepared.
  @Test func placesOfLockedBikes() {
    for count in 0...40 {
      let places = LockedBikes.places(for: Array(0..<count))
      #expect(places.prefix(count) == Array(0..<count)[...])
      #expect(places.dropFirst(count).allSatisfy { $0 == count - 1 })
      #expect(count == 0 ? places.isEmpty : places.count.nonzeroBitCount == 1 && places.count < 2 * count)
    }
  }

  @Test func aUserGetsNewIdsAndOwnsTheBikes() throws {
    let server = try server()
    let result = try send(
      [ImportedBike(profile(), id: "0", owner: "ada"), ImportedBike(profile("Otto"), id: "77")], to: server,
      as: "c-token")
    #expect(result.added == 2)
    let bikes = try server.client(token: "c-token").bikes().suffix(2)
    #expect(bikes.map(\.id) == ["3", "4"] && bikes.map(\.owner) == ["carla", "carla"])
  }

  /// What comes from no export is the admin's.
  @Test func anAdminOwnsNewBikes() throws {
    let server = try server()
    let bikes = try [
      ImportedBike(profile("A")), ImportedBike(profile("B"), owner: "carla"),
      ImportedBike(profile("C"), id: "40"), ImportedBike(profile("D"), id: "41", owner: "carla"),
    ]
    #expect(try send(bikes, to: server, as: "a-token").added == 4)
    let added = try server.client(token: "a-token").bikes().dropFirst(3)
    #expect(added.map(\.id) == ["40", "41", "42", "43"])
    #expect(added.map(\.name) == ["C", "D", "A", "B"])
    #expect(added.map(\.owner) == [nil, "carla", "ada", "carla"])
  }

  @Test func aBikeWhoseIdIsTakenIsNotAdded() throws {
    let server = try server()
    let ada = server.client(token: "a-token")
    try ada.delete("2")
    let bikes = try [
      ImportedBike(profile("Zero"), id: "0"), ImportedBike(profile("Two"), id: "2", owner: "carla"),
      ImportedBike(profile("Nine"), id: "9"), ImportedBike(profile("Nine again"), id: "9"),
    ]
    let result = try send(bikes, to: server, as: "a-token")
    #expect(result.added == 2 && result.present == 2)
    #expect(try ada.bikes().map(\.name) == ["Henry", "Hans", "Two", "Nine"])
    #expect(try ada.bikesWithPins().map(\.owner) == [nil, nil, "carla", nil])
  }

  @Test func theSameFileTwiceAddsNothing() throws {
    let server = try server()
    let bikes = try [ImportedBike(profile()), ImportedBike(profile("Otto"))]
    #expect(try send(bikes, to: server, as: "c-token").added == 2)
    for _ in 0..<2 {
      let result = try send(bikes, to: server, as: "c-token")
      #expect(result.isRepeated && result.added == 0 && result.present == 2)
    }
    #expect(try server.client(token: "c-token").bikes().count == 5)
    // Another user's file is another import, and so is another order.
    #expect(try send(bikes, to: server, as: "a-token").added == 2)
    #expect(try send(bikes.reversed(), to: server, as: "c-token").added == 2)
    #expect(try send(bikes, to: server, as: "c-token", again: true).added == 2)
    #expect(try server.client(token: "c-token").bikes().count == 11)
    let kept = try server.backend.database.rows("SELECT count(*) FROM staged") { row throws(Failure) in
      try row[0].integer
    }
    #expect(kept == [0])
  }

  @Test func aFileThatAddedNothingIsKnownAgain() throws {
    let server = try server()
    let file = try exported(server, as: "a-token")
    for isRepeated in [false, true] {
      let result = try send(file, to: server, as: "a-token")
      #expect(result.added == 0 && result.present == 3 && result.isRepeated == isRepeated)
    }
  }

  /// Of an import that nobody finished, nothing is kept for longer; of one that was finished, its result.
  @Test func anImportIsForgottenAfterADay() throws {
    let server = try server()
    let carla: Headers = ["X-Authorization": "c-token"]
    func send(_ method: Method, _ path: String, _ text: String = "") throws -> String {
      try server.ask(method, "/imports/\(path)", text, headers: carla).text
    }
    func kept(_ table: String) throws -> [String] {
      try server.backend.database.rows("SELECT upload FROM \(table) ORDER BY upload") { row throws(Failure) in
        try row[0].text
      }
    }
    _ = try send(.post, "0123456781?first=0", body())
    _ = try send(.post, "0123456789?first=0", body())
    _ = try send(.put, "0123456789?rows=1")
    server.time.advance(by: .seconds(86_400))
    _ = try send(.post, "0123456782?first=0", body())
    #expect(try kept("staged") == ["0123456781", "0123456782"])
    #expect(try kept("importing") == ["0123456789"])
    server.time.advance(by: .seconds(1))
    _ = try send(.post, "0123456782?first=1", body())
    #expect(try kept("staged") == ["0123456782", "0123456782"])
    #expect(try kept("importing") == [])
  }

  @Test func aRepetitionNeedsNoRoom() throws {
    let server = try TestServer(users: ExportedImports.users, limits: BikeLimits(bikesPerOwner: 2))
    let file = try [1, 2].map { try ImportedBike(JSON.parse(body(name: "\"B\($0)\""))) }
    #expect(try send(file, to: server, as: "c-token").added == 2)
    #expect(try send(file, to: server, as: "c-token").isRepeated)
    #expect(throws: Failure.self) { try send(file, to: server, as: "c-token", again: true) }
    #expect(throws: Failure.self) { try send(file + file, to: server, as: "c-token") }
  }

  @Test func onlyTheLastFilesAreKnownAgain() throws {
    let server = try server()
    let known = { () throws in
      try server.backend.database.rows("SELECT count(*) FROM imported") { row throws(Failure) in
        try row[0].integer
      }
    }
    for number in 0..<110 {
      let file = try ImportedBike(JSON.parse(body(name: "\"B\(number)\"")))
      #expect(try !send([file], to: server, as: "c-token").isRepeated)
    }
    #expect(try known() == [100])
    // Neither is a file without bikes.
    let digest = String(repeating: "0", count: 64)
    let empty = try server.ask(
      .put, "/imports/0123456789?rows=0&digest=\(digest)", headers: ["X-Authorization": "a-token"])
    #expect(empty.text == #"{"added":0,"present":0}"#)
    #expect(try known() == [100])
  }

  @Test func aSecondFinishHasTheSameResult() throws {
    let server = try server()
    let carla: Headers = ["X-Authorization": "c-token"]
    let path = "/imports/0123456789"
    #expect(try server.ask(.post, "\(path)?first=0", body(), headers: carla).status == 200)
    for _ in 0..<3 {
      #expect(try server.ask(.put, "\(path)?rows=1", headers: carla).text == #"{"added":1,"present":0}"#)
    }
    #expect(try server.ask(.post, "\(path)?first=0", body(), headers: carla).status == 409)
    #expect(try server.client(token: "c-token").bikes().count == 4)
  }

  /// A server that was killed between two parts of the last step goes on when it starts.
  @Test func aFinishThatWasInterruptedIsFinished() throws {
    let scratch = try ScratchDirectory()
    let first = try TestServer(folder: scratch.path)
    for start in [0, 600] {
      let lines = (start..<start + 600).map { body(name: "\"B\($0)\"") }.joined(separator: "\n")
      try first.ask(.post, "/imports/0123456789?first=\(start)", lines)
    }
    #expect(first.router.commit(0) == nil)
    let table = StagedTable(bikes: BikeTable(database: first.backend.database), rowsPerStep: 250)
    try first.backend.database.transaction { () throws(Failure) in
      try table.begin("0123456789", asker: nil, isRepeated: false, digest: nil, at: 7)
      #expect(try table.step("0123456789", asker: nil, at: 7))
      // Its rows are not too old, however old they are.
      try table.clear(before: .max)
    }
    #expect(try first.ask(.delete, "/imports/0123456789").status == 409)
    let second = try TestServer(folder: scratch.path)
    let names = try second.client.bikes().dropFirst(3).map(\.name)
    #expect(names == (0..<1200).map { "B\($0)" })
    #expect(
      try second.ask(.put, "/imports/0123456789?rows=1200").text == #"{"added":1200,"present":0}"#)
  }
}

/// The pieces of an import.
@Suite(installed, .eachEngine) struct PiecesOfImports {
  @Test func aResponseCountsThePiece() throws {
    let two = body() + "\n" + body() + "\n"
    for first in [5, 0] {
      let response = try TestServer().ask(.post, "/imports/0123456789?first=\(first)", two)
      #expect(response.text == #"{"staged":2}"#)
    }
  }

  /// Each bike has a line feed.
  @Test(arguments: [
    (1000, 200, #"{"staged":0}"#), (1001, 413, "🚲 a piece of an import has at most 1000 bikes\n"),
  ])
  func aPieceHasSoManyLines(count: Int, status: Int, text: String) throws {
    let lines = String(repeating: "\n", count: count)
    let response = try TestServer().ask(.post, "/imports/0123456789?first=0", lines)
    #expect(response.status == status && response.text == text)
  }

  /// Whose import it was counts as well, and others see its bikes at once.
  @Test func theImportOfAUserIsFinishedAtTheNextStart() throws {
    let scratch = try ScratchDirectory()
    let first = try TestServer(users: TestServer.carlaAndEmil, folder: scratch.path)
    let carla = first.client(token: "c-token")
    let lines = (0..<3).map { body(name: "\"B\($0)\"") }.joined(separator: "\n")
    try first.ask(.post, "/imports/0123456789?first=0", lines, headers: ["X-Authorization": "c-token"])
    let table = StagedTable(bikes: BikeTable(database: first.backend.database), rowsPerStep: 2)
    try first.backend.database.transaction { () throws(Failure) in
      try table.begin("0123456789", asker: "carla", isRepeated: false, digest: nil, at: 7)
      #expect(try table.step("0123456789", asker: "carla", at: 7))
    }
    #expect(try carla.bikes().dropFirst(3).map(\.name) == ["B0", "B1"])
    _ = try TestServer(users: TestServer.carlaAndEmil, folder: scratch.path)
    #expect(try carla.bikes().dropFirst(3).map(\.name) == ["B0", "B1", "B2"])
    #expect(try carla.bikes().dropFirst(3).map(\.owner) == ["carla", "carla", "carla"])
    #expect(
      try first.ask(.put, "/imports/0123456789?rows=3", headers: ["X-Authorization": "c-token"]).text
        == #"{"added":3,"present":0}"#)
  }
}

/// What a store has before anybody adds a bike.
@Suite(installed, .eachEngine) struct FirstBikes {
  private func names(
    _ folder: String, _ change: (inout BackendSettings) -> Void = { _ in }
  ) throws -> [String] {
    try TestServer(folder: folder, change: change).client.bikes().map(\.name)
  }

  @Test func aStoreStartsEmptyOrWithSamples() throws {
    let scratch = try ScratchDirectory()
    try scratch.write("", to: "a/.keep")
    try scratch.write("", to: "b/.keep")
    let (a, b) = (scratch.file("a"), scratch.file("b"))
    #expect(try names(a) == ["Henry", "Hans", "Thomas"])
    #expect(try names(b) { $0.startsEmpty = true } == [])
    // Another start changes nothing, unless samples are asked for.
    #expect(try names(b) == [])
    for _ in 0..<2 {
      #expect(
        try names(b) {
          $0.startsEmpty = true
          $0.addsSamples = true
        } == ["Henry", "Hans", "Thomas"])
    }
    let server = try TestServer(folder: b)
    for id in ["0", "1", "2"] { try server.client.delete(id) }
    #expect(server.router.commit(0) == nil)
    #expect(try names(b) { $0.addsSamples = true } == [], "it had bikes")
  }
}
