import Bikes
import Command
import NBA
import Nodes
import Race
import Tools
import Wordle

extension Program {
  /// All commands. A tool with several commands is a suite, too. Not in `main.swift`, so that tests can import it.
  static let hw = Program(
    "hw", version: "1.0.0-rc.1", "Five small services as commands for the shell",
    suites: entries + [
      .init("store", Toolbox.store), .init("users", Toolbox.users), .init("config", Toolbox.config),
      .init("cache", Toolbox.cache),
    ],
    tools: Toolbox.suite { entries.map(\.suite) }, guides: Toolbox.guides
  )

  private static let entries: [Entry] = [
    .init("race", Race.suite), .init("nba", NBA.suite), .init("bikes", Bikes.suite),
    .init("wordle", Wordle.suite), .init("nodes", Nodes.suite),
  ]
}
