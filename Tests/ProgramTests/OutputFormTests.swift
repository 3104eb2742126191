import Foundation
import JSON
import Store
import TestSupport
import Testing

@testable import Command
@testable import hw

/// What holds for the output of every command.
@Suite(.needs(.libsqlite3))
struct OutputForms {
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

  @Test(
    arguments: [
      "bikes show 0", "bikes show 0 1", "bikes rent 0", "bikes delete 1 --dry-run",
      "wordle tiles ponds nymph",
      "nodes show lunar.dock.com",
    ])
  func jsonOfOneOperandIsAnArray(_ line: String) throws {
    let ran = run(line + " --json")
    #expect(ran.status == 0 && ran.output.hasPrefix("["), "\(ran.output)\(ran.errors)")
  }

  @Test func outputFileIsReplacedOnlyAfterSuccess() throws {
    try home.write("old\n", to: "out")
    for line in ["bikes list --where id<", "bikes show 0 nosuch", "nba game 999999999"] {
      #expect(run("\(line) --output-file ~/out").status != 0)
      #expect(home.text("out") == "old\n", "\(line)")
    }
    let expected = run("bikes list --csv").output
    let ran = run("bikes list --csv --output-file ~/out")
    #expect(ran.status == 0 && ran.output == "" && home.text("out") == expected)
    #expect(run("bikes list --where name=Nobody --exit-status --json --output-file ~/out").status == 1)
    #expect(home.text("out") == "[]\n")
    #expect(run("bikes list --output-file /dev/null").status == 2)
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

  @Test func pagerHasOneRuleForAllCommands() {
    for (name, command) in Program.hw.allCommands where command.output.list != nil {
      #expect(command.output.isPaged, "\(name)")
    }
  }
}
