import HTTP
import JSON
import System
import TestSupport
import Testing

@testable import Bikes
@testable import Server

/// An import as the inverse of an export, and a file that is imported twice.
@Suite(installed, .eachEngine) struct ExportedImports {
  private static let users = [
    "c-token": User("carla", isAdmin: false), "a-token": User("ada", isAdmin: true),
  ]

  private func server(isEmpty: Bool = false) throws -> TestServer {
    try TestServer(users: ExportedImports.users) { $0.startsEmpty = isEmpty }
  }

  @discardableResult
  private func send(
    _ bikes: [ImportedBike], to server: TestServer, as token: String
  ) throws -> (added: Int, present: Int) {
    var upload = BikeUpload(server.client(token: token)) { _ in }
    try upload.send(bikes)
    return (upload.added, upload.present)
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
    #expect(try send(bikes, to: new, as: "a-token") == (3, 0))
    #expect(try exported(new, as: "a-token") == bikes)
    // New ids are larger than those of the file.
    #expect(try new.client(token: "c-token").add(profile()).id == "4")
    let history = try new.client(token: "a-token").rentals(of: nil, limit: 9)
    #expect(
      history.map(\.bike) == ["4", "2", "0", "3"] && history.map(\.by) == ["carla", "ada", "ada", "ada"])
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
    let file = try [ImportedBike(profile(), id: "0", owner: "ada"), ImportedBike(profile("Otto"), id: "77")]
    #expect(try send(file, to: server, as: "c-token") == (2, 0))
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
    #expect(try send(bikes, to: server, as: "a-token") == (2, 2))
    #expect(try ada.bikes().map(\.name) == ["Henry", "Hans", "Two", "Nine"])
    #expect(try ada.bikesWithPins().map(\.owner) == [nil, nil, "carla", nil])
  }

  @Test func bikeThatWasImportedIsNotAddedAgain() throws {
    let server = try server()
    let (carla, ada) = (server.client(token: "c-token"), server.client(token: "a-token"))
    let bikes = try [ImportedBike(profile()), ImportedBike(profile("Otto"))]
    #expect(try send(bikes, to: server, as: "c-token") == (2, 0))
    // Whoever moves or edits them, after however long.
    _ = try ada.rent("3")
    _ = try ada.edit("3", BikeChange(place: place(51, 8)))
    _ = try carla.edit("4", BikeChange(name: "Ottilie"))
    server.time.advance(by: .seconds(1_000_000))
    #expect(try send(bikes, to: server, as: "c-token") == (0, 2))
    // Another order, other bikes between them, and a row less.
    let edited = try [ImportedBike(profile("Otto")), ImportedBike(profile("Anna"))]
    #expect(try send(edited, to: server, as: "c-token") == (1, 1))
    // Another user's file is another import.
    #expect(try send(bikes, to: server, as: "a-token") == (2, 0))
    #expect(try carla.bikes().count == 8)
  }

  @Test func deletedBikeIsAddedAgain() throws {
    let server = try server()
    let bikes = try [ImportedBike(profile()), ImportedBike(profile("Otto"))]
    for number in 3...5 {
      #expect(try send(bikes, to: server, as: "c-token").added == (number == 3 ? 2 : 1))
      try server.client(token: "c-token").delete("\(number)")
    }
    #expect(try send(bikes, to: server, as: "c-token") == (1, 1))
  }

  @Test func equalBikesAreAddedOnceForEachCopy() throws {
    let server = try server()
    var bikes = try [ImportedBike(profile()), ImportedBike(profile())]
    #expect(try send(bikes, to: server, as: "c-token") == (1, 1))
    bikes[1].copy = 2
    #expect(try send(bikes, to: server, as: "c-token") == (1, 1))
    #expect(try send(bikes.reversed(), to: server, as: "c-token") == (0, 2))
  }

  @Test func importIsOneChange() throws {
    let server = try TestServer(users: ExportedImports.users, limits: BikeLimits(bikesPerOwner: 2))
    let carla = server.client(token: "c-token")
    let file = try (0..<3).map { try ImportedBike(profile("B\($0)")) }
    #expect(failure { try send(file, to: server, as: "c-token") }?.kind == .conflict)
    #expect(try carla.bikes().count == 3)
    #expect(try send(Array(file[..<2]), to: server, as: "c-token") == (2, 0))
    #expect(try send(Array(file[..<2]), to: server, as: "c-token") == (0, 2), "a repetition needs no room")
    #expect(failure { try send(file, to: server, as: "c-token") }?.kind == .conflict)
  }

  /// The table has no secret's hash that could be tried with every PIN.
  @Test func storedHashRevealsNoPin() throws {
    var hashes: [String] = []
    for server in try [server(), server()] {
      try send([ImportedBike(profile())], to: server, as: "c-token")
      hashes += try server.backend.database.rows("SELECT digest FROM imported") { row throws(Failure) in
        try row[0].text
      }
    }
    #expect(hashes.count == 2 && hashes[0] != hashes[1])
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
    #expect(try names(b) { $0.addsSamples = true } == [], "it had bikes")
  }
}
