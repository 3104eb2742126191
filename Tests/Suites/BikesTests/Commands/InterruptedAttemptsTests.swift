import System
import TestSupport
import Testing

@testable import Bikes
@testable import HTTP

/// Commands that were killed between their request and the note of its result: what the next command notes.
@Suite(installed, .eachEngine) struct InterruptedAttempts {
  /// What became of the request of the killed command, before the next command begins.
  enum Fate: String, CaseIterable {
    case neverArrived, performed, refused, undoneByOthers, deleted
  }

  private let server: TestServer
  private let user: TestUser
  private let key = "a key"
  private var notes: RentedNotes { get throws { try #require(user.renting.notes) } }

  init() throws {
    server = try TestServer()
    user = try TestUser(of: server)
  }

  private func attempt(
    _ action: RentedNotes.Attempt.Action, _ key: String = "a key"
  ) -> RentedNotes.Attempt {
    .init(action: action, id: "1", key: key, since: server.time.now())
  }

  /// Leaves what a killed command leaves.
  private func kill(
    _ action: RentedNotes.Attempt.Action, in notes: RentedNotes, _ key: String = "a key"
  ) {
    let killed = failure {
      try notes.attempt(attempt(action, key)) { _ throws(Failure) in throw Interruption.failure }
    }
    #expect(killed?.kind == .interrupted)
  }

  @discardableResult
  private func send(_ method: HTTP.Method, _ key: String? = nil, cancels: Bool = false) throws -> Int {
    var headers: Headers = [:]
    headers["Idempotency-Key"] = key
    if cancels { headers["\(IdempotencyKey.cancelHeader)"] = "true" }
    return try server.ask(method, "/bikes/1/rented", headers: headers).status
  }

  @Test(
    arguments: [
      (.neverArrived, []), (.performed, ["1"]), (.refused, []), (.undoneByOthers, []), (.deleted, []),
    ] as [(Fate, [String])])
  func killedRent(fate: Fate, noted: [String]) throws {
    kill(.rent, in: try notes)
    switch fate {
    case .neverArrived: break
    case .performed: #expect(try send(.put, key) == 200)
    case .refused:
      try send(.put)
      #expect(try send(.put, key) == 400)
    case .undoneByOthers:
      try send(.put, key)
      try send(.delete)
    case .deleted: try server.backend.database.run("UPDATE bike SET deleted = 1 WHERE id = 1")
    }
    #expect(try user.renting.rented().map(\.id) == noted, "\(fate)")
    #expect(try user.out == noted)
    #expect(try notes.interrupted() == [])
    #expect(user.said == [])
    if let note = try notes.first("1") {
      #expect(note.pin?.digits == "5678" && note.place != nil && note.since == server.time.now())
    }
    // A request that arrives late does nothing.
    if fate == .neverArrived { #expect(try send(.put, key) == 422) }
    #expect(try user.renting.rented().map(\.id) == noted)
  }

  @Test(
    arguments: [
      (.neverArrived, ["1"]), (.performed, []), (.undoneByOthers, []), (.deleted, []),
    ] as [(Fate, [String])])
  func killedReturn(fate: Fate, noted: [String]) throws {
    _ = try user.renting.rent("1")
    kill(.giveBack, in: try notes)
    switch fate {
    case .neverArrived, .refused: break
    case .performed: #expect(try send(.delete, key) == 200)
    case .undoneByOthers:
      try send(.delete, key)
      try send(.put)
    case .deleted: try server.backend.database.run("UPDATE bike SET deleted = 1 WHERE id = 1")
    }
    #expect(try user.renting.rented().map(\.id) == noted, "\(fate)")
    #expect(try notes.interrupted() == [])
    #expect(user.said == [])
    if fate == .neverArrived { #expect(try send(.delete, key) == 422) }
  }

  /// The original stores no keys: the state of the bike is all there is.
  @Test(
    arguments: [
      (.rent, true, [], 1), (.rent, false, [], 0), (.giveBack, true, ["1"], 0), (.giveBack, false, [], 0),
    ] as [(RentedNotes.Attempt.Action, Bool, [String], Int)])
  func killedAtTheOriginal(
    action: RentedNotes.Attempt.Action, isRented: Bool, noted: [String], said: Int
  ) throws {
    let user = try TestUser(of: server, original: true)
    let notes = try #require(user.renting.notes)
    if action == .giveBack { _ = try user.renting.rent("1") }
    kill(action, in: notes)
    try send(isRented ? .put : .delete)
    #expect(try user.renting.rented().map(\.id) == noted)
    #expect(
      user.said
        == [String](
          repeating:
            "'hw bikes rent 1' was interrupted at 2024-01-01 00:00: bike 1 is rented, by you or by somebody else",
          count: said))
    #expect(try notes.interrupted()?.count == said)
    guard said > 0 else { return }
    // It is reported until the bike is returned, or for a day.
    _ = try user.renting.returnBike("1", at: place(50.2, 8.7))
    #expect(try notes.interrupted() == [])
    kill(.rent, in: notes)
    try send(.put)
    server.time.advance(by: .seconds(86_400))
    _ = try user.renting.rented()
    #expect(try user.said.count == 3 && notes.interrupted() == [])
  }

  /// The next command may be any that uses the notes.
  @Test func rentAndReturnFindOutToo() throws {
    kill(.rent, in: try notes)
    try send(.put, key)
    #expect(failure { try user.renting.rent("1") }?.message.contains("is rented already, by you") == true)
    kill(.giveBack, in: try notes, "a second")
    try send(.delete, "a second")
    #expect(
      failure { try user.renting.returnBike("1", at: place(50.2, 8.7)) }?.message.contains("free already")
        == true)
    #expect(try user.renting.rent("1").pin?.digits == "5678")
    kill(.giveBack, in: try notes, "the last")
    try send(.delete, "the last")
    try send(.put)
    #expect(
      failure { try user.renting.returnBike("1", at: place(50.2, 8.7)) }?.message
        == "bike 1 was returned, and somebody else has rented it since")
    #expect(try server.client.bike("1").isRented)
  }

  /// A command that waits for its response is not killed.
  @Test func attemptOfARunningCommandIsLeftAlone() throws {
    let other = try TestUser(of: server, notesIn: user.folder)
    try notes.attempt(attempt(.rent)) { _ throws(Failure) in
      do {
        #expect(try other.renting.rented().isEmpty)
        #expect(try other.renting.rent("2").id == "2")
        #expect(try send(.put, key) == 200)
      } catch {
        Issue.record(error)
      }
    }
    #expect(other.said == ["another command is renting or returning a bike, whose outcome is not listed yet"])
    #expect(try Set(user.renting.rented().map(\.id)) == ["1", "2"])
  }

  @Test func unreachableServerLeavesTheAttempt() throws {
    kill(.rent, in: try notes)
    try send(.put, key)
    for _ in 0...2 { user.transport.next(.get, "/bikes/1", .lost) }
    #expect(try user.renting.rented().isEmpty)
    #expect(user.said.first?.contains("and its outcome cannot be read now: ") == true, "\(user.said)")
    #expect(try user.renting.rented().map(\.id) == ["1"])
  }

  /// A server with users stores their rentals: nothing is noted.
  @Test func memberNeedsNoNote() throws {
    let server = try TestServer(users: TestServer.carlaAndEmil)
    let emil = try TestUser(of: server, token: "e-token")
    let notes = try #require(emil.renting.notes)
    kill(.rent, in: notes)
    try server.ask(
      .put, "/bikes/1/rented", headers: ["X-Authorization": "e-token", "Idempotency-Key": key])
    #expect(try emil.renting.rented().map(\.id) == ["1"])
    #expect(try emil.out == [] && notes.interrupted() == [])
  }

  @Test func canceledKeyBelongsToNoRequest() throws {
    #expect(try send(.put, key, cancels: true) == 412)
    #expect(try send(.put, key, cancels: true) == 422)
    #expect(try send(.put, key) == 422)
    #expect(try send(.put, "another") == 200)
    #expect(try send(.put, "another", cancels: true) == 200)
    #expect(try send(.delete, nil, cancels: true) == 400)
    #expect(try server.client.bike("1").isRented)
  }
}
