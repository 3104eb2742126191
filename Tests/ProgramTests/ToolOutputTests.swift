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
}
