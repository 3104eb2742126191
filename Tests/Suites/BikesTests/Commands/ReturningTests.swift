import HTTP
import System
import TestSupport
import Testing

@testable import Bikes

/// Returns whose answers get lost: nothing is done twice, what stands is said, and the same command finishes.
@Suite(installed, .eachEngine) struct ReturningTests {
  private let bike = "/bikes/1"
  private let rented = "/bikes/1/rented"
  private let there = place(50.2, 8.7)

  /// Somebody who has bike 1 out.
  private func member(of server: TestServer, original: Bool) throws -> TestUser {
    let member = try TestUser(of: server, original: original)
    _ = try member.renting.rent("1")
    return member
  }

  @Test func originalServerHasNoStates() throws {
    let member = try TestUser(of: TestServer(), original: true)
    let refusal = failure { try member.client.edit("1", BikeChange(state: .withdrawn)) }
    #expect(refusal?.kind == .usage && refusal?.message.hasPrefix("'--state' requires 'hw serve'") == true)
    #expect(member.transport.requests.map(\.method) == [.patch])
  }

  @Test func freeBikeCannotBeReturned() throws {
    let server = try TestServer()
    let member = try TestUser(of: server, original: true)
    let failure = failure { try member.renting.returnBike("1", at: there) }
    #expect(failure == Failure(.conflict, "bike 1 is not rented"))
    #expect(member.transport.requests.allSatisfy { $0.method.isSafe })
  }

  @Test func whereNoAnswerIsKeptAReturnIsSentOnce() throws {
    let server = try TestServer()
    let member = try member(of: server, original: true)
    member.transport.next(.delete, rented, .doneAndLost { _ = try? server.ask(.put, "/bikes/1/rented") })
    let failure = failure { try member.renting.returnBike("1", at: there) }
    #expect(failure?.kind == .connection)
    #expect(
      failure?.message == """
        bike 1 was moved to 50.2,8.7, and perhaps returned: 'server:80' closed the connection without a response; \
        bike 1 is rented now, by you still or by somebody else since
        """)
    #expect(failure?.hint == "if you still have it, finish with 'hw bikes return 1 --at 50.2,8.7'")
    #expect(member.asked("DELETE /bikes/1/rented") == 1)
    #expect(try server.client.bike("1").isRented, "the rental of somebody else")
    #expect(try member.out == ["1"])
    let writes = member.transport.requests.filter { !$0.method.isSafe }.dropFirst()
    // Every write has its key, also where nobody understands it.
    #expect(Set(writes.compactMap { $0.headers["Idempotency-Key"] }).count == writes.count)
  }

  @Test func whereAnswersAreKeptItIsSentAgain() throws {
    let server = try TestServer()
    let member = try member(of: server, original: false)
    member.transport.next(.put, bike, .doneAndLost())
    member.transport.next(.delete, rented, .doneAndLost { _ = try? server.ask(.put, "/bikes/1/rented") })
    #expect(try member.renting.returnBike("1", at: there).isRented == false)
    #expect(member.asked("DELETE /bikes/1/rented") == 2)
    #expect(try server.client.bike("1").isRented, "the rental of somebody else")
    #expect(try member.out == [])
  }

  @Test func aReturnThatWasDoneIsSeenToBe() throws {
    let member = try member(of: TestServer(), original: true)
    member.transport.next(.delete, rented, .doneAndLost())
    #expect(try member.renting.returnBike("1", at: there).place == there)
    #expect(try member.out == [])
  }

  @Test func aReturnThatCannotBeLookedAtIsFinishedLater() throws {
    let member = try member(of: TestServer(), original: true)
    let first = member.transport.asked.count
    member.transport.next(
      .delete, rented,
      .doneAndLost { [line = member.transport] in
        for _ in 0...2 { line.next(.get, "/bikes/1", .lost) }
      })
    let failure = failure { try member.renting.returnBike("1", at: there) }
    #expect(
      failure?.message.hasPrefix("bike 1 was moved to 50.2,8.7, and perhaps returned: 'server:80' closed")
        == true)
    #expect(try member.out == ["1"])
    #expect(try member.renting.returnBike("1", at: there).place == there)
    #expect(try member.out == [])
    #expect(member.transport.asked.dropFirst(first).count { $0.hasPrefix("PUT") } == 1)
  }

  @Test func aMoveThatWasDoneIsGoneOnFrom() throws {
    let member = try member(of: TestServer(), original: true)
    member.transport.next(.put, bike, .doneAndLost())
    #expect(try member.renting.returnBike("1", at: there).place == there)
    #expect(member.asked("PUT /bikes/1") == 1)
    #expect(try member.client.bike("1").isRented == false)
  }

  @Test func aMoveThatWasNotDoneIsSaid() throws {
    let member = try member(of: TestServer(), original: true)
    member.transport.next(.put, bike, .lost)
    let failure = failure { try member.renting.returnBike("1", at: there) }
    #expect(failure?.message.hasPrefix("bike 1 stays where it was, and rented: 'server:80' closed") == true)
    #expect(try member.renting.returnBike("1", at: there).place == there)
  }

  @Test func aMoveThatCannotBeLookedAtMayHaveBeenDone() throws {
    let member = try member(of: TestServer(), original: true)
    member.transport.next(
      .put, bike,
      .doneAndLost { [line = member.transport] in
        for _ in 0...2 { line.next(.get, "/bikes/1", .lost) }
      })
    let failure = failure { try member.renting.returnBike("1", at: there) }
    #expect(
      failure?.message.hasPrefix("bike 1 may have been moved to 50.2,8.7, and is not returned yet: ") == true)
    #expect(failure?.hint == "finish with 'hw bikes return 1 --at 50.2,8.7'")
    #expect(try member.renting.returnBike("1", at: there).place == there)
    #expect(member.asked("PUT /bikes/1") == 1, "it was there already")
  }

  /// What was refused was not done.
  @Test func aMoveThatIsRefusedLeavesTheBike() throws {
    let member = try member(of: TestServer(), original: true)
    member.transport.next(.put, bike, .status(403))
    let failure = failure { try member.renting.returnBike("1", at: there) }
    #expect(failure?.kind == .unauthorized)
    #expect(failure?.message.hasPrefix("bike 1 stays where it was, and rented: 'PUT ") == true)
    #expect(member.asked("DELETE /bikes/1/rented") == 0)
    #expect(member.transport.asked.last == "PUT /bikes/1", "there is nothing to look for")
    #expect(try member.out == ["1"])
  }

  @Test func aReturnThatNeverArrivedWasNotDone() throws {
    let member = try member(of: TestServer(), original: false)
    for _ in 0...2 { member.transport.next(.delete, rented, .refused) }
    #expect(
      failure { try member.renting.returnBike("1", at: there) }?.message
        == "bike 1 was moved to 50.2,8.7, but is not returned yet: 'server:80' refused the connection")
    #expect(try member.out == ["1"])
  }

  @Test func aBikeThatThereNeverWasIsNotNoted() throws {
    let member = try TestUser(of: TestServer())
    #expect(
      failure { try member.renting.returnBike("99", at: there) }
        == Failure(
          .notFound, "bike '99' doesn't exist", hint: "'hw bikes list --anywhere' lists all bikes",
          cause: .unknownObject))
  }

  @Test func aReturnThatIsRefusedLeavesTheBikeThere() throws {
    let member = try member(of: TestServer(), original: true)
    for state in ["was moved to", "is at"] {
      member.transport.next(.delete, rented, .status(409))
      let failure = failure { try member.renting.returnBike("1", at: there) }
      #expect(failure?.kind == .conflict && failure?.hint == "finish with 'hw bikes return 1 --at 50.2,8.7'")
      #expect(
        failure?.message.hasPrefix("bike 1 \(state) 50.2,8.7, but is not returned yet: 'DELETE ") == true,
        "\(failure?.message ?? "")")
    }
    #expect(member.asked("PUT /bikes/1") == 1)
    #expect(try member.out == ["1"])
  }

  @Test func rentalEndedByAnotherUserIsReported() throws {
    let server = try TestServer()
    let member = try member(of: server, original: false)
    try server.ask(.delete, rented)
    #expect(
      failure { try member.renting.returnBike("1", at: there) }
        == Failure(
          .conflict,
          """
          bike 1 is free already, at 50.119229,8.64002: somebody else ended your rental, and it is no longer noted
          """, hint: "to bring it to 50.2,8.7, rent it again"))
    #expect(try member.out == [])
    #expect(try server.client.bike("1").place == place(50.119229, 8.64002))
  }

  @Test func theOnlyBikeThatIsOut() throws {
    let member = try TestUser(of: TestServer())
    #expect(
      failure { try member.renting.onlyRented(at: place(50.1, 8.6)) }
        == Failure(
          .notFound, "you have no rented bike", hint: "name one: 'hw bikes return ID --at LAT,LON'"))
    _ = try member.renting.rent("2")
    #expect(try member.renting.onlyRented(at: place(50.1, 8.6)) == "2")
    _ = try member.renting.rent("0")
    #expect(
      failure { try member.renting.onlyRented(at: place(50.1, 8.6)) }
        == Failure(
          .conflict, "you have 2 rented bikes: 2, 0", hint: "name one: 'hw bikes return 2 --at 50.1,8.6'"))
  }

  @Test func interruptedReturnReportsHowToFinish() throws {
    let member = try member(of: TestServer(), original: false)
    member.transport.next(.delete, rented, .interrupted)
    #expect(failure { try member.renting.returnBike("1", at: there) }?.kind == .interrupted)
    #expect(member.said.count == 1)
    #expect(member.said.first?.contains("finish with 'hw bikes return 1 --at 50.2,8.7'") == true)
  }

  private func out(_ user: TestUser) throws -> [String] { try user.renting.rented().map(\.id) }

  private func people() throws -> (server: TestServer, id: String, carla: BikesClient, emil: TestUser) {
    let server = try TestServer(users: TestServer.carlaAndEmil)
    let carla = server.client(token: "c-token")
    let id = try carla.add(profile()).id
    let emil = try TestUser(of: server, token: "e-token")
    _ = try emil.renting.rent(id)
    return (server, id, carla, emil)
  }

  @Test func interruptedReturnWithoutOwnershipIsFinished() throws {
    let (_, id, _, emil) = try people()
    emil.transport.next(
      .delete, "/bikes/\(id)/rented",
      .doneAndLost { [line = emil.transport] in
        for _ in 0...2 { line.next(.get, "/bikes/\(id)", .lost) }
      })
    for _ in 0...1 { emil.transport.next(.delete, "/bikes/\(id)/rented", .lost) }
    let lost = failure { try emil.renting.returnBike(id, at: there) }
    #expect(lost?.hint == "if you still have it, finish with 'hw bikes return \(id) --at 50.2,8.7'")
    // The server knows that it was done.
    #expect(try out(emil) == [])
    #expect(failure { try emil.renting.returnBike(id, at: there) }?.kind == .conflict)
    #expect(try emil.client.bike(id).place == there)
  }

  @Test func aRentalThatItsOwnerEndedIsOver() throws {
    let (_, id, carla, emil) = try people()
    try carla.returnBike(id, wasOurs: false)
    #expect(failure { try emil.renting.returnBike(id, at: there) }?.message == "bike \(id) is not rented")
    #expect(try out(emil) == [])
    #expect(try carla.bike(id).place == place(50.12, 8.64))
  }

  @Test func newRentalOfAnotherUserIsNotEnded() throws {
    let (_, id, carla, emil) = try people()
    try carla.returnBike(id, wasOurs: false)
    _ = try carla.rent(id)
    let first = failure { try emil.renting.returnBike(id, at: there) }
    #expect(first?.kind == .unauthorized)
    #expect(first?.message.contains("is not yours to change") == true, "\(first?.message ?? "")")
    #expect(try out(emil) == [])
    #expect(try carla.bike(id).isRented)
  }

  /// Who forgot the token sees no PIN either.
  @Test func withoutATokenNothingIsForgotten() throws {
    let (server, id, _, emil) = try people()
    let scratch = try ScratchDirectory()
    let stranger = try TestUser(of: server, notesIn: scratch.path)
    #expect(try emil.out == [], "the server knows the rental")
    let note = RentedNotes.Note(
      id: id, name: "Wanda", pin: Pin("0420"), since: Timestamp(seconds: 7), place: nil)
    try stranger.renting.notes?.add(note)
    #expect(failure { try stranger.renting.returnBike(id, at: there) }?.kind == .unauthorized)
    #expect(try stranger.out == [id])
  }

  @Test(arguments: [false, true]) func aBikeThatIsGoneIsOutNoMore(isOriginal: Bool) throws {
    let server = try TestServer()
    let member = try member(of: server, original: isOriginal)
    try server.ask(.delete, "/bikes/1/rented")
    try server.ask(.delete, "/bikes/1")
    // An answer of nobody who would know is no reason to forget.
    member.transport.next(.get, "/bikes/1", .status(404))
    #expect(failure { try member.renting.returnBike("1", at: there) }?.kind == .notFound)
    #expect(try member.out == ["1"])
    let failure = failure { try member.renting.returnBike("1", at: there) }
    #expect(failure?.kind == .notFound)
    #expect(failure?.message == "bike '1' doesn't exist; it is no longer noted as yours")
    #expect(try member.out == [])
  }
}
