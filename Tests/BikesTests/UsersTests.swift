import HTTP
import JSON
import System
import Testing

@testable import Bikes

/// Two users of one server, also with a bike that nobody owns: what each sees, repeats, imports and leaves behind.
@Suite(installed, .eachEngine) struct TwoUsers {
  private let server: TestServer
  private let carla: Headers = ["X-Authorization": "c-token"]
  private let emil: Headers = ["X-Authorization": "e-token"]

  init() throws { server = try TestServer(users: TestServer.carlaAndEmil) }

  /// The PIN of bike 1 in a response with one bike or a list of bikes. A stranger sees no bike 1.
  private func pin(_ path: String, _ headers: Headers) throws -> String? {
    let json = try JSON.parse(server.ask(.get, path, headers: headers).text)
    let bike = json.kind == .array ? json[1] : json
    #expect(try bike["id"].string == "1")
    return try bike["pin"].orNull?.string
  }

  /// The first lists come from the database and the later ones from memory.
  @Test func thePinOfABikeWithoutAnOwnerIsShownToItsRenterAlone() throws {
    func check(renter: Headers?) throws {
      for path in ["/bikes", "/bikes/1", "/bikes?latitude=50.12&longitude=8.64"] {
        for reader in [carla, emil] {
          #expect(try pin(path, reader) == (reader == renter ? "5678" : nil), "\(path)")
        }
      }
    }
    for _ in 0..<2 {
      try check(renter: nil)
      let rented = try server.ask(.put, "/bikes/1/rented", headers: emil)
      #expect(try JSON.parse(rented.text)["pin"].string == "5678")
      try check(renter: emil)
      let returned = try server.ask(.delete, "/bikes/1/rented", headers: emil)
      #expect(try JSON.parse(returned.text)["pin"].kind == .null)
    }
    try check(renter: nil)
  }

  @Test func aBikeWithoutAnOwnerIsItsRentersWhileItIsOut() throws {
    try server.ask(.put, "/bikes/1/rented", headers: emil)
    #expect(try server.ask(.delete, "/bikes/1/rented", headers: carla).status == 403)
    #expect(try server.ask(.put, "/bikes/1", body(), headers: carla).status == 403)
    #expect(try server.ask(.delete, "/bikes/1", headers: carla).status == 403)
    #expect(try server.ask(.delete, "/bikes/1/rented", headers: emil).status == 200)
    let changed = try server.ask(.put, "/bikes/1", body(), headers: carla)
    #expect(changed.status == 200)
    #expect(try JSON.parse(changed.text)["pin"].kind == .null)
  }

  /// That it is not rented is no secret, whoever owns it.
  @Test func aFreeBikeOfSomebodyElseIsNotReturned() throws {
    let id = try server.client(token: "c-token").add(profile()).id
    let response = try server.ask(.delete, "/bikes/\(id)/rented", headers: emil)
    #expect(response.status == 400 && response.text == "🚲 bike \(id) is not rented\n")
  }

  @Test func anIdempotencyKeyIsOfOneUser() throws {
    let key = "the same of both"
    func add(_ user: Headers, _ bike: String = body()) throws -> (status: Int, owner: String) {
      var headers = user
      headers["Idempotency-Key"] = key
      let answer = try server.ask(.post, "/bikes", bike, headers: headers)
      return (answer.status, answer.status == 200 ? try JSON.parse(answer.text)["owner"].string : "")
    }
    for _ in 0...1 {
      #expect(try add(carla) == (200, "carla"))
      #expect(try add(emil) == (200, "emil"))
    }
    #expect(try add(emil, body(latitude: "51")) == (422, ""))
    #expect(try server.client(token: "c-token").bikes().count == 5)
  }

  @Test func anETagIsOfOneUser() throws {
    _ = try server.client(token: "c-token").add(profile())
    for _ in 0..<6 {
      let tag = try #require(try server.ask(.get, "/bikes", headers: carla).headers["ETag"])
      var headers = emil
      headers["If-None-Match"] = tag
      let others = try server.ask(.get, "/bikes", headers: headers)
      #expect(others.status == 200 && others.headers["ETag"] != tag)
      headers = carla
      headers["If-None-Match"] = tag
      #expect(try server.ask(.get, "/bikes", headers: headers).status == 304)
    }
  }

  @Test func onlyItsUserFinishesOrDropsAnImport() throws {
    let path = "/imports/0123456789"
    #expect(try server.ask(.post, "\(path)?first=0", body() + "\n" + body(), headers: carla).status == 200)
    let finished = try server.ask(.put, "\(path)?rows=2", headers: emil)
    #expect(finished.status == 409 && finished.text.contains("0 of 2 bikes of this import are here"))
    #expect(try server.ask(.delete, path, headers: emil).status == 200)
    #expect(try server.ask(.put, "\(path)?rows=2", headers: carla).text == #"{"added":2,"present":0}"#)
    #expect(try server.client(token: "c-token").bikes().map(\.owner) == [nil, nil, nil, "carla", "carla"])
  }

  /// Both name their imports alike: neither gets a row of the other's.
  @Test func importsOfTwoUsersDoNotMix() throws {
    let path = "/imports/0123456789"
    #expect(try server.ask(.post, "\(path)?first=0", body(), headers: carla).status == 200)
    let taken = try server.ask(.post, "\(path)?first=0", body(name: "\"Emil's\""), headers: emil)
    #expect(taken.status == 409 && taken.text.contains("another user"), "\(taken.text)")
    #expect(
      try server.ask(.post, "\(path)?first=1", body(name: "\"Emil's\""), headers: emil).status == 200)
    #expect(try server.ask(.put, "\(path)?rows=1", headers: emil).status == 409)
    #expect(try server.ask(.put, "\(path)?rows=1", headers: carla).text == #"{"added":1,"present":0}"#)
    #expect(try server.client(token: "c-token").bikes().map(\.name) == ["Henry", "Hans", "Thomas", "Wanda"])
    // A change after it is seen once: the import left no revision that is ahead of the database.
    #expect(try server.ask(.put, "/bikes/3/rented", headers: carla).status == 200)
    #expect(try server.client(token: "c-token").bikes().map(\.isRented) == [false, false, false, true])
  }

  /// There are only ten thousand PINs: neither the text nor a plain hash of a request may be kept.
  @Test func aKeptRequestRevealsNoPin() throws {
    var kept: [String] = []
    for server in try [TestServer(), TestServer()] {
      try server.ask(.post, "/bikes", body(), headers: ["Idempotency-Key": "k"])
      kept += try server.backend.database.rows("SELECT request FROM answered") { row throws(Failure) in
        try row[0].text
      }
    }
    #expect(kept.count == 2 && kept[0] != kept[1], "the same body, and another secret")
    for request in kept {
      #expect(request.hasPrefix("POST /bikes ") && !request.contains("0420"))
      #expect(!request.contains(SHA256.hex(Array(body().utf8))))
    }
  }
}
