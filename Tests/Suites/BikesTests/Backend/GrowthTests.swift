import HTTP
import System
import TestSupport
import Testing

@testable import Bikes
@testable import Server

/// What a member adds to the store, and when that is too much.
@Suite(.ownThread, installed, .eachEngine) struct GrowthTests {
  private static let users = [
    "e-token": User("emil", isAdmin: false), "c-token": User("carla", isAdmin: false),
    "a-token": User("ada", isAdmin: true),
  ]

  private func server(keys: Int = 10_000, megabytes: Int = 1, folder: String? = nil) throws -> TestServer {
    try TestServer(
      users: Self.users, folder: folder,
      limits: BikeLimits(
        bikesPerOwner: 1_000_000, rentalsPerUser: 10, keysPerUser: keys, growthPerUser: megabytes))
  }

  private func edit(
    _ server: TestServer, _ number: Int, key: String? = nil, as token: String = "e-token"
  ) throws -> (status: Int, text: String, headers: Headers) {
    var headers: Headers = ["X-Authorization": token]
    headers["Idempotency-Key"] = key
    return try server.ask(.patch, "/bikes/1", "{\"name\":\"Nr. \(number)\"}", headers: headers)
  }

  @Test func keyBeyondTheLimitIsRefusedUntilOthersExpire() throws {
    let server = try server(keys: 30)
    for number in 0..<30 {
      #expect(try edit(server, number, key: "key \(number)").status == 200)
      server.time.advance(by: .seconds(1))
    }
    let refused = try edit(server, 30, key: "key 30")
    #expect(refused.status == 429)
    #expect(refused.text == "🚲 a user may have at most 30 idempotency keys\n")
    #expect(refused.headers["Retry-After"] == "86371")
    #expect(try server.client(token: "e-token").bike("1").name == "Nr. 29", "a refused change is undone")
    // Its keys are still there, and others have their own.
    #expect(try edit(server, 0, key: "key 0").status == 200)
    #expect(try edit(server, 31).status == 200)
    #expect(try edit(server, 32, key: "key", as: "c-token").status == 200)
    for number in 0..<40 { #expect(try edit(server, number, key: "\(number)", as: "a-token").status == 200) }
    server.time.advance(by: .seconds(86_371))
    #expect(try edit(server, 33, key: "key 30").status == 200)
  }

  @Test func keysOfAClockThatWasAheadBlockOthersForADay() throws {
    let server = try server(keys: 1)
    #expect(try edit(server, 0, key: "a").status == 200)
    try server.backend.database.run("UPDATE answered SET at = 9223372036854775807")
    let refused = try edit(server, 1, key: "b")
    #expect(refused.status == 429 && refused.headers["Retry-After"] == "86401")
  }

  @Test func changeBeyondTheBytesOfADayIsRefusedUntilMidnight() throws {
    let server = try server()
    // 2024-01-01T00:00:00Z
    server.time.advance(by: .seconds(3600))
    var number = 0
    while number < 2000, try edit(server, number).status == 200 { number += 1 }
    #expect((900...1000).contains(number), "\(number)")
    let refused = try edit(server, number)
    #expect(refused.status == 429 && refused.headers["Retry-After"] == "82800")
    #expect(refused.text == "🚲 a user may add at most 1 MB to the store per day\n")
    #expect(try edit(server, 0, as: "c-token").status == 200)
    #expect(try server.ask(.get, "/bikes/1", headers: ["X-Authorization": "e-token"]).status == 200)
    server.time.advance(by: .seconds(82_800))
    #expect(try edit(server, number).status == 200)
  }

  /// A server takes a share that lasts for many changes, and another one when its transaction was undone.
  @Test func changesShareAStatement() throws {
    let server = try server()
    #expect(try edit(server, 0).status == 200)
    for _ in 0..<3000 {
      #expect(try server.ask(.put, "/bikes/99/rented", headers: ["X-Authorization": "e-token"]).status == 404)
    }
    for number in 1..<50 { #expect(try edit(server, number).status == 200) }
    #expect(try used(server) == 64_000)
    try server.backend.database.run("UPDATE growth SET bytes = -9223372036854775808")
    for number in 0..<30 { #expect(try edit(server, number).status == 200) }
    #expect(try used(server) == 64_000)
  }

  private func used(_ server: TestServer) throws -> Int? {
    try server.backend.database.first("SELECT bytes FROM growth WHERE member = 'emil'") {
      row throws(Failure) in try row[0].integer
    }
  }
}

/// The bytes that count are not less than those by which the file grows.
@Suite(.ownThread, installed) struct GrowthOfTheFile {
  @Test(arguments: ["rents", "keys", "edits", "imports", "additions"])
  func fileGrowsByNoMoreThanTheLimit(kind: String) throws {
    let scratch = try ScratchDirectory()
    let server = try TestServer(
      users: ["e-token": User("emil-with-a-long-name-of-32-bytes", isAdmin: false)], folder: scratch.path,
      limits: BikeLimits(bikesPerOwner: 1_000_000, growthPerUser: 2))
    let size = {
      try server.backend.database.run("PRAGMA wal_checkpoint(TRUNCATE)")
      return try #require(File.size(scratch.file("bikes.db")))
    }
    let before = try size()
    var (number, status) = (0, 200)
    while status == 200, number < 20_000 {
      number += 1
      var headers: Headers = ["X-Authorization": "e-token"]
      let name = "\"\(String(repeating: "x", count: 80)) \(number)\""
      let at = "50.\(number)"
      switch kind {
      case "edits":
        status = try server.ask(.patch, "/bikes/1", "{\"name\":\(name)}", headers: headers).status
      case "imports":
        let bikes = (0..<100).map { body(name: "\"\(number * 100 + $0)\"", latitude: at) }
        status = try server.ask(.post, "/bikes", "[\(bikes.joined(separator: ","))]", headers: headers).status
      case "additions":
        let added = try server.ask(.post, "/bikes", body(name: name, latitude: at), headers: headers)
        status = added.status
        let id = added.text.split(separator: "\"").dropFirst(3).first ?? ""
        if status == 200 { status = try server.ask(.delete, "/bikes/\(id)", headers: headers).status }
      default:
        if kind == "keys" { headers["Idempotency-Key"] = String(repeating: "k", count: 56) + "\(number)" }
        let isOut = number % 2 == 0
        status = try server.ask(isOut ? .delete : .put, "/bikes/1/rented", headers: headers).status
      }
    }
    #expect(status == 429, "\(kind): \(number)")
    #expect(try size() - before <= 2_000_000, "\(kind): \(number) changes")
  }
}
