import HTTP
import JSON
import Server
import System
import TestSupport
import Testing

@testable import Bikes

@Suite(installed, .eachEngine) struct BackendTests {
  /// `METHOD PATH [NAME=VALUE…] [BODY]`, each line followed by the response. A name with a capital letter is a field of
  /// the head; `bike` is the body of a bike, with the members that are named. `refused` asks for text and for JSON, and
  /// `advance` lets seconds pass. A line of `##` begins with a new server.
  @Test func responsesAreAsRecorded() throws {
    var server = try TestServer()
    try RecordedText.holdRequests("requests.txt", begin: { server = try TestServer() }) { line in
      var words = line[...]
      if words.first == "advance" {
        server.time.advance(by: .seconds(Int64(words[1]) ?? 0))
        return []
      }
      let isRefused = words.first == "refused"
      if isRefused { words.removeFirst() }
      let method = try #require(words.first.flatMap(Method.init(rawValue:)), "\(line)")
      let path = try #require(words.dropFirst().first, "\(line)")
      let (headers, text) = Self.content(words.dropFirst(2))
      let response = try server.ask(method, path, text, headers: headers)
      let kept = response.headers["Idempotency-Key-Kept"].map { " (kept \($0) s)" } ?? ""
      let shown = "\(response.status)\(kept) \(response.text.split(separator: "\n").joined(separator: " | "))"
      guard isRefused else { return [shown] }
      #expect(response.headers["Content-Type"] == "text/plain; charset=utf-8")
      let json = try server.ask(method, path, text, headers: ["Accept": "application/json"])
      #expect(try server.client.bikes().count == 3, "\(line)")
      return [shown, "\(json.status) \(json.text)"]
    }
  }

  private static func content(_ words: some Sequence<String>) -> (Headers, String) {
    var (headers, members, text) = (Headers(), [String: String](), "")
    var isBike = false
    for word in words {
      let sides = word.split(separator: "=", maxSplits: 1).map(String.init)
      if word == "bike" {
        isBike = true
      } else if word.hasPrefix("{") || word.hasPrefix("[") {
        text = word
      } else if sides[0].first?.isUppercase == true {
        headers[sides[0]] = sides[1]
      } else {
        members[sides[0]] = sides[1]
      }
    }
    guard isBike else { return (headers, text) }
    return (
      headers,
      body(
        name: members["name"] ?? "\"Wanda\"", color: members["color"] ?? "\"D8433A\"",
        pin: members["pin"] ?? "\"0420\"", latitude: members["latitude"] ?? "50.12",
        longitude: members["longitude"] ?? "8.64")
    )
  }

  @Test(arguments: [
    ("", 400), ("k", 200), ("é", 400), (String(repeating: "k", count: 64), 200),
    (String(repeating: "k", count: 65), 400),
  ])
  func keyHasAtMost64ASCIICharacters(key: String, status: Int) throws {
    let response = try TestServer().ask(.post, "/bikes", body(), headers: ["Idempotency-Key": key])
    #expect(response.status == status)
    #expect(response.text.contains("an Idempotency-Key has 1 to 64 ASCII characters") == (status == 400))
  }

  @Test func nameOf10240BytesIsRefused() throws {
    let name = "\"\(String(repeating: "n", count: 10_240))\""
    let response = try TestServer().ask(.post, "/bikes", body(name: name))
    #expect(response.status == 400 && response.text.contains("the name has 10240 bytes"))
  }

  @Test func expiredKeysAreRemoved() throws {
    let server = try TestServer()
    func keys(after change: String) throws -> [String] {
      try server.ask(.post, "/bikes", body(), headers: ["Idempotency-Key": change])
      let sql = "SELECT key FROM answered ORDER BY key"
      return try server.backend.database.rows(sql) { row throws(Failure) in try row[0].text }
    }
    #expect(try keys(after: "a") == ["a"])
    server.time.advance(by: .seconds(30))
    #expect(try keys(after: "b") == ["a", "b"])
    server.time.advance(by: .seconds(86_380))
    #expect(try keys(after: "c") == ["b", "c"])
    // Once a minute.
    server.time.advance(by: .seconds(59))
    #expect(try keys(after: "c1") == ["b", "c", "c1"])
    server.time.advance(by: .seconds(1))
    #expect(try keys(after: "c2") == ["c", "c1", "c2"])
    // Also after a clock was set back.
    server.time.advance(by: .seconds(-3600))
    #expect(try keys(after: "d") == ["c", "c1", "c2", "d"])
    server.time.advance(by: .seconds(2 * 86_400))
    #expect(try keys(after: "e") == ["e"])
    // Also before it is again where it was.
    server.time.advance(by: .seconds(-7 * 86_400))
    #expect(try keys(after: "f") == ["e", "f"])
    server.time.advance(by: .seconds(86_401))
    #expect(try keys(after: "g") == ["e", "g"])
  }
}

@Suite(installed, .eachEngine) struct Watching {
  @Test func anotherWritersChangesAreSeen() throws {
    let scratch = try ScratchDirectory()
    let (one, two) = (try TestServer(folder: scratch.path), try TestServer(folder: scratch.path))
    for _ in 0..<6 { _ = try one.client.bikes() }
    try two.ask(.post, "/bikes", body())
    #expect(try one.client.bikes().map(\.id) == ["0", "1", "2", "3"])
    try two.ask(.put, "/bikes/3/rented")
    #expect(try one.ask(.put, "/bikes/3/rented").status == 400)
    try one.ask(.delete, "/bikes/3/rented")
    try two.ask(.delete, "/bikes/3")
    #expect(try one.client.bikes().map(\.id) == ["0", "1", "2"])
    let near = Circle(place(50.12, 8.64), meters: 10)
    #expect(try one.client.bikes(in: near).isEmpty)
  }
}

@Suite(installed, .eachEngine) struct People {
  private static let users = [
    "c-token": User("carla", isAdmin: false), "e-token": User("emil", isAdmin: false),
    "u-token": User("uwe", isAdmin: false), "a-token": User("ada", isAdmin: true),
  ]

  private func server() throws -> (TestServer, carla: BikesClient, emil: BikesClient, uwe: BikesClient) {
    let server = try TestServer(users: People.users)
    return (
      server, server.client(token: "c-token"), server.client(token: "e-token"),
      server.client(token: "u-token")
    )
  }

  @Test func aPinIsForOwnerAndRenterAlone() throws {
    let (server, carla, emil, uwe) = try server()
    let bike = try carla.add(profile())
    #expect(bike.owner == "carla")
    /// What a stranger sees has neither the id of the bike nor a PIN.
    func seenByStranger() throws -> [Bike] {
      #expect(failure { try server.client.bike(bike.id) }?.kind == .unauthorized)
      return try server.client.bikes().filter { $0.id == bike.id || $0.pin != nil }
    }
    func seen(_ client: BikesClient) throws -> String? {
      let listed = try client.bikes().first { $0.id == bike.id }?.pin?.digits
      #expect(try client.bike(bike.id).pin?.digits == listed)
      return listed
    }
    for _ in 0..<3 {
      #expect(try seen(carla) == "0420")
      #expect(try seen(emil) == nil)
      #expect(try seenByStranger().isEmpty)
    }
    #expect(try emil.rent(bike.id).pin?.digits == "0420")
    #expect(try seen(emil) == "0420")
    #expect(try seen(uwe) == nil)
    try emil.returnBike(bike.id, wasOurs: true)
    #expect(try seen(emil) == nil)
  }

  @Test func onlyOwnerAndRenterReturnMoveAndDelete() throws {
    let (server, carla, emil, uwe) = try server()
    let bike = try carla.add(profile())
    _ = try emil.rent(bike.id)
    #expect(failure { try uwe.returnBike(bike.id, wasOurs: false) }?.kind == .unauthorized)
    #expect(failure { try uwe.change(bike.id, to: profile()) }?.kind == .unauthorized)
    // Who has it out moves it, and changes nothing else.
    #expect(failure { try emil.change(bike.id, to: profile("Mine now")) }?.kind == .unauthorized)
    try emil.change(bike.id, to: profile(at: place(50.2, 8.7)))
    #expect(try carla.bike(bike.id).place == place(50.2, 8.7))
    try carla.returnBike(bike.id, wasOurs: false)
    #expect(failure { try emil.change(bike.id, to: profile()) }?.kind == .unauthorized)
    #expect(failure { try emil.delete(bike.id) }?.kind == .unauthorized)
    try carla.delete(bike.id)
    #expect(try server.client.bikes().count == 3)
  }

  @Test(
    arguments: [(nil, 401), ("nobody", 401), ("c-token", 200)] as [(String?, Int)])
  func missingOrUnknownTokenIsRefused(token: String?, status: Int) throws {
    let (server, _, _, _) = try server()
    for name in ["X-Authorization", "Authorization"] {
      var headers: Headers = [:]
      if let token { headers[name] = name == "Authorization" ? "Bearer \(token)" : token }
      #expect(try server.ask(.post, "/bikes", body(), headers: headers).status == status)
      #expect(try server.ask(.get, "/rentals", headers: headers).status == status)
      #expect(try server.ask(.get, "/bikes", headers: headers).status == (token == "nobody" ? 401 : 200))
    }
  }

  @Test func aHistoryIsWhatOneHadAndLent() throws {
    let (_, carla, emil, uwe) = try server()
    let bike = try carla.add(profile())
    _ = try emil.rent(bike.id)
    try emil.change(bike.id, to: profile(at: place(50.13, 8.64)))
    try emil.returnBike(bike.id, wasOurs: true)
    for client in [carla, emil] {
      let rentals = try client.rentals(of: nil, limit: 10).filter { $0.action == .rent }
      #expect(rentals.map(\.by) == ["emil"])
      #expect(rentals.first?.returnedAt != nil)
      #expect(rentals.first?.meters.map { (1105...1115).contains($0) } == true)
    }
    #expect(try uwe.rentals(of: nil, limit: 10).isEmpty)
  }

  /// A bike whose owner or renter has gone is not rented forever.
  @Test func anAdminReturnsEditsAndDeletesEveryBike() throws {
    let (server, carla, emil, uwe) = try server()
    let bike = try carla.add(profile())
    _ = try emil.rent(bike.id)
    let ada = server.client(token: "a-token")
    try ada.change(bike.id, to: profile("Moved by Ada"))
    try ada.returnBike(bike.id, wasOurs: false)
    let audit = try ada.rentals(of: nil, limit: 10)
    #expect(audit.map(\.action) == [.edit, .rent, .add])
    #expect(audit.map(\.by) == ["ada", "emil", "carla"])
    #expect(audit.map(\.returnedBy) == [nil, "ada", nil])
    #expect(audit[0].changed == ["name"])
    #expect(try uwe.rentals(of: nil, limit: 10).isEmpty)
    // The PIN is still for owner and renter alone.
    #expect(try ada.bike(bike.id).pin == nil)
    try ada.delete(bike.id)
    #expect(try server.client.bikes().count == 3)
    #expect(try carla.rentals(of: bike.id, limit: 1).map(\.by) == ["ada"])
    #expect(try carla.rentals(of: bike.id, limit: 1).map(\.action) == [.delete])
  }

  /// A command that a server without users has started has a token, and sees what everybody sees.
  @Test func aTokenOfAServerWithoutUsersHidesNoPin() throws {
    let server = try TestServer()
    let table = try UserTable(.memory(time: server.time))
    table.addTemporary(User("command", isAdmin: true), token: "t")
    let open = Router([server.backend], access: Access(table, isPublic: false, publicSuites: []))
    let client = BikesClient(
      endpoint: Endpoint(URL(scheme: .demo), headers: ["X-Authorization": "t"], EmbeddedTransport(open)))
    for _ in 0..<5 {
      for bikes in [try client.bikes(), try client.bikesWithPins()] {
        #expect(bikes.map { $0.pin?.digits } == ["1234", "5678", "1111"])
      }
    }
  }

  /// As with the original server.
  @Test func serverWithoutUsersRefusesDeletion() throws {
    let server = try TestServer()
    let table = try UserTable(.memory(time: server.time))
    let open = Router([server.backend], access: Access(table, isPublic: false, publicSuites: []))
    let client = BikesClient(endpoint: Endpoint(URL(scheme: .demo), EmbeddedTransport(open)))
    #expect(failure { try client.delete("0") }?.kind == .unauthorized)
    #expect(try client.bikes().map { $0.pin?.digits } == ["1234", "5678", "1111"])
    // The first user hides what everybody saw.
    try table.add(.init(user: User("ann", isAdmin: false), added: server.time.now()), token: "t")
    for _ in 0..<5 { #expect(failure { try client.bikes() }?.kind == .unauthorized) }
    let ann = BikesClient(
      endpoint: Endpoint(URL(scheme: .demo), headers: ["X-Authorization": "t"], EmbeddedTransport(open)))
    for _ in 0..<5 { #expect(try ann.bikes().allSatisfy { $0.pin == nil }) }
    // The last one does not open it again.
    try table.remove("ann", at: server.time.now())
    #expect(failure { try ann.bikes() }?.kind == .unauthorized)
    #expect(failure { try client.bikes() }?.kind == .unauthorized)
  }
}
