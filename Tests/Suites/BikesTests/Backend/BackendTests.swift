import HTTP
import JSON
import System
import TestSupport
import Testing

@testable import Bikes
@testable import Server

@Suite(installed, .eachEngine) struct BackendTests {
  /// A backend in the process loses no response.
  @Test func aBackendInTheProcessIsSentNoKey() throws {
    let server = try TestServer()
    let bike = try server.client.add(profile())
    try server.client.change(bike.id, to: profile("Rosa"))
    #expect(try server.texts("SELECT key FROM answered") == [])
  }

  /// There are only ten thousand PINs: neither the text nor a plain hash of a request may be kept.
  @Test func aKeptRequestRevealsNoPin() throws {
    var kept: [String] = []
    for server in try [TestServer(), TestServer()] {
      try server.ask(.post, "/bikes", body(), headers: ["Idempotency-Key": "k"])
      kept += try server.texts("SELECT request FROM answered")
    }
    #expect(kept.count == 2 && kept[0] != kept[1], "the same body, and another secret")
    for request in kept {
      // The rest is a hash, in which any four digits may occur.
      #expect(request.hasPrefix("POST /bikes ") && request.utf8.count == "POST /bikes ".utf8.count + 64)
      #expect(!request.contains(SHA256.hex(Array(body().utf8))))
    }
  }

  @Test(arguments: [(250, 200), (251, 413)]) func aRequestAddsAtMost250Bikes(count: Int, status: Int) throws {
    let bikes = Array(repeating: body(), count: count).joined(separator: ",")
    #expect(try TestServer().ask(.post, "/bikes", "[\(bikes)]").status == status)
  }

  @Test func expiredKeysAreRemoved() throws {
    let server = try TestServer()
    func keys(after change: String) throws -> [String] {
      try server.ask(.post, "/bikes", body(), headers: ["Idempotency-Key": change])
      return try server.texts("SELECT key FROM answered ORDER BY key")
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

  @Test func everyEntryIsOnOnePage() throws {
    let server = try TestServer()
    for _ in 0..<7 {
      try server.ask(.put, "/bikes/1/rented")
      try server.ask(.delete, "/bikes/1/rented")
    }
    try server.ask(
      .patch, "/bikes/2", #"{"name":"Tom","pin":"9999","location":{"latitude":50,"longitude":8}}"#)
    let whole = try server.client.rentals(of: nil, limit: 100)
    #expect(whole.count == 8 && whole[0].changed == ["name", "pin", "location"])
    for size in [1, 3, 8, 9] {
      var pages: [Rental] = []
      while true {
        let page = try server.client.rentals(of: nil, limit: size, before: pages.last?.id)
        if page.isEmpty { break }
        #expect(page.count <= size)
        pages += page
      }
      #expect(pages == whole)
    }
    #expect(try server.client.rentals(of: "2", limit: 9, before: whole[0].id).isEmpty)
    for text in ["0", "-1", "x", ""] {
      #expect(try server.ask(.get, "/rentals?before=\(text)").status == 400)
    }
  }

  @Test func aPageHas100EntriesWithoutALimit() throws {
    let server = try TestServer()
    try server.addRentals(101)
    for (query, count) in [("", 100), ("?limit=101", 101), ("?limit=102", 101), ("?limit=10000", 101)] {
      let entries = try JSON.parse(server.ask(.get, "/rentals\(query)").text)
      #expect(try entries.array.count == count, "\(query)")
      #expect(try entries[0]["at"].int == 101)
    }
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

/// A server whose users come and go.
@Suite(installed, .eachEngine) struct ServersOfFewUsers {
  private let server: TestServer
  private let table: UserTable
  private let router: Router

  init() throws {
    server = try TestServer()
    table = try UserTable(.memory(time: server.time))
    router = Router([server.backend], access: Access(table, isPublic: false, publicSuites: []))
  }

  private func client(_ token: String? = nil) -> BikesClient {
    let headers: Headers = if let token { ["X-Authorization": token] } else { [:] }
    return BikesClient(endpoint: Endpoint(URL(scheme: .demo), headers: headers, EmbeddedTransport(router)))
  }

  private func add(_ name: String, isAdmin: Bool = false) throws {
    try table.add(.init(user: User(name, isAdmin: isAdmin), added: server.time.now()), token: name)
  }

  /// A command that a server without users has started has a token, and sees what everybody sees.
  @Test func aTokenOfAServerWithoutUsersHidesNoPin() throws {
    table.addTemporary(User("command", isAdmin: true), token: "t")
    for _ in 0..<5 {
      for bikes in [try client("t").bikes(), try client("t").bikesWithPins()] {
        #expect(bikes.map { $0.pin?.digits } == ["1234", "5678", "1111"])
      }
    }
  }

  /// As with the original server.
  @Test func serverWithoutUsersRefusesDeletion() throws {
    #expect(failure { try client().delete("0") }?.kind == .unauthorized)
    #expect(failure { try client().delete("9") }?.kind == .notFound)
    #expect(try client().bikes().map { $0.pin?.digits } == ["1234", "5678", "1111"])
    // The first user hides what everybody saw.
    try add("ann")
    for _ in 0..<5 { #expect(failure { try client().bikes() }?.kind == .unauthorized) }
    for _ in 0..<5 { #expect(try client("ann").bikes().allSatisfy { $0.pin == nil }) }
    // The last one does not open it again.
    try table.remove("ann", at: server.time.now())
    #expect(failure { try client("ann").bikes() }?.kind == .unauthorized)
    #expect(failure { try client().bikes() }?.kind == .unauthorized)
  }

  @Test func aRemovedUserIsNotTheLastWhoCanReturn() throws {
    try add("emil")
    try add("ada", isAdmin: true)
    _ = try client("emil").rent("1")
    try table.remove("emil", at: server.time.now())
    #expect(failure { try client("emil").openRentals() }?.kind == .unauthorized)
    try client("ada").returnBike("1", wasOurs: false)
    #expect(try client("ada").rentals(of: "1", limit: 1).first?.returnedBy == "ada")
  }
}
