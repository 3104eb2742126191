import Foundation
import TestSupport
import Testing

@testable import Command
@testable import hw

/// What a fault of the configuration stops, for every command.
struct FaultySettings {
  private let home: ScratchDirectory

  init() throws { home = try ScratchDirectory() }

  private func run(_ words: [String], _ configuration: String, _ variables: [String: String] = [:]) throws
    -> Ran
  {
    try home.write(configuration, to: ".config/hw/config")
    let environment = ["HOME": home.path, "HW_URL": "demo:"].merging(variables) { $1 }
    return Ran(.hw, words, environment: environment)
  }

  /// Each command, and whether it needs the settings.
  private static let lines = Program.hw.allCommands.map { name, command in
    (words: name.split(separator: " ").map(String.init), needed: !command.runsWithInvalidSettings)
  }

  @Test(arguments: ["timeout\n", "timeout = soon\n"])
  func faultStopsOnlyCommandsThatNeedSettings(_ configuration: String) throws {
    for (words, isNeeded) in Self.lines {
      let command = try Program.hw.command(words)
      let operands = command.operands.map { _ in "1" }
      let ran = try run(words + operands + ["--fields=help"], configuration)
      // An operand that is none of the command is refused before.
      guard !["must be", "exclude", "'1'"].contains(where: ran.errors.contains) else { continue }
      let isStopped = ["config', line 1", "config:1: timeout"].contains(where: ran.errors.contains)
      if !isNeeded { #expect(ran.status != 10, "\(words): \(ran.errors)") }
      if isNeeded { #expect(isStopped && [2, 10].contains(ran.status), "\(words): \(ran.errors)") }
    }
  }

  @Test(arguments: [
    "help", "help exit-codes", "version", "completions bash", "schema bikes list", "rows --json /dev/null",
  ])
  func outputIsCompleteInSpiteOfFault(_ line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let ran = try run(words, "timeout\n")
    let clean = try run(words, "")
    #expect(ran.status == 0 && ran.output == clean.output)
    #expect(ran.errors == "hw: '\(home.path)/.config/hw/config', line 1 is not 'name = value'\n")
  }

  @Test(.needs(.libsqlite3)) func slipsAreReportedOnce() throws {
    let ran = try run(
      ["bikes", "list", "-n1"], "tiemout = 3\n", ["HW_BIKES_TIMEOUTS": "3", "HW_QQQQQQQ": "1"])
    #expect(
      ran.errors == """
        hw: '\(home.path)/.config/hw/config', line 1: unknown setting 'tiemout'; did you mean 'timeout'?
        hw: unknown variable 'HW_BIKES_TIMEOUTS'; did you mean 'HW_BIKES_TIMEOUT'?

        """)
    let quiet = try run(["bikes", "list", "-q"], "tiemout = 3\n")
    #expect(ran.status == 0 && quiet.errors == "")
  }

  @Test func missingFileOfVariableIsAnError() throws {
    let ran = try run(["bikes", "list"], "", ["HW_CONFIG": home.file("none")])
    #expect(
      ran.status == 10 && ran.errors.contains("HW_CONFIG names '\(home.file("none"))', which does not exist"))
    #expect(try run(["config", "set", "timeout", "7"], "", ["HW_CONFIG": home.file("none")]).status == 0)
  }
}
