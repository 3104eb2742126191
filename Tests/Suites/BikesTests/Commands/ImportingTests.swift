import HTTP
import JSON
import Server
import System
import Terminal
import TestSupport
import Testing

@testable import Bikes

/// The original server, which adds one bike at a time and answers a success with nothing.
private final class OneByOne: Transport {
  private(set) var names: [String] = []
  /// What happens to the request that would add one more than so many.
  private let most: Int
  private let then: Result<Response, Failure>

  init(most: Int, then: Result<Response, Failure>) {
    (self.most, self.then) = (most, then)
  }

  func send(_ request: Request) throws(Failure) -> ReceivedResponse {
    ReceivedResponse(try response(to: request))
  }

  private func response(to request: Request) throws(Failure) -> Response {
    if request.method == .post {
      guard names.count < most else { return try then.get() }
      names.append(try JSON.parse(request.body)["name"].string)
      return Response(200)
    }
    let bikes = names.enumerated().map {
      body(name: "\"\($1)\"", latitude: "50").dropLast() + #","id":\#($0)}"#
    }
    return Response(
      200, headers: ["Content-Type": "application/json"],
      body: Array("[\(bikes.joined(separator: ","))]".utf8))
  }
}

/// A file that breaks off.
final class BrokenSource: ByteSource {
  static let failure = Failure(.storage, "cannot read 'bikes.csv': input/output error")

  private let source: MemorySource

  init(_ text: String) { source = MemorySource(Array(text.utf8)) }

  func read(into buffer: inout MutableRawSpan) throws(Failure) -> Int {
    let count = source.read(into: &buffer)
    guard count > 0 else { throw BrokenSource.failure }
    return count
  }
}

/// The whole file is checked first.
@Suite struct CheckedFiles {
  private func read(
    _ text: String, _ columns: String = "name,color,pin,latitude,longitude"
  ) throws -> (bikes: [ImportedBike], failure: Failure?, told: [String], shown: [Int]) {
    let source = MemorySource(Array("\(columns)\n\(text)".utf8))
    var (told, shown): ([String], [Int]) = ([], [])
    var bikes: [ImportedBike] = []
    var file = ImportedFile("b.csv") { told.append($0) }
    let found = failure { bikes = try file.read(source) { shown.append($0) } }
    return (bikes, found, told, shown)
  }

  @Test func equalRowsAreCopies() throws {
    let (a, b) = ("A,red,1234,50,8\n", "B,red,1234,50,8\n")
    let file = try read(a + b + a + a)
    #expect(file.bikes.map(\.profile.name) == ["A", "B", "A", "A"])
    #expect(file.bikes.map(\.copy) == [1, 1, 2, 3])
    #expect(file.shown == [1, 2, 3, 4])
    #expect(
      file.bikes.map { String(decoding: $0.bytes, as: UTF8.self).contains("copy") } == [
        false, false, true, true,
      ])
  }

  /// A member's import drops all but the profile.
  @Test func copiesAreCountedWithoutIDsAndStates() throws {
    let rows = "0,A,red,1234,50,8,\n1,A,red,1234,50,8,missing\n,A,red,1234,50,8,\n"
    let file = try read(rows, "id,name,color,pin,latitude,longitude,state")
    #expect(file.bikes.map(\.copy) == [1, 2, 3] && file.bikes.map(\.number) == [0, 1, nil])
  }

  /// Each is counted, the first thousand are kept for a program, and a person reads the first twenty.
  @Test func firstTwentyFaultsAreReported() throws {
    let bad = (1...22).map { "B\($0),red,x,50,8\n" }.joined()
    let file = try read(bad + "C,red,0420,50,8\n")
    let words = "a PIN is exactly four digits, 0000 to 9999"
    #expect(file.told == (2...21).map { "line \($0): \(words)" })
    #expect(
      file.failure
        == Failure(
          .usage, "22 of 23 bikes in 'b.csv' are invalid; nothing was added",
          hint: "correct them and import the file again",
          details: [.init("faults", .list((2...23).map { "line \($0): \(words)" }))]))
    let many = try read(String(repeating: "D,red,x,50,8\n", count: 1500)).failure
    #expect(many?.message == "1500 of 1500 bikes in 'b.csv' are invalid; nothing was added")
    #expect(many?.details == [.init("faults", .list((2...1001).map { "line \($0): \(words)" }))])
  }
}

/// What is sent, what remains after a failure, and that nothing is added twice.
@Suite struct Uploads {
  private static func result(added: Int, present: Int) -> Response {
    .json {
      $0.object {
        $0.member("added", added)
        $0.member("present", present)
      }
    }
  }

  /// A server without bikes that keeps idempotency keys, and responds to additions with `add`.
  private static func service(
    _ add: @escaping (Request) throws(Failure) -> Response
  ) -> ScriptedTransport {
    ScriptedTransport { request throws(Failure) in
      guard request.method == .get else { return try add(request) }
      return Response(
        200, headers: ["Content-Type": "application/json", IdempotencyKey.lifetimeHeader: "1"],
        body: Array("[]".utf8))
    }
  }

  private func bikes(_ names: String...) throws -> [ImportedBike] {
    try names.map { try ImportedBike(profile($0, at: place(50, 8.64))) }
  }

  private func send(
    _ bikes: [ImportedBike], _ transport: any Transport
  ) throws -> (counts: [Int], failure: Failure?, shown: [Int]) {
    var shown: [Int] = []
    var upload = BikeUpload(BikesClient(endpoint: Endpoint(try URL("http://host"), transport))) {
      shown.append($0)
    }
    let found = failure { try upload.send(bikes) }
    return ([upload.added, upload.present], found, shown)
  }

  @Test(arguments: [(0, []), (1, [1]), (250, [250]), (251, [250, 1]), (600, [250, 250, 100])])
  func piecesHaveAtMost250Bikes(count: Int, pieces: [Int]) throws {
    var sent: [Int] = []
    let transport = Self.service { request throws(Failure) in
      let count = try JSON.parse(request.body).array.count
      sent.append(count)
      return Self.result(added: count - 1, present: 1)
    }
    let bikes = try (0..<count).map { try ImportedBike(profile("B\($0)")) }
    let result = try send(bikes, transport)
    #expect(result.failure == nil && sent == pieces)
    #expect(result.counts == [count - pieces.count, pieces.count])
    #expect(result.shown.last == (count == 0 ? nil : count))
    let keys = transport.requests.compactMap { $0.headers["Idempotency-Key"] }
    #expect(keys.count == pieces.count && Set(keys).count == keys.count)
  }

  /// Their sums would overflow.
  @Test(arguments: [(Int.max, 1), (-1, 0), (251, 0), (0, Int.min)])
  func impossibleCountsAreRefused(added: Int, present: Int) throws {
    let service = Self.service { _ in Self.result(added: added, present: present) }
    #expect(try send(bikes("A", "B"), service).failure?.kind == .invalidData)
  }

  @Test func rowsKeepTheirOrderAndNewIDsAreAboveTheLargest() throws {
    let bikes = try [("A", nil), ("B", "7"), ("C", "40"), ("D", "9")].map {
      try ImportedBike(profile($0.0), id: $0.1)
    }
    let service = Self.service { _ in Self.result(added: 4, present: 0) }
    #expect(try send(bikes, service).failure == nil)
    let sent = try JSON.parse(service.requests[1].body).array.map { try $0["name"].string }
    #expect(sent == ["A", "B", "C", "D"] && service.requests[1].url.description.hasSuffix("/bikes?above=40"))
  }

  @Test(
    arguments: [
      (
        .success(Response(403, headers: ["Content-Type": "text/plain"], body: Array("🚲 no room".utf8))),
        "no room; 250 of 600 bikes are stored"
      ),
      (
        .failure(Failure(.connection, "gone", outcomeUnknown: true)),
        "gone; 250 of 600 bikes are stored, perhaps more"
      ),
    ] as [(Result<Response, Failure>, String)])
  func bikesStoredBeforeFailureAreReported(response: Result<Response, Failure>, words: String) throws {
    var pieces = 0
    let service = Self.service { _ throws(Failure) in
      pieces += 1
      if pieces == 2 { return try response.get() }
      return Self.result(added: 240, present: 10)
    }
    let result = try send((0..<600).map { try ImportedBike(profile("B\($0)")) }, service)
    let failure = try #require(result.failure)
    #expect(failure.message == words && pieces == 2)
    #expect(failure.hint?.hasSuffix("import the file again: no bike is added twice") == true)
    #expect(failure.details.suffix(2) == [.init("added", .integer(240)), .init("present", .integer(10))])
  }

  @Test func originalServerGetsBikesOneByOne() throws {
    let service = OneByOne(most: 9, then: .failure(.explained))
    let first = try send(bikes("A", "B", "A"), service)
    #expect(first.counts == [3, 0] && first.failure == nil && first.shown == [1, 2, 3])
    #expect(service.names == ["A", "B", "A"])
    let second = try send(bikes("A", "C", "A", "A"), service)
    #expect(second.counts == [2, 2] && service.names == ["A", "B", "A", "C", "A"])
  }

  @Test(
    arguments: [
      (.success(Response(400)), .usage), (.success(Response(500)), .connection),
      (.failure(Failure(.connection, "'host' closed the connection")), .connection),
    ] as [(Result<Response, Failure>, Failure.Kind)])
  func firstBikeThatOriginalServerRefusesEndsImport(response: Result<Response, Failure>, kind: Failure.Kind)
    throws
  {
    let service = OneByOne(most: 2, then: response)
    let result = try send(bikes("A", "B", "C", "D"), service)
    #expect(service.names == ["A", "B"] && result.counts == [2, 0])
    let failure = try #require(result.failure)
    #expect(failure.kind == kind && failure.message.contains("; 2 of 4 bikes are stored"), "\(failure)")
  }

  /// The response is lost with all its repetitions.
  @Test(installed) func importAfterALostResponseAddsTheRest() throws {
    let server = try TestServer()
    let user = try TestUser(of: server)
    let bikes = try (0..<300).map { try ImportedBike(profile("B\($0)")) }
    for _ in 0...2 { user.transport.next(.post, "/bikes", .doneAndLost()) }
    var upload = BikeUpload(user.client) { _ in }
    let failure = failure { try upload.send(bikes) }
    #expect(
      failure?.message.hasSuffix("; 0 of 300 bikes are stored, perhaps more") == true, "\(failure as Any)")
    #expect(try server.client.bikes().count == 253)
    var again = BikeUpload(user.client) { _ in }
    try again.send(bikes)
    #expect(again.added == 50 && again.present == 250)
    #expect(try server.client.bikes().count == 303)
  }
}
