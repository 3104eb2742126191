import Command
import Foundation
import TestSupport
import Testing

@testable import hw

/// The way of a change to the store does not change its result: neither messages, nor a recording, nor a server instead
/// of the backend in the process.
@Suite(.ownThread, .needs(.libsqlite3)) struct WritingCommands {
  private static let examples = Program.hw.allCommands.filter { $0.command.needs.contains(.writes) }
    .flatMap { entry in
      entry.command.examples.filter(\.setup.isEmpty).map { [entry.name, $0.command] }
    }

  @Test(arguments: examples) func resultDoesNotDependOnTheWay(_ example: [String]) throws {
    let (name, line) = (example[0], example[1])
    if SkippedTests.includesCurrentTest(needing: ShellPrograms.tools(in: line)) { return }
    let expected = try shell(line)
    func check(_ found: Ending, _ way: String) {
      #expect(found.output == expected.output && found.status == expected.status, "\(way): \(found.errors)")
    }
    for option in ["-v", "--record recording"] {
      check(try shell(line.replacing("hw \(name)", with: "hw \(name) \(option)")), option)
    }
    let home = try Home()
    try home.write(line, to: "line")
    check(try shell("hw serve -- sh ./line", in: home), "a server")
  }
}
