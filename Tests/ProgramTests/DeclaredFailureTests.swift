import System
import Testing

@testable import Command
@testable import hw

/// The kinds of failure that commands declare.
@Suite struct DeclaredFailures {
  /// Otherwise a declaration could be wrong, and nobody would notice it.
  @Test(arguments: Program.hw.allCommands.map(\.name)) func areThoseThatDoNotFollow(name: String) throws {
    let command = try #require(Program.hw.allCommands.first { $0.name == name }?.command)
    let implied = ExitCodes.implied(for: command)
    #expect(command.failures.filter(implied.contains) == [])
    #expect(Set(command.failures).count == command.failures.count)
  }
}
