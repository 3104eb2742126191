import Foundation
import Output
import System
import TestSupport
import Testing

@testable import Command
@testable import hw

/// What holds for the command line as a whole.
@Suite(.ownThread) struct EveryCommandLine {
  @Test func jsonIsPrintedOrRefused() {
    for (name, command) in Program.hw.allCommands where command.output.schemaRoot == nil {
      if name == "schema" { continue }
      let line = "hw \(name)"
      for format in Format.allCases {
        var settings = Output.Settings()
        settings.format = format
        let failure = #expect(throws: (any Error).self) { try command.output.check(settings, of: line) }
        #expect("\(String(describing: failure))".contains("usage"), "\(name)")
      }
    }
  }

  @Test func fieldsAndFormatsAreCheckedBeforeAnythingIsDone() {
    for (name, command) in Program.hw.allCommands {
      func refuses(_ change: (inout Output.Settings) -> Void) -> Bool {
        var settings = Output.Settings()
        change(&settings)
        do throws(Failure) {
          try command.output.check(settings, of: name)
          return false
        } catch {
          return error.kind == .usage
        }
      }
      #expect(refuses { ($0.format, $0.terminator) = (.json, 0) }, "\(name)")
      guard name != "rows" else { continue }
      #expect(refuses { $0.fields = "nonono" }, "\(name)")
      #expect(refuses { $0.fields = "," }, "\(name)")
    }
  }

  @Test(arguments: ["--fields nonono", "--json -0"])
  func nothingIsDoneByAWrongCommandLine(options: String) throws {
    let home = try Home()
    let state = "hw bikes list --anywhere --json | cksum; hw wordle scores --json | cksum"
    let lines = [
      "bikes rent 2", "bikes return 2", "bikes delete 1 --yes", "wordle reset --yes", "users add anna",
      "config set timeout 7", "nodes snapshot --demo",
    ]
    let before = try shell("export HW_URL=embedded:; \(state)", in: home).output
    for line in lines {
      #expect(try shell("HW_URL=embedded: hw \(line) \(options)", in: home).status == 2, "\(line)")
    }
    #expect(try shell("export HW_URL=embedded:; \(state)", in: home).output == before)
    #expect(try shell("hw config get timeout", in: home).status == 3)
    #expect(try shell("hw users list --json", in: home).output == "[]\n", "there is no store")
    #expect(try shell("hw nodes snapshots --json", in: home).output == "[]\n")
  }

  @Test(
    "--json is an object, or refused with status 2",
    arguments: [
      ("hw bikes delete 1 --yes --json", 0, #"{"id":"1","name":null,"deleted":true}"#),
      ("hw bikes delete 1 --dry-run --json", 0, #"{"id":"1","name":"Hans","deleted":false}"#),
      ("hw bikes delete 1 --yes", 0, "bike 1 is deleted"),
      ("hw bikes delete 1 --dry-run", 0, "bike 1, Hans, would be deleted"),
      ("hw bikes export --gbfs feed | head -n 1", 0, "feed/gbfs.json"),
      (
        #"hw users add eve --json | sed 's/[0-9a-f]\{32\}/T/'"#, 0,
        #"{"name":"eve","admin":false,"token":"T"}"#
      ),
      (
        "HW_CONFIG=c hw config set timeout 9 --json", 0,
        #"{"name":"timeout","value":"9","problem":null,"origin":"c:1"}"#
      ),
      (
        "echo 'timeout=9' >c; HW_CONFIG=c hw config get timeout --json", 0,
        #"{"name":"timeout","value":"9","problem":null,"origin":"c:1"}"#
      ),
      (
        "echo 'timeout=9' >c; HW_CONFIG=c hw config unset timeout --yes --json", 0,
        #"{"name":"timeout","value":null,"problem":null,"origin":"c"}"#
      ),
      (
        "echo s3cret | HW_CONFIG=c hw config set wordle.token - --json", 0,
        #"{"name":"wordle.token","value":"********","problem":null,"origin":"c:1"}"#
      ),
      ("hw bikes map --json", 2, ""), ("hw completions bash --jsonl", 2, ""),
      ("hw completions bash --json", 2, ""),
      ("hw serve --json -- true", 2, ""),
      ("hw schema rows --json | grep title", 0, #"  "title": "hw rows","#),
      ("hw schema rows --csv", 2, ""),
    ]) func json(line: String, status: Int32, output: String) throws
  {
    let ending = try shell(line)
    #expect(ending.status == status, "\(ending.errors)")
    #expect(ending.output == (output.isEmpty ? "" : output + "\n"))
    if status == 2, line.contains("--json") { #expect(ending.errors.hasPrefix(#"{"error":{"kind":"usage""#)) }
  }

  @Test(
    "a bad argument is status 2, a program that cannot be run 126 or 127",
    arguments: [
      ("hw race captcha javascript:alert", 2), ("hw race captcha http://example.org/", 2),
      ("hw race captcha https://example.org/a\u{202E}b", 2), ("hw check nodes --url nonsense", 2),
      ("HW_NODES_URL=nonsense hw check nodes", 2), ("hw config set nodes.url nonsense", 2),
      ("HW_CONFIG=/dev/null hw config set timeout 5", 10), ("HW_CONFIG=/dev/null hw config list", 0),
      ("hw serve nosuch", 2), ("hw serve sh -- -c true", 2), ("hw serve -- nosuch", 127),
      ("hw serve -- ./plain", 126),
      ("hw serve -- sh -c 'exit 3'", 3),
    ]) func statuses(line: String, status: Int32) throws
  {
    let ending = try shell("touch plain; " + line)
    #expect(ending.status == status, "\(ending.errors)")
  }

  /// What an example ends with is one of the statuses that the help of its command lists.
  @Test func helpListsTheStatuses() throws {
    for (name, command) in Program.hw.allCommands {
      let help = try shell("hw help \(name)").output
      let listed = help.components(separatedBy: "\nExit status\n").last ?? ""
      for example in command.examples where !listed.contains("any other") {
        #expect(
          listed.contains("\n  \(example.exits) ") || listed.hasPrefix("  \(example.exits) "),
          "\(name) \(example.exits)")
      }
    }
    #expect(try shell("hw serve --help").output.contains("  127 "))
  }

  @Test(
    "of several operands all are done, and the first failure decides",
    arguments: [
      (
        "hw nodes show nope1 lunar.dock.com nope2 --fields alias --tsv --no-header", 3, "lunar.dock.com\n",
        ["there is no node 'nope1'", "there is no node 'nope2'"]
      ),
      (
        "printf 'nope1\\nlunar.dock.com\\n' | hw nodes show - --fields alias --tsv --no-header", 3,
        "lunar.dock.com\n",
        ["there is no node 'nope1'"]
      ),
      ("hw nodes show 'Zap Harbour' nope --jsonl", 4, "", [#""exitCode":4"#, #""exitCode":3"#]),
      ("hw nodes show nope --json", 3, "", ["there is no node 'nope'"]),
      (
        "echo x >bad; echo '[1]' >good; hw rows none bad good --tsv --no-header", 10, "1\n",
        ["'none'", "'bad', row 1"]
      ),
      (
        "echo x >bad; echo '[1]' >good; hw rows bad none good --tsv --no-header", 2, "1\n",
        ["'bad', row 1", "'none'"]
      ),
    ]) func operands(line: String, status: Int32, output: String, errors: [String]) throws
  {
    let ending = try shell(line)
    #expect(ending.status == status)
    #expect(ending.output == output)
    var rest = ending.errors[...]
    for error in errors {
      let found = try #require(rest.range(of: error), "\(ending.errors)")
      rest = rest[found.upperBound...]
    }
  }

  @Test(
    "tables have the offset from UTC",
    arguments: [("Asia/Tokyo", "+09:00"), ("UTC", "+00:00"), ("XXX3:30", "-03:30")])
  func offsets(zone: String, offset: String) throws {
    let serve = "hw serve --race-seconds 1 -- sh -c 'hw race watch -q >/dev/null; "
    for line in [
      "hw nodes top --by age -n 1 --fields firstSeen -o table --no-header",
      "hw bikes history -n 1 --fields at -o table --no-header",
      serve + "hw race history --fields started -o table --no-header'",
      "hw nba games LAL --upcoming --fields status -o table --no-header | grep '^20' | head -n 1",
      "hw check --self | grep clock:",
    ] {
      let ending = try shell("export TZ=\(zone); " + line)
      #expect(ending.output.contains(":") && ending.output.contains(offset), "\(line): \(ending)")
    }
  }

  @Test(
    "An unknown word that means something elsewhere",
    arguments: [
      ("hw teams", "did you mean 'hw nba teams'?"),
      ("hw stats", "did you mean 'hw race stats', 'hw wordle stats' or 'hw nodes stats'?"),
      ("hw nba help", "did you mean 'hw help nba'?"), ("hw nba serve", "did you mean 'hw serve'?"),
      ("hw doctor", "did you mean 'hw check --self'?"),
      ("hw exit-codes", "did you mean 'hw help exit-codes'?"),
      ("hw nodes top --format json", "did you mean '-o json'?"),
      ("hw nodes top --format=xml", "did you mean '-o FORMAT'?"),
      ("hw nba games --team 'LA Lakers'", "TEAM is an operand: write 'LA Lakers' without '--team'"),
      ("hw nba player LeBron", "'hw nba players NAME' searches players by name"),
    ])
  func nextStep(line: String, hint: String) throws {
    let ending = try shell(line)
    #expect(ending.status == 2)
    #expect(ending.errors.contains("\n    \(hint)\n"), "\(ending.errors)")
  }

  @Test("A coordinate that is out of range is named, and a blank after the comma is accepted")
  func coordinates() throws {
    for (place, problem) in [
      ("91,8", "latitude 91 is above 90"), ("-90.5,8", "latitude -90.5 is below -90"),
      ("50,181", "longitude 181 is above 180"), ("50 ,8", "requires LAT,LON"),
    ] {
      let ending = try shell("hw bikes list --demo --near '\(place)'")
      #expect(ending.status == 2 && ending.errors.contains(problem), "\(ending.errors)")
    }
    #expect(try shell("hw bikes list --demo --near '50.1195, 8.6382' -n 1 --json").status == 0)
    #expect(try shell("hw bikes rent 5 --demo").errors.hasPrefix("hw: bike 5 is rented\n"))
  }
}
