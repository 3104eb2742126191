import System
import TestSupport
import Testing

@testable import Command
@testable import hw

/// What the commands say cannot be given together.
@Suite struct DeclaredExclusions {
  private static let names = Program.hw.allCommands.filter { !$0.command.exclusions.isEmpty }.map(\.name)

  private func words(_ member: Exclusion.Member) throws -> [String] {
    switch member {
    case .option(let option): try SampleValue.giving(option)
    case .operand(let operand): [try SampleValue.text(operand.value)]
    }
  }

  @Test(arguments: names) func exclusivePairsAreRefused(name: String) throws {
    let command = try #require(Program.hw.allCommands.first { $0.name == name }?.command)
    let known = command.allOptions.map(\.spelling) + command.operands.map(\.declaration.name)
    let needed = try command.operands.map(\.declaration).filter { $0.count == .one }
      .map { try SampleValue.text($0.value) }
    var seen: Set<Set<String>> = []
    for pair in command.exclusions.flatMap(\.pairs) {
      let names = [pair.one.spelling, pair.other.spelling]
      #expect(names.allSatisfy(known.contains), "\(names) of '\(name)'")
      #expect(seen.insert(Set(names)).inserted, "\(names) exclude each other twice")
      let line = try words(pair.one) + words(pair.other) + needed
      let refused = failure { _ = try Parser(command: command, suite: nil).parse(line) }
      #expect(refused?.kind == .usage && refused?.message.hasSuffix("exclude each other") == true, "\(line)")
      for one in [pair.one, pair.other] {
        let alone = try words(one) + needed
        #expect(failure { _ = try Parser(command: command, suite: nil).parse(alone) } == nil, "\(alone)")
      }
    }
  }
}
