import HTTP
import JSON
import System
import Testing

@testable import Bikes

/// Two users of one server, also with a bike that nobody owns: what each sees, repeats and leaves behind.
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
  @Test func freeBikeOfAnotherUserCannotBeReturned() throws {
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
      // The rest is a hash, in which any four digits may occur.
      #expect(request.hasPrefix("POST /bikes ") && request.utf8.count == "POST /bikes ".utf8.count + 64)
      #expect(!request.contains(SHA256.hex(Array(body().utf8))))
    }
  }
}
