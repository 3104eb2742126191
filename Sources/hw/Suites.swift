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
    suites: [Race.suite, NBA.suite, Bikes.suite, Wordle.suite, Nodes.suite, Toolbox.config],
    tools: Toolbox.suite
  )
}
