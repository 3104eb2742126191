import Command
import Foundation
import Store
import System
import TestSupport
import Testing

@testable import hw

/// What a person is asked before something is lost, and what becomes of it after each answer.
@Suite(.enabled(if: Database.isAvailable, "libsqlite3 is not installed"))
struct QuestionsBeforeALoss {
  private static let start = """
    timeout = 5
    wordle.token = hush
    timeout = 7

    """

  /// In a process of its own, whose terminal is that of the test.
  @Test func areAskedInTheseWords() async {
    await #expect(processExitsWith: .success) {
      try #require(setsid() != -1)
      let terminal = try PseudoTerminal(columns: 80)
      dup2(terminal.descriptor, 0)
      let home = try ScratchDirectory()
      func run(_ line: String, answer: String = "") -> Ran {
        if !answer.isEmpty { terminal.type("\(answer)\n") }
        return Ran(
          .hw, line.split(separator: " ").map(String.init),
          environment: ["HOME": home.path, "HW_URL": "demo:"], time: FakeClock(),
          terminal: [.input, .errors])
      }
      func ask(_ line: String, _ question: String) {
        let refused = run(line, answer: "n")
        #expect(refused.status == 1 && refused.output == "", "\(line)")
        #expect(refused.errors == "\(question) [y/N] hw: nothing was changed\n", "\(line)")
        let agreed = run(line, answer: "y")
        #expect(agreed.status == 0 && agreed.errors == "\(question) [y/N] ", "\(line)")
      }

      let names = ["1", "2"].map {
        "\(String(repeating: "0", count: 16))-\(String(repeating: $0, count: 64))"
      }
      try home.write("a", to: ".cache/hw/\(names[0])")
      ask("cache clear", "Remove 1 cached response?")
      #expect(home.names(".cache/hw") == [])
      for name in names { try home.write("a", to: ".cache/hw/\(name)") }
      #expect(run("cache clear", answer: "n").errors.hasPrefix("Remove 2 cached responses? [y/N] "))
      #expect(home.names(".cache/hw") == names)

      let file = home.file(".config/hw/config")
      try home.write(QuestionsBeforeALoss.start, to: ".config/hw/config")
      // The line that is in force; a secret is not shown.
      ask("config unset timeout", "Remove 'timeout = 7' from '\(file)'?")
      #expect(home.text(".config/hw/config") == "wordle.token = hush\n")
      ask("config unset wordle.token", "Remove 'wordle.token = ********' from '\(file)'?")
      #expect(home.text(".config/hw/config") == "")

      #expect(run("users add ann -q").status == 0)
      ask("users remove ann", "Remove the user 'ann'?")
      #expect(run("users list --json").output == "[]\n")
    }
  }
}
