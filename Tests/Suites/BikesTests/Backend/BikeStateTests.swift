import Command
import HTTP
import JSON
import System
import TestSupport
import Testing

@testable import Bikes
@testable import Server

/// Withdrawn and missing bikes, for a stranger, a member, the owner (carla) and an admin. Bike 3 is carla's.
@Suite(installed, .eachEngine) struct BikeStates {
  private let server: TestServer
  private static let tokens = ["stranger": nil, "member": "e-token", "owner": "c-token", "admin": "a-token"]

  init() throws {
    let users = TestServer.carlaAndEmil.merging(["a-token": User("ada", isAdmin: true)]) { $1 }
    server = try TestServer(users: users)
    _ = try server.client(token: "c-token").add(profile())
  }

  private func ask(
    _ caller: String, _ method: HTTP.Method, _ path: String, _ body: String = ""
  ) throws -> (status: Int, text: String) {
    let headers: Headers =
      if let token = BikeStates.tokens[caller] ?? nil { ["X-Authorization": token] } else { [:] }
    let response = try server.ask(method, path, body, headers: headers)
    return (response.status, response.text)
  }

  private func set(_ state: BikeState, by caller: String = "owner") throws -> Int {
    try ask(caller, .patch, "/bikes/3", #"{"state":"\#(state.rawValue)"}"#).status
  }

  @Test(arguments: [
    ("stranger", 401, 401, 3, 401), ("member", 403, 409, 3, 403), ("owner", 200, 409, 4, 200),
    ("admin", 200, 409, 4, 200),
  ])
  func withdrawnBikeIsManagedByOwnerAndAdmin(
    caller: String, edit: Int, rent: Int, listed: Int, deleted: Int
  ) throws {
    #expect(try set(.withdrawn, by: caller) == edit)
    #expect(try set(.withdrawn) == 200)
    let response = try ask(caller, .put, "/bikes/3/rented")
    #expect(response.status == rent)
    if rent == 409 { #expect(response.text == "🚲 bike 3 is withdrawn\n") }
    // The list from the database, and later the one from memory.
    for _ in 0..<5 {
      let list = try JSON.parse(ask(caller, .get, "/bikes").text)
      #expect(try list.array.count == listed)
      #expect(try listed == 3 || list[3]["state"].string == "withdrawn")
    }
    #expect(try ask(caller, .delete, "/bikes/3").status == deleted)
  }

  @Test func feedSaysThatBikeIsDisabled() throws {
    func disabled() throws -> [Bool] {
      try JSON.parse(ask("stranger", .get, "/gbfs/3.0/vehicle_status.json").text)["data"]["vehicles"].array
        .map { try $0["is_disabled"].bool }
    }
    #expect(try disabled() == [false, false, false, false])
    #expect(try set(.withdrawn) == 200)
    #expect(try disabled() == [false, false, false, true])
    #expect(try set(.available) == 200)
    #expect(try disabled() == [false, false, false, false])
  }

  @Test func bikeThatIsWithdrawnWhileRentedStaysWithdrawn() throws {
    #expect(try ask("member", .put, "/bikes/3/rented").status == 200)
    #expect(try set(.withdrawn) == 200)
    #expect(try JSON.parse(ask("member", .get, "/bikes").text).array.count == 4, "the renter's own")
    #expect(try ask("owner", .delete, "/bikes/3").status == 409)
    #expect(try ask("member", .delete, "/bikes/3/rented").status == 200)
    #expect(try ask("member", .put, "/bikes/3/rented").status == 409)
    #expect(try JSON.parse(ask("owner", .get, "/bikes/3").text)["state"].string == "withdrawn")
    #expect(try ask("owner", .put, "/bikes/3", body()).status == 200, "PUT has no state")
    #expect(try ask("admin", .put, "/bikes/3/rented").status == 409)
    let history = try server.client(token: "c-token").rentals(of: "3", limit: 10)
    #expect(history.map(\.changed) == [["state"], [], []])
  }

  @Test func missingBikeIsDeletedWhileRented() throws {
    #expect(try ask("member", .put, "/bikes/3/rented").status == 200)
    #expect(try set(.missing, by: "member") == 403)
    #expect(try set(.missing) == 200)
    #expect(try ask("member", .delete, "/bikes/3").status == 403)
    #expect(try ask("owner", .delete, "/bikes/3").status == 200)
    #expect(try server.client(token: "e-token").openRentals() == [])
    let history = try server.client(token: "c-token").rentals(of: "3", limit: 10)
    #expect(history.map(\.action) == [.delete, .edit, .rent, .add])
    #expect(history[2].returnedBy == "carla" && history[1].changed == ["state"])
  }

  @Test func unknownStateIsRefused() throws {
    let response = try ask("owner", .patch, "/bikes/3", #"{"state":"stolen"}"#)
    #expect(
      response.status == 400 && response.text.contains("state: expected available, withdrawn or missing"))
    #expect(try ask("owner", .patch, "/bikes/3", #"{"state":null}"#).status == 400)
  }

  @Test func importByAdminKeepsStates() throws {
    let row = body().dropLast()
    for (caller, state) in [("admin", "missing"), ("owner", nil)] as [(String, String?)] {
      let added = try ask(caller, .post, "/bikes", "[\(row),\"state\":\"missing\"}]")
      #expect(added.status == 200)
      let states = try JSON.parse(ask("admin", .get, "/bikes").text).array.map {
        try $0["state"].orNull?.string
      }
      #expect(states.last == .some(state))
    }
  }

  @Test(arguments: [("member", nil), ("owner", 2), ("admin", 2)] as [(String, Int?)])
  func readersOfPinAreCountedForOwnerAndAdmin(caller: String, expected: Int?) throws {
    func readers() throws -> Int? {
      try JSON.parse(ask(caller, .get, "/bikes/3").text)["pinReaders"].orNull?.int
    }
    for user in ["member", "admin", "owner", "member"] {
      #expect(try ask(user, .put, "/bikes/3/rented").status == 200)
      #expect(try ask(user, .delete, "/bikes/3/rented").status == 200)
      server.time.advance(by: .seconds(5))
    }
    #expect(try readers() == expected)
    #expect(try ask("owner", .patch, "/bikes/3", #"{"pin":"4711"}"#).status == 200)
    #expect(try readers() == expected.map { _ in 0 })
    #expect(try ask("member", .put, "/bikes/3/rented").status == 200)
    #expect(try ask("owner", .patch, "/bikes/3", #"{"pin":"4712"}"#).status == 200)
    #expect(try readers() == expected.map { _ in 1 }, "a renter gets the new PIN")
  }

  @Test(
    arguments: [
      ("stranger", nil, nil, 401), ("member", "1", nil, 200), ("owner", "3", "emil", 200),
      ("admin", nil, nil, 200),
    ] as [(String, String?, String?, Int)])
  func openRentalsOfAllAreForAdmin(caller: String, own: String?, shown: String?, status: Int) throws {
    #expect(try ask("member", .put, "/bikes/3/rented").status == 200)
    #expect(try ask("member", .put, "/bikes/1/rented").status == 200)
    #expect(try ask("owner", .put, "/bikes/2/rented").status == 200)
    let response = try ask(caller, .get, "/rentals?open=all")
    #expect(response.status == status)
    guard status == 200 else { return }
    let rentals = try JSON.parse(response.text).array.map { try OpenRental($0) }
    let expected = ["member": ["3", "1"], "owner": ["2"], "admin": ["3", "1", "2"]][caller]
    #expect(rentals.map(\.rental.bike) == expected)
    #expect(rentals.allSatisfy { ($0.pin == nil) == (caller == "admin") })
    let renters = try JSON.parse(ask(caller, .get, "/bikes?pins").text).array.map {
      try $0["renter"].orNull?.string
    }
    #expect(
      renters
        == [
          "member": [nil, "emil", nil, "emil"], "owner": [nil, nil, "carla", "emil"],
          "admin": [nil, "emil", "carla", "emil"],
        ][caller])
  }
}

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
    try rentals.prune(.init(server.time.now(), users: users, isDryRun: isDryRun))
  }

  private func readers() throws -> Int? { try server.client(token: "c-token").bike("3").pinReaders }

  private func history() throws -> [String] {
    try rentals.history(.init(limit: 100)).map { "\($0.action) \($0.bike) \($0.by ?? "-")" }
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
    _ = try server.client(token: "c-token").edit("3", BikeChange(pin: Pin("4711")))
    #expect(try readers() == 0)
  }

  @Test func deletedUserIsAnonymized() throws {
    try ride("e-token")
    _ = try server.client(token: "e-token").rent("1")
    let limit = { PersonalData.Limit(Timestamp(seconds: 0), users: $0, isDryRun: false) }
    #expect(try rentals.prune(limit(nil)).names == [], "a store without users")
    #expect(try rentals.prune(limit(["carla"])).names == ["emil"])
    #expect(try history() == ["rent 1 emil", "rent 3 -", "add 3 carla"], "the rental is still open")
    #expect(try readers() == 1)
    try server.client(token: "e-token").returnBike("1", wasOurs: true)
    #expect(try rentals.prune(limit(["carla"])).names == ["emil"])
    #expect(try history() == ["rent 1 -", "rent 3 -", "add 3 carla"])
    #expect(try rentals.prune(limit(["carla"])).names == [])
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
    #expect(
      try rentals.remains(of: "carla") == ["'carla' owns bike 3: 'hw bikes delete ID' deletes one"])
  }
}
