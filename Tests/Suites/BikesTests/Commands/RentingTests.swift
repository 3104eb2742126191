import HTTP
import System
import TestSupport
import Testing

@testable import Bikes

/// Rents whose answers get lost, and what is said of them.
@Suite(installed, .eachEngine) struct RentingTests {
  private let rented = "/bikes/1/rented"

  @Test(arguments: [false, true]) func aRideAsItShouldBe(isOriginal: Bool) throws {
    let member = try TestUser(of: TestServer(), original: isOriginal)
    #expect(try member.renting.rent("1").pin?.digits == "5678")
    #expect(try member.out == ["1"])
    #expect(try member.renting.returnBike("1", at: place(50.2, 8.7)).place == place(50.2, 8.7))
    #expect(try member.out == [])
    #expect(try member.client.bike("1") == member.renting.client.listed("1"))
    #expect(member.said == [])
  }

  @Test func aRentIsSentAgainWithItsKey() throws {
    let member = try TestUser(of: TestServer())
    member.transport.next(.put, rented, .doneAndLost())
    member.transport.next(.put, rented, .status(502))
    #expect(try member.renting.rent("1").pin?.digits == "5678")
    #expect(member.asked("PUT /bikes/1/rented") == 3)
    #expect(Set(member.transport.requests.map { $0.headers["Idempotency-Key"] }).count == 1)
  }

  @Test func interruptedRentReportsUnknownOutcome() throws {
    let member = try TestUser(of: TestServer())
    member.transport.next(.put, rented, .interrupted)
    let failure = failure { try member.renting.rent("1") }
    #expect(failure?.kind == .interrupted)
    #expect(member.said.count == 1)
    #expect(member.said.first?.contains("bike 1 may be rented now, by you") == true, "\(member.said)")
    #expect(member.said.first?.contains("'hw bikes show 1'") == true)
    #expect(member.asked("GET /bikes/1") == 0, "nobody who interrupts waits for more")
  }

  @Test func explainReportsNothing() throws {
    let member = try TestUser(of: TestServer())
    #expect(Failure.explained.reportingInterruption { _ in Issue.record("told") } == .explained)
    #expect(Interruption.failure.reportingInterruption { _ in Issue.record("told") } == Interruption.failure)
    #expect(member.said == [])
  }

  @Test func aBikeWhosePinCannotBeReadIsNotedAndReadLater() throws {
    let member = try TestUser(of: TestServer(), original: true)
    for _ in 0...2 { member.transport.next(.get, "/bikes", .lost) }
    let failure = failure { try member.renting.rent("1") }
    #expect(failure?.kind == .connection)
    #expect(
      failure?.message.hasPrefix("bike 1 is yours, but its PIN could not be read: 'server:80' closed") == true
    )
    #expect(failure?.hint == "'hw bikes rent 1' again reads it")
    #expect(try member.out == ["1"])
    #expect(try member.renting.rent("1").pin?.digits == "5678")
    #expect(try member.renting.notes?.first("1")?.pin?.digits == "5678")
    #expect(try member.renting.notes?.first("1")?.name == "Hans")
  }

  @Test(
    arguments: [
      (true, true, "bike 1 is rented now, by this request or by somebody else: its response was lost"),
      (false, true, "; bike 1 is still free"),
      (true, false, "bike 1 may be rented now, by you: 'server:80' closed"),
      (false, false, "bike 1 may be rented now, by you: 'server:80' closed"),
    ])
  func rentWithoutAnswerWhatLookSaysOfIt(isDone: Bool, canLook: Bool, words: String) throws {
    let member = try TestUser(of: TestServer())
    for count in 0...2 {
      member.transport.next(.put, rented, isDone && count == 0 ? .doneAndLost() : .lost)
      if !canLook { member.transport.next(.get, "/bikes/1", .lost) }
    }
    let failure = failure { try member.renting.rent("1") }
    #expect(failure?.kind == .connection)
    #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
  }

  @Test func aBikeThatIsGoneIsSaidToBe() throws {
    let server = try TestServer()
    let member = try TestUser(of: server)
    for _ in 0...2 { member.transport.next(.put, rented, .lost) }
    try server.ask(.delete, "/bikes/1")
    let failure = failure { try member.renting.rent("1") }
    #expect(failure?.kind == .connection && failure?.hint == "'hw bikes list' shows others")
    #expect(failure?.message.hasSuffix("; bike 1 is gone") == true, "\(failure?.message ?? "")")
  }

  @Test func unsentRequestIsNotReportedAsUnclear() throws {
    let member = try TestUser(of: TestServer())
    for _ in 0...2 { member.transport.next(.put, rented, .refused) }
    let failure = failure { try member.renting.rent("1") }
    #expect(failure?.message == "'server:80' refused the connection")
    #expect(member.transport.requests.count == 3)
  }

  /// The last try was refused, but not the first.
  @Test func unknownOutcomeStaysUnknownAfterRetry() throws {
    let member = try TestUser(of: TestServer())
    member.transport.next(.put, rented, .doneAndLost())
    for _ in 0...1 { member.transport.next(.put, rented, .refused) }
    let failure = failure { try member.renting.rent("1") }
    #expect(failure?.message.contains("bike 1 is rented now, by this request or by somebody else") == true)
  }

  /// The original does not know a request again.
  @Test func theFirstAttemptMayHaveRentedIt() throws {
    let server = try TestServer()
    let member = try TestUser(of: server, original: true)
    member.transport.next(.put, rented, .doneAndLost())
    member.transport.next(.put, rented, .status(400))
    let failure = failure { try member.renting.rent("1") }
    #expect(failure?.kind == .conflict)
    #expect(
      failure?.message == "bike 1 is rented now: maybe by the first attempt, whose response was lost")
    #expect(
      failure?.hint
        == "if it was your attempt, 'hw bikes return 1 --at LAT,LON' returns the bike; the nearest free one: 'hw bikes rent 0' (Henry, 138 m away)"
    )
  }

  @Test func aTakenBikeIsNoReasonToAskForAll() throws {
    let server = try TestServer()
    try server.ask(.put, "/bikes/1/rented")
    let member = try TestUser(of: server)
    let failure = failure { try member.renting.rent("1") }
    #expect(failure?.kind == .conflict)
    #expect(failure?.message == "bike 1 is rented")
    #expect(failure?.hint == "the nearest free one: 'hw bikes rent 0' (Henry, 138 m away)")
    #expect(
      member.transport.asked == [
        "PUT /bikes/1/rented", "GET /bikes/1", "GET /bikes?latitude=50.119229&longitude=8.64002&radius=504",
      ])
  }

  @Test func theNearestFreeOneMayBeFar() throws {
    let server = try TestServer()
    for id in 0...2 { try server.ask(.put, "/bikes/\(id)/rented") }
    let member = try TestUser(of: server)
    #expect(failure { try member.renting.rent("1") }?.hint == nil)
    #expect(member.transport.asked.suffix(4).map { $0.contains("radius") } == [true, true, true, false])
    try server.ask(.post, "/bikes", body(latitude: "51"))
    #expect(failure { try member.renting.rent("1") }?.hint?.contains("'hw bikes rent 3' (Wanda") == true)
  }

  @Test func ownRentalIsReportedAsOwn() throws {
    let member = try TestUser(of: TestServer())
    _ = try member.renting.rent("1")
    let failure = failure { try member.renting.rent("1") }
    #expect(failure?.kind == .conflict)
    #expect(failure?.message == "bike 1 is rented already, by you: noted since 2024-01-01 00:00")
    #expect(failure?.hint == "'hw bikes rented' shows its PIN, 'hw bikes return 1 --at LAT,LON' returns it")
  }

  /// Where the server shows no PIN, the note is of a rental that is over.
  @Test func rentalOfAnotherUserIsNotReportedAsOwn() throws {
    let server = try TestServer(users: TestServer.carlaAndEmil)
    let emil = try TestUser(of: server, token: "e-token")
    let bike = try server.client(token: "c-token").add(profile())
    _ = try emil.renting.rent(bike.id)
    try server.client(token: "c-token").returnBike(bike.id, wasOurs: false)
    _ = try server.client(token: "c-token").rent(bike.id)
    #expect(
      failure { try emil.renting.rent(bike.id) }?.message.contains("is rented") == true)
    #expect(try emil.out == [])
  }
}
