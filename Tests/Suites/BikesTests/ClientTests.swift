import HTTP
import JSON
import System
import TestSupport
import Testing

@testable import Bikes

/// What the client asks, and what it makes of answers that get lost elsewhere than in a rent.
@Suite(installed, .eachEngine) struct ClientTests {
  @Test(
    "A bike that is deleted without an answer",
    arguments: [
      (true, true, nil), (false, true, "; bike 1 is still there"),
      (true, false, "bike 1 may be deleted: 'server:80' closed"),
    ])
  func delete(isDone: Bool, canLook: Bool, words: String?) throws {
    let member = try TestUser(of: TestServer())
    for count in 0...2 {
      member.transport.next(.delete, "/bikes/1", isDone && count == 0 ? .doneAndLost() : .lost)
      if !canLook { member.transport.next(.get, "/bikes/1", .lost) }
    }
    let failure = failure { try member.client.delete("1") }
    #expect(failure.map { $0.message.contains(words ?? "?") } ?? (words == nil), "\(failure?.message ?? "")")
  }

  @Test(arguments: [400, 403, 499, 500, 503])
  func serverMessageCountsExceptForServerFailures(status: Int) throws {
    let text = "🚲 bike 1 is in the river"
    let response = Response(
      status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Array(text.utf8))
    let failure = BikesClient.serviceError(response, of: Request(.get, try URL("http://server/bikes/1")))
    #expect((failure?.message == "bike 1 is in the river") == (status < 500), "\(failure?.message ?? "")")
    #expect(BikesClient.serviceError(Response(204), of: Request(.get, try URL("http://server/"))) == nil)
  }

  enum Fate { case done, lost, late, interrupted }

  @Test(
    "A bike that is added without an answer, by a client that must not ask twice",
    arguments: [
      (.done, true, nil), (.lost, true, "; the bike was not added: it is not in the list"),
      (.late, true, "; the bike was not added: it is not in the list"),
      (.done, false, "the bike may have been added: 'server:80' closed"),
      (.interrupted, true, "the bike may have been added: interrupted"),
    ] as [(Fate, Bool, String?)])
  func add(fate: Fate, canLook: Bool, words: String?) throws {
    let member = try TestUser(of: TestServer(), original: true)
    let line = member.transport
    let fault: FaultyTransport.Fault =
      switch fate {
      case .done: .doneAndLost { if !canLook { for _ in 0...2 { line.next(.get, "/bikes", .lost) } } }
      case .lost: .lost
      case .late: .status(504)
      case .interrupted: .interrupted
      }
    line.next(.post, "/bikes", fault)
    var added: Bike?
    let failure = failure { added = try member.client.add(profile()) }
    #expect(failure.map { $0.message.contains(words ?? "?") } ?? (words == nil), "\(failure?.message ?? "")")
    #expect(added?.id == (words == nil ? "3" : nil))
    #expect(member.asked("POST /bikes") == 1)
  }

  @Test func theHistoryOfABikeThatThereNeverWas() throws {
    let found = failure { try TestServer().client.rentals(of: "7", limit: 1) }
    #expect(found?.kind == .notFound && found?.message == "bike '7' doesn't exist")
  }

  @Test func aBikeThatNeverArrivedWasNotAdded() throws {
    let member = try TestUser(of: TestServer())
    for _ in 0...2 { member.transport.next(.post, "/bikes", .refused) }
    let failure = failure { try member.client.add(profile()) }
    #expect(failure?.message == "the bike was not added: 'server:80' refused the connection")
  }

  /// The original measures on a sphere, up to 0.5 % off: what stands at the rim is not to be lost.
  @Test func theServiceIsAskedForALittleMore() throws {
    let member = try TestUser(of: TestServer())
    func radius(_ meters: Double) throws -> String? {
      _ = try member.client.bikes(in: Circle(place(50, 8), meters: meters))
      return member.transport.requests.last?.url.query.split(separator: "=").last.map(String.init)
    }
    #expect(try radius(1000) == "1007")
    #expect(try radius(0) == "1")
    #expect(try radius(1e30) == "40240001", "a number without an exponent")
    // What is too much is left out again.
    _ = try member.client.add(profile(at: place(50, 8)))
    #expect(try member.client.bikes(in: Circle(place(50.009, 8), meters: 999)).count == 0)
    #expect(try member.client.bikes(in: Circle(place(50.009, 8), meters: 1003)).count == 1)
  }

  /// A backend in the process loses no response.
  @Test func aBackendInTheProcessIsSentNoKey() throws {
    let server = try TestServer()
    let bike = try server.client.add(profile())
    try server.client.change(bike.id, to: profile("Rosa"))
    let kept = try server.backend.database.rows("SELECT key FROM answered") { row throws(Failure) in
      try row[0].text
    }
    #expect(kept == [])
  }

  @Test func everyWriteCarriesAKey() throws {
    let member = try TestUser(of: TestServer())
    let client = member.client
    let bike = try client.add(profile())
    _ = try member.renting.rent(bike.id)
    _ = try member.renting.returnBike(bike.id, at: place(1, 1))
    try client.delete(bike.id)
    var upload = BikeUpload(client) { _ in }
    try upload.send([ImportedBike(profile())])
    let writes = member.transport.requests.filter { !$0.method.isSafe }
    #expect(writes.last?.method == .post && writes.count > 5)
    #expect(writes.allSatisfy { $0.headers["Idempotency-Key"]?.utf8.count == 32 })
  }

  @Test(arguments: [
    (#""1234""#, "1234"), ("1234", "1234"), ("420", nil), ("12345", nil), (#""12a4""#, nil), ("12.5", nil),
  ])
  func aPinMayBeANumber(pin: String, digits: String?) throws {
    let text = body(pin: pin).dropLast() + #","id":7,"rented":false}"#
    #expect((try? Bike(JSON.parse(String(text))))?.pin?.digits == digits)
  }

  @Test func noteBelongsToServiceInEverySpelling() throws {
    let scratch = try ScratchDirectory()
    func notes(_ url: String) throws -> RentedNotes {
      RentedNotes(folder: scratch.path, service: try HTTP.URL(url))
    }
    let note = RentedNotes.Note(
      id: "1", name: "Hans", pin: Pin("5678"), since: Timestamp(seconds: 7), place: place(50, 8))
    try notes("http://h:1").add(note)
    #expect(try notes("http://H:1/").all() == [note])
    #expect(try notes("http://h:1/bikes").all() == [])
    try notes("http://h:1/").remove("1")
    #expect(try notes("http://h:1").all() == [])
  }

  /// Those of hw before this one.
  @Test func aNoteOfOldIsRead() throws {
    let scratch = try ScratchDirectory()
    let line = #"{"service":"http://h:1/","id":"1","name":"Hans","pin":null,"since":7}"# + "\n"
    try File.replace("\(scratch.path)/bikes-rented.jsonl", with: Array(line.utf8))
    let notes = RentedNotes(folder: scratch.path, service: try HTTP.URL("http://h:1"))
    #expect(try notes.all() == [.init(id: "1", name: "Hans", pin: nil, since: Timestamp(seconds: 7))])
    #expect(try notes.all().map { RentedBike($0, time: FakeClock()) }.first?.place == nil)
  }

  @Test func whereABikeStoodIsNoted() throws {
    let member = try TestUser(of: TestServer())
    _ = try member.renting.rent("1")
    #expect(
      try member.renting.notes?.all().map { RentedBike($0, time: FakeClock()) }.first?.place
        == place(50.119229, 8.64002))
  }
}
