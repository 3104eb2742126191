import Foundation
import HTTP
import Store
import Synchronization
import System
import TestSupport
import Testing

@testable import Bikes
@testable import Server

/// Backends of several servers that share one database.
@Suite(.ownThread, .needs(.postgresql))
struct SeveralServers {
  /// A crash forgets the numbers of transactions that stored nothing, so a later change may have a smaller one.
  @Test func aListHasChangesAfterACrashOfTheDatabase() throws {
    let database = try PostgreSQLServer()
    let (reader, writer) = (
      try TestServer(address: database.address()), try TestServer(address: database.address())
    )
    for _ in 1...5 { #expect(try reader.ask(.get, "/bikes").status == 200) }
    for _ in 1...10 { try database.execute("SELECT txid_current()") }
    #expect(try reader.ask(.get, "/bikes").text.contains("true") == false)
    try database.stop()
    try database.start()
    // Locking both bikes together finds that the connection is lost.
    #expect(try writer.batch((.put, "/bikes/1/rented"), (.put, "/bikes/2/rented")) == [200, 200])
    #expect(try reader.ask(.get, "/bikes").text.contains("true"))
  }

  /// A worker locks the bikes of its requests together. A request sees what those before it in the batch have changed.
  @Test func requestsOfABatch() throws {
    let database = try #require(PostgreSQLServer.shared)
    let first = try TestServer(address: try database.newSchema())
    let statuses = try first.batch(
      (.put, "/bikes/0/rented"), (.put, "/bikes/1/rented"), (.put, "/bikes/0/rented"),
      (.delete, "/bikes/1/rented"), (.put, "/bikes/99/rented"), (.delete, "/bikes/2/rented"),
      (.put, "/bikes/x/rented"), (.put, "/bikes/1/rented"))
    #expect(statuses == [200, 200, 400, 200, 404, 400, 404, 200])
    #expect(try first.batch((.delete, "/bikes/1/rented"), (.delete, "/bikes/0/rented")) == [200, 200])
    #expect(try first.client.rentals(of: "1", limit: 10).map(\.returnedAt).allSatisfy { $0 != nil })
  }

  /// The bikes of a batch are locked before its first handler runs; one bike alone is locked by its handler.
  @Test(arguments: [
    ("/bikes/0/rented /bikes/1/rented", [2]), ("/bikes/0/rented /bikes/0/rented", [0, 1, 2]),
    ("/bikes/0/rented /bikes/x/rented", [0, 1, 2]),
  ])
  func bikesOfBatchAreLockedTogether(paths: String, free: [Int]) throws {
    let schema = try #require(PostgreSQLServer.shared).newSchema()
    let (server, other) = (try TestServer(address: schema), try TestServer(address: schema))
    let calls = try paths.split(separator: " ").map { try server.call(.put, String($0)) }
    func found() throws(Failure) -> [Int] {
      var found: [Int] = []
      try other.backend.database.transaction { () throws(Failure) in
        try other.backend.database.lockAvailable("SELECT id FROM bike WHERE id < ?", [.integer(3)]) {
          row throws(Failure) in found.append(try row[0].integer)
        }
      }
      return found.sorted()
    }
    try server.backend.transaction { () throws(Failure) in
      server.backend.prepare(calls)
      #expect(try found() == free)
    }
    #expect(try found() == [0, 1, 2])
  }

  /// Otherwise two servers would count what a user has, and then both add to it.
  @Test(arguments: [("c-token", [1, 1, 1]), ("a-token", [0, 0, 1])])
  func usersWithLimitAreLocked(token: String, locks: [Int]) throws {
    let users = ["c-token": User("carla", isAdmin: false), "a-token": User("ada", isAdmin: true)]
    let server = try TestServer(users: users, address: #require(PostgreSQLServer.shared).newSchema())
    let requests: [(HTTP.Method, String, String)] = [
      (.post, "/bikes", body()), (.put, "/bikes/1/rented", ""), (.post, "/bikes", "[\(body())]"),
    ]
    for ((method, path, text), locks) in zip(requests, locks) {
      let call = try server.call(method, path, text, headers: ["X-Authorization": token])
      try server.backend.transaction { () throws(Failure) in
        #expect(server.router.runner.change([call], of: 0)[0].outcome.response.status == 200)
        let held = try server.backend.database.rows(
          "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
        ) { row throws(Failure) in try row[0].integer }
        #expect(held == [locks], "\(path)")
      }
    }
  }

  /// Two workers get requests for the same bikes, in different orders.
  @Test func batchesOfTwoServers() throws {
    let database = try #require(PostgreSQLServer.shared)
    let schema = try database.newSchema()
    let servers = UncheckedTransfer([try TestServer(address: schema), try TestServer(address: schema)])
    let rented = Mutex([Int](repeating: 0, count: 3))
    for _ in 1...20 {
      DispatchQueue.concurrentPerform(iterations: 2) { index in
        let ids = index == 0 ? [0, 1, 2] : [2, 1, 0]
        let server = servers.value[index]
        let statuses = try? server.batch(
          (.put, "/bikes/\(ids[0])/rented"), (.put, "/bikes/\(ids[1])/rented"),
          (.put, "/bikes/\(ids[2])/rented"))
        for (id, status) in zip(ids, statuses ?? []) where status == 200 { rented.withLock { $0[id] += 1 } }
      }
      let server = servers.value[0]
      #expect(
        try server.batch(
          (.delete, "/bikes/0/rented"), (.delete, "/bikes/1/rented"), (.delete, "/bikes/2/rented")) == [
            200, 200, 200,
          ])
    }
    // Each time one of the two, never both and never none.
    #expect(rented.withLock { $0 } == [20, 20, 20])
  }

  /// Two servers get a request twice: the second finds the bike as the first has left it, and then the response.
  @Test(arguments: [(.conflict, true), (.storage, false)] as [(Failure.Kind, Bool)])
  func aRequestThatAnotherServerHasJustApplied(kind: Failure.Kind, isFound: Bool) throws {
    let database = try #require(PostgreSQLServer.shared)
    let schema = try database.newSchema()
    func changes() throws -> (IdempotentChanges, BikeTable) {
      let server = try TestServer(address: schema)
      let bikes = BikeTable(database: server.backend.database)
      let changes = IdempotentChanges(
        bikes, BikeReadCache(bikes, epoch: "e"), GrowthLimit(bikes, BikeLimits()), epoch: "e",
        time: server.time)
      return (changes, bikes)
    }
    let ((own, bikes), (other, others)) = (try changes(), try changes())
    let call = try Call.of(.put, "/bikes/1/rented", headers: ["Idempotency-Key": "k"])
    var reply: Reply?
    let found = failure {
      try bikes.database.transaction { () throws(Failure) in
        reply = try own.respond(to: call, from: .local) { () throws(Failure) in
          try others.database.transaction { () throws(Failure) in
            _ = try other.respond(to: call, from: .local) { Array("rented".utf8) }
          }
          throw Failure(kind, "rented already")
        }
      }
    }
    if case .response(let response) = reply { #expect(isFound && response.text == "rented") }
    #expect((reply != nil) == isFound)
    #expect(found == (isFound ? nil : Failure(kind, "rented already")))
  }

  /// The clocks of two servers differ by two minutes.
  @Test func clocksApart() throws {
    let database = try #require(PostgreSQLServer.shared)
    let schema = try database.newSchema()
    let (early, late) = (try TestServer(address: schema), try TestServer(address: schema))
    late.time.advance(by: .seconds(120))
    let key: Headers = ["Idempotency-Key": "clocks-1"]
    let first = try late.ask(.put, "/bikes/1/rented", headers: key)
    #expect(first.status == 200)
    #expect(try early.ask(.put, "/bikes/1/rented", headers: key).text == first.text)
    #expect(try early.ask(.delete, "/bikes/1/rented").status == 200)
    let rental = try #require(try early.client.rentals(of: "1", limit: 10).first { $0.action == .rent })
    // A rental does not end before it began.
    #expect(rental.returnedAt == rental.at)
    #expect(try late.ask(.get, "/bikes").text == early.ask(.get, "/bikes").text)
  }
}

/// Bikes that are locked and read before the handlers of several requests run.
@Suite(.needs(.postgresql)) struct BikesThatAreReadTogether {
  private let server: TestServer
  private var backend: BikesBackend { server.backend }

  init() throws {
    server = try TestServer(address: #require(PostgreSQLServer.shared).newSchema())
  }

  /// The names of bike 0 as two handlers get it after a preparation, or after the end of its transaction.
  private func names(ended: Bool = false) throws -> [String?] {
    let calls = try (0...1).map { try server.call(.put, "/bikes/\($0)/rented") }
    var names: [String?] = []
    try backend.transaction { () throws(Failure) in
      backend.prepare(calls)
      try backend.database.run("UPDATE bike SET name = 'Anna' WHERE id = 0")
      if ended { backend.transactionEnded(isCommitted: false) }
      for _ in 0..<2 { names.append(try backend.bikes.lock(0)?.bike.name) }
    }
    return names
  }

  @Test func eachIsUsedOnce() throws {
    #expect(try names() == ["Henry", "Anna"], "the first handler may have changed it")
  }

  @Test func areForgottenWithTheirLocks() throws {
    #expect(try names(ended: true) == ["Anna", "Anna"])
  }

  @Test func areForgottenIfOneCannotBeRead() throws {
    try backend.database.run("UPDATE bike SET pin = '----' WHERE id = 1")
    #expect(try names() == ["Anna", "Anna"])
  }
}
