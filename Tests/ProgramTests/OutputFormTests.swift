import Foundation
import System
import TestSupport
import Testing

@testable import Command
@testable import hw

/// What holds for the output of every command.
@Suite(.needs(.libsqlite3)) struct OutputForms {
  private let home: ScratchDirectory

  init() throws { home = try ScratchDirectory() }

  private func run(_ line: String, _ variables: [String: String] = [:], terminal: Set<Ran.Stream> = []) -> Ran
  {
    let environment = ["HOME": home.path, "HW_URL": "demo:"].merging(variables) { $1 }
    let words = line.split(separator: " ").map { String($0.replacing("~/", with: "\(home.path)/")) }
    return Ran(.hw, words, environment: environment, terminal: terminal)
  }

  /// Operands that are words of one name, in place of a list of them.
  private static let phrases = ["SUITE COMMAND", "ABOUT", "COMMAND"]

  @Test func severalOperandsMakeAnArray() {
    for (name, command) in Program.hw.allCommands {
      let takesSeveral = command.operands.contains {
        $0.declaration.count == .rest && !Self.phrases.contains($0.declaration.name)
      }
      guard takesSeveral, let root = command.output.schemaRoot else { continue }
      #expect(root != .one, "\(name)")
    }
  }

  @Test(arguments: [
    "bikes show 0", "bikes show 0 1", "bikes rent 0", "bikes delete 1 --dry-run", "wordle tiles ponds nymph",
    "nodes show lunar.dock.com",
  ])
  func jsonOfOneOperandIsAnArray(_ line: String) throws {
    let ran = run(line + " --json")
    #expect(ran.status == 0 && ran.output.hasPrefix("["), "\(ran.output)\(ran.errors)")
  }

  @Test func outputFileIsReplacedOnlyAfterSuccess() throws {
    try home.write("old\n", to: "out")
    for line in [
      "bikes list --where nosuch=1", "bikes show 0 nosuch", "nba game 999999999", "bikes rent no such",
    ] {
      #expect(run("\(line) --output-file ~/out").status != 0)
      #expect(home.text("out") == "old\n", "\(line)")
    }
    let expected = run("bikes list --csv").output
    let ran = run("bikes list --csv --output-file ~/out")
    #expect(ran.status == 0 && ran.output == "" && home.text("out") == expected)
    #expect(run("bikes list --where name=Nobody --exit-status --json --output-file ~/out").status == 1)
    #expect(home.text("out") == "[]\n")
    // A PIN is printed only once.
    #expect(run("bikes rent 2 nosuch --fields id --tsv --output-file ~/out").status == 3)
    #expect(home.text("out") == "id\n2\n")
    #expect(run("bikes list --json --where name=Nobody --output-file ~/out").status == 0)
    #expect(run("bikes list --output-file /dev/null").status == 2)
    // The child would write to standard output, and an empty file would replace the old one.
    #expect(run("serve --output-file ~/out -- hw bikes list").status == 2)
    #expect(home.text("out") == "[]\n")
    #expect(chmod(home.file("out"), 0o600) == 0 && run("nba teams --output-file ~/out").status == 0)
    #expect(!System.File.isReadableByOthers(home.file("out")))
    for (line, isSecret) in [
      ("bikes rent 2", true), ("users add anna", true), ("users rotate anna", true), ("bikes rented", true),
      ("bikes export --pins", true), ("config list", true), ("bikes list", false), ("users list", false),
    ] {
      #expect(run("\(line) --output-file ~/new").status == 0)
      #expect(System.File.isReadableByOthers(home.file("new")) != isSecret, "\(line)")
      _ = unlink(home.file("new"))
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: home.path).filter { $0.hasPrefix("out") } == ["out"]
    )
  }

  @Test(arguments: [["CI": "true"], ["AI_AGENT": "1"], ["AGENT": "x"], ["TERM": "dumb"]])
  func absentPersonGetsNoPagerNoScreenNoQuestion(_ variables: [String: String]) {
    let usual = ["TERM": "xterm", "HW_PAGER": "tr a-z A-Z >\(home.file("paged"))"].merging(variables) { $1 }
    let all: Set<Ran.Stream> = [.input, .output, .errors]
    #expect(run("bikes list", usual, terminal: all).output.contains("Henry"))
    #expect(!home.names().contains("paged"))
    // Asking would fail: the test has no terminal.
    let question = run("bikes delete 1", usual, terminal: all)
    #expect(question.status == 0 && question.output == "bike 1 is deleted\n", "\(question.errors)")
    let screen = run("bikes map --interactive", usual, terminal: all)
    #expect(screen.status == 2, "\(screen.errors)")
  }

  @Test func explainPrintsRequestsAndNothingElse() throws {
    for (name, command) in Program.hw.allCommands where command.needs.contains(.network) {
      for example in command.examples
      where example.setup.isEmpty
        && example.command.hasPrefix("hw \(name)") && !example.command.contains(/[|;&<>$'"()]/)
      {
        let ran = run("\(example.command.dropFirst("hw ".count)) --explain --no-deadline")
        let lines = ran.output.split(separator: "\n")
        #expect(ran.status == 0 && !lines.isEmpty, "\(name): \(ran.errors)")
        #expect(lines.allSatisfy { $0.hasPrefix("# ") }, "\(ran.output)")
      }
    }
  }
}

/// Conditions mean the same in every language and form, and what cannot be compared is refused.
@Suite(.needs(.libsqlite3)) struct ConditionMeanings {
  private let home: ScratchDirectory

  init() throws { home = try ScratchDirectory() }

  private func run(_ command: String, _ condition: String, language: String = "C.UTF-8") -> Ran {
    let environment = ["HOME": home.path, "HW_URL": "demo:", "LANG": language]
    return Ran(
      .hw, command.split(separator: " ").map(String.init) + ["--where", condition, "--jsonl"],
      environment: environment)
  }

  @Test(arguments: [
    ("nodes top", ["country=Germany", "country=Deutschland", "country=DE", "country=germany", "country=de"]),
    ("bikes list", ["color=cyan", "color=Cyan", "color=00C8E6", "color=#00C8E6", "color=00c8e6"]),
    ("nba teams", ["conference=West", "conference=west"]),
    ("nba standings", ["team.conference=West", "team.conference=west"]),
    ("wordle scores", ["date=2022-03", "date<=2022-03", "date<2022-04"]),
    ("nba players", ["position=F", "position=f"]),
    ("bikes list", ["color=gray", "color=grey", "color=8c8c8c"]),
    ("nodes top", ["capacity>=1BTC", "capacity>=+1.0BTC", "capacity>=100000000", "capacity>=100,000,000"]),
    ("nodes search lunar", ["capacity>=1BTC", "capacity>=100000000"]),
    ("nodes top", ["updatedAt<=today", "updatedAt<=0d"]),
    ("nodes top", ["updatedAt<7d", "updatedAt<00007d"]),
    (
      "nodes top",
      [
        "updatedAt>=2024-01-01", "updatedAt>=2024-01-01T00:00:00Z", "updatedAt>=1704067200",
        "updatedAt>=1,704,067,200", "updatedAt>=2024-01-01T01:00:00+01:00",
      ]
    ),
    (
      "nba games LAL --all",
      [
        "datetime>=2025-01-01", "datetime>=2025-01-01T00:00:00Z", "datetime>=1735689600",
        "datetime>=2025-01-01 01:00:00+01:00",
      ]
    ),
  ])
  func spellingsSelectEqualRows(_ command: String, _ conditions: [String]) {
    let first = run(command, conditions[0])
    #expect(first.status == 0 && !first.output.isEmpty, "\(first.errors)")
    for condition in conditions {
      for language in ["C.UTF-8", "de_DE.UTF-8", "ja_JP.UTF-8"] {
        #expect(
          run(command, condition, language: language).output == first.output, "\(condition) \(language)")
      }
    }
  }

  @Test(arguments: [
    ("channels=>300", "write 'channels>=300'"), ("channels=<300", "write 'channels<=300'"),
    ("alias=~lu", "write 'alias*=lu'"), ("alias<>lu", "write 'alias!=lu'"),
    ("channels>1 and channels<9", "write --where 'channels>1' --where 'channels<9'"),
    ("updatedAt>2024-01-01 10:00", "write a day of UTC"), ("capacity>1,5 BTC", "as in '1.5BTC'"),
    ("capacity>1,000,0BTC", "as in '1.5BTC'"), ("capacity>--1BTC", "as in '1.5BTC'"),
    ("updatedAt>2024", "write a day of UTC"),
  ])
  func otherSpellingIsRefusedWithTheRightOne(_ condition: String, _ hint: String) {
    let ran = run("nodes top", condition)
    #expect(ran.status == 2 && ran.errors.contains(hint), "\(ran.errors)")
  }

  @Test func schemaOfErrorsDescribesAFailure() {
    let ran = Ran(.hw, ["schema", "errors"], environment: ["HOME": home.path])
    #expect(ran.status == 0 && ran.output.contains("\"exitCode\"") && ran.output.contains("\"retryable\""))
  }

  @Test func twoAddressesAreRefused() {
    let ran = Ran(
      .hw, ["bikes", "list", "--demo", "--url", "http://127.0.0.1:1"], environment: ["HOME": home.path])
    #expect(ran.status == 2 && ran.errors.contains("exclude each other"), "\(ran.errors)")
  }

  @Test(arguments: [("http://service.example", 7), ("http://127.0.0.1:1", 5)])
  func secretIsNotSentOverPlainHTTP(_ address: String, _ status: Int32) {
    let environment = [
      "HOME": home.path, "HW_NBA_KEY": "secret", "HW_RETRIES": "0", "ALL_PROXY": "http://127.0.0.1:1",
    ]
    let ran = Ran(.hw, ["nba", "teams", "--url", address], environment: environment)
    #expect(ran.status == status && !ran.errors.contains("secret'"), "\(ran.errors)")
  }
}
