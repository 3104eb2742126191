import HTTP
import JSON

import System
import TestSupport
import Testing

@testable import Bikes
@testable import Server

/// On a server with users the rentals belong to the user, and not to the machine.
@Suite(installed, .eachEngine) struct ServerRentals {
  private let server: TestServer

  init() throws { server = try TestServer(users: TestServer.carlaAndEmil) }

  @Test func anotherMachineSeesTheSame() throws {
    let home = try TestUser(of: server, token: "e-token")
    let phone = try TestUser(of: server, token: "e-token")
    _ = try home.renting.rent("1")
    _ = try phone.renting.rent("0")
    for user in [home, phone] {
      let rented = try user.renting.rented()
      #expect(rented.map(\.id) == ["1", "0"])
      #expect(rented.map { $0.pin?.digits } == ["5678", "1234"])
      #expect(try user.out == [], "nothing is noted on the machine")
    }
    #expect(try phone.renting.returnBike("1", at: place(50.2, 8.7)).place == place(50.2, 8.7))
    #expect(try home.renting.rented().map(\.id) == ["0"])
    #expect(try TestUser(of: server, token: "c-token").renting.rented().isEmpty)
    #expect(try home.renting.onlyRented(at: place(50.1, 8.6)) == "0")
  }

  @Test func aBikeThatOneHasRentedIsReportedAsSuch() throws {
    let home = try TestUser(of: server, token: "e-token")
    let phone = try TestUser(of: server, token: "e-token")
    _ = try home.renting.rent("1")
    let again = failure { try phone.renting.rent("1") }
    #expect(again?.kind == .conflict)
    #expect(again?.message == "bike 1 is rented already, by you: since 2024-01-01 00:00")
    #expect(again?.hint?.contains("'hw bikes return 1 --at LAT,LON' returns it") == true)
    let text = try server.ask(.put, "/bikes/1/rented", headers: ["X-Authorization": "e-token"]).text
    #expect(text.contains("bike 1 is rented already, by you"))
    let other = failure { try TestUser(of: server, token: "c-token").renting.rent("1") }
    #expect(other?.message == "bike 1 is rented")
  }

  @Test func aNewPinIsThatOfTheRenter() throws {
    let emil = try TestUser(of: server, token: "e-token")
    let carla = server.client(token: "c-token")
    let id = try carla.add(profile()).id
    _ = try emil.renting.rent(id)
    let changed = try carla.edit(id, BikeChange(pin: Pin("4711")))
    #expect(changed.pin?.digits == "4711" && changed.isRented && changed.renter == "emil")
    #expect(try emil.renting.rented().map { $0.pin?.digits } == ["4711"])
    // The renter moves the bike, and edits nothing.
    #expect(failure { try emil.client.edit(id, BikeChange(name: "Mine")) }?.kind == .unauthorized)
    #expect(try emil.client.edit(id, BikeChange(place: place(50.3, 8.7))).place == place(50.3, 8.7))
    let history = try carla.rentals(of: id, limit: 10)
    #expect(history.map(\.action) == [.edit, .rent, .add])
    #expect(history[0].changed == ["pin"])
    #expect(
      try !server.ask(.get, "/rentals?bike=\(id)", headers: ["X-Authorization": "c-token"]).text
        .contains("4711"))
  }

  /// Somebody else ends the rental while the bike is moved: the renter has what was wanted; the owner, who wanted to
  /// end the rental of somebody else, is told that there was none.
  @Test(arguments: [true, false])
  func aRentalThatEndsMeanwhile(isOwn: Bool) throws {
    let id = try server.client(token: "c-token").add(profile()).id
    _ = try TestUser(of: server, token: "e-token").renting.rent(id)
    let user = try TestUser(of: server, token: isOwn ? "e-token" : "c-token")
    let other = server.client(token: isOwn ? "c-token" : "e-token")
    user.transport.next(
      .patch, "/bikes/\(id)", .doneAndLost { _ = try? other.returnBike(id, wasOurs: false) })
    if isOwn {
      #expect(try user.renting.returnBike(id, at: place(50.2, 8.7)).isRented == false)
    } else {
      let found = failure { try user.renting.returnBike(id, at: place(50.2, 8.7)) }
      #expect(found?.kind == .conflict && found?.message.contains("bike \(id) is not rented") == true)
    }
  }

  @Test func returnByStrangerAtThePlaceEndsWithTheReason() throws {
    let carla = try TestUser(of: server, token: "c-token")
    _ = try TestUser(of: server, token: "e-token").renting.rent("1")
    let place = try carla.client.bike("1").place
    let refusal = failure { try carla.renting.returnBike("1", at: place) }
    #expect(refusal?.kind == .unauthorized && refusal?.message == "bike 1 is not yours to return")
    #expect(refusal?.hint == nil)
  }

  /// Such a server performs a repeated request once.
  @Test func aReturnWithoutAnAnswerIsSentAgain() throws {
    let emil = try TestUser(of: server, token: "e-token")
    _ = try emil.renting.rent("1")
    emil.transport.next(.delete, "/bikes/1/rented", .lost)
    #expect(try emil.renting.returnBike("1", at: place(50.2, 8.7)).isRented == false)
    #expect(emil.asked("DELETE /bikes/1/rented") == 2)
  }

  /// What another user's token cannot do must not cost the first one the PIN.
  @Test(arguments: [nil, "c-token", "nobody"] as [String?])
  func aFailedReturnDeletesNoNote(token: String?) throws {
    let scratch = try ScratchDirectory()
    // Rented while the server had no users.
    let open = try TestServer()
    _ = try TestUser(of: open, notesIn: scratch.path).renting.rent("1")
    let emil = try TestUser(of: server, token: "e-token")
    _ = try emil.renting.rent("1")
    let other = try TestUser(of: server, token: token, notesIn: scratch.path)
    #expect(failure { try other.renting.returnBike("1", at: place(50.2, 8.7)) }?.kind == .unauthorized)
    #expect(try other.renting.notes?.first("1")?.pin?.digits == "5678")
    // The return of the one who may deletes it.
    let own = try TestUser(of: server, token: "e-token", notesIn: scratch.path)
    _ = try own.renting.returnBike("1", at: place(50.2, 8.7))
    #expect(try own.renting.notes?.first("1") == nil)
  }

  @Test func aRemovedUserIsNotTheLastWhoCanReturn() throws {
    let time = FakeClock()
    let backend = try BikesBackend(
      BackendSettings(store: .memory(time: time), hasSamples: false, time: time))
    let table = try UserTable(.memory(time: time))
    for (name, isAdmin) in [("emil", false), ("ada", true)] {
      try table.add(.init(user: User(name, isAdmin: isAdmin), added: time.now()), token: name)
    }
    let router = Router([backend], access: Access(table, isPublic: true, publicSuites: []))
    func client(_ token: String) -> BikesClient {
      BikesClient(
        endpoint: Endpoint(
          URL(scheme: .demo), headers: ["X-Authorization": token], EmbeddedTransport(router)))
    }
    _ = try client("emil").rent("1")
    try table.remove("emil", at: time.now())
    #expect(failure { try client("emil").openRentals() }?.kind == .unauthorized)
    try client("ada").returnBike("1", wasOurs: false)
    #expect(try client("ada").rentals(of: "1", limit: 1).first?.returnedBy == "ada")
  }

  @Test func aServerWithoutUsersSaysSo() throws {
    let open = try TestServer()
    #expect(try open.ask(.get, "/rentals?open").status == 404)
    let user = try TestUser(of: open, token: "t")
    _ = try user.renting.rent("1")
    #expect(try user.out == ["1"])
    #expect(try user.renting.rented().map(\.id) == ["1"])
  }

  @Test func notesAreOfOneUser() throws {
    let scratch = try ScratchDirectory()
    let url = try URL("http://server")
    func notes(_ token: String?) -> RentedNotes {
      RentedNotes(folder: scratch.path, service: url, token: token)
    }
    func note(_ id: String) -> RentedNotes.Note {
      .init(id: id, name: "", pin: Pin("0420"), since: Timestamp(seconds: 7), place: nil)
    }
    try notes("secret-of-ann").add(note("1"))
    try notes("secret-of-ben").add(note("1"))
    try notes(nil).add(note("2"))
    #expect(try notes("secret-of-ann").all().map(\.id) == ["1", "2"])
    #expect(try notes(nil).all().map(\.id) == ["2"])
    try notes("secret-of-ann").remove("1")
    #expect(try notes("secret-of-ben").all().map(\.id) == ["1", "2"])
    #expect(!scratch.text("bikes-rented.jsonl").contains("secret"))
  }
}

/// What one user may take.
@Suite(installed, .eachEngine) struct LimitsOfUsers {
  private func server() throws -> TestServer {
    try TestServer(
      users: [
        "c-token": User("carla", isAdmin: false), "e-token": User("emil", isAdmin: false),
        "a-token": User("ada", isAdmin: true),
      ], limits: BikeLimits(bikesPerOwner: 2, rentalsPerUser: 2))
  }

  @Test func rentals() throws {
    let server = try server()
    let emil = server.client(token: "e-token")
    for id in ["0", "1"] { _ = try emil.rent(id) }
    let refused = try server.ask(.put, "/bikes/2/rented", headers: ["X-Authorization": "e-token"])
    #expect(refused.status == 403 && refused.text.contains("at most 2 bikes"))
    #expect(failure { try emil.rent("2") }?.kind != nil)
    try emil.returnBike("0", wasOurs: true)
    _ = try emil.rent("2")
    let ada = server.client(token: "a-token")
    try ada.returnBike("1", wasOurs: false)
    try ada.returnBike("2", wasOurs: false)
    for id in ["0", "1", "2"] { _ = try ada.rent(id) }
  }

  @Test func bikes() throws {
    let server = try server()
    let carla = server.client(token: "c-token")
    let first = try carla.add(profile())
    _ = try carla.add(profile())
    let refused = try server.ask(.post, "/bikes", body(), headers: ["X-Authorization": "c-token"])
    #expect(refused.status == 403 && refused.text.contains("at most 2 bikes"))
    #expect(try carla.bikes().count == 5)
    try carla.delete(first.id)
    _ = try carla.add(profile())
    for _ in 0..<4 { _ = try server.client(token: "a-token").add(profile()) }
  }

  @Test func aLimitIsAConflict() throws {
    let server = try server()
    let carla = server.client(token: "c-token")
    for id in ["0", "1"] {
      _ = try carla.add(profile())
      _ = try carla.rent(id)
    }
    let (added, rented) = (failure { try carla.add(profile()) }, failure { try carla.rent("2") })
    #expect(added?.kind == .conflict && rented?.kind == .conflict)
    #expect(added?.message == "a user may have at most 2 bikes: delete others first")
    #expect(rented?.message == "a user may rent at most 2 bikes: return another first")
  }

  @Test func severalBikesAtOnceCountToo() throws {
    let server = try server()
    let many = [String](repeating: body(), count: 9).enumerated().map { copy, bike in
      bike.dropLast() + ",\"copy\":\(copy + 1)}"
    }
    func add(_ count: Int, as token: String) throws -> Int {
      let bikes = "[\(many.prefix(count).joined(separator: ","))]"
      return try server.ask(.post, "/bikes", bikes, headers: ["X-Authorization": token]).status
    }
    #expect(try [3, 2, 2, 3].map { try add($0, as: "c-token") } == [403, 200, 200, 403])
    #expect(try add(9, as: "a-token") == 200)
    #expect(try server.client(token: "a-token").bikes().count == 14)
  }
}
