import Command
import Foundation
import FoundationXML
import TestSupport
import Testing

@testable import Toolbox
@testable import hw

/// `hw check`: a smoke test for cron and CI.
@Suite(.ownThread) struct TheCheck {
  @Test func everyServiceHasChecksThatItsOwnBackendPasses() throws {
    for suite in Program.hw.services { #expect(!suite.checks.isEmpty, "\(suite.name)") }
    let ending = try shell("hw check --demo --tsv --no-header --fields result,suite")
    #expect(ending.status == 0)
    #expect(ending.errors == "")
    let rows = Set(ending.output.split(separator: "\n").map(String.init))
    #expect(rows == Set(Program.hw.services.map { "ok\t\($0.name)" }))
  }

  @Test(
    "The exit status says how it went",
    arguments: [
      ("hw check nodes", 0), ("hw check nodes wordle --json", 0), ("hw check nope", 2),
      ("hw check --self nodes", 2), ("hw check nodes --url http://127.0.0.1:1 --retries 0", 5),
      ("hw serve --fault garbage:1 -- hw check nodes --no-cache", 1),
      ("hw serve --fault 503:1 -- hw check wordle --retries 0", 1),
      ("hw serve --fault 429:1 -- hw check nodes --retries 0", 8),
      // Nothing is known of the service if hw cannot request it.
      ("hw check nodes --token-file nowhere --demo", 10), ("hw check nba --key-file /dev/null --demo", 2),
      ("echo rubbish >wordle.db; hw check wordle --url embedded:.", 10),
      // A fault goes before a service that is down.
      (
        "hw serve --fault garbage:1 -- env HW_WORDLE_URL=http://127.0.0.1:1 HW_RETRIES=0 hw check wordle nodes",
        1
      ),
      ("HW_NODES_URL=http://127.0.0.1:1 hw check wordle", 0), ("hw check --self", 0),
    ])
  func status(line: String, status: Int32) throws { #expect(try shell(line).status == status) }

  @Test(
    "A service is asked as its own commands would ask it: with the secret in a file, within the plan's limit",
    arguments: [
      ("hw serve -- env HW_NBA_RATE=1 hw check nba --no-wait --no-cache", 8),
      ("hw config set nba.rate 1; hw serve -- hw check nba --no-wait --no-cache", 8),
      ("hw serve -- hw check nba --rate 1 --no-wait --no-cache", 8),
      ("hw serve -- env HW_NBA_RATE=1 hw check nba --rate 1000 --no-wait --no-cache", 0),
      ("echo free >key; hw serve -- hw check nba --key-file key", 0),
      ("hw check nba --key-file nowhere", 10),
      // It goes nowhere else.
      ("echo x >key; hw check --key-file key", 2), ("echo x >key; hw check nodes --key-file key", 2),
      ("echo x >key; hw check wordle bikes --token-file key", 2),
      ("hw users add eve --store d >key; hw serve --samples --store d -- hw check bikes --token-file key", 0),
      ("hw users add eve --store d; echo x >key; hw serve --store d -- hw check bikes --token-file key", 1),
    ])
  func access(line: String, status: Int32) throws { #expect(try shell(line).status == status) }

  @Test(
    arguments: [
      (
        "nodes",
        "'--key-file' cannot be used with 'nodes', which has no key\n    suites with a --key-file: nba\n"
      ),
      ("", "'--key-file' requires one suite\n    suites with a --key-file: nba\n"),
      ("nba nodes", "'--key-file' requires one suite\n    suites with a --key-file: nba\n"),
      ("nbaa", "'nbaa' is not a suite with a service\n    did you mean 'nba'?\n"),
    ])
  func aKeyOfAnotherSuite(names: String, message: String) throws {
    let ending = try shell("hw check \(names) --key-file x --demo")
    #expect(ending == Ending(status: 2, errors: "hw: \(message)"))
  }

  /// The lines say where it goes, and not what it is.
  @Test func theKeyOfTheFileIsSent() throws {
    let explained = try shell(
      "echo sesame >key; hw check nba --key-file key --url http://127.0.0.1:1 --explain")
    #expect(explained.output.contains(#""$(cat key)""#))
    #expect(!explained.output.contains("sesame"))
  }

  @Test func aLineSaysWhatIsWrong() throws {
    let garbage = try shell("hw serve --fault garbage:1 -- hw check wordle").output
    #expect(garbage.hasPrefix("FAIL  wordle: the scores\n      Content-Type: "))
    #expect(garbage.contains("\n      expected JSON: line 1, column 1: "))
    let down = try shell("hw check nodes wordle --url http://127.0.0.1:1 --retries 0").output
    #expect(down.hasPrefix("down  nodes: the ranking by connectivity\n      "))
    #expect(down.contains("\ndown  wordle: the scores\n"))
  }

  @Test func onlyACaptchaIsExcused() throws {
    let server = try LoopbackServer { request in
      request.target.hasSuffix("duration")
        ? .response(status: 403, headers: ["Content-Type: text/plain"], body: "oops")
        : .response(
          status: 403, headers: ["Content-Type: application/json"],
          body: #"{"captchaUrl":"https://example.org/a"}"#)
    }
    let ending = try shell("hw check race --url \(server.url) --no-cache")
    #expect(ending.status == 1)
    #expect(
      ending.output == """
        FAIL  race: the length of the race
              expected status 200, got 403
              Content-Type: expected application/json, got text/plain
        warn  race: the standings
              returned 403: it requires a CAPTCHA
        ok    race: the CAPTCHA to test with

        """)
  }

  @Test func itExplainsAndSendsNothing() throws {
    let ending = try shell("hw check nodes --url http://127.0.0.1:1 --explain")
    #expect(ending.status == 0)
    let lines = ending.output.split(separator: "\n")
    let checks = try #require(Program.hw.services.first { $0.name == "nodes" }).checks
    // A line for each check: that of a request that depends on a response is a comment.
    #expect(lines.count == checks.count)
    #expect(lines.count { $0.hasPrefix("curl ") } == checks.count - 1)
    let comment = "# then, with the response: GET /api/v1/lightning/nodes/KEY of the first node"
    #expect(lines.filter { !$0.hasPrefix("curl ") } == [comment[...]])
    let below = try shell("hw check wordle --url http://127.0.0.1:1/wordle/ --explain").output
    #expect(below.contains("# then, with the response: GET /wordle/scores/ID of the first score\n"))
  }

  @Test func theFormatsAreThoseOfTheOutputOptions() throws {
    for format in ["json", "jsonl"] {
      let own = try shell("hw check wordle --\(format) --fields result,check")
      let standard = try shell("hw check wordle -o \(format) --fields result,check")
      #expect(own.output == standard.output, "\(format)")
      #expect(!own.output.isEmpty)
    }
  }

  @Test(.needs(.prove)) func tapIsTAP() throws {
    #expect(try shell("hw check nodes --report tap >good.tap; prove -e cat good.tap").status == 0)
    let bad = try shell(
      "hw serve --fault garbage:1 -- hw check nodes wordle --report tap >bad.tap; prove -e cat bad.tap")
    #expect(bad.status != 0)
    #expect(bad.output.contains("Failed tests"))
    #expect(!bad.output.contains("Parse errors"))
  }

  @Test func junitIsXML() throws {
    let ending = try shell("hw serve --fault garbage:1 -- hw check nodes wordle --report junit")
    let report = JUnit(ending.output)
    #expect(report.error == nil)
    #expect(report.suites == ["nodes", "wordle"])
    #expect(report.names.count > 5)
    #expect(!report.messages.isEmpty)
  }

  private static let strange = CheckOutcome(
    "nodes", "the \"list\" <1> & # skip", .fail, findings: ["at a: expected \"b\" & <c>, found\n# \u{1B}"])

  /// `#` begins a directive: "# skip" would turn the failure into a skipped test.
  @Test func tapEscapesNumberSigns() {
    #expect(
      TestAnythingProtocol.text([TheCheck.strange]) == """
        TAP version 13
        1..1
        not ok 1 - nodes: the "list" <1> & \\# skip
        # at a: expected "b" & <c>, found # �

        """)
  }

  @Test func junitEscapesWhatXMLReserves() {
    let text = JUnitReport.text([TheCheck.strange])
    #expect(text.contains(#"name="the &quot;list&quot; &lt;1&gt; &amp; # skip""#), "\(text)")
    let report = JUnit(text)
    #expect(report.error == nil)
    #expect(report.names == ["the \"list\" <1> & # skip"])
    #expect(report.messages == ["at a: expected \"b\" & <c>, found # \u{FFFD}"])
  }

  @Test func selfFindsWhatIsWrongHere() throws {
    let home = try Home()
    let setting = """
      mkdir -p .local/share/hw
      echo rubbish >.local/share/hw/nodes.db
      """
    let ending = try shell("\(setting)\nSSL_CERT_FILE=\(home.path)/none LC_ALL=C hw check --self", in: home)
    #expect(ending.status == 1)
    for words in [
      "FAIL  hw: database of nodes", "FAIL  hw: certificates\n      SSL_CERT_FILE names '\(home.path)/none'",
      "warn  hw: locale\n      'C' is not a UTF-8 locale", "ok    hw: SQLite, for stored data: 3.",
    ] {
      #expect(ending.output.contains(words), "\(words)")
    }
  }
}

/// Reads what CI servers read of a report.
private final class JUnit: NSObject, XMLParserDelegate {
  var suites: [String] = []
  var names: [String] = []
  var messages: [String] = []
  var error: (any Error)?

  init(_ text: String) {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    _ = parser.parse()
    error = parser.parserError
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    switch name {
    case "testsuite": suites.append(attributes["name"] ?? "")
    case "testcase": names.append(attributes["name"] ?? "")
    case "failure": messages.append(attributes["message"] ?? "")
    default: break
    }
  }
}

@Suite(.ownThread) struct ServicesThatAreDown {
  @Test func theFailureHasTheSubkindOfTheFirst() throws {
    let ending = try shell("hw check nodes wordle --url http://127.0.0.1:1 --retries 0 --json")
    #expect(ending.status == 5)
    #expect(ending.errors.contains(#""subkind":"refused""#), "\(ending.errors)")
  }
}
