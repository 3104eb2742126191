import HTTP
import JSON
import Server
import System
import Terminal
import TestSupport
import Testing

@testable import Bikes

/// A service that is asked to add bikes: the original's, which answers a success with nothing and knows no imports.
private final class OneByOne: Transport {
  private(set) var names: [String] = []
  /// What happens to the request that would add one more than so many.
  private let most: Int
  private let then: Result<Response, Failure>

  init(most: Int, then: Result<Response, Failure>) {
    (self.most, self.then) = (most, then)
  }

  func send(_ request: Request) throws(Failure) -> Response {
    guard request.url.path == "/bikes" else {
      return Response(404, headers: ["Content-Type": "text/html"], body: Array("Cannot POST".utf8))
    }
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

@Suite struct ImportsThatBreak {
  private let file =
    "name,color,pin,latitude,longitude\nA,D8433A,0420,50,8.64\nB,D8433A,x,50,8.64\nC,D8433A,0420,50,8.64\nD,D8433A,0420,50,8.64\nE,D8433A,0420,50,8.64\n"

  private func run(
    continues: Bool = true, isDry: Bool = false, _ transport: any Transport,
    _ source: (any ByteSource)? = nil
  ) throws -> (report: ImportReport?, failure: Failure?, told: [String], shown: [Int]) {
    var told: [String] = []
    var shown: [Int] = []
    let client = BikesClient(endpoint: Endpoint(try URL("http://host"), transport))
    var bikeImport = BikeImport(
      isDry: isDry, continues: continues, showProgress: { shown.append($0) },
      warn: { told.append($0) }, connect: { client })
    do {
      let report = try bikeImport.run(source ?? MemorySource(Array(file.utf8)))
      return (report, nil, told, shown)
    } catch {
      return (nil, error, told, shown)
    }
  }

  private func lines(_ lines: String...) -> String {
    (["name,color,pin,latitude,longitude"] + lines).map { "\($0)\n" }.joined()
  }

  @Test func theProgressIsThatOfTheFile() throws {
    let ran = try run(OneByOne(most: 9, then: .failure(.explained)))
    #expect(ran.report?.added == 4 && ran.shown == [1, 2, 3, 4, 5])
  }

  @Test func aServerWithoutImportsIsAskedOneByOneOnlyOnRequest() throws {
    let service = OneByOne(most: 9, then: .failure(.explained))
    let source = MemorySource(Array(lines("A,D8433A,0420,50,8.64").utf8))
    #expect(
      try run(continues: false, service, source).failure
        == Failure(
          .usage, "this server does not support atomic imports",
          hint: "--continue adds the bikes one by one and reports those that are refused"))
    #expect(service.names == [])
  }

  /// Each is counted and kept for a program, but a person reads the first ones.
  @Test func ofManyFaultsTwentyAreTold() throws {
    let transport = ScriptedTransport(Response(500))
    let bad = (1...22).map { "B\($0),red,x,50,8\n" }.joined()
    let source = MemorySource(Array((lines() + bad + "C,red,0420,50,8\n").utf8))
    let ran = try run(continues: false, transport, source)
    let words = "a PIN is exactly four digits, 0000 to 9999"
    #expect(ran.told == (2...21).map { "line \($0): \(words)" })
    #expect(
      ran.failure
        == Failure(
          .usage, "22 of 23 bikes are invalid, the first at line 2: \(words); nothing was added",
          hint: "correct them, or import the others with --continue",
          details: [.init("faults", .list((2...23).map { "line \($0): \(words)" }))]))
    #expect(transport.requests.isEmpty, "the bike behind them is not sent")
  }

  /// The bike that was refused before that is not the one to look for.
  @Test func aFileThatCannotBeReadToItsEnd() throws {
    let source = BrokenSource(lines("A,D8433A,0420,50,8.64", "B,D8433A,0420,50,8.64"))
    let ran = try run(OneByOne(most: 1, then: .success(Response(400))), source)
    let failure = try #require(ran.failure)
    #expect(failure.kind == .storage && failure.hint == nil)
    #expect(
      failure.message == "\(BrokenSource.failure.message); added before that: 1, up to line 2; refused: 1")
  }

  @Test(
    "What was added one by one before a failure is told",
    arguments: [
      .success(Response(500)), .failure(Failure(.connection, "'host' closed the connection")),
    ] as [Result<Response, Failure>])
  func halfway(failure: Result<Response, Failure>) throws {
    let service = OneByOne(most: 2, then: failure)
    let ran = try run(service)
    #expect(service.names == ["A", "C"])
    let failure = try #require(ran.failure)
    #expect(failure.kind == .connection)
    #expect(
      failure.message.hasSuffix("; added before that: 2, up to line 4; refused: 1"),
      "\(failure)")
    #expect(failure.hint?.contains("bike at line 5 exists") == true)
    #expect(
      failure.details.suffix(3) == [
        .init("added", .integer(2)), .init("refused", .integer(1)), .init("lastAdded", .text("line 4")),
      ])
    #expect(ran.told == ["line 3: a PIN is exactly four digits, 0000 to 9999"])
  }

  @Test func whatTheServiceRefusesIsARow() throws {
    let ran = try run(OneByOne(most: 2, then: .success(Response(400))))
    #expect(ran.failure == nil)
    #expect(ran.report.map { [$0.read, $0.added, $0.refused] } == [5, 2, 3])
    #expect(ran.told.count == 3 && ran.told[2].hasPrefix("line 6: "))
  }

  /// The bikes may be there, and a repeat would bring them again.
  @Test(installed) func theLastAnswerIsLost() throws {
    let server = try TestServer()
    let embedded = EmbeddedTransport(server.router)
    // The response to the last request of an import is lost.
    let transport = ScriptedTransport { request throws(Failure) in
      let response = try embedded.send(request)
      if request.method == .put {
        throw Failure(.connection, "'host' closed the connection", retryable: true)
      }
      return response
    }
    let ran = try run(transport)
    let failure = try #require(ran.failure)
    #expect(failure.kind == .connection && !failure.retryable)
    #expect(failure.message == "'host' closed the connection; the 4 bikes may be there all the same")
    #expect(failure.hint == "a repeat would bring them twice: look first with 'hw bikes list --anywhere'")
    #expect(transport.requests.map(\.method.rawValue) == ["POST", "POST", "PUT", "DELETE"])
    #expect(try server.client.bikes().count == 7)
  }

  @Test(installed) func allOrNothingAndNothingOfADryRun() throws {
    let server = try TestServer()
    let transport = EmbeddedTransport(server.router)
    let refused = try run(continues: false, transport)
    #expect(refused.failure?.kind == .usage)
    #expect(
      refused.failure?.message
        == "1 of 5 bikes are invalid, the first at line 3: a PIN is exactly four digits, 0000 to 9999; nothing was added"
    )
    let dry = try run(isDry: true, OneByOne(most: 0, then: .failure(.explained)))
    #expect(dry.report.map { [$0.read, $0.added, $0.refused] } == [5, 0, 1])
    #expect(try server.client.bikes().count == 3)
    #expect(try run(transport).report.map { [$0.read, $0.added, $0.refused] } == [5, 4, 1])
    #expect(try server.client.bikes().count == 7)
  }
}

@Suite(installed, .eachEngine) struct ImportsInPieces {
  @Test(arguments: [(7, 400), (8, 200), (64, 200), (65, 400)])
  func anImportIsNamedBySoManyDigits(count: Int, status: Int) throws {
    let path = "/imports/\(String(repeating: "a", count: count))?first=0"
    #expect(try TestServer().ask(.post, path, body()).status == status)
    #expect(try TestServer().ask(.post, "/imports/0123456g?first=0", body()).status == 400)
  }

  @Test(
    "What is not whole is refused, each with what is wrong",
    arguments: [
      (0, 2, "1 of 2 bikes of this import are here"),
      (1, 1, "are not numbered 0 to 0: 'first' is how many were sent"),
    ])
  func notWhole(first: Int, rows: Int, words: String) throws {
    let server = try TestServer()
    #expect(try server.ask(.post, "/imports/0123456789?first=\(first)", body()).status == 200)
    let answer = try server.ask(.put, "/imports/0123456789?rows=\(rows)")
    #expect(answer.status == 409)
    #expect(answer.text.contains(words), "\(answer.text)")
    #expect(try server.client.bikes().count == 3)
  }
}

/// The requests of an import.
@Suite struct RequestsOfAnImport {
  private let transport = ScriptedTransport { _ in .json { $0.object { $0.member("added", 256) } } }

  private func upload() throws -> ImportClient {
    try #require(try ImportClient(BikesClient(endpoint: Endpoint(try URL("http://host"), transport))))
  }

  private var queries: [String] {
    transport.requests.map { "\($0.method.rawValue) \($0.url.query)" }
  }

  /// 192 bytes with its line feed, so that 256 of them have 48 KiB.
  private func bike() throws -> ImportedBike {
    let bike = ImportedBike(try profile(String(repeating: "n", count: 103)))
    #expect(bike.bytes.count == 191)
    return bike
  }

  @Test func aPieceIsSentWhenItIsLarge() throws {
    let (upload, bike) = (try upload(), try bike())
    #expect(queries == ["POST first=0"], "the first request asks whether there are imports")
    for _ in 0..<255 { try upload.add(bike) }
    #expect(queries.count == 1)
    try upload.add(bike)
    #expect(queries.count == 2 && transport.requests[1].body.count == 48 * 1024)
    try upload.add(bike)
    let result = try upload.finish(again: false)
    #expect(result.added == 256 && result.present == 0 && !result.isRepeated)
    let digests = transport.requests.dropLast().reduce(into: [""]) { digests, request in
      guard !request.body.isEmpty else { return }
      digests.append(SHA256.hex(Array((digests.last ?? "").utf8) + request.body))
    }
    #expect(
      queries == [
        "POST first=0", "POST first=0", "POST first=256", "PUT rows=257&digest=\(digests[2])",
      ])
    #expect(transport.requests[2].body == bike.bytes + Array("\n".utf8))
    #expect(transport.requests.dropLast().allSatisfy { $0.headers["Content-Type"] == "application/jsonl" })
    #expect(Set(transport.requests.map(\.url.path)).count == 1)
  }

  @Test func nothingIsLeftToSend() throws {
    let (upload, bike) = (try upload(), try bike())
    for _ in 0..<256 { try upload.add(bike) }
    _ = try upload.finish(again: true)
    #expect(queries.count == 3 && queries[2].hasPrefix("PUT rows=256&digest="))
    #expect(queries[2].hasSuffix("&again=on"))
  }

  /// What the server has refused is not there.
  @Test func aFinishThatIsRefused() throws {
    let transport = ScriptedTransport { request in
      request.method == .put
        ? Response(409, headers: ["Content-Type": "text/plain"], body: Array("🚲 0 of 1 are here".utf8))
        : Response(200)
    }
    let client = BikesClient(endpoint: Endpoint(try URL("http://host"), transport))
    let (upload, bike) = (try #require(try ImportClient(client)), try bike())
    try upload.add(bike)
    let found = failure { try upload.finish(again: false) }
    #expect(found?.kind == .conflict && found?.message == "0 of 1 are here", "\(found as Any)")
  }

  @Test func whatWasNotSentIsNotDropped() throws {
    let (upload, bike) = (try upload(), try bike())
    try upload.add(bike)
    upload.drop()
    #expect(queries == ["POST first=0"])
    for _ in 0..<255 { try upload.add(bike) }
    upload.drop()
    #expect(queries == ["POST first=0", "POST first=0", "DELETE "])
  }
}
