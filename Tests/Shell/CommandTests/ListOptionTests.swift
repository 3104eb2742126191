import Output
import System
import TestSupport
import Testing

@testable import Command

/// What the declaration of a list adds to the options of its command line.
@Suite struct OptionsOfAList {
  private func list(_ output: CommandOutput) -> Program {
    let list = Command("list", "List them", output: output, examples: []) { _, context throws(Failure) in
      try context.output.write([
        Sample.Animal(name: "dog", legs: 4), Sample.Animal(name: "cat", legs: 4),
        Sample.Animal(name: "emu", legs: 2),
      ])
    }
    return Sample.program(tools: [list])
  }

  private func names(_ output: CommandOutput, _ options: String) -> [String] {
    let words = "list --tsv --no-header --fields name \(options)".split(separator: " ").map(String.init)
    return Ran(list(output), words).lines
  }

  @Test(
    "Rows that are equal keep their order, with a key as well",
    arguments: [
      ("", ["dog", "cat", "emu"]), ("--sort legs", ["emu", "dog", "cat"]),
      ("--sort -legs", ["dog", "cat", "emu"]), ("--sort legs,name", ["emu", "cat", "dog"]),
    ])
  func equalRows(options: String, rows: [String]) {
    for key in [nil, "name"] {
      let list = CommandOutput.list(Sample.Animal.self, order: "as they came", key: key)
      #expect(names(list, options) == rows)
    }
  }

  @Test(
    "A list may be limited without an option",
    arguments: [
      ("", 2), ("--limit 3", 3), ("-n 1", 1), ("--limit 0", 0), ("--limit 3 --no-limit", 2),
      ("--no-limit", 2), ("--where legs=4 --limit 1", 1), ("--where legs=4", 2), ("--where legs=2", 1),
    ])
  func limit(options: String, count: Int) {
    let limited = CommandOutput.list(Sample.Animal.self, order: "as they came", limit: 2)
    #expect(names(limited, options).count == count)
  }
}
