import HTTP
import JSON
import Server
import System
import TestSupport
import Testing

@testable import Bikes

@Suite(installed, .eachEngine) struct TheContract {
  @Test func itBeginsAsTheOriginalDoes() throws {
    #expect(
      try TestServer().ask(.get, "/bikes").text == """
        [{"id":"0","name":"Henry","color":"00C8E6","pin":"1234","location":{"latitude":50.119504,"longitude":8.638137},"rented":false},\
        {"id":"1","name":"Hans","color":"76CD68","pin":"5678","location":{"latitude":50.119229,"longitude":8.64002},"rented":false},\
        {"id":"2","name":"Thomas","color":"EAB151","pin":"1111","location":{"latitude":50.120452,"longitude":8.650507},"rented":false}]
        """)
  }

  @Test(
    "A place and a radius, 1000 m without one",
    arguments: [
      ("latitude=50.119504&longitude=8.638137", ["0", "1", "2"]),
      ("latitude=50.119504&longitude=8.638137&radius=200", ["0", "1"]),
      ("latitude=50.119504&longitude=8.638137&radius=0", ["0"]), ("latitude=0&longitude=0", []),
      ("latitude=50.11&longitude=8.63&radius=100000000", ["0", "1", "2"]),
      ("latitude=53&longitude=8.64&radius=300000", []),
    ])
  func around(query: String, ids: [String]) throws {
    let server = try TestServer()
    // The first answers come from the database, the later ones from memory.
    for _ in 0..<6 {
      let json = try JSON.parse(Array(server.ask(.get, "/bikes?\(query)").text.utf8))
      #expect(try json.array.map { try $0["id"].string } == ids)
    }
  }

  @Test func aBikeLivesAndGoes() throws {
    let server = try TestServer()
    let added = try server.ask(.post, "/bikes", body())
    #expect(added.status == 200)
    #expect(added.text.hasPrefix(#"{"id":"3","name":"Wanda","color":"D8433A","pin":"0420""#))
    #expect(try server.ask(.put, "/bikes/3/rented").status == 200)
    #expect(try server.ask(.put, "/bikes/3", body(latitude: "50.2")).status == 200)
    #expect(try server.ask(.get, "/bikes/3").text.contains(#""latitude":50.2"#))
    #expect(try server.ask(.get, "/bikes/3").text.contains(#""rented":true"#))
    #expect(try server.ask(.delete, "/bikes/3/rented").status == 200)
    #expect(try server.ask(.delete, "/bikes/3").status == 200)
    #expect(try server.ask(.get, "/bikes/3").status == 404)
    // An id is never given out again.
    #expect(try server.ask(.post, "/bikes", body()).text.hasPrefix(#"{"id":"4""#))
  }

  /// A request that is refused, with the status and some of the words.
  struct Bad: Sendable {
    let method: Method
    let path: String
    let body: String
    let status: Int
    let words: String

    init(_ method: Method, _ path: String, _ body: String, _ status: Int, _ words: String) {
      self.method = method
      self.path = path
      self.body = body
      self.status = status
      self.words = words
    }
  }

  static let bad: [Bad] = [
    Bad(.post, "/bikes", body(latitude: "91"), 400, "expected a latitude from -90 to 90"),
    Bad(.post, "/bikes", body(longitude: "181"), 400, "expected a longitude from -180 to 180"),
    Bad(.post, "/bikes", body(longitude: "-180.5"), 400, "expected a longitude from -180 to 180"),
    Bad(.post, "/bikes", body(latitude: "NaN"), 400, "expected a value, found 'N'"),
    Bad(.post, "/bikes", body(latitude: "50,12"), 400, "expected a name in quotes"),
    Bad(.post, "/bikes", body(latitude: "\"50,12\""), 400, "expected a number, found a string"),
    Bad(.post, "/bikes", body(pin: "\"12a4\""), 400, "at pin: expected exactly four digits"),
    Bad(.post, "/bikes", body(pin: "\"١٢٣٤\""), 400, "at pin: expected exactly four digits"),
    Bad(.post, "/bikes", body(pin: "\"12345\""), 400, "at pin: expected exactly four digits"),
    Bad(.post, "/bikes", body(pin: "1234"), 400, "at pin: expected a string, found a number"),
    Bad(.post, "/bikes", body(name: "\"\""), 400, "the name is empty"),
    Bad(.post, "/bikes", body(name: "\"  \""), 400, "the name is empty"),
    Bad(
      .post, "/bikes", body(name: "\"\(String(repeating: "n", count: 10_240))\""), 400,
      "the name has 10240 bytes"),
    Bad(.post, "/bikes", body(name: "\"a\\u001bb\""), 400, "control or invisible characters"),
    Bad(.post, "/bikes", body(color: "\"reddish\""), 400, "at color: expected a color"),
    Bad(.post, "/bikes", "{\"name\":\"Wan", 400, "expected a closing quote"),
    Bad(.post, "/bikes", "", 400, "expected a value, found the end"),
    Bad(.post, "/bikes", "[{}]", 400, "at [0].name: expected a string, found nothing"),
    Bad(
      .post, "/bikes", "[\(body()),\(body(pin: "\"7\""))]", 400, "at [1].pin: expected exactly four digits"),
    Bad(.post, "/bikes", "{\"copy\":1}", 400, "at name: expected a string, found nothing"),
    Bad(.put, "/bikes/0", "{", 400, "expected a name in quotes"),
    Bad(.put, "/bikes/0", body(pin: "\"12a4\""), 400, "at pin: expected exactly four digits"),
    Bad(.get, "/bikes/1000", "", 404, "bike '1000' doesn't exist"),
    Bad(.put, "/bikes/1000/rented", "", 404, "bike '1000' doesn't exist"),
    Bad(.delete, "/bikes/1000/rented", "", 404, "bike '1000' doesn't exist"),
    Bad(.put, "/bikes/1000", body(), 404, "bike '1000' doesn't exist"),
    Bad(.get, "/bikes/..%2F1", "", 404, "bike '../1' doesn't exist"),
    Bad(.put, "/bikes/..%2F1/rented", "", 404, "bike '../1' doesn't exist"),
    Bad(.get, "/bikes/a%20b", "", 404, "bike 'a b' doesn't exist"),
    Bad(.get, "/bikes/01", "", 404, "bike '01' doesn't exist"),
    Bad(.get, "/bikes/-1", "", 404, "bike '-1' doesn't exist"),
    Bad(.get, "/bikes/99999999999999999999", "", 404, "doesn't exist"),
    Bad(.delete, "/bikes/0/rented", "", 400, "bike 0 is not rented"),
    Bad(
      .get, "/bikes?latitude=91&longitude=8", "", 400, "latitude requires a number from -90 to 90, not '91'"),
    Bad(.get, "/bikes?latitude=NaN&longitude=8", "", 400, "latitude requires"),
    Bad(.get, "/bikes?latitude=50,1&longitude=8,6", "", 400, "latitude requires"),
    Bad(.get, "/bikes?latitude=50.1", "", 400, "latitude and longitude go together"),
    Bad(.get, "/bikes?longitude=8", "", 400, "latitude and longitude go together"),
    Bad(
      .get, "/bikes?latitude=50&longitude=181", "", 400,
      "longitude requires a number from -180 to 180, not '181'"),
    Bad(.get, "/bikes?latitude=50&longitude=8&radius=-1", "", 400, "radius requires a number of meters"),
    Bad(.get, "/bikes?latitude=50&longitude=8&radius=1e999", "", 400, "radius requires a number of meters"),
    Bad(.get, "/bikes?latitude=50&longitude=8&radius=nan", "", 400, "radius requires a number of meters"),
    Bad(.put, "/bikes/1000", "{", 404, "bike '1000' doesn't exist"),
    Bad(.get, "/rentals?limit=0", "", 400, "limit requires a whole number, 1 to 10000, not '0'"),
    Bad(.get, "/rentals?limit=10001", "", 400, "limit requires a whole number, 1 to 10000, not '10001'"),
    Bad(.get, "/rentals?before=0", "", 400, "before requires a whole number, 1 or more, not '0'"),
    Bad(.get, "/rentals?bike=77", "", 404, "doesn't exist"),
    Bad(.get, "/gbfs/1.0/gbfs.json", "", 404, "no feed of version '1.0'"),
  ]
  @Test("Bad input, each with its status and words", arguments: bad)
  func badInput(bad: Bad) throws {
    let (method, path, body, status, words) = (bad.method, bad.path, bad.body, bad.status, bad.words)
    let server = try TestServer()
    let answer = try server.ask(method, path, body)
    #expect(answer.status == status)
    #expect(answer.text.hasPrefix("🚲 "))
    #expect(answer.text.contains(words), "\(answer.text)")
    #expect(answer.headers["Content-Type"] == "text/plain; charset=utf-8")
    #expect(!answer.text.contains("12345"))
    // Nothing has changed, and who asks for JSON gets the same as JSON.
    #expect(try server.client.bikes().count == 3)
    let json = try server.ask(method, path, body, headers: ["Accept": "application/json"])
    #expect(json.status == status)
    #expect(try JSON.parse(json.text)["error"]["message"].string.contains(words))
  }

  @Test func zeroIsAPlaceHere() throws {
    #expect(try TestServer().ask(.post, "/bikes", body(latitude: "0", longitude: "0")).status == 200)
  }

  @Test func aRentedBikeIsRefusedAndNotDeleted() throws {
    let server = try TestServer()
    try server.ask(.put, "/bikes/1/rented")
    #expect(try server.ask(.put, "/bikes/1/rented").status == 400)
    #expect(try server.ask(.put, "/bikes/1/rented").text == "🚲 bike 1 is rented already\n")
    #expect(try server.ask(.delete, "/bikes/1").status == 409)
    #expect(try server.ask(.get, "/bikes/1").status == 200)
    // A bike that is out is moved, as the original's own return does it, and stays out whatever the body says.
    let moved = body().replacing("\"Wanda\"", with: "\"Hans\"").dropLast() + ",\"rented\":false}"
    #expect(try server.ask(.put, "/bikes/1", String(moved)).status == 200)
    #expect(try server.ask(.get, "/bikes/1").text.contains(#""rented":true"#))
  }
}

@Suite(installed, .eachEngine) struct Repetition {
  @Test func theSameKeyIsDoneOnce() throws {
    let server = try TestServer()
    let key: Headers = ["Idempotency-Key": "k1"]
    let first = try server.ask(.post, "/bikes", body(), headers: key)
    let second = try server.ask(.post, "/bikes", body(), headers: key)
    #expect(first.text == second.text)
    #expect(try server.client.bikes().count == 4)
    #expect(first.headers["Idempotency-Key-Kept"] == "86400")
    for _ in 0..<2 {
      #expect(try server.ask(.put, "/bikes/3/rented", headers: ["Idempotency-Key": "k2"]).status == 200)
    }
    #expect(try server.ask(.put, "/bikes/3/rented", headers: ["Idempotency-Key": "k3"]).status == 400)
    #expect(try server.client.rentals(of: "3", limit: 9).map(\.action) == [.rent, .add])
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

  @Test func aKeyBelongsToOneRequest() throws {
    let server = try TestServer()
    try server.ask(.post, "/bikes", body(), headers: ["Idempotency-Key": "k1"])
    let other = try server.ask(.post, "/bikes", body(pin: "\"9999\""), headers: ["Idempotency-Key": "k1"])
    #expect(other.status == 422)
    #expect(try server.client.bikes().count == 4)
  }

  @Test func aRefusalIsNotKept() throws {
    let server = try TestServer()
    try server.ask(.put, "/bikes/1/rented")
    let key: Headers = ["Idempotency-Key": "k1"]
    #expect(try server.ask(.put, "/bikes/1/rented", headers: key).status == 400)
    try server.ask(.delete, "/bikes/1/rented")
    #expect(try server.ask(.put, "/bikes/1/rented", headers: key).status == 200)
  }

  @Test func aKeyIsForgottenAfterADay() throws {
    let server = try TestServer()
    let key: Headers = ["Idempotency-Key": "k1"]
    try server.ask(.post, "/bikes", body(), headers: key)
    server.time.advance(by: .seconds(86_400))
    try server.ask(.post, "/bikes", body(), headers: key)
    #expect(try server.client.bikes().count == 4)
    server.time.advance(by: .seconds(1))
    try server.ask(.post, "/bikes", body(), headers: key)
    #expect(try server.client.bikes().count == 5)
  }

  /// The expired ones are removed once a minute.
  @Test func anExpiredKeyIsNewBeforeItIsRemoved() throws {
    let server = try TestServer()
    for (key, seconds) in [("k1", 86_370), ("k2", 31), ("k1", 0)] {
      #expect(try server.ask(.post, "/bikes", body(), headers: ["Idempotency-Key": key]).status == 200)
      server.time.advance(by: .seconds(seconds))
    }
    #expect(try server.client.bikes().count == 6)
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
    let near = Circle(place(50.12, 8.64), metres: 10)
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
    "Without a token, and with one that is nobody's",
    arguments: [(nil, 401), ("nobody", 401), ("c-token", 200)] as [(String?, Int)])
  func tokens(token: String?, status: Int) throws {
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
      #expect(rentals.first?.metres.map { (1105...1115).contains($0) } == true)
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
    let open = Router([
      server.backend.backend.guarded(by: Access(table, isPublic: false, publicSuites: []))
    ])
    let client = BikesClient(
      endpoint: Endpoint(URL(scheme: .demo), headers: ["X-Authorization": "t"], EmbeddedTransport(open)))
    for _ in 0..<5 {
      for bikes in [try client.bikes(), try client.bikesWithPins()] {
        #expect(bikes.map { $0.pin?.digits } == ["1234", "5678", "1111"])
      }
    }
  }

  /// As with the original server.
  @Test func withoutUsersNobodyDeletesABike() throws {
    let server = try TestServer()
    let table = try UserTable(.memory(time: server.time))
    let open = Router([
      server.backend.backend.guarded(by: Access(table, isPublic: false, publicSuites: []))
    ])
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
    try table.remove("ann")
    #expect(failure { try ann.bikes() }?.kind == .unauthorized)
    #expect(failure { try client.bikes() }?.kind == .unauthorized)
  }
}
