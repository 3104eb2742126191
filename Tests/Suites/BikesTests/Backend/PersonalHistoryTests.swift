import Command
import HTTP
import System
import TestSupport
import Testing

@testable import Bikes
@testable import Server

/// What `hw store prune` removes, and what `hw users delete` reports.
@Suite(installed, .eachEngine) struct PersonalHistories {
  private let server: TestServer
  private let rentals: RentalTable
  private let scratch: ScratchDirectory

  init() throws {
    scratch = try ScratchDirectory()
    server = try TestServer(users: TestServer.carlaAndEmil, folder: scratch.path)
    rentals = RentalTable(bikes: BikeTable(database: server.backend.database))
    _ = try server.client(token: "c-token").add(profile())
  }

  private func ride(_ token: String, _ id: String = "3") throws {
    let client = server.client(token: token)
    _ = try client.rent(id)
    server.time.advance(by: .seconds(60))
    try client.returnBike(id, wasOurs: true)
  }

  private func prune(users: Set<String>?, isDryRun: Bool = false) throws -> PersonalData.Pruned {
    try rentals.prune(Self.limit(server.time.now(), users, isDryRun: isDryRun))
  }

  private static func limit(
    _ time: Timestamp, _ users: Set<String>?, isDryRun: Bool = false
  ) -> PersonalData.Limit {
    PersonalData.Limit(time, isUser: users.map { users in { users.contains($0) } }, isDryRun: isDryRun)
  }

  private func readers() throws -> Int? { try server.client(token: "c-token").bike("3").pinReaders }

  private func history() throws -> [String] {
    try rentals.history(limit: 100).map { "\($0.action) \($0.bike) \($0.by ?? "-")" }
  }

  /// Responses for repeated requests have PINs and places.
  @Test func expiredResponsesAreRemoved() throws {
    func stored() throws -> Int { try server.backend.database.count("SELECT count(*) FROM answered", []) }
    let headers: Headers = ["X-Authorization": "e-token", "Idempotency-Key": "k"]
    #expect(try server.ask(.put, "/bikes/3/rented", headers: headers).status == 200)
    let count = try stored()
    server.time.advance(by: .seconds(86_000))
    _ = try prune(users: nil)
    #expect(try count == 1 && stored() == count)
    server.time.advance(by: .seconds(500))
    _ = try prune(users: nil)
    #expect(try stored() == 0)
  }

  @Test func numbersOfRemovedEntriesAreNotUsedAgain() throws {
    try ride("e-token")
    server.time.advance(by: .seconds(60))
    _ = try prune(users: nil)
    #expect(try history() == [])
    try ride("e-token")
    #expect(try rentals.history(limit: 9).map(\.id) == ["3"])
  }

  @Test func oldEntriesAreRemovedAndReadersStayCounted() throws {
    try ride("e-token")
    _ = try server.client(token: "e-token").rent("1")
    server.time.advance(by: .seconds(60))
    #expect(try readers() == 1)
    #expect(try prune(users: ["carla", "emil"], isDryRun: true).entries == 2)
    #expect(try history() == ["rent 1 emil", "rent 3 emil", "add 3 carla"])
    let pruned = try prune(users: ["carla", "emil"])
    #expect(pruned.entries == 2 && pruned.names == [])
    #expect(try history() == ["rent 1 emil"], "an open rental stays")
    #expect(try readers() == 1)
    #expect(try prune(users: ["carla", "emil"]).entries == 0)
    #expect(try readers() == 1)
    #expect(
      try rentals.remains(of: "emil") == [
        "'emil' rents bike 1: 'hw bikes return ID --at LAT,LON' ends a rental",
        "'emil' knows the PINs of bikes 1, 3: 'hw bikes edit ID --pin-file -' changes one",
      ])
    try ride("e-token")
    #expect(try readers() == 1, "the same person")
    let former = try server.client(token: "c-token").bike("3").pin
    _ = try server.client(token: "c-token").edit("3", BikeChange(pin: Pin("4711")))
    #expect(try readers() == 0 && storedReaders() == 0)
    _ = try server.client(token: "c-token").edit("3", BikeChange(pin: former))
    #expect(try readers() == 0, "it was changed since")
  }

  private func storedReaders() throws -> Int {
    try server.backend.database.count("SELECT count(*) FROM pin_reader WHERE bike = 3", [])
  }

  /// A pruned name would stay with the PIN in clear.
  @Test func readersOfADeletedBikeAreForgotten() throws {
    try ride("e-token")
    server.time.advance(by: .seconds(60))
    _ = try prune(users: nil)
    #expect(try storedReaders() > 0)
    try ride("e-token")
    try server.client(token: "c-token").delete("3")
    #expect(try storedReaders() == 0)
    server.time.advance(by: .seconds(60))
    #expect(try prune(users: nil).entries == 2 && storedReaders() == 0)
  }

  @Test func deletedUserIsAnonymized() throws {
    try ride("e-token")
    _ = try server.client(token: "e-token").rent("1")
    let limit = { Self.limit(Timestamp(seconds: 0), $0) }
    #expect(try rentals.prune(limit(nil)).names == [], "a store without users")
    #expect(try rentals.prune(limit(["carla"])).names == ["emil"])
    #expect(try history() == ["rent 1 emil", "rent 3 -", "add 3 carla"], "the rental is still open")
    #expect(try readers() == 1)
    try server.client(token: "e-token").returnBike("1", wasOurs: true)
    #expect(try rentals.prune(limit(["carla"])).names == ["emil"])
    #expect(try history() == ["rent 1 -", "rent 3 -", "add 3 carla"])
    #expect(try rentals.prune(limit(["carla"])).names == [])
  }

  @Test func deletedUserWithoutHistoryIsAnonymized() throws {
    try ride("e-token")
    server.time.advance(by: .seconds(60))
    #expect(try prune(users: ["carla", "emil"]).entries == 2)
    #expect(try prune(users: ["carla"]).names == ["emil"])
    #expect(try prune(users: ["carla"]).names == [])
    #expect(try readers() == 1)
    #expect(try rentals.remains(of: "emil") == [])
  }

  @Test func deletedBikeWithoutHistoryHasNoName() throws {
    try server.client(token: "c-token").delete("3")
    server.time.advance(by: .seconds(60))
    #expect(try prune(users: ["carla"]).entries == 2)
    let row = try server.backend.database.first("SELECT name, owner FROM bike WHERE id = 3") {
      row throws(Failure) in [try row[0].text, try row[1].orNull?.text]
    }
    #expect(row == ["", nil])
  }

  @Test func whatRemainsOfAUserIsListed() throws {
    #expect(try rentals.remains(of: "emil") == [])
    try ride("e-token")
    for id in ["0", "1"] { _ = try server.client(token: "e-token").rent(id) }
    #expect(
      try rentals.remains(of: "emil") == [
        "'emil' rents bikes 0, 1: 'hw bikes return ID --at LAT,LON' ends a rental",
        "'emil' knows the PINs of bikes 0, 1, 3: 'hw bikes edit ID --pin-file -' changes one",
      ])
    #expect(try rentals.remains(of: "carla") == ["'carla' owns bike 3: 'hw bikes delete ID' deletes one"])
  }
}
