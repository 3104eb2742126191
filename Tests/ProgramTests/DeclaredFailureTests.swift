import System
import Testing

@testable import Command
@testable import hw

/// The kinds of failure that commands declare.
@Suite struct DeclaredFailures {
  /// Otherwise a declaration could be wrong, and nobody would notice it.
  @Test(arguments: Program.hw.allCommands.map(\.name)) func declaredFailuresAreNotImplied(name: String) throws
  {
    let command = try #require(Program.hw.allCommands.first { $0.name == name }?.command)
    let implied = ExitCodes.implied(for: command)
    #expect(command.failures.filter(implied.contains) == [])
    #expect(Set(command.failures).count == command.failures.count)
  }

  /// A store can be on a database server, which can be away or refuse the user.
  @Test func storeCommandsDeclareDatabaseFailures() {
    let options: Set = ["store", "from", "to"]
    let commands = Program.hw.allCommands.filter { _, command in
      command.needs.contains(.store) && command.options.contains { options.contains($0.declaration.name) }
    }
    #expect(commands.count >= 8)
    for (name, command) in commands {
      let kinds = ExitCodes.implied(for: command).union(command.failures)
      #expect(kinds.contains(.connection) && kinds.contains(.unauthorized), "\(name)")
    }
  }
}
