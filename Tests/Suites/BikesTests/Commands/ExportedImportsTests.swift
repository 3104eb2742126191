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
      history.map(\.bike) == ["4", "3", "2", "0"] && history.map(\.by) == ["carla", "ada", "ada", "ada"])
  }

  /// A member's bikes get new ids in the order of the rows.
  @Test func aMemberImportsEqualBikesOfAnExport() throws {
    let old = try server(isEmpty: true)
    for name in ["Z", "City", "City", "A"] { _ = try old.client(token: "c-token").add(profile(name)) }
    let rows = try old.client(token: "c-token").bikesWithPins().map { bike in
      var writer = JSONWriter()
      bike.write(to: &writer, pin: bike.pin)
      return String(decoding: writer.bytes, as: UTF8.self)
    }
    var file = ImportedFile("b.jsonl") { _ in }
    let bikes = try file.read(MemorySource(Array(rows.joined(separator: "\n").utf8))) { _ in }
    let new = try server(isEmpty: true)
    #expect(try send(bikes, to: new, as: "c-token") == (4, 0))
    #expect(try send(bikes, to: new, as: "c-token") == (0, 4))
    #expect(try new.client(token: "c-token").bikes().map(\.name) == ["Z", "City", "City", "A"])
  }

  /// Its old rentals would have the name of another bike.
  @Test(arguments: [("Wanda", "blue", 1), ("Otto", "red", 1), ("Otto", "blue", 0)])
  func aDeletedBikeComesBackAsItself(name: String, color: String, added: Int) throws {
    let new = try server(isEmpty: true)
    let ada = new.client(token: "a-token")
    try ada.delete(ada.add(profile()).id)
    let row =
      #"{"id":0,"name":"\#(name)","color":"\#(color)","pin":"9999","location":{"latitude":1,"longitude":1}}"#
    var upload = BikeUpload(ada) { _ in }
    try upload.send([ImportedBike(JSON.parse(Array(row.utf8)))])
    #expect(upload.added == added && upload.conflicts == (added == 0 ? [0] : []))
  }

  @Test func rowsBeforeTheLargestIDGetIDsAboveIt() throws {
    let rows = try (0..<ImportedBike.mostPerRequest).map { try ImportedBike(profile("B\($0)")) }
    let new = try server(isEmpty: true)
    #expect(try send(rows + [ImportedBike(profile("C"), id: "7")], to: new, as: "a-token") == (251, 0))
    #expect(try new.client(token: "a-token").bikes().map(\.id) == (7..<258).map(String.init))
  }

  @Test(
    arguments: [
      ("0", 0), ("7", 7), ("2000000000", 2_000_000_000), ("2000000001", nil), ("-1", nil), ("007", nil),
      ("+7", nil), (" 7", nil), ("7.0", nil), ("", nil), ("x", nil), ("99999999999999999999", nil),
    ] as [(String, Int?)])
  func idsOfAFile(id: String, number: Int?) throws {
    let profile = try profile()
    let refused = failure { try ImportedBike(profile, id: id) }
    #expect(refused?.message.hasPrefix("'\(id)' is not an id") == (number == nil && id != "" ? true : nil))
    if refused == nil { #expect(try ImportedBike(profile, id: id).number == number) }
  }

  /// GDAL moves the id of a feature to its properties, and GeoPandas writes the number of the row in its place.
  @Test(arguments: [
    (#","id":"7""#, ""), (#","id":7"#, ""), ("", #","id":"7""#), ("", #","id":7"#),
    (#","id":"0""#, #","id":7"#),
  ])
  func idOfAFeatureCanBeAProperty(member: String, property: String) throws {
    let feature = #"""
      {"type":"Feature"\#(member),"geometry":{"type":"Point","coordinates":[8,50]},
      "properties":{"name":"A","color":"red","pin":"0000"\#(property)}}
      """#
    #expect(try ImportedBike(feature: JSON.parse(Array(feature.utf8))).number == 7)
  }

  @Test(arguments: [("carla", true), ("", false), ("a b", false), ("é", false), ("a/b", false)])
  func ownersOfAFile(name: String, isValid: Bool) throws {
    let profile = try profile()
    let refused = failure { try ImportedBike(profile, owner: name) }
    #expect(refused?.message == (isValid || name == "" ? nil : "'\(name)' is not the name of a user"))
    if isValid { #expect(try ImportedBike(profile, owner: name).owner == name) }
  }

  /// The numbers of one statement: as many as a power of two, so that few statements are prepared.
  @Test func placesOfLockedBikes() {
    for count in 0...40 {
      let places = LockedBikes.padded(Array(0..<count))
      #expect(places.prefix(count) == Array(0..<count)[...])
      #expect(places.dropFirst(count).allSatisfy { $0 == count - 1 })
      #expect(count == 0 ? places.isEmpty : places.count.nonzeroBitCount == 1 && places.count < 2 * count)
    }
  }

  /// The table has no secret's hash that could be tried with every PIN.
  @Test func storedHashRevealsNoPin() throws {
    var hashes: [String] = []
    for server in try [server(), server()] {
      try send([ImportedBike(profile())], to: server, as: "c-token")
      hashes += try server.texts("SELECT digest FROM imported")
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
