import Bikes
import Command
import NBA
import Nodes
import Race
import Toolbox
import Wordle

extension Program {
  /// The whole table. It stands apart from `main.swift` so that tests can hold it to its promises.
  static let hw = Program(
    "hw", version: "1.0.0", "Five small services as commands for the shell",
    suites: [
      .init("race", Race.suite), .init("nba", NBA.suite), .init("bikes", Bikes.suite),
      .init("wordle", Wordle.suite), .init("nodes", Nodes.suite), .init("config", Toolbox.config),
    ],
    tools: Toolbox.suite,
    aliases: [.init("serve", "user", "add", of: "bikes", "user-add")]
  )
}
