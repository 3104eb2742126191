import HTTP
import JSON
import Store
import System
import TestSupport
import Testing

@testable import Bikes
@testable import Server

/// What a response may reveal, and to whom: a walk through all routes.
@Suite(installed) struct ResponsesWithPins {
  private static let pins = ["1234", "5678", "1111", "0420"]

  /// A request for each route of the backend, in an order in which each of them succeeds.
  private static let requests: [(route: String, method: HTTP.Method, path: String, body: String)] = [
    ("GET /bikes", .get, "/bikes", ""), ("GET /bikes", .get, "/bikes?latitude=50.12&longitude=8.64", ""),
    ("POST /bikes", .post, "/bikes", body()), ("POST /bikes", .post, "/bikes", "[\(body())]"),
    ("GET /bikes/:id", .get, "/bikes/3", ""), ("PUT /bikes/:id", .put, "/bikes/3", body()),
    ("PATCH /bikes/:id", .patch, "/bikes/3", #"{"name":"Rosa"}"#),
    ("PUT /bikes/:id/rented", .put, "/bikes/3/rented", ""), ("GET /rentals", .get, "/rentals?open", ""),
    ("GET /rentals", .get, "/rentals", ""), ("DELETE /bikes/:id/rented", .delete, "/bikes/3/rented", ""),
    ("DELETE /bikes/:id", .delete, "/bikes/3", ""), ("GET /gbfs/gbfs.json", .get, "/gbfs/gbfs.json", ""),
    ("GET /gbfs/:version/:file", .get, "/gbfs/3.0/vehicle_status.json", ""),
  ]

  private func routes(_ server: TestServer) -> Set<String> {
    Set(server.backend.routes.map { "\($0.method.rawValue) \($0.pattern)" })
  }

  @Test(arguments: [nil, "a-token", "c-token"] as [String?])
  func noCacheKeepsAPin(token: String?) throws {
    let users = ["a-token": User("ada", isAdmin: true), "c-token": User("carla", isAdmin: false)]
    let server = try TestServer(users: token == nil ? nil : users)
    #expect(Set(ResponsesWithPins.requests.map(\.route)) == routes(server), "a route without a request")
    var revealing: Set<String> = []
    for (route, method, path, body) in ResponsesWithPins.requests {
      // The same once more with a key, which is answered from the store.
      for _ in 0..<(method == .get ? 4 : 2) {
        var headers: Headers = method == .get ? [:] : ["Idempotency-Key": "\(route) \(path) \(body.count)"]
        if let token { headers["X-Authorization"] = token }
        let response = try server.ask(method, path, body, headers: headers)
        #expect([200, 404, 409].contains(response.status), "\(route): \(response.text)")
        guard ResponsesWithPins.pins.contains(where: { response.text.contains("\"\($0)\"") }) else {
          continue
        }
        revealing.insert("\(method.rawValue) \(path)")
        #expect(response.headers["Cache-Control"] == "no-store", "\(method.rawValue) \(path)")
      }
    }
    #expect(revealing.contains("PUT /bikes/3/rented") && revealing.contains("POST /bikes"))
    #expect(revealing.contains("GET /rentals?open") == (token != nil))
  }

  @Test func localUserReadsRenters() throws {
    let scratch = try ScratchDirectory()
    try scratch.write("", to: "a/.keep")
    let folder = scratch.file("a")
    try TestServer(users: TestServer.carlaAndEmil, folder: folder)
      .ask(.put, "/bikes/1/rented", headers: ["X-Authorization": "e-token"])
    let bikes = try TestServer(folder: folder).client.bikesWithPins()
    #expect(bikes.map(\.renter) == [nil, "emil", nil])
    #expect(bikes.map { $0.pin?.digits } == ["1234", "5678", "1111"])
  }

  /// Everything that a stranger can read of a public suite: no name, no PIN, and no id that outlives a ride.
  @Test func aStrangerCannotFollowABike() throws {
    let server = try TestServer(users: TestServer.carlaAndEmil)
    let emil: Headers = ["X-Authorization": "e-token"]
    func ids() throws -> [String] {
      try JSON.parse(server.ask(.get, "/bikes").text).array.map { bike in
        #expect(try bike["name"].string == "" && bike["color"].string == "")
        #expect(bike["pin"].kind == .null && bike["owner"].kind != .string)
        return try bike["id"].string
      }
    }
    let before = try ids()
    #expect(before.count == 3 && before.allSatisfy { $0.utf8.count == 16 })
    func feedIDs() throws -> [String] {
      let feed = try JSON.parse(server.ask(.get, "/gbfs/3.0/vehicle_status.json").text)
      return try feed["data"]["vehicles"].array.map { try $0["vehicle_id"].string }
    }
    #expect(try feedIDs() == before)
    try server.ask(.put, "/bikes/1/rented", headers: emil)
    #expect(try ids() == [before[0], before[2]])
    try server.ask(.delete, "/bikes/1/rented", headers: emil)
    let after = try ids()
    #expect(after.count == 3 && !before.contains(after[2]) && after.prefix(2) == [before[0], before[2]])
    #expect(try feedIDs() == after)
    let near = try server.ask(.get, "/bikes?latitude=50.12&longitude=8.64&radius=9000").text
    #expect(try JSON.parse(near).array.map { try $0["id"].string } == after)
    // An id leads to what the list says.
    #expect(try JSON.parse(server.ask(.get, "/bikes/\(after[2])").text)["id"].string == after[2])
    #expect(try server.ask(.get, "/bikes/\(before[1])").status == 404)
    for path in ["/bikes/1", "/rentals", "/rentals?open", "/rentals?bike=1"] {
      #expect(try server.ask(.get, path).status == 401, "\(path)")
    }
    #expect(try !server.ask(.get, "/bikes?pins").text.discloses(pin: "1234"))
    #expect(try !server.ask(.get, "/bikes?pins", headers: emil).text.discloses(pin: "1234"))
  }
}
