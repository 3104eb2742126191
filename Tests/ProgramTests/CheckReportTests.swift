import HTTP
import Server
import Store
import System
import TestSupport
import Terminal
import Testing

@testable import Command
@testable import Output
@testable import Tools
@testable import hw

/// What `hw check` writes, and the status that it ends with.
@Suite struct CheckReports {
  private static let outcomes = [
    CheckOutcome("nodes", "top", .ok, detail: "GET http://h/ 200", milliseconds: 7),
    CheckOutcome("wordle", "scores", .fail, findings: ["one", "two"], milliseconds: 1500),
    CheckOutcome("nodes", "a # b", .warn, findings: ["slow\nvery"], milliseconds: 1000),
    CheckOutcome("wordle", "key", .skip, findings: ["give a key\nnow", "more"]),
    CheckOutcome("wordle", "gone", .down, findings: ["refused"]),
  ]

  @Test func tapReportIsWritten() {
    #expect(
      TestAnythingProtocol.text(Self.outcomes) == """
        TAP version 13
        1..5
        ok 1 - nodes: top
        not ok 2 - wordle: scores
        # one
        # two
        ok 3 - nodes: a \\# b
        # warning: slow very
        ok 4 - wordle: key # SKIP give a key now
        not ok 5 - wordle: gone
        # refused

        """)
    #expect(TestAnythingProtocol.text([]) == "TAP version 13\n1..0\n")
  }

  @Test func junitReportIsWritten() {
    #expect(
      JUnitReport.text(Self.outcomes) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="hw check">
          <testsuite name="nodes" tests="2" failures="0" errors="0" skipped="0" time="1.007">
            <testcase classname="hw.nodes" name="top" time="0.007"/>
            <testcase classname="hw.nodes" name="a # b" time="1.000">
              <system-out>slow
        very</system-out>
            </testcase>
          </testsuite>
          <testsuite name="wordle" tests="3" failures="1" errors="1" skipped="1" time="1.500">
            <testcase classname="hw.wordle" name="scores" time="1.500">
              <failure message="one">one
        two</failure>
            </testcase>
            <testcase classname="hw.wordle" name="key" time="0.000">
              <skipped message="give a key
        now"/>
            </testcase>
            <testcase classname="hw.wordle" name="gone" time="0.000">
              <error message="refused">refused</error>
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }

  @Test func githubReportIsWritten() throws {
    let home = try ScratchDirectory()
    try home.write("before\n", to: "summary")
    let (sink, host) = (MemorySink(), ["GITHUB_STEP_SUMMARY": home.file("summary")])
    var report = CheckReport(.github, try Self.context(host, sink))
    let odd = CheckOutcome("nba", "a: b, c", .fail, findings: ["100 %\r\n::error::no", "at | \u{1B}"])
    for outcome in Self.outcomes + [odd] { try report.add(outcome) }
    try report.finish()
    try report.output.outlet.flush()
    #expect(
      sink.text == """
        ok: hw nodes: top
        ::error title=hw wordle%3A scores::one%0Atwo
        ::warning title=hw nodes%3A a # b::slow%0Avery
        skip: hw wordle: key
        ::error title=hw wordle%3A gone::refused
        ::error title=hw nba%3A a%3A b%2C c::100 %25%0A::error::no%0Aat | \u{FFFD}

        """)
    #expect(
      home.text("summary") == """
        before
        ### hw check

        | Result | Suite | Check | Findings |
        | --- | --- | --- | --- |
        | ok | nodes | top | |
        | FAIL | wordle | scores | one, two |
        | warn | nodes | a # b | slow<br>very |
        | skip | wordle | key | give a key<br>now, more |
        | down | wordle | gone | refused |
        | FAIL | nba | a: b, c | 100 %<br>::error::no, at \\| \u{FFFD} |


        """)
  }

  @Test func githubReportNeedsNoSummary() throws {
    var report = CheckReport(.github, try Self.context())
    try report.add(Self.outcomes[0])
    try report.finish()
    var failing = CheckReport(.github, try Self.context(["GITHUB_STEP_SUMMARY": "/none/summary"]))
    try failing.add(Self.outcomes[0])
    #expect(failure { try failing.finish() }?.kind == .storage)
  }

  /// A number sign begins a directive of TAP: `# skip` would turn the failure into a skipped test.
  @Test func reservedCharactersAreEscaped() {
    let outcomes = [
      CheckOutcome(
        "nodes", "the \"list\" <1> & # skip", .fail, findings: ["at a: expected \"b\" & <c>, found\n# \u{1B}"]
      )
    ]
    #expect(
      TestAnythingProtocol.text(outcomes).hasSuffix(
        """

        not ok 1 - nodes: the "list" <1> & \\# skip
        # at a: expected "b" & <c>, found # \u{FFFD}

        """))
    #expect(
      JUnitReport.text(outcomes).contains(
        #"name="the &quot;list&quot; &lt;1&gt; &amp; # skip" time="0.000""#))
    #expect(
      JUnitReport.text(outcomes).contains(
        "<failure message=\"at a: expected &quot;b&quot; &amp; &lt;c&gt;, found\n# \u{FFFD}\">"))
  }

  /// Its lines stay apart in XML; a line of TAP has room for one.
  @Test func findingKeepsEmptyLineInJUnit() {
    let outcome = CheckOutcome("nba", "x", .warn, findings: ["one\n\ntwo"])
    #expect(JUnitReport.text([outcome]).contains("<system-out>one\n\ntwo</system-out>\n"))
    #expect(TestAnythingProtocol.text([outcome]).hasSuffix("\n# warning: one two\n"))
  }

  @Test(arguments: [
    (0, "ok    nodes: top"), (1, "FAIL  wordle: scores\n      one\n      two"),
    (4, "down  wordle: gone\n      refused"),
  ])
  func textLineShowsFindings(index: Int, text: String) throws {
    let shown = try #require(CheckRow.text)
    let line = shown(CheckRow(outcome: Self.outcomes[index]), nil)
    #expect(line == text)
  }

  /// A check of the installation has something to say also where nothing is wrong.
  @Test func selfCheckLineShowsDetail() throws {
    let text = try #require(CheckRow.text)
    func line(_ status: CheckOutcome.Status, _ detail: String, _ findings: [String] = []) -> String {
      text(CheckRow(outcome: CheckOutcome("hw", "clock", status, detail: detail, findings: findings)), nil)
    }
    #expect(line(.ok, "now") == "ok    hw: clock: now" && line(.ok, "") == "ok    hw: clock")
    #expect(line(.warn, "now", ["late\u{1B}"]) == "warn  hw: clock\n      late\u{FFFD}")
  }

  private static func context(
    _ environment: [String: String] = [:], _ sink: MemorySink = MemorySink()
  ) throws -> Context {
    let check = try #require(Program.hw.tools.commands.first { $0.name == "check" })
    let host = Host(
      environment: Environment(environment), time: FakeClock(), input: Host.InputStream(MemorySource([])),
      output: Host.OutputStream(MemorySink()), errors: ErrorStream(MemorySink()))
    return Context(
      program: .hw, call: Invocation(check, suite: nil), host: host, output: Output(.init(), Outlet(sink)))
  }

  private func status(_ outcomes: [CheckOutcome]) throws -> Int32 {
    var report = CheckReport(.tap, try Self.context())
    for outcome in outcomes { try report.add(outcome) }
    return try report.status().code
  }

  @Test func statusFollowsOutcomes() throws {
    let (good, bad, odd) = (Self.outcomes[0], Self.outcomes[1], Self.outcomes[2])
    let (skipped, down) = (Self.outcomes[3], Self.outcomes[4])
    for outcomes in [[], [good], [odd], [skipped, good], [good, skipped]] {
      #expect(try status(outcomes) == 0)
    }
    for outcomes in [[bad], [down, bad], [bad, skipped], [good, bad, good]] {
      #expect(try status(outcomes) == 1)
    }
    let nothing = failure { try status([skipped, CheckOutcome("nba", "x", .skip, findings: ["another"])]) }
    #expect(nothing?.kind == .unauthorized && nothing?.message == "every check was skipped")
    #expect(nothing?.hint == "give a key\nnow")
  }

  @Test func unavailableServicesAreNamedOnce() throws {
    func down(_ suite: String, _ subkind: ConnectionSubkind? = nil) -> CheckOutcome {
      var outcome = CheckOutcome(suite, "x", .down, findings: ["gone"])
      outcome.failure = subkind.map(Failure(.connection, "gone").with)
      return outcome
    }
    let all = failure {
      try status([
        Self.outcomes[0], down("wordle"), down("wordle", .refused), Self.outcomes[3], down("nba", .dns),
      ])
    }
    #expect(all?.kind == .connection && all?.retryable == true)
    #expect(all?.message == "no response from wordle, nba")
    let subkinds = all?.details.map { "\($0.name) \($0.value)" }.joined() ?? ""
    #expect(subkinds.contains("refused") && !subkinds.contains("dns"))
    let unknown = failure { try status([down("nba")]) }
    #expect(unknown?.details.isEmpty == true)
  }

  @Test func rateLimitIsReported() throws {
    let limit = Failure(.rateLimited, "full", hint: "retry in 5 s", retryable: true)
    func limited(_ suite: String) -> CheckOutcome {
      var outcome = CheckOutcome(suite, "x", .down, findings: ["full"])
      outcome.failure = limit
      return outcome
    }
    let rest = CheckOutcome("nba", "y", .down, findings: ["no request was sent"])
    #expect(failure { try status([Self.outcomes[0], limited("nba"), rest]) } == limit)
    #expect(try status([limited("nba"), rest, Self.outcomes[1]]) == 1)
    let both = failure { try status([limited("nba"), rest, Self.outcomes[4]]) }
    #expect(both?.kind == .connection && both?.message == "no response from wordle")
  }

  // MARK: Services

  /// One has no checks, and one has checks and no service to ask.
  @Test func suitesWithoutServiceAreRefused() {
    let backend: Suite.MakeBackend = { _, _ throws(Failure) in ScriptedBackend("box", routes: []) }
    let checks = [Check("x", "/x") { _ in }]
    let program = Program(
      "sample", version: "1", "Test",
      suites: [
        .init("box", Suite("box", "Boxes", backend: backend, commands: [])),
        .init("cup", Suite("cup", "Cups", backend: backend, checks: checks, commands: [])),
      ], tools: Suite("", "Tools", commands: [Toolbox.check]))
    let named = Ran(program, ["check", "box"])
    #expect(named.status == 2 && named.output == "")
    #expect(named.complaint == "hw: 'box' is not a suite with a service | suites: cup")
    for words in [["check"], ["check", "cup"]] {
      let ran = Ran(program, words)
      #expect(ran.status == 0 && ran.output == "" && ran.errors == "")
    }
  }

  // MARK: The installation

  /// One header for all rows: without a format, fields are those of a table.
  @Test func chosenFieldsPrintOneTable() throws {
    let home = try ScratchDirectory()
    for words in [["--self"], ["nodes", "--demo"]] {
      let shown = Ran(
        .hw, ["check"] + words + ["--fields", "result"], environment: ["HOME": home.path], time: FakeClock()
      ).output.split(separator: "\n")
      #expect(shown.first == "Result" && shown.count > 2, "\(words)")
      #expect(shown.count { $0 == "Result" } == 1, "\(words)")
    }
  }

  // MARK: Stores

  @Test(
    arguments: [
      ("mysql://u:secret@h/d", "mysql:"), ("a:b", "a:"), ("é:x", "é:"), ("./a:b", nil), ("/a:b", nil),
      ("host=127.0.0.1 user=hw password=secret dbname=hw", "host="), ("password=secret", "password="),
      (" service = town", " service ="), ("./host=a", nil), ("data/user=a", nil), ("user name", nil),
    ] as [(String, String?)])
  func foreignAddressIsNoStore(text: String, shown: String?) throws {
    let context = try Self.context()
    let refusal = failure { try context.store(text, of: Toolbox.serveStore, isTyped: true) }
    #expect(
      refusal?.message
        == shown.map { "'--store' requires a directory or a PostgreSQL database, not '\($0)'" })
    #expect(refusal == nil || refusal?.kind == .usage && refusal?.hint?.contains("postgresql://") == true)
  }

  @Test(
    .needs(.libpq),
    arguments: [
      ("postgresql://u:secret@h/d", [:], true, true), ("postgresql://u:secret@h/d", [:], false, true),
      ("postgresql://u:secret@h/d", ["HW_STORE": "postgresql://u:secret@h/d"], false, false),
      ("postgresql://u:secret@h/d", ["HW_STORE": "postgresql://u:secret@h/d"], true, true),
      ("postgresql://u:secret@h/d", ["HW_STORE": "postgresql://u:other@h/d"], false, true),
      ("postgresql://u@h/d", [:], true, false),
    ] as [(String, [String: String], Bool, Bool)])
  func typedPasswordInStoreAddressIsRefused(
    text: String, environment: [String: String], isTyped: Bool, isRefused: Bool
  ) throws {
    let context = try Self.context(environment)
    let refusal = failure { try context.store(text, of: Toolbox.serveStore, isTyped: isTyped) }
    #expect(refusal?.message == (isRefused ? "'--store' does not take a password" : nil))
    #expect(refusal?.hint?.hasPrefix("set HW_STORE to the address") == (isRefused ? Bool?.some(true) : nil))
  }

  // MARK: The server

  private static let listens: [(typed: String?, stored: String?, picks: Bool, address: String)] = [
    (nil, nil, false, "127.0.0.1:7400"), (nil, nil, true, "127.0.0.1:0"),
    ("127.0.0.1:81", nil, false, "127.0.0.1:81"), ("127.0.0.1:81", nil, true, "127.0.0.1:81"),
    // What is set is for the server of every day, and not for one beside it.
    (nil, "127.0.0.1:82", false, "127.0.0.1:82"), (nil, "127.0.0.1:82", true, "127.0.0.1:0"),
  ]

  @Test(arguments: listens.indices) func listenAddressFollowsPrecedence(index: Int) throws {
    let (typed, stored, picks, address) = Self.listens[index]
    let serve = try #require(Program.hw.tools.commands.first { $0.name == "serve" })
    var call = Invocation(serve, suite: nil)
    if let typed { call.set(Toolbox.serveListen.declaration, to: typed, text: typed) }
    if let stored { call.setFromSettings(Toolbox.serveListen.declaration, to: stored) }
    let opening = try SocketOpening(call, try ServiceManager(Environment([:])), picksPort: picks)
    #expect(opening.addresses.map { "\($0)" } == [address])
  }

  @Test(
    arguments: [
      ("trusted-proxy", "10.0.0.1,::1", "10.0.0.1 ::1"), ("trusted-proxy", "10.0.0.1,", nil),
      ("trusted-proxy", "", nil), ("trusted-proxy", "h.test", nil), ("trusted-proxy", "10.0.0.1,h.test", nil),
      ("public", "nba,bikes", "nba bikes"), ("public", "nba,,bikes,", "nba bikes"), ("public", ",", nil),
      ("public", "", nil),
      ("listen", "127.0.0.1:0", "127.0.0.1:0"), ("listen", "unix:/x", "unix:/x"), ("listen", "x", nil),
      ("listen", "127.0.0.1:70000", nil), ("listen", "unix:", nil), ("metrics-listen", "x", nil),
      ("metrics-listen", "[::1]:9", "[::1]:9"), ("public-url", "https://a.test", "https://a.test"),
      ("public-url", "http://a.test:81/x/", "http://a.test:81/x/"), ("public-url", "x", nil),
      ("public-url", "demo:", nil), ("public-url", "unix:/x", nil), ("public-url", "https://a.test/?", nil),
      ("public-url", "https://a.test/?b=c", nil), ("public-url", "https://a.test/#b", nil),
      ("host", "a.test", "a.test"), ("host", "A_b.test:81", "A_b.test:81"), ("host", "[::1]:81", "[::1]:81"),
      ("host", "", nil), ("host", "https://a.test", nil), ("host", "a b", nil), ("host", "a.test/x", nil),
      ("host", "*.a.test", nil), ("host", "a@b", nil), ("host", "a:b", nil), ("host", "a?", nil),
    ] as [(String, String, String?)])
  func serveOptionValuesAreRead(name: String, text: String, read: String?) throws {
    let options =
      [
        Toolbox.serveTrustedProxy, Toolbox.servePublic, Toolbox.serveListen,
        Toolbox.serveMetrics, Toolbox.servePublicURL, Toolbox.serveHost,
      ] as [any Declared]
    let option = try #require(options.map(\.declaration).first { $0.name == name })
    let value = try? option.value?.read(text, for: name)
    let words = (value as? [String]) ?? (value as? String).map { [$0] }
    #expect(words?.joined(separator: " ") == read)
  }

  /// Those of a public server apply where none is set; 0 is none.
  @Test(
    arguments: [(false, nil), (true, nil), (false, 0), (true, 0), (false, 7), (true, 7)] as [(Bool, Int?)])
  func publicServerHasDefaultLimits(isPublic: Bool, number: Int?) throws {
    let serve = try #require(Program.hw.tools.commands.first { $0.name == "serve" })
    let options = [
      Toolbox.serveRequestsPerAddress, Toolbox.serveRequestsPerUser, Toolbox.serveWrongTokens,
      Toolbox.serveConnectionsPerAddress,
    ]
    for (index, option) in options.enumerated() {
      var call = Invocation(serve, suite: nil)
      if let number { call.set(option.declaration, to: number, text: "\(number)") }
      let limits = ServerLimits(call, isPublic: isPublic)
      var expected: [Int?] = isPublic ? [100, 50, 10, 100] : [nil, nil, nil, nil]
      if let number { expected[index] = number == 0 ? nil : number }
      let found = [
        limits.requestsPerAddress, limits.requestsPerUser, limits.wrongTokens, limits.connectionsPerAddress,
      ]
      #expect(found == expected)
    }
  }

  private static let reachable:
    [(
      options: [(name: String, text: String)], listens: [String], rules: @Sendable (inout OriginRules) -> Void
    )] = [
      ([], ["127.0.0.1", "::1"], { _ in }), ([], ["127.0.0.1", "192.0.2.1"], { $0.isPublic = true }),
      ([("trusted-proxy", "10.0.0.1,::1")], ["127.0.0.1"], { $0.proxies = ["10.0.0.1", "::1"] }),
      (
        [("public-url", "https://Bikes.example:8443/x")], ["127.0.0.1"],
        {
          $0.hosts = ["bikes.example"]
          $0.isPublic = true
        }
      ),
      (
        [("host", "Bikes.example")], ["127.0.0.1"],
        {
          $0.hosts = ["bikes.example"]
          $0.requiresHost = true
          $0.isPublic = true
        }
      ),
    ]

  @Test(arguments: reachable.indices) func originRulesFollowOptions(index: Int) throws {
    let (options, listens, change) = Self.reachable[index]
    let serve = try #require(Program.hw.tools.commands.first { $0.name == "serve" })
    var call = Invocation(serve, suite: nil)
    for (name, text) in options {
      let option = try #require(serve.options.map(\.declaration).first { $0.name == name })
      call.set(option, to: try #require(option.value).read(text, for: name), text: text)
    }
    var rules = OriginRules()
    change(&rules)
    let addresses = try listens.map { try #require(SocketAddress(numeric: $0, port: 80)) }
    #expect(try OriginRules(call, addresses) == rules)
  }
}
