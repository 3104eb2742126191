import TestSupport

@testable import Command
@testable import hw

/// The command lines of the declarations.
enum CommandLines {
  /// The examples that are a single command and need no shell, with the words after `hw`.
  static func examples(_ command: Command) -> [[String]] {
    command.examples.map(\.command).compactMap { line in
      guard line.hasPrefix("hw "), !line.contains(" -- "),
        !line.contains(where: { "|;&<>$`\\(\"'*".contains($0) })
      else { return nil }
      return line.split(separator: " ").dropFirst().map(String.init)
    }
  }

  /// A command line for each network command and each of its examples.
  static let network: [[String]] = Program.hw.suites.flatMap { suite in
    suite.commands.filter { $0.needs.contains(.network) }.flatMap { command in
      let lines = examples(command)
      return lines.isEmpty ? [[suite.name, command.name]] : lines
    }
  }
}
