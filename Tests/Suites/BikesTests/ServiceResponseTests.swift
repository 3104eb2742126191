import HTTP
import System
import TestSupport
import Testing

@testable import Bikes

/// Services whose responses are written out.
@Suite struct WhatServicesSay {
  private func client(_ transport: ScriptedTransport) throws -> BikesClient {
    BikesClient(endpoint: Endpoint(try URL("http://server"), transport))
  }

  private func session(_ transport: ScriptedTransport, _ notes: RentedNotes) throws -> RentalSession {
    RentalSession(
      client: try client(transport), notes: notes, time: FakeClock(), report: { Issue.record("\($0)") },
      reportInterruption: { Issue.record("\($0)") })
  }

  private func json(_ text: String, _ status: Int = 200, keepsKeys: Bool = false) -> Response {
    var headers: Headers = ["Content-Type": "application/json"]
    if keepsKeys { headers["Idempotency-Key-Kept"] = "86400" }
    return Response(status, headers: headers, body: Array(text.utf8))
  }

  private static let page = Response(405, headers: ["Content-Type": "text/html"])
  private static let members =
    #""id":1,"name":"Hans","color":"76CD68","location":{"latitude":50,"longitude":8}"#
  private static let list = "'hw bikes list --anywhere' lists all bikes"

  @Test(
    arguments: [
      (404, "text/plain", "🚲 bike '7' is gone\nmore", .notFound, "bike '7' is gone", list),
      (404, "text/plain; charset=utf-8", "  🚲 🚲 gone", .notFound, "gone", list),
      (
        401, "application/json", #"{"error":{"kind":"unauthorized","message":"who?"}}"#, .unauthorized,
        "who?", nil
      ),
      (401, "text/plain", "🚲 who?", .unauthorized, "who?", nil),
      (403, "text/plain", "🚲 not yours", .unauthorized, "not yours", nil),
      (
        403, "application/json", #"{"error":{"kind":"conflict","message":"too many"}}"#, .conflict,
        "too many", nil
      ),
      (400, "application/json", #"{"error":{"kind":"odd","message":"no"}}"#, .usage, "no", nil),
      (499, "text/plain", "🚲 odd", .invalidData, "odd", nil),
    ] as [(Int, String, String, Failure.Kind, String, String?)])
  func itsWordsAreThoseOfTheFailure(
    status: Int, type: String, body: String, kind: Failure.Kind, message: String, hint: String?
  ) throws {
    let response = ReceivedResponse(Response(status, headers: ["Content-Type": type], body: Array(body.utf8)))
    let found = BikesClient.serviceError(response, of: Request(.get, try URL("http://server/bikes/7")))
    #expect(found?.kind == kind && found?.message == message && found?.hint == hint, "\(found as Any)")
  }

  @Test(arguments: [
    (404, "text/plain", "🚲 \n"), (404, "text/html", "gone"), (400, "application/json", "{}"),
    (400, "application/json", #"{"error":{"kind":"usage"}}"#), (500, "text/plain", "🚲 odd"),
    (503, "text/plain; charset=utf-8", "🚲 bike 1 is in the river"),
  ])
  func withoutWordsTheStatusCounts(status: Int, type: String, body: String) throws {
    let response = ReceivedResponse(Response(status, headers: ["Content-Type": type], body: Array(body.utf8)))
    let request = Request(.get, try URL("http://server/bikes/7"))
    #expect(BikesClient.serviceError(response, of: request) == response.failure(for: request))
    #expect(BikesClient.serviceError(ReceivedResponse(Response(204)), of: request) == nil)
  }

  @Test(arguments: [("1", true), ("2", false), ("Hans", true)])
  func responseAboutAnotherBikeIsRefused(id: String, isRead: Bool) throws {
    let transport = ScriptedTransport(json("{\(Self.members),\"rented\":true}"))
    let message = failure { _ = try client(transport).bike(id) }?.message
    #expect(message?.hasSuffix("the response is about another bike: '1'") == (isRead ? nil : true))
  }

  @Test func aBikeWhoseIdCannotBeRead() throws {
    let transport = ScriptedTransport(
      .success(json("[]")), .success(Response(200)), .failure(Failure(.connection, "gone")))
    let found = failure { try client(transport).add(profile()) }
    #expect(
      found
        == Failure(
          .connection, "the bike was added, but its id could not be read: gone",
          hint: "look at 'hw bikes list'"))
    #expect(transport.requests.map(\.method) == [.get, .post, .get])
  }

  /// After a lost response the bike is looked for: one that is new and has all the values, and the last of them.
  @Test(arguments: [
    ("Wanda", "0420", "50.12", "5"), ("Rosa", "0420", "50.12", nil), ("Wanda", "0421", "50.12", nil),
    ("Wanda", "0420", "50.120001", nil),
  ])
  func theBikeThatWasAdded(name: String, pin: String, latitude: String, id: String?) throws {
    func bike(_ id: Int) -> String {
      let members = body(name: "\"\(name)\"", pin: "\"\(pin)\"", latitude: latitude).dropFirst()
      return "{\"id\":\(id),\(members)"
    }
    let lost = Failure(.connection, "gone", outcomeUnknown: true)
    let transport = ScriptedTransport(
      .success(json("[\(bike(3))]")), .failure(lost),
      .success(json("[\(bike(3)),\(bike(4)),\(bike(5))]")))
    var added: Bike?
    let found = failure { added = try client(transport).add(profile()) }
    #expect(added?.id == id)
    #expect(found?.message == (id == nil ? "gone; the bike was not added: it is not in the list" : nil))
  }

  /// A page instead of a response to PATCH: then a bike is replaced, with its PIN.
  @Test(arguments: [true, false]) func aServerThatReplacesBikes(hasPin: Bool) throws {
    let bike = "{\(Self.members)\(hasPin ? #","pin":"5678""# : "")}"
    let transport = ScriptedTransport(
      .success(Self.page), .success(json("[\(bike)]")), .success(Response(200)))
    var changed: Bike?
    let found = failure { changed = try client(transport).edit("1", BikeChange(name: "Jan")) }
    if hasPin {
      #expect(changed?.name == "Jan" && changed?.pin?.digits == "5678" && changed?.color == "76CD68")
      #expect(transport.requests.map(\.method) == [.patch, .get, .put])
    } else {
      #expect(found == Failure(.unauthorized, "bike 1 is not yours to change"))
      #expect(transport.requests.map(\.method) == [.patch, .get])
    }
  }

  /// The original has a page for what it does not know, with 404. Another page, or another 404, is an error.
  @Test(arguments: [(404, "text/plain", Failure.Kind.notFound), (403, "text/html", .unauthorized)])
  func aPageThatIsNotTheOriginals(status: Int, type: String, kind: Failure.Kind) throws {
    let transport = ScriptedTransport(Response(status, headers: ["Content-Type": type]))
    let client = try client(transport)
    #expect(failure { try client.bike("1") }?.kind == kind)
    #expect(failure { try client.edit("1", BikeChange(name: "Jan")) }?.kind == kind)
    #expect(failure { try client.rentals(of: nil, limit: 1) }?.message != "this server keeps no history")
    #expect(transport.requests.map(\.method) == [.get, .patch, .get], "the list is not asked")
  }

  /// Where neither the server nor the note has the PIN, the note is of a rental all the same.
  @Test func notedRentalWithUnknownPINIsReported() throws {
    let scratch = try ScratchDirectory()
    let transport = ScriptedTransport(
      json(#"{"error":{"message":"taken"}}"#, 400, keepsKeys: true),
      json("{\(Self.members),\"rented\":true}", keepsKeys: true))
    let url = try URL("http://server")
    let notes = RentedNotes(folder: scratch.path, service: url)
    let note = RentedNotes.Note(id: "1", name: "", pin: nil, since: Timestamp(seconds: 7), place: nil)
    try notes.add(note)
    let found = failure { try session(transport, notes).rent("1") }
    #expect(found?.message.hasPrefix("you have rented bike 1 since 1970-01-01") == true)
    #expect(try notes.all() == [note])
  }

  @Test(arguments: [true, false]) func aCoordinateOfZeroIsAPlaceOfOurs(keepsKeys: Bool) throws {
    let transport = ScriptedTransport(json(#"{"error":{"message":"no"}}"#, 400, keepsKeys: keepsKeys))
    let found = failure { try client(transport).change("1", to: profile(at: place(50, 0))) }
    #expect((found?.message == "no") == keepsKeys, "\(found as Any)")
  }

  /// Somebody else has it, and nobody here knows its PIN.
  @Test func aBikeWithoutAPinIsNotReturned() throws {
    let scratch = try ScratchDirectory()
    let transport = ScriptedTransport(json("{\(Self.members),\"rented\":true}", keepsKeys: true))
    let notes = RentedNotes(folder: scratch.path, service: try URL("http://server"))
    #expect(
      failure { try session(transport, notes).returnBike("1", at: place(50, 8)) }
        == Failure(.unauthorized, "bike 1 is not yours to return: somebody else has it out"))
    #expect(transport.requests.map(\.method) == [.get])
  }
}
