import HTTP
import JSON
import Synchronization
import System
import TestSupport
import Testing

@testable import Bikes
@testable import Server

/// A clock on which everything takes its time, so that long work is divided.
private final class SlowClock: TimeKeeper {
  private let uptimeNow = Mutex(Duration.seconds(1000))

  func now() -> Timestamp { FakeClock.start }

  func uptime() -> Duration {
    uptimeNow.withLock { now in
      now += .milliseconds(6)
      return now
    }
  }

  func advance(by duration: Duration) { uptimeNow.withLock { $0 += duration } }

  func sleep(for duration: Duration) throws(Failure) {}
}

/// Long work of a server is done in parts, between which it answers others.
@Suite(installed) struct DividedWork {
  private let router: Router
  private let backend: BikesBackend
  private let time = SlowClock()

  init() throws {
    backend = try BikesBackend(
      BackendSettings(store: .memory(time: time), hasSamples: false, time: time),
      BikeLimits(bikesPerOwner: 10_000))
    let table = try UserTable(.memory(time: time))
    table.addTemporary(User("carla", isAdmin: false), token: "c-token")
    router = Router([
      backend.backend.guarded(by: Access(table, isPublic: true, publicSuites: ["bikes"]))
    ])
  }

  /// The response, and how many parts it took. `between` runs after each part that is not the last one.
  private func ask(
    _ method: HTTP.Method, _ path: String, _ body: String = "", token: String? = "c-token",
    between: () throws -> Void = {}
  ) throws -> (response: Response, parts: Int) {
    var headers: Headers = ["Idempotency-Key": "\(method.rawValue) \(path)"]
    if let token { headers["X-Authorization"] = token }
    let request = try ReceivedRequest(
      Request(method, try URL("demo:\(path)"), headers: headers, body: Array(body.utf8)))
    var parts = 1
    while true {
      let outcome = router.respond(request, router.resolve(request))
      #expect(router.commit(0) == nil)
      guard outcome.failure == .unfinished else { return (outcome.response, parts) }
      parts += 1
      try #require(parts < 1000)
      try between()
    }
  }

  private func count(_ text: String) throws -> Int { try JSON.parse(text).array.count }

  /// Sends so many bikes of an import.
  private func stage(_ count: Int) throws {
    for start in stride(from: 0, to: count, by: 1000) {
      let piece = (start..<start + 1000).map { Bikes.line("B\($0)") }.joined(separator: "\n")
      #expect(try ask(.post, "/imports/0123456789?first=\(start)", piece).response.status == 200)
    }
  }

  @Test func anImportAListAndAFeed() throws {
    let lines = (0..<3000).map { Bikes.line("B\($0)") }
    for start in stride(from: 0, to: 3000, by: 1000) {
      let piece = lines[start..<start + 1000].joined(separator: "\n")
      #expect(try ask(.post, "/imports/0123456789?first=\(start)", piece).response.status == 200)
    }
    var others = 0
    let finished = try ask(.put, "/imports/0123456789?rows=3000") { () throws in
      // Somebody else is served meanwhile, and so is a bike of the import that is there.
      #expect(try ask(.get, "/bikes/1").response.status == 200)
      others += 1
    }
    #expect(finished.response.text == #"{"added":3000,"present":0}"#)
    #expect(finished.parts > 5 && others == finished.parts - 1)
    #expect(try ask(.put, "/imports/0123456789?rows=3000").parts == 1, "a repetition has its response")

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

  /// The result of an import and the response may be forgotten at different times.
  @Test func aRepetitionHasItsResponseWithoutTheImport() throws {
    #expect(try ask(.post, "/imports/0123456789?first=0", Bikes.line("A")).response.status == 200)
    for _ in 0..<2 {
      #expect(try ask(.put, "/imports/0123456789?rows=1").response.text == #"{"added":1,"present":0}"#)
      try backend.database.run("DELETE FROM importing")
    }
  }

  @Test func aPieceIsStoredAtOnceAndSoItIsSmall() throws {
    let piece = (0..<1002).map { Bikes.line("B\($0)") }.joined(separator: "\n")
    #expect(try ask(.post, "/imports/0123456789?first=0", piece).response.status == 413)
  }

  /// A part is committed at once. If that failed after a change of another request, its client would get a success.
  @Test(arguments: [HTTP.Method.put, .delete])
  func workInPartsWaitsForTheCommitOfOthers(method: HTTP.Method) throws {
    #expect(try ask(.post, "/imports/0123456789?first=0", Bikes.line("A")).response.status == 200)
    func outcome(_ method: HTTP.Method, _ path: String, _ body: String = "") throws -> Router.Outcome {
      let request = try ReceivedRequest(
        Request(
          method, try URL("demo:\(path)"), headers: ["X-Authorization": "c-token"], body: Array(body.utf8)))
      return router.respond(request, router.resolve(request))
    }
    #expect(try outcome(.post, "/bikes", Bikes.line("B")).response.status == 200)
    #expect(try outcome(method, "/imports/0123456789?rows=1").failure == .unfinished)
    backend.backend.rollback?()
    #expect(try outcome(method, "/imports/0123456789?rows=1").response.status == 200)
    #expect(router.commit(0) == nil)
    let names = try JSON.parse(ask(.get, "/bikes").response.text).array.map { try $0["name"].string }
    #expect(!names.contains("B") && names.contains("A") == (method == .put))
  }

  @Test("A feed that nobody waited for is not served later", arguments: [false, true])
  func abandonedFeed(isRolledBack: Bool) throws {
    for start in [0, 1000] {
      let piece = (start..<start + 1000).map { Bikes.line("B\($0)") }.joined(separator: "\n")
      #expect(try ask(.post, "/imports/0123456789?first=\(start)", piece).response.status == 200)
    }
    #expect(try ask(.put, "/imports/0123456789?rows=2000").response.status == 200)
    #expect(try ask(.get, "/bikes").response.status == 200)
    let path = "/gbfs/3.0/vehicle_status.json"
    let request = try ReceivedRequest(Request(.get, try URL("demo:\(path)")))
    // The first parts read the bikes.
    for _ in 0..<20 { _ = router.respond(request, router.resolve(request)) }
    #expect(try ask(.put, "/bikes/2/rented").response.status == 200)
    let begun = router.respond(request, router.resolve(request))
    try #require(begun.failure == .unfinished)
    #expect(try ask(.put, "/bikes/3/rented").response.status == 200)
    if isRolledBack { backend.backend.rollback?() } else { time.advance(by: .seconds(6)) }
    let feed = try ask(.get, path, token: nil).response
    #expect(try JSON.parse(feed.text)["data"]["vehicles"].array.count == 2001)
  }

  /// One that was begun not long ago has bikes as they were then: else it would never be finished.
  @Test func aFeedIsFinishedAsItWasBegun() throws {
    try stage(2000)
    #expect(try ask(.put, "/imports/0123456789?rows=2000").response.status == 200)
    let path = "/gbfs/3.0/vehicle_status.json"
    func count() throws -> Int {
      let file = try ask(.get, path, token: nil).response.text
      return try JSON.parse(file)["data"]["vehicles"].array.count
    }
    #expect(try count() == 2003)
    #expect(try ask(.put, "/bikes/2/rented").response.status == 200)
    let request = try ReceivedRequest(Request(.get, try URL("demo:\(path)")))
    try #require(router.respond(request, router.resolve(request)).failure == .unfinished)
    #expect(try ask(.put, "/bikes/3/rented").response.status == 200)
    time.advance(by: .milliseconds(4500))
    #expect(try count() == 2002)
    #expect(try count() == 2001)
  }

  /// A circle waits for nobody: while the bikes are read into memory, it is read from the database.
  @Test func bikesAroundAPlaceAreListedAtOnce() throws {
    try stage(2000)
    #expect(try ask(.put, "/imports/0123456789?rows=2000").response.status == 200)
    for _ in 0..<8 {
      let list = try ask(.get, "/bikes?latitude=50.119229&longitude=8.64002&radius=5")
      #expect(list.parts == 1)
      #expect(try JSON.parse(list.response.text).array.map { try $0["id"].string } == ["1"])
    }
  }

  /// What was done stays done, also if the turn is undone that did it.
  @Test(arguments: [HTTP.Method.put, .delete])
  func aPartIsDurable(method: HTTP.Method) throws {
    try stage(1000)
    let request = try ReceivedRequest(
      Request(
        method, try URL("demo:/imports/0123456789?rows=1000"), headers: ["X-Authorization": "c-token"]))
    func left() throws -> [Int] {
      try backend.database.rows("SELECT count(*) FROM staged") { row throws(Failure) in try row[0].integer }
    }
    try #require(router.respond(request, router.resolve(request)).failure == .unfinished)
    backend.backend.rollback?()
    #expect(try left() == [500])
    #expect(try count(ask(.get, "/bikes").response.text) == (method == .put ? 503 : 3))
    #expect(try ask(method, "/imports/0123456789?rows=1000").response.status == 200)
    #expect(try left() == [0])
    #expect(try count(ask(.get, "/bikes").response.text) == (method == .put ? 1003 : 3))
  }

  @Test func theBikesOfAPartAreInTheNextList() throws {
    try stage(1000)
    #expect(try count(ask(.get, "/bikes").response.text) == 3)
    var counts: [Int] = []
    let finished = try ask(.put, "/imports/0123456789?rows=1000") { () throws in
      counts.append(try count(ask(.get, "/bikes").response.text))
    }
    #expect(finished.response.text == #"{"added":1000,"present":0}"#)
    #expect(counts == [503, 1003])
  }

  @Test func anImportThatIsBeingFinishedTakesNothingAndStays() throws {
    for start in [0, 1000] {
      let piece = (start..<start + 1000).map { Bikes.line("B\($0)") }.joined(separator: "\n")
      #expect(try ask(.post, "/imports/0123456789?first=\(start)", piece).response.status == 200)
    }
    var refusals: Set<String> = []
    func request(_ method: HTTP.Method, _ path: String) throws -> String {
      let request = try ReceivedRequest(
        Request(
          method, try URL("demo:\(path)"),
          headers: ["X-Authorization": "c-token", "Accept": "application/json"],
          body: Array(Bikes.line("C").utf8)))
      let response = router.respond(request, router.resolve(request)).response
      return "\(method.rawValue) \(response.status) \(response.text)"
    }
    let finished = try ask(.put, "/imports/0123456789?rows=2000") { () throws in
      refusals.insert(try request(.delete, "/imports/0123456789"))
      refusals.insert(try request(.post, "/imports/0123456789?first=2000"))
    }
    #expect(finished.response.text == #"{"added":2000,"present":0}"#)
    #expect(
      refusals == [
        #"DELETE 409 {"error":{"kind":"conflict","message":"this import is being finished"}}"#,
        #"POST 409 {"error":{"kind":"conflict","message":"this import is finished, or being finished"}}"#,
      ])
    #expect(try request(.delete, "/imports/0123456789").hasPrefix("DELETE 200"))
    #expect(try count(ask(.get, "/bikes").response.text) == 2003)
  }

  @Test func aDroppedImportLeavesNothing() throws {
    for start in [0, 1000] {
      let piece = (start..<start + 1000).map { Bikes.line("B\($0)") }.joined(separator: "\n")
      #expect(try ask(.post, "/imports/0123456789?first=\(start)", piece).response.status == 200)
    }
    #expect(try ask(.delete, "/imports/0123456789").parts > 2)
    let refused = try ask(.put, "/imports/0123456789?rows=2000").response
    #expect(refused.status == 409 && refused.text.contains("0 of 2000"))
    #expect(try count(ask(.get, "/bikes").response.text) == 3)
  }
}

extension Bikes {
  fileprivate static func line(_ name: String) -> String { body(name: "\"\(name)\"") }
}
