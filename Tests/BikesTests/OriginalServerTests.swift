import HTTP
import System
import TestSupport
import Testing

@testable import Bikes

/// What the original service cannot do, and what is done instead.
@Suite(installed, .eachEngine) struct TheOriginalServer {
  private let server: TestServer
  private let user: TestUser

  init() throws {
    server = try TestServer()
    user = try TestUser(of: server, original: true)
  }

  /// A bike is replaced as a whole, with what it has.
  @Test func changesABikeAsAWhole() throws {
    let before = try server.client.bike("1")
    let changed = try user.client.edit("1", BikeChange(place: place(50.3, 8.7)))
    #expect(changed.place == place(50.3, 8.7) && changed.name == before.name && changed.color == before.color)
    let after = try server.client.bike("1")
    #expect(after.place == place(50.3, 8.7) && after.name == before.name && after.pin == before.pin)
    #expect(user.transport.asked.suffix(2) == ["GET /bikes", "PUT /bikes/1"])
    #expect(failure { try user.client.edit("9", BikeChange(name: "X")) }?.kind == .notFound)
  }

  @Test func deletesNothing() throws {
    let found = failure { try user.client.delete("1") }
    #expect(found == Failure(.notFound, "this server has no way to delete a bike"))
    #expect(try server.client.bike("1").id == "1")
  }

  @Test func hasNoHistoryAndNoRentals() throws {
    let found = failure { try user.client.rentals(of: nil, limit: 1) }
    #expect(found == Failure(.notFound, "this server keeps no history"))
    #expect(try user.client.openRentals() == nil)
  }

  /// A change whose response is lost may have been made; one that was not sent was not.
  @Test(arguments: [true, false])
  func aChangeThatFails(isSent: Bool) throws {
    let user = try TestUser(of: server)
    for _ in 0..<9 { user.transport.next(.patch, "/bikes/1", isSent ? .lost : .refused) }
    let found = failure { try user.client.edit("1", BikeChange(name: "Anna")) }
    #expect(found?.kind == .connection)
    #expect(found?.message.hasPrefix("bike 1 may be changed: ") == isSent)
    #expect(found?.hint?.contains("look with 'hw bikes show 1'") == isSent)
  }

  /// The bike that could not be rented is looked at; where that fails as well, it counts as rented.
  @Test(arguments: [true, false])
  func aBikeThatIsTaken(isSeen: Bool) throws {
    try server.ask(.put, "/bikes/1/rented")
    if !isSeen { for _ in 0..<9 { user.transport.next(.get, "/bikes", .refused) } }
    guard case .rentedAlready(let bike, let possiblyByUs) = try user.client.requestRental("1") else {
      Issue.record("it is rented")
      return
    }
    #expect((bike?.id == "1") == isSeen && !possiblyByUs)
  }

  @Test func aBikeThatIsNotRentedIsNotReturned() throws {
    user.transport.next(.delete, "/bikes/1/rented", .status(400))
    let found = failure { try user.client.returnBike("1", wasOurs: false) }
    #expect(found == Failure(.conflict, "bike 1 is not rented"))
  }

  /// Its one message for all errors does not tell a bike that is free: the error is passed on.
  @Test func anErrorOfABikeThatIsFree() throws {
    user.transport.next(.put, "/bikes/1/rented", .status(400))
    #expect(failure { try user.client.requestRental("1") }?.kind == .usage)
    user.transport.next(.put, "/bikes/1/rented", .status(400))
    user.transport.next(.get, "/bikes", .interrupted)
    #expect(failure { try user.client.requestRental("1") }?.kind == .interrupted)
  }
}
