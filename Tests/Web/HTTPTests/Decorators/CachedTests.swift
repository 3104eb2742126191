import System
import TestSupport
import Testing

@testable import HTTP

@Suite struct CachedTests {
  let scratch: ScratchDirectory
  let time = FakeClock()
  let notes = RecordedMessages()
  let request = Request.get("https://host/teams", headers: ["Authorization": "s3cret-value"])

  init() throws { scratch = try ScratchDirectory() }

  func cached(_ inner: any Transport, maxAge: Int64? = nil, sizeLimit: Int = 64 << 20)
    -> CachingTransport
  {
    CachingTransport(
      inner, folder: folder, maxAge: maxAge, sizeLimit: sizeLimit, time: time, report: notes.add)
  }

  var folder: String { scratch.file("cache") }
  var files: [String] { scratch.names("cache") }

  private func fresh(_ seconds: Int, _ more: Headers = [:]) -> Response {
    var response = Response.text(200, "[]", headers: ["Cache-Control": "max-age=\(seconds)"])
    for field in more.fields { response.headers.append(field.name, field.value) }
    return response
  }

  @Test func freshResponseIsCached() throws {
    let service = ScriptedTransport(fresh(60))
    _ = try cached(service).send(request)
    time.advance(by: .seconds(59))
    // Another process.
    let again = try cached(service).send(request)
    #expect(service.requests.count == 1)
    #expect(again.body == Array("[]".utf8) && again.headers["Age"] == "59")
    time.advance(by: .seconds(1))
    _ = try cached(service).send(request)
    #expect(service.requests.count == 2)
  }

  @Test func lifetimesAreAsRecorded() throws {
    try RecordedText.holdTexts("lifetimes.txt") { text in
      let response = Response(200, headers: Headers(lines: text))
      return ["= \(CacheEntry(response: response, stored: FakeClock.start.seconds).lifetime)"]
    }
  }

  @Test(
    arguments: [
      (["Cache-Control": "no-store, max-age=60"], 200), (["Cache-Control": "max-age=60", "Vary": "*"], 200),
      ([:], 200), (["Cache-Control": "max-age=60"], 404), (["Cache-Control": "max-age=60"], 500),
      (["Cache-Control": "max-age=60"], 206),
    ] as [(Headers, Int)])
  func uncacheableResponseIsNotStored(headers: Headers, status: Int) throws {
    let service = ScriptedTransport(Response(status, headers: headers))
    _ = try cached(service).send(request)
    #expect(files.isEmpty)
  }

  /// A run without `--max-age` between two with it, then a service that is down.
  @Test(arguments: [("", "2"), ("no-cache", "2"), ("no-store", "1")])
  func aRunWithoutMaxAgeLeavesAResponse(control: String, body: String) throws {
    let service = ScriptedTransport(
      .text(200, "1"), .text(200, "2", headers: ["Cache-Control": control]), Response(503))
    _ = try cached(service, maxAge: 3600).send(request)
    time.advance(by: .seconds(2))
    #expect(try cached(service).send(request).body == Array("2".utf8))
    #expect(try cached(service, maxAge: 3600).send(request).body == Array(body.utf8))
    #expect(service.requests.count == 2)
  }

  @Test func maxAgeOfUserOverridesCacheControl() throws {
    for (number, control) in ["no-cache", "max-age=0, must-revalidate", ""].enumerated() {
      let service = ScriptedTransport(Response(200, headers: ["Cache-Control": control]))
      let url = Request.get("https://host/\(number)")
      for _ in 0..<2 { _ = try cached(service, maxAge: 100).send(url) }
      #expect(service.requests.count == 1)
    }
  }

  /// Both in seconds; that of the user comes first.
  @Test(
    arguments: [
      (10, nil, 10, 1), (10, nil, 11, 2), (nil, .seconds(10), 10, 1), (nil, .seconds(10), 11, 2),
      (10, .seconds(100), 11, 2), (100, .seconds(10), 11, 1), (100, .zero, 0, 2),
      (nil, .milliseconds(1), 1, 1), (nil, .milliseconds(1), 2, 2),
    ] as [(Int64?, Duration?, Int, Int)])
  func maxAgeIsInclusive(user: Int64?, client: Duration?, age: Int, requests: Int) throws {
    let service = ScriptedTransport(fresh(3600))
    var request = request
    request.maxAge = client
    _ = try cached(service, maxAge: user).send(request)
    time.advance(by: .seconds(age))
    _ = try cached(service, maxAge: user).send(request)
    #expect(service.requests.count == requests)
  }

  @Test func errorKeepsStaleResponse() throws {
    let service = ScriptedTransport(.success(fresh(1)), .status(503))
    _ = try cached(service).send(request)
    time.advance(by: .seconds(2))
    #expect(try cached(service).send(request).status == 503)
    #expect(try cached(service, maxAge: 10).send(request).status == 200)
  }

  @Test func responseAboveQuarterOfCacheLimitIsNotStored() throws {
    for (size, count) in [(1001, 0), (1000, 1)] {
      let service = ScriptedTransport(
        .text(200, String(repeating: "x", count: size), headers: ["Cache-Control": "max-age=60"]))
      _ = try cached(service, sizeLimit: 4000).send(request)
      #expect(files.count == count)
    }
  }

  @Test func discardRemovesFile() throws {
    let service = ScriptedTransport(fresh(60))
    _ = try cached(service).send(request)
    cached(service).discard(request)
    #expect(files.isEmpty && notes.lines.isEmpty)
    // There is none any more, which is no error.
    cached(service).discard(request)
    #expect(notes.lines.isEmpty)
  }

  @Test(
    arguments: [
      ([:], 0, 0), ([:], 10, 10), (["Age": "50"], 0, 50), (["Age": "50"], 10, 60), (["Age": "old"], 10, 10),
      (["Age": "50"], -1, nil), (["Age": "99999999999999"], 10, 1_000_000_000_009),
    ] as [(Headers, Int64, Int64?)])
  func countsTheAge(headers: Headers, later: Int64, age: Int64?) {
    let entry = CacheEntry(response: Response(200, headers: headers), stored: 1000)
    #expect(entry.age(Timestamp(seconds: 1000 + later)) == age)
  }

  @Test func fileNameDependsOnMethodAddressAndHeaders() {
    let request = Request.get("https://host/a?x=1", headers: ["Accept": "b"])
    let name = CacheEntry.fileName(for: request)
    #expect(CacheEntry.fileName(for: .get("https://host/a?x=1", headers: ["ACCEPT": "b"])) == name)
    var head = request
    head.method = .head
    let others = [
      head, .get("https://host/a?x=2", headers: ["Accept": "b"]),
      .get("https://host/b?x=1", headers: ["Accept": "b"]), .get("https://host/a?x=1"),
      .get("https://host/a?x=1", headers: ["Accept": "c"]),
    ]
    for other in others {
      #expect(CacheEntry.fileName(for: other) != name)
      #expect(CacheEntry.fileName(for: other).prefix(17) == name.prefix(17))
    }
    for url in ["http://host/a?x=1", "https://host:444/a?x=1", "https://other/a?x=1"] {
      #expect(!CacheEntry.fileName(for: .get(url)).hasPrefix(CacheEntry.namePrefix(for: request.url)))
    }
  }

  @Test func accountsAreSeparateAndSecretsAreNotStored() throws {
    let service = ScriptedTransport(fresh(60, ["Set-Cookie": "session=s3cret-value"]))
    for key in ["s3cret-value", "other", nil] {
      var request = request
      request.headers["Authorization"] = key
      _ = try cached(service).send(request)
    }
    _ = try cached(service).send(.get("https://host/teams?x=1", headers: ["Authorization": "s3cret-value"]))
    #expect(service.requests.count == 4 && files.count == 4)
    for name in files {
      #expect(!name.contains("s3cret"))
      #expect(!scratch.text("cache/\(name)").contains("s3cret"))
      #expect(scratch.mode("cache/\(name)") == 0o600)
    }
    #expect(scratch.mode("cache") == 0o700)
  }

  @Test(arguments: [HTTP.Method.post, .put, .delete, .patch])
  func writeDropsCachedResponsesOfItsHost(method: HTTP.Method) throws {
    let service = ScriptedTransport(.success(fresh(60)), .success(fresh(60)), .refused, .success(fresh(60)))
    _ = try cached(service).send(request)
    _ = try cached(service).send(.get("https://other/"))
    _ = try? cached(service).send(Request(method, URL("https://host/scores")))
    #expect(files.count == 1)
    _ = try cached(service).send(.get("https://other/"))
    _ = try cached(service).send(request)
    #expect(service.requests.map(\.url.host) == ["host", "other", "host", "host"])
  }

  @Test func noStoreOfRequestBypassesCache() throws {
    let service = ScriptedTransport(fresh(60))
    for _ in 0..<2 {
      _ = try cached(service).send(.get("https://host/", headers: ["Cache-Control": "no-store"]))
    }
    #expect(service.requests.count == 2 && files.isEmpty)
  }

  @Test func damagedFileIsIgnored() throws {
    let service = ScriptedTransport(fresh(60))
    _ = try cached(service).send(request)
    let path = "\(scratch.path)/cache/\(files[0])"
    let whole = try #require(try File.read(path))
    var asked = 1
    for place in stride(from: 0, to: whole.count, by: 7) {
      var damaged = whole
      damaged[place] ^= 1
      for bytes in [damaged, Array(whole[..<place])] {
        try DisposableFile.replace(path, with: bytes)
        #expect(try cached(service).send(request).body == Array("[]".utf8))
        asked += 1
      }
    }
    #expect(service.requests.count == asked)
    #expect(try File.read(path) == whole)
  }

  /// The hash fits, but not the rest: a file of another program, or of a later version.
  @Test(arguments: ["", "1", "1 2 3", "-1 200", "x 200", "1 x", "1 200\nno field\n"])
  func incompleteFileIsIgnored(_ contents: String) throws {
    let whole = CacheEntry(response: Response(200), stored: 1).bytes
    let first = try #require(String(decoding: whole, as: UTF8.self).split(separator: "\n").first)
    let magic = first.dropLast(64)
    func entry(_ contents: String) -> CacheEntry? {
      let rest = Array(contents.utf8)
      return CacheEntry(Array("\(magic)\(SHA256.hex(rest))\n".utf8) + rest)
    }
    #expect(entry("1 200\n\n") != nil && entry("0 200\n\n")?.stored == 0)
    #expect(entry(contents) == nil)
    #expect(entry("\(contents)\n\n") == nil)
  }

  @Test func aClockSetBackMakesACopyStale() throws {
    let service = ScriptedTransport(fresh(60))
    _ = try cached(service).send(request)
    time.setCalendar(forward: .seconds(-3600))
    _ = try cached(service, maxAge: 100_000).send(request)
    #expect(service.requests.count == 2)
  }

  @Test func unwritableCacheDoesNotFailRequest() throws {
    // A file stands where the folder should.
    try File.replace("\(scratch.path)/cache", with: [])
    let transport = cached(ScriptedTransport(fresh(60)))
    for _ in 0..<2 { #expect(try transport.send(request).status == 200) }
    _ = try transport.send(Request(.post, request.url))
    #expect(notes.lines.count == 1)
    #expect(notes.lines[0].hasPrefix("cache: cannot "))
  }

  @Test(arguments: ["max-age=1", "max-age=1, must-revalidate"])
  func aStaleResponseIsNotUsedWithoutAConnection(control: String) throws {
    let service = ScriptedTransport(.success(Response(200, headers: ["Cache-Control": control])), .refused)
    let url = Request.get("https://host/\(control.count)")
    _ = try cached(service).send(url)
    time.advance(by: .seconds(5))
    #expect(throws: Failure.self) { try cached(service).send(url) }
  }

  /// As the manual says.
  @Test func cacheStaysBelowItsLimit() throws {
    let service = ScriptedTransport(
      .text(200, String(repeating: "x", count: 1000), headers: ["Cache-Control": "max-age=60"]))
    let transport = cached(service, sizeLimit: 6000)
    for number in 0..<20 { _ = try transport.send(.get("https://host/\(number)")) }
    #expect((3...5).contains(files.count))
    // The newest is there.
    _ = try transport.send(.get("https://host/19"))
    #expect(service.requests.count == 20)
  }
}
