import HTTP
import Server
import System
import TestSupport
import Testing

@testable import Bikes

/// Requests to a server, and calls of the clients of people on an unreliable line: `recorded/requests.txt` and
/// `recorded/rentals.txt`. A line of `##` begins with a new server; each line of a call (`> `) is followed by what it
/// led to:
///
/// - `users [bikes=N] [rentals=N]`: a new server with the members carla, emil and uwe and the admin ada, whose names
///   are their tokens, and with these limits.
/// - `advance SECONDS` and `sql STATEMENT`.
/// - `METHOD PATH [NAME=VALUE…] [BODY]`: a request of nobody, or of the user after `by=`. A name with a capital letter
///   is a field of the head; `bike` is the body of a bike, with the members that are named. After `refused` it asks for
///   text and for JSON.
/// - `PERSON CALL…`: see `call`. On a server with users anybody but `stranger` has a token. After a slash is a device:
///   `original` is served as by the original service, and `token` has a token on a server without users.
@Suite(.ownThread, installed, .eachEngine) struct BikeScenes {
  /// The server of a scene, and the people who use it.
  private final class Scene {
    var server: TestServer
    private var hasUsers = false
    private var people: [String: TestUser] = [:]

    init() throws { server = try TestServer() }

    func run(_ words: [String]) throws -> [String] {
      let rest = words.dropFirst()
      switch words[0] {
      case "users":
        let limits = BikeScenes.options(rest).mapValues { Int($0) ?? 0 }
        server = try TestServer(
          users: Dictionary(
            uniqueKeysWithValues: ["ada", "carla", "emil", "uwe"].map { ($0, User($0, isAdmin: $0 == "ada")) }
          ),
          limits: BikeLimits(bikesPerOwner: limits["bikes"] ?? 1000, rentalsPerUser: limits["rentals"] ?? 10))
        hasUsers = true
      case "advance": server.time.advance(by: .seconds(Int64(words[1]) ?? 0))
      case "sql": try server.backend.database.run(words[1])
      case "refused":
        let (response, json) = (try ask(rest), try ask(rest + ["Accept=application/json"]))
        #expect(response.headers["Content-Type"] == "text/plain; charset=utf-8")
        #expect(try server.client.bikes().count == 3, "\(words)")
        return [shown(response), "\(json.status) \(json.text)"]
      case let method where Method(rawValue: method) != nil: return [shown(try ask(words))]
      default: return try act(words)
      }
      return []
    }

    private func ask(_ words: some Sequence<String>) throws -> (status: Int, text: String, headers: Headers) {
      let words = Array(words)
      let (headers, text) = BikeScenes.content(words.dropFirst(2))
      return try server.ask(Method(rawValue: words[0]) ?? .get, words[1], text, headers: headers)
    }

    /// What passing names are depends on a secret.
    private func shown(_ response: (status: Int, text: String, headers: Headers)) -> String {
      let kept = response.headers["Idempotency-Key-Kept"].map { " (kept \($0) s)" } ?? ""
      let text = response.text.split(separator: "\n").joined(separator: " | ")
      return "\(response.status)\(kept) \(text.replacing(/"[0-9a-f]{16}"/, with: "\"•\""))"
    }

    private func person(_ name: String, notesOf other: String? = nil) throws -> TestUser {
      if let person = people[name], other == nil { return person }
      let parts = name.split(separator: "/").map(String.init)
      let hasToken = hasUsers && name != "stranger" || parts.last == "token"
      let person = try TestUser(
        of: server, original: parts.last == "original", token: hasToken ? parts[0] : nil,
        notesIn: other.flatMap { people[$0]?.folder })
      people[name] = person
      return person
    }

    /// The result of a call, its requests with numbers for their keys, what was said and the bikes that are noted.
    private func act(_ words: [String]) throws -> [String] {
      guard words[1] != "notes" else {
        _ = try person(words[0], notesOf: words[2])
        return []
      }
      let person = try person(words[0])
      let (asked, said) = (person.transport.requests.count, person.said.count)
      var lines: [String] = []
      let found = failure { lines = try call(words[1], Array(words.dropFirst(2)), of: person) }
      lines = (found.map { ["! \($0.described)"] } ?? lines).map { "= \($0)" }
      for (request, line) in zip(person.transport.requests, person.transport.asked).dropFirst(asked) {
        let key = request.headers["Idempotency-Key"].map { ", key \(person.number(of: $0))" }
        lines.append("  \(line)\(key ?? "")")
      }
      lines += person.said.dropFirst(said).map { "  says: \($0)" }
      let notes = try person.out.joined(separator: " ")
      let unfinished = try person.renting.notes?.interrupted()?.count ?? 0
      if unfinished > 0 { lines.append("  unfinished: \(unfinished)") }
      return lines + (notes.isEmpty ? [] : ["  notes: \(notes)"])
    }

    /// - `rent ID`, `return ID [PLACE]`, `rented`, `only PLACE`: as the commands do it.
    /// - `list`, `list PLACE METERS`, `pins`, `show ID`, `add NAME [PLACE]`, `edit ID NAME=VALUE…`, `change ID PLACE`,
    ///   `delete ID`, `history [ID]`, `open`: by the client; `back ID` returns the caller's own bike, `end ID` any.
    /// - `upload NAME[:ID[:OWNER[:COPY]]]…`: an import of bikes.
    /// - `kill rent|return ID KEY`: a command that is killed before it gets the response, but not its request.
    /// - `next COUNT FAULT METHOD PATH [THEN…]`: what becomes of so many requests, and what happens after that.
    private func call(_ name: String, _ words: [String], of person: TestUser) throws -> [String] {
      let (client, renting) = (person.client, person.renting)
      let id = words.first ?? ""
      let place =
        words.dropFirst().first.flatMap(Place.init) ?? Place(latitude: 50.2, longitude: 8.7) ?? .zero
      switch name {
      case "rent": return [shown(try renting.rent(id))]
      case "return": return [try renting.returnBike(id, at: place).shown]
      case "rented": return try renting.rented().map(shown)
      case "only": return [try renting.onlyRented(at: Place(id) ?? .zero)]
      case "list":
        let circle = Place(id).map { Circle($0, meters: Double(words[1]) ?? 0) }
        return try client.bikes(in: circle).map(\.shown)
      case "pins": return try client.bikesWithPins().map(\.shown)
      case "show": return [try client.bike(id).shown]
      case "add": return [try client.add(profile(id, at: words.count > 1 ? place : .sample)).shown]
      case "edit": return [try client.edit(id, BikeChange(BikeScenes.options(words.dropFirst()))).shown]
      case "upload":
        var upload = BikeUpload(client) { _ in }
        try upload.send(words.map(imported))
        let conflicts = upload.conflicts.isEmpty ? "" : ", conflicts \(upload.conflicts)"
        return ["added \(upload.added), present \(upload.present)\(conflicts)"]
      case "change": try client.change(id, to: profile(at: place))
      case "delete": try client.delete(id)
      case "back", "end": try client.returnBike(id, wasOurs: name == "back")
      case "open":
        return try client.openRentals()?.map { shown(RentedBike($0, time: FakeClock())) } ?? ["unknown"]
      case "history":
        let start = FakeClock.start.seconds
        return try client.rentals(of: words.first, limit: 10).map { $0.shown(since: start) }
      case "kill":
        let attempt = RentedNotes.Attempt(
          action: id == "rent" ? .rent : .giveBack, id: words[1], key: words[2], since: server.time.now())
        let notes = try #require(renting.notes)
        try notes.attempt(attempt) { _ throws(Failure) in throw Interruption.failure }
      case "next": try add(words, to: person)
      default: Issue.record("'\(name)' is no call")
      }
      return []
    }

    private func imported(_ row: String) throws -> ImportedBike {
      let parts = row.split(separator: ":", omittingEmptySubsequences: false).map(String.init) + ["", ""]
      var bike = try ImportedBike(profile(parts[0]), id: parts[1], owner: parts[2])
      bike.copy = Int(parts.dropFirst(3).first ?? "") ?? 1
      return bike
    }

    private func add(_ words: [String], to person: TestUser) throws {
      let then = words.dropFirst(4)
      let fault: FaultyTransport.Fault =
        switch words[1] {
        case "refused": .refused
        case "lost": .lost
        case "done": .doneAndLost { for line in then { self.follow(line, person) } }
        case "interrupted": .interrupted
        default: .status(Int(words[1]) ?? 0)
        }
      let method = try #require(Method(rawValue: words[2]))
      for _ in 0..<(Int(words[0]) ?? 0) { person.transport.next(method, words[3], fault) }
    }

    /// A request of somebody else, or further faults.
    private func follow(_ line: String, _ person: TestUser) {
      let words = line.split(separator: " ").map(String.init)
      do {
        if Int(words[0]) == nil { _ = try ask(words) } else { try add(words, to: person) }
      } catch {
        Issue.record(error)
      }
    }

    private func shown(_ bike: RentedBike) -> String {
      let facts = [
        bike.id, bike.note.name, bike.pin?.digits ?? "no PIN",
        "since \(bike.note.since.seconds - FakeClock.start.seconds)", bike.note.place.map { "from \($0)" },
        bike.renter.map { "by \($0)" },
      ]
      return facts.compactMap(\.self).joined(separator: ", ")
    }
  }

  @Test(arguments: ["requests.txt", "rentals.txt"]) func scenesAreAsRecorded(name: String) throws {
    var scene = try Scene()
    try RecordedText.holdRequests(name, begin: { scene = try Scene() }) { try scene.run($0) }
  }

  private static func options(_ words: some Sequence<String>) -> [String: String] {
    Dictionary(
      words.map { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init) }
        .map { ($0[0], $0.count > 1 ? $0[1] : "") }
    ) { $1 }
  }

  private static func content(_ words: some Sequence<String>) -> (Headers, String) {
    let text = words.first { $0.hasPrefix("{") || $0.hasPrefix("[") }
    let options = options(words.filter { $0 != text })
    var headers = Headers()
    for (name, value) in options where name.first?.isUppercase == true { headers[name] = value }
    headers["X-Authorization"] = options["by"]
    guard options["bike"] != nil else { return (headers, text ?? "") }
    return (
      headers,
      body(
        name: options["name"] ?? "\"Wanda\"", color: options["color"] ?? "\"D8433A\"",
        pin: options["pin"] ?? "\"0420\"", latitude: options["latitude"] ?? "50.12",
        longitude: options["longitude"] ?? "8.64")
    )
  }
}

extension Place {
  /// That of a bike that is added.
  fileprivate static let sample = place(50.12, 8.64)
}

extension Bike {
  fileprivate var shown: String {
    let facts = [
      id.utf8.count == 16 ? "•" : id, name, pin?.digits ?? "no PIN", "at \(place)", isRented ? "rented" : nil,
      owner.map { "of \($0)" },
      renter.map { "by \($0)" }, state == .available ? nil : state.rawValue,
      pinReaders.map { "\($0) readers" },
    ]
    return facts.compactMap(\.self).joined(separator: ", ")
  }
}

extension BikeChange {
  fileprivate init(_ options: [String: String]) {
    self.init(
      name: options["name"], color: options["color"], pin: options["pin"].flatMap { Pin($0) },
      place: options["at"].flatMap { Place($0) }, state: options["state"].flatMap(BikeState.init(rawValue:)))
  }
}

extension Rental {
  fileprivate func shown(since start: Int64) -> String {
    let facts = [
      "\(action.rawValue) \(bike)", by.map { "by \($0)" }, "\(at.seconds - start) s", "from \(from)",
      returnedAt.map { "returned \($0.seconds - start) s" }, returnedBy.map { "by \($0)" },
      to.map { "to \($0)" }, changed.isEmpty ? nil : "changed \(changed.joined(separator: " "))",
    ]
    return facts.compactMap(\.self).joined(separator: ", ")
  }
}
