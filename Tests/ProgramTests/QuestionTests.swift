import Command
import Foundation
import Store
import TestSupport
import Testing

@testable import Race
@testable import hw

/// What a person is asked before something is lost, and what becomes of it after each answer.
@Suite(.needs(.libsqlite3)) struct LossConfirmation {
  private static let start = """
    timeout = 5
    wordle.token = hush
    timeout = 7

    """

  /// In a process of its own, whose terminal is that of the test.
  @Test func lossRequiresConfirmation() async {
    await #expect(processExitsWith: .success) {
      try #require(setsid() != -1)
      let terminal = try PseudoTerminal(columns: 80)
      dup2(terminal.descriptor, 0)
      let home = try ScratchDirectory()
      func run(_ line: String, answer: String = "", input: String? = nil) -> Ran {
        if !answer.isEmpty { terminal.type("\(answer)\n") }
        return Ran(
          .hw, line.split(separator: " ").map(String.init),
          environment: ["HOME": home.path, "HW_URL": "demo:"], time: FakeClock(), input: input ?? "",
          terminal: input == nil ? [.input, .errors] : [.errors])
      }
      func ask(_ line: String, _ question: String) {
        let refused = run(line, answer: "n")
        #expect(refused.status == 1 && refused.output == "", "\(line)")
        #expect(refused.errors == "\(question) [y/N] hw: nothing was changed\n", "\(line)")
        let agreed = run(line, answer: "y")
        #expect(agreed.status == 0 && agreed.errors.hasPrefix("\(question) [y/N] "), "\(line)")
        #expect(agreed.errors.filter { $0 == "?" }.count == 1, "\(line)")
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
      try home.write(LossConfirmation.start, to: ".config/hw/config")
      // The line that is in force; a secret is not shown.
      ask("config unset timeout", "Remove 'timeout = 7' from '\(file)'?")
      #expect(home.text(".config/hw/config") == "wordle.token = hush\n")
      ask("config unset wordle.token", "Remove 'wordle.token = ********' from '\(file)'?")
      #expect(home.text(".config/hw/config") == "")

      ask("bikes delete 1", "Delete bike 1?")
      // One question for all: none of them is deleted before the answer.
      ask("bikes delete 1 2", "Delete bikes 1, 2?")
      // Those that are typed afterwards.
      ask("bikes delete 1 -", "Delete all bikes whose ids are given?")

      ask("wordle delete 263", "Delete score 263?")
      ask("wordle delete 262 264", "Delete scores 264, 262?")
      let imported = "wordle import --url embedded: --player Ann"
      #expect(run(imported, input: "Wordle 281 2/6\n").status == 0)
      ask("wordle delete --url embedded: --player ann", "Delete 1 game of Ann?")
      #expect(run(imported, input: "Wordle 281 2/6\nWordle 282 3/6\n").status == 0)
      ask("wordle delete --url embedded: --player Ann", "Delete 2 games of Ann?")

      ask("wordle reset", "Delete every score, and go back to the three initial ones?")

      let history = try RaceHistory(Store(folder: home.file(".local/share/hw"), time: FakeClock()))
      for _ in 0..<3 { try history.begin(at: FakeClock.start, url: "embedded:") }
      ask("race delete 2", "Delete race 2?")
      ask("race delete --keep 0", "Delete 2 races?")
      #expect(try history.entries().isEmpty)

      for second in 1...3 {
        try home.write("", to: ".local/state/hw/nodes/age-2025-01-01T00000\(second)Z-mainnet-demo%3A.json")
      }
      ask("nodes snapshot --by age --keep 2", "Delete 2 snapshots?")
      ask("nodes snapshot --by age --keep 2", "Delete 1 snapshot?")
      // Nothing is deleted, so nothing is asked.
      #expect(run("nodes snapshot --by age --keep 4").errors == "")

      #expect(run("users add ann -q").status == 0)
      ask("users delete ann", "Delete the user 'ann'?")
      #expect(run("users list --json").output == "[]\n")
    }
  }
}
