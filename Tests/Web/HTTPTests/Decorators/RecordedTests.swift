import System
import TestSupport
import Testing

@testable import HTTP

extension RecordingTransport {
  /// For a service at the root of its host, on 2026-03-10.
  init(_ inner: any Transport, folder: String) {
    self.init(
      inner, folder: folder, base: URL(scheme: .demo), headers: [:],
      clock: FakeClock(Timestamp(seconds: 1_773_151_200), offset: 3600))
  }
}

extension ReplayingTransport {
  convenience init(folder: String) { self.init(folder: folder, base: URL(scheme: .demo)) }
}

@Suite struct RecordedTests {
  let scratch: ScratchDirectory
  init() throws { scratch = try ScratchDirectory() }

  private var folder: String { "\(scratch.path)/tape" }
  private static let base = URL(scheme: .demo)

  @Test func eachExchangeIsOneReadableFile() throws {
    let service = ScriptedTransport(
      .success(
        .text(200, "{\"rented\": true}", headers: ["Content-Type": "application/json", "Set-Cookie": "a"])),
      .failure(
        Failure(
          .connection, "refused", hint: "start it", retryable: true, outcomeUnknown: true,
          details: [.init("retryAfter", .integer(5)), .init("captchaUrl", .text("https://x y"))])))
    let recorded = RecordingTransport(service, folder: folder)
    _ = try recorded.send(
      Request(
        .put, URL("http://localhost:3000/bikes/3/rented?key=abc&dry=1"),
        headers: ["Authorization": "abc", "Accept": "*/*"], body: Array("{\"a\":\n\n 1}".utf8)))
    #expect(throws: Failure.self) { try recorded.send(.get("http://localhost:3000/bikes")) }
    #expect(
      scratch.names("tape") == [".lock", "0001-PUT-bikes-3-rented.exchange", "0002-GET-bikes.exchange"])
    #expect(
      scratch.text("tape/0001-PUT-bikes-3-rented.exchange") == """
        # hw recording 2
        # at 2026-03-10 15:00:00+01:00
        > PUT /bikes/3/rented?key=•••&dry=1
        > Host: localhost:3000
        > Authorization: •••
        > Accept: */*
        >
        > {"a":
        >
        >  1}

        < 200
        < Content-Type: application/json
        < Set-Cookie: •••

        {"rented": true}

        """)
    #expect(
      scratch.text("tape/0002-GET-bikes.exchange") == """
        # hw recording 2
        # at 2026-03-10 15:00:00+01:00
        > GET /bikes
        > Host: localhost:3000

        < failed connection
        < Message: refused
        < Hint: start it
        < Retryable: yes
        < Outcome: unknown
        < Integer: retryAfter 5
        < Text: captchaUrl https://x y

        """)
    #expect(scratch.mode("tape/0002-GET-bikes.exchange") == 0o600)
  }

  @Test func numberingContinuesAcrossProcesses() throws {
    for _ in 0..<3 {
      _ = try RecordingTransport(ScriptedTransport(Response(200)), folder: folder).send(.get("demo:/x"))
    }
    #expect(
      scratch.names("tape").dropFirst() == [
        "0001-GET-x.exchange", "0002-GET-x.exchange", "0003-GET-x.exchange",
      ])
  }

  @Test(
    arguments: [
      Array("".utf8), Array("{}".utf8), Array("{}\n".utf8), Array("\n".utf8), Array("\n\n\n".utf8),
      Array("a\r\nb\r\n".utf8), Array("> 200\n< 200\n\nx".utf8), Array("\u{301}e \u{301}\n\u{301}".utf8),
      Array("é🚲\t".utf8), [0], Array("a\u{1b}[31m".utf8),
    ] as [[UInt8]])
  func anyBodyIsReadBack(body: [UInt8]) throws {
    let request = try Request(.post, URL("https://host/x"), body: body)
    for response in [
      Response(200, body: body), Response(204, headers: ["A": "b: c", "Empty": ""], body: body),
    ] {
      let exchange = RecordedExchange(
        request, .success(response), below: RecordedTests.base, hiding: SentSecrets(), at: nil)
      #expect(try RecordingReader.read(Array(exchange.text.utf8)) == exchange)
    }
  }

  @Test(arguments: [false, true], [false, true])
  func bringsAFailureBack(isRetryable: Bool, isUnknown: Bool) throws {
    let failure = Failure(
      .connection, "lost", hint: "again", retryable: isRetryable, outcomeUnknown: isUnknown,
      details: [
        .init("address", .text(" https://x  y")), .init("nothing", .text("")), .init("after", .integer(-5)),
      ])
    let exchange = RecordedExchange(
      try Request(.put, URL("https://host/x")), .failure(failure), below: RecordedTests.base,
      hiding: SentSecrets(), at: nil)
    #expect(try RecordingReader.read(Array(exchange.text.utf8)) == exchange)
  }

  /// A text within a line has no line break, and no other control character.
  @Test func lineBreaksInTextsAreEscaped() throws {
    func isRead(_ outcome: Result<Response, Failure>, as read: Result<Response, Failure>) throws -> Bool {
      let exchange = RecordedExchange(
        .get("https://host/x"), outcome, below: RecordedTests.base, hiding: SentSecrets(), at: nil)
      return try RecordingReader.read(Array(exchange.text.utf8)).outcome == read
    }
    let details: [Failure.Detail] = [.init("a", .text("x\r\ny"))]
    let failure = Failure(.connection, "lo\nst", hint: "a\u{1B}gain", details: details)
    let plain: [Failure.Detail] = [.init("a", .text("xy"))]
    #expect(
      try isRead(.failure(failure), as: .failure(Failure(.connection, "lost", hint: "again", details: plain)))
    )
    #expect(try isRead(.status(200, headers: ["A": "b\u{7}\n< c"]), as: .status(200, headers: ["A": "b< c"])))
  }

  @Test func wrongBytesOfABodyAreReplaced() throws {
    let exchange = RecordedExchange(
      .get("https://host/x"), .success(Response(200, body: [0x61, 0xFF])), below: RecordedTests.base,
      hiding: SentSecrets(), at: nil)
    #expect(try RecordingReader.read(Array(exchange.text.utf8)).outcome == .success(.text(200, "a\u{FFFD}")))
  }

  @Test(arguments: [
    ("https://host/v1", "https://host/v1", "/"), ("https://host/v1", "https://host/v1/x?a=1", "/x?a=1"),
    ("https://host/v1", "https://host/v10/x", "/v10/x"), ("https://host/v1", "https://host/x", "/x"),
    ("https://host/", "https://host/x", "/x"), ("https://host", "https://host/x", "/x"),
    ("https://host/", "https://host//x", "//x"),
  ])
  func aTargetIsBelowTheAddress(base: String, address: String, target: String) throws {
    #expect(RecordedExchange.Key(.get(address), below: try URL(base)).target == target)
  }

  @Test func recordingThatIsNotUTF8IsRefused() {
    #expect(throws: RecordingReader.SyntaxError(line: 1, reason: "is not UTF-8")) {
      try RecordingReader.read([0x3E, 0xFF])
    }
  }

  @Test func editedFileIsRead() throws {
    let exchange = try RecordingReader.read(Array(">GET /x\n\n\n<200\n<A:b\n\n{\n  \"b\": 1\n}\n".utf8))
    #expect(exchange.key == .init(method: .get, target: "/x", body: []))
    #expect(exchange.outcome == .success(.text(200, "{\n  \"b\": 1\n}", headers: ["A": "b"])))
  }

  /// An editor may leave it out.
  @Test(arguments: ["> GET /x\n\n< 200\n\nbody", "> GET /x\n\n< 200\n\nbody\n"])
  func theLastLineEndIsNoPartOfTheBody(text: String) throws {
    #expect(try RecordingReader.read(Array(text.utf8)).outcome == .success(.text(200, "body")))
  }

  @Test func syntaxErrorsAreAsRecorded() throws {
    try RecordedText.holdTexts("syntax-errors.txt") { text in
      let error = #expect(throws: RecordingReader.SyntaxError.self) {
        try RecordingReader.read(Array(text.utf8))
      }
      return ["! line \(error?.line ?? 0) \(error?.reason ?? "")"]
    }
  }

  @Test func unwritableFolderSendsNothing() throws {
    try File.replace(folder, with: [])
    let service = ScriptedTransport(Response(200))
    let failure = #expect(throws: Failure.self) {
      try RecordingTransport(service, folder: "\(folder)/below").send(.get("demo:/x"))
    }
    #expect(failure?.kind == .storage && service.requests.isEmpty)
  }

  @Test(arguments: [Failure.Kind.connection, .invalidData, .rateLimited])
  func failureOfServiceIsRecorded(kind: Failure.Kind) throws {
    #expect(throws: Failure(kind, "no")) {
      try RecordingTransport(ScriptedTransport(.failure(Failure(kind, "no"))), folder: folder).send(
        .get("demo:/x"))
    }
    #expect(scratch.names("tape") == [".lock", "0001-GET-x.exchange"])
    #expect(scratch.text("tape/0001-GET-x.exchange").contains("< failed \(kind.rawValue)\n"))
  }

  @Test(arguments: [Interruption.failure, Failure(.storage, "disk full")])
  func localFailureIsNotRecorded(failure: Failure) {
    #expect(throws: failure) {
      try RecordingTransport(ScriptedTransport(.failure(failure)), folder: folder).send(.get("demo:/x"))
    }
    #expect(scratch.names("tape").isEmpty)
  }
}

@Suite struct ReplayedTests {
  let scratch: ScratchDirectory
  init() throws { scratch = try ScratchDirectory() }

  private var folder: String { "\(scratch.path)/tape" }

  private func record(_ exchanges: [(Request, Result<Response, Failure>)]) {
    for (request, outcome) in exchanges {
      _ = try? RecordingTransport(ScriptedTransport(outcome), folder: folder).send(request)
    }
  }

  private func bodies(_ replayed: ReplayingTransport, _ requests: [Request]) throws -> [String] {
    try requests.map { String(decoding: try replayed.send($0).body, as: UTF8.self) }
  }

  @Test func answersEqualRequestsInOrderAndTheLastAgain() throws {
    let (list, one) = (Request.get("https://host/list"), Request.get("https://host/one"))
    record([
      (list, .success(.text(200, "1"))), (one, .success(.text(200, "one"))),
      (list, .success(.text(200, "2"))),
    ])
    #expect(
      try bodies(ReplayingTransport(folder: folder), [list, list, list, one, one, list]) == [
        "1", "2", "2", "one", "one", "2",
      ])
    #expect(try bodies(ReplayingTransport(folder: folder), [list]) == ["1"])
  }

  @Test func recordingPlaysForOtherHostAndToken() throws {
    record([(.get("https://host/x?token=a&y=1", headers: ["Authorization": "a"]), .success(.text(200, "ok")))]
    )
    #expect(
      try bodies(
        ReplayingTransport(folder: folder),
        [.get("http://127.0.0.1:1/x?token=b&y=1"), .get("demo:/x?token=&y=1")])
        == ["ok", "ok"])
  }

  /// The host of the request may not have sent it.
  @Test func failureNamesTheRecording() throws {
    record([(.get("https://host/x"), .success(.text(403, "no")))])
    let request = Request.get("https://other/x")
    let failure = try ReplayingTransport(folder: folder).send(request).failure(for: request)
    #expect(failure.message == "'GET https://other/x' returned 403 in the recording: no")
  }

  @Test func masksWhatWasSentWhereverItAppears() throws {
    let secret = "s3cr\"t/+token"
    let body = #"{"you":"s3cr\"t/+token","pin":"1234","key":"shrt"}"#
    let service = ScriptedTransport(
      .success(
        .text(200, body, headers: ["Location": "/x?next=s3cr%22t%2F%2Btoken", "X-Echo": "Bearer \(secret)"])),
      .failure(
        Failure(
          .connection, "no \(secret)", hint: "try \(secret)",
          details: [.init("a", .text(secret)), .init("b", .list([secret])), .init("c", .integer(7))])),
      .success(.text(200, "it was \(secret) and abc")))
    let recorded = RecordingTransport(
      service, folder: folder, base: try URL("https://host"),
      headers: ["X-Authorization": "Bearer \(secret)"],
      clock: FakeClock())
    let authorized: Headers = ["X-Authorization": "Bearer \(secret)"]
    let request = try Request(
      .post, URL("https://host/a/s3cr%22t%2F%2Btoken?apikey=abc"), headers: authorized,
      body: Array("token=\(secret)&pin=1234".utf8))
    let answer = try recorded.send(request)
    // Only the file is masked.
    #expect(answer.body == Array(body.utf8))
    #expect(throws: Failure.self) { try recorded.send(.get("https://host/b", headers: authorized)) }
    // A request without the secret, after a redirect for instance.
    _ = try recorded.send(.get("https://host/c"))
    let files = scratch.names("tape").filter { $0.hasSuffix(".exchange") }.map { scratch.text("tape/\($0)") }
    #expect(files.count == 3)
    for file in files {
      #expect(!file.contains("token") || file.contains("token=•••"), "\(file)")
      #expect(!file.contains("s3cr") && !file.contains("apikey=abc"), "\(file)")
    }
    #expect(files[0].contains(#"{"you":"•••","pin":"1234","key":"shrt"}"#) && files[0].contains("&pin=1234"))
    // A secret of three characters is masked where it was sent, and is no word of the others.
    #expect(files[2].contains("it was ••• and abc"))
    #expect(try bodies(ReplayingTransport(folder: folder), [request]).count == 1)
  }

  /// A service may repeat what only the request has, and a request may have what is the service's anywhere.
  @Test func masksTheSecretsOfTheRequestAndThoseOfTheService() throws {
    let service = ScriptedTransport(
      .success(.text(200, "sess-1, quer-2, serv-3", headers: ["X-Echo": "quer-2"])),
      .failure(Failure(.connection, "no sess-1")))
    let recorded = RecordingTransport(
      service, folder: folder, base: try URL("https://host"), headers: ["Authorization": "Bearer serv-3"],
      clock: FakeClock())
    let request = Request(
      .put, try URL("https://host/serv-3?token=quer-2"), headers: ["Cookie": "sess-1"],
      body: Array("serv-3".utf8))
    _ = try recorded.send(request)
    #expect(throws: Failure.self) { try recorded.send(request) }
    let files = scratch.names("tape").filter { $0.hasSuffix(".exchange") }.map { scratch.text("tape/\($0)") }
    let start = """
      # hw recording 2
      # at 2024-01-01 00:00:00+00:00
      > PUT /•••?token=•••
      > Host: host
      > Cookie: •••
      >
      > •••


      """
    #expect(
      files == [
        start + "< 200\n< X-Echo: •••\n\n•••, •••, •••\n", start + "< failed connection\n< Message: no •••\n",
      ])
  }

  @Test func theTargetIsRelativeToTheAddressOfTheService() throws {
    let recorded = RecordingTransport(
      ScriptedTransport(.text(200, "ok")), folder: folder, base: try URL("https://host/v1"), headers: [:],
      clock: FakeClock())
    _ = try recorded.send(.get("https://host/v1/games?page=2"))
    #expect(scratch.text("tape/0001-GET-games.exchange").contains("\n> GET /games?page=2\n"))
    for (base, request) in [
      ("demo:", "demo:/games?page=2"), ("http://other/a/b", "http://other/a/b/games?page=2"),
    ] {
      let replayed = ReplayingTransport(folder: folder, base: try URL(base))
      #expect(try bodies(replayed, [.get(request)]) == ["ok"])
    }
  }

  @Test func theClockIsThatOfTheFirstExchange() throws {
    record([(.get("demo:/x"), .status(200))])
    let machine = FakeClock(Timestamp(seconds: 2_000_000_000), offset: -7200)
    let clock = try #require(try RecordedClock(of: folder, machine))
    #expect(clock.now() == Timestamp(seconds: 1_773_151_200))
    #expect(clock.local(clock.now()).seconds == "2026-03-10 15:00:00+01:00")
    // And it runs as the machine does.
    machine.advance(by: .milliseconds(1500))
    #expect(clock.now() == Timestamp(seconds: 1_773_151_201, nanoseconds: 500_000_000))
    try clock.sleep(for: .seconds(2))
    #expect(machine.sleeps == [.seconds(2)] && clock.uptime() == machine.uptime())
    #expect(clock.now() == Timestamp(seconds: 1_773_151_203, nanoseconds: 500_000_000))
    try File.replace("\(folder)/0001-GET-x.exchange", with: Array("# hw recording 2\n> GET /x\n< 200\n".utf8))
    #expect(try RecordedClock(of: folder, machine) == nil)
  }

  /// As exact as it is written.
  @Test(arguments: [(3629, 3600), (3600, 3600), (-3629, -3600), (59, 0)] as [(Int64, Int64)])
  func aRecordedTimeHasWholeSecondsAndMinutes(offset: Int64, written: Int64) {
    let clock = FakeClock(Timestamp(seconds: 1_773_151_200, nanoseconds: 999), offset: offset)
    let time = RecordedTime(clock)
    #expect(time.time == Timestamp(seconds: 1_773_151_200) && time.offset == written)
  }

  @Test(arguments: [
    ("2026-03-10 15:00:00+01:00", 1_773_151_200), ("2026-03-10 03:30:00-10:30", 1_773_151_200),
    ("1969-12-31 23:59:59+00:00", -1), ("2026-03-10 15:00:00+23:59", 1_773_068_460),
  ])
  func readsATime(text: String, seconds: Int64) throws {
    let time = try #require(RecordedTime(text))
    #expect(time.time.seconds == seconds)
    #expect(time.text == text)
  }

  @Test(arguments: [
    "", "2026-03-10", "2026-02-30 15:00:00+01:00", "2026-03-10 24:00:00+01:00", "2026-03-10 15:60:00+01:00",
    "2026-03-10 15:00:00Z", "2026-03-10T15:00:00+01:00", "2026-03-10 1x:00:00+01:00",
    "2026-03-10 15:00:00+01:00 ",
  ])
  func refusesATime(text: String) {
    #expect(RecordedTime(text) == nil)
    let error = #expect(throws: RecordingReader.SyntaxError.self) {
      try RecordingReader.read(Array("# hw recording 2\n# at \(text)\n> GET /x\n< 200\n".utf8))
    }
    #expect(error?.line == 2)
  }

  @Test func thereIsNoClockWithoutARecording() throws {
    #expect(try RecordedClock(of: folder, FakeClock()) == nil)
  }

  @Test func exhaustedNumbersAreReported() throws {
    try Folder.make(folder)
    try File.replace(
      "\(folder)/\(Int.max)-x.exchange", with: Array("# hw recording 2\n> GET /x\n< 200\n".utf8))
    #expect(
      throws: Failure(
        .storage, "no number is left for another file in '\(folder)'", hint: "record to an empty directory")
    ) {
      try RecordingTransport(ScriptedTransport(.text(200, "")), folder: folder).send(.get("demo:/x"))
    }
  }

  @Test func aRecordingIsReadOnce() throws {
    record([(.get("demo:/x"), .success(.text(200, "1"))), (.get("demo:/x"), .success(.text(200, "2")))])
    let replayed = ReplayingTransport(folder: folder)
    #expect(try bodies(replayed, [.get("demo:/x")]) == ["1"])
    try Folder.remove(folder)
    #expect(try bodies(replayed, [.get("demo:/x")]) == ["2"])
  }

  @Test(arguments: [
    ("# hw recording 3\n", "is of a newer hw: version 3, and this one reads up to 2"),
    ("# hw recording 1\n", "is of an older hw: version 1, and this one reads from 2 on"),
    ("", "is of an older hw: version 1, and this one reads from 2 on"),
  ])
  func aRecordingOfAnotherVersionIsRefused(header: String, message: String) throws {
    record([(.get("demo:/x"), .status(200))])
    let path = "\(folder)/0002-GET-x.exchange"
    try File.replace(path, with: Array("\(header)> GET /x\n< 200\n".utf8))
    let failure = #expect(throws: Failure.self) {
      try ReplayingTransport(folder: folder).send(.get("demo:/x"))
    }
    #expect(failure?.kind == .storage && failure?.message == "'\(path)' \(message)")
  }

  @Test func unrecordedRequestIsReported() throws {
    record([(Request(.post, try URL("demo:/x"), body: [65]), .status(200))])
    let replayed = ReplayingTransport(folder: folder)
    let hint = "record it with --record \(ShellWord(folder).quoted)"
    #expect(
      throws: Failure(.connection, "'GET /x' is not in the recording '\(folder)'", hint: hint).with(
        .notRecorded)
    ) {
      try replayed.send(.get("demo:/x"))
    }
    #expect(
      throws: Failure(.connection, "'POST /x' is not in the recording '\(folder)' with this body", hint: hint)
        .with(.notRecorded)
    ) {
      try replayed.send(Request(.post, URL("demo:/x"), body: [66]))
    }
  }

  @Test func damagedRecordingIsNamedForEachRequest() throws {
    record([(.get("demo:/x"), .status(200))])
    try File.replace(
      "\(folder)/0002-GET-x.exchange", with: Array("# hw recording 2\n> GET /x\n< fine\n".utf8))
    let replayed = ReplayingTransport(folder: folder)
    for _ in 1...2 {
      let failure = #expect(throws: Failure.self) { try replayed.send(.get("demo:/x")) }
      #expect(failure?.kind == .storage)
      #expect(failure?.message == "'\(folder)/0002-GET-x.exchange', line 3, has no status")
    }
  }

  /// A file without a number is the last.
  @Test func playsInTheOrderOfTheNumbers() throws {
    record([(.get("demo:/x"), .success(.text(200, "1")))])
    for (name, body) in [("last", "4"), ("10000-GET-x", "3"), ("9999-GET-x", "2")] {
      try scratch.write("# hw recording 2\n> GET /x\n\n< 200\n\n\(body)\n", to: "tape/\(name).exchange")
    }
    try scratch.write("no exchange", to: "tape/0000-notes.txt")
    let replayed = ReplayingTransport(folder: folder)
    #expect(try bodies(replayed, Array(repeating: .get("demo:/x"), count: 5)) == ["1", "2", "3", "4", "4"])
    _ = try RecordingTransport(ScriptedTransport(Response(200)), folder: folder).send(.get("demo:/"))
    #expect(scratch.names("tape").contains("10001-GET-.exchange"))
  }
}
