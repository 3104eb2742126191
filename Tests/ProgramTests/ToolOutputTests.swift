import JSON
import Store
import System
import TestSupport
import Testing

@testable import Command
@testable import hw

/// What the commands of no suite print, and what they refuse.
@Suite struct ToolOutputs {
  private let home: ScratchDirectory

  init() throws { home = try ScratchDirectory() }

  private func run(_ words: String..., environment: [String: String] = [:], columns: Int? = nil) -> Ran {
    Ran(
      .hw, words, environment: environment.merging(["HOME": home.path]) { $1 }, time: FakeClock(),
      terminal: columns == nil ? [] : [.output], columns: columns)
  }

  @Test(arguments: Shell.allCases) func completionsPrintsScript(shell: Shell) {
    let ran = run("completions", shell.rawValue)
    #expect(ran.status == 0 && ran.output == shell.script(for: .hw))
  }

  /// Otherwise a server would start with another store, or closed to those that it is for.
  @Test(arguments: [
    ("HW_SERVE_STORE", "HW_STORE sets --store"), ("HW_SERVE_PUBLIC", "give --public on the command line"),
    ("HW_SERVE_LISTN", "did you mean 'HW_SERVE_LISTEN'?"),
  ])
  func unknownServeVariableIsRefused(name: String, hint: String) {
    let ran = run("serve", "--", "true", environment: [name: "x"])
    #expect(ran.status == 2 && ran.complaint == "hw: unknown variable '\(name)' | \(hint)")
  }

  /// The address would seem to limit what is deleted.
  @Test(arguments: [
    "race delete --keep 0", "users delete ann", "cache clear", "race history", "race show 1", "race stats",
    "nodes snapshots", "wordle tiles crane slate",
  ])
  func localDataRefusesAddress(line: String) {
    let words = line.split(separator: " ").map(String.init)
    for (option, name) in [(["--url", "http://127.0.0.1:1"], "--url"), (["--demo"], "--demo")] {
      let ran = Ran(
        .hw, words + (words[1] == "delete" || words[1] == "clear" ? ["--yes"] : []) + option,
        environment: ["HOME": home.path], time: FakeClock())
      let command = words[1]
      #expect(ran.status == 2 && ran.output == "")
      #expect(
        ran.complaint == "hw: '\(name)' cannot be used with '\(command)' | "
          + "the command sends no request: it uses data of this machine")
    }
  }

  /// The settings of the program are known without the file.
  @Test func settingNamesNeedNoFile() {
    let ran = run(
      "__complete", "--no-config", "--", "config", "get", "", environment: ["HW_CONFIG": home.path])
    #expect(ran.status == 0 && ran.lines.contains { $0.hasPrefix("timeout\t") })
  }

  @Test(.needs(.libsqlite3), arguments: [true, false])
  func emptyNamedStoreIsReported(isNamed: Bool) {
    let words = ["store", "migrate", "--jsonl"] + (isNamed ? ["--store", home.file("none")] : [])
    let ran = Ran(.hw, words, environment: ["HOME": home.path], time: FakeClock())
    #expect(ran.status == 0 && ran.output == "")
    #expect(ran.errors == (isNamed ? "hw: the store has no database\n" : ""))
  }
}
