import HTTP
import JSON
import System
import TestSupport
import Testing

@testable import Bikes
@testable import Server

/// Long work of a server is done in parts, between which it answers others.
@Suite(installed) struct DividedWork {
  private let router: Router

  init() throws {
    let time = SlowClock()
    let backend = try BikesBackend(
      BackendSettings(store: .memory(time: time), hasSamples: false, time: time),
      BikeLimits(bikesPerOwner: 10_000))
    let table = try UserTable(.memory(time: time))
    table.addTemporary(User("carla", isAdmin: false), token: "c-token")
    router = Router([backend], access: Access(table, isPublic: true, publicSuites: ["bikes"]))
  }

  /// The response, and how many parts it took. `between` runs after each part that is not the last one.
  private func ask(
    _ method: HTTP.Method, _ path: String, _ body: String = "", key: String? = nil,
    token: String? = "c-token", between: () throws -> Void = {}
  ) throws -> (response: Response, parts: Int) {
    var headers: Headers = ["Idempotency-Key": key ?? "\(method.rawValue) \(path)"]
    if let token { headers["X-Authorization"] = token }
    let request = try ReceivedRequest(
      Request(method, try URL("demo:\(path)"), headers: headers, body: Array(body.utf8)))
    let runner = router.runner
    let call = try runner.admit(router.route(request))
    var parts = 1
    while true {
      let result = call.isChange ? runner.change([call], of: 0)[0] : runner.read(call)
      runner.turnEnded()
      if let result { return (result.outcome.response, parts) }
      parts += 1
      try #require(parts < 1000)
      try between()
    }
  }

  private func count(_ text: String) throws -> Int { try JSON.parse(text).array.count }

  private func add(_ count: Int) throws {
    for start in stride(from: 0, to: count, by: 250) {
      let bikes = (start..<start + 250).map { body(name: "\"B\($0)\"") }.joined(separator: ",")
      let added = try ask(.post, "/bikes", "[\(bikes)]", key: "\(start)")
      #expect(added.response.text == #"{"added":250,"present":0}"# && added.parts == 1)
    }
  }

  @Test func aListAndAFeed() throws {
    try add(3000)
    let list = try ask(.get, "/bikes")
    #expect(list.parts > 2)
    #expect(try count(list.response.text) == 3003)
    #expect(try ask(.get, "/bikes").parts == 1)
    let stranger = try ask(.get, "/bikes", token: nil)
    #expect(stranger.parts > 2)
    #expect(try count(stranger.response.text) == 3003)
    let path = "/gbfs/3.0/vehicle_status.json"
    // A change between two parts is in the next file, if not in this one.
    var isRented = false
    let feed = try ask(.get, path, token: nil) { () throws in
      guard !isRented else { return }
      isRented = true
      #expect(try ask(.put, "/bikes/2/rented").response.status == 200)
    }
    #expect(feed.parts > 2 && isRented)
    let vehicles = try JSON.parse(feed.response.text)["data"]["vehicles"].array
    #expect(vehicles.count == 3003 || vehicles.count == 3002)
    let next = try ask(.get, path, token: nil)
    #expect(try JSON.parse(next.response.text)["data"]["vehicles"].array.count == 3002)
    #expect(try ask(.get, path, token: nil).parts == 1)
  }

  /// A circle waits for nobody: while the bikes are read into memory, it is read from the database.
  @Test func bikesAroundAPlaceAreListedAtOnce() throws {
    try add(2000)
    for _ in 0..<8 {
      let list = try ask(.get, "/bikes?latitude=50.119229&longitude=8.64002&radius=5")
      #expect(list.parts == 1)
      #expect(try JSON.parse(list.response.text).array.map { try $0["id"].string } == ["1"])
    }
  }
}
