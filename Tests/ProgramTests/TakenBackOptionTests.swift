import System
import Testing
import TestSupport

@testable import Command
@testable import hw

/// `--no-NAME` for every option of every command: an option that is taken back is as if it was not given.
@Suite struct NegatedOptions {
  private static let names = Program.hw.allCommands.map(\.name)

  private func parsed(_ words: [String], by command: Command) throws -> Invocation? {
    let operands = try command.operands.map(\.declaration).filter { $0.count == .one }
      .map { try SampleValue.text($0.value) }
    let outcome = try Parser(command: command, suite: nil).parse(words + operands)
    return if case .run(let call) = outcome { call } else { nil }
  }

  /// The option that holds the value: that of `--json` is `--output`.
  private func holder(of option: OptionDeclaration, in options: [OptionDeclaration]) throws
    -> OptionDeclaration
  {
    guard case .shorthand(let name, _) = option.kind else { return option }
    return try #require(options.first { $0.name == name })
  }

  @Test(arguments: names) func negatedOptionIsAsIfNotGiven(name: String) throws {
    let command = try #require(Program.hw.allCommands.first { $0.name == name }?.command)
    let options = command.allOptions
    // These two end the command line where they are given.
    let ends = [StandardOptions.help.declaration.name, StandardOptions.version.declaration.name]
    for option in options {
      if case .flag(startsOn: true) = option.kind { continue }
      let target = try holder(of: option, in: options)
      let undone = ["--no-\(option.name)"]
      let lines = ends.contains(option.name) ? [undone] : [undone, try SampleValue.giving(option) + undone]
      for line in lines {
        let call = try #require(try parsed(line, by: command), "\(line)")
        #expect(!call.isGiven(option) && !call.isGiven(target), "\(line)")
        #expect(call.text(of: target) == target.defaultText, "\(line)")
      }
      guard !ends.contains(option.name) else { continue }
      let given = try #require(try parsed(undone + SampleValue.giving(option), by: command), "\(option.name)")
      #expect(given.isGiven(target), "\(option.name)")
    }
  }

  /// Such a flag is given with `--no-NAME`, which `--NAME` takes back.
  @Test(arguments: names) func enabledFlagCanBeTurnedOff(name: String) throws {
    let command = try #require(Program.hw.allCommands.first { $0.name == name }?.command)
    for option in command.allOptions {
      guard case .flag(startsOn: true) = option.kind else { continue }
      let off = try #require(try parsed(["--no-\(option.name)"], by: command))
      #expect(off.isGiven(option) && off.text(of: option) == "off", "\(option.name)")
      let on = try #require(try parsed(["--no-\(option.name)", "--\(option.name)"], by: command))
      #expect(on.text(of: option) == "on", "\(option.name)")
      let untouched = try #require(try parsed([], by: command))
      #expect(!untouched.isGiven(option) && untouched.text(of: option) == nil, "\(option.name)")
    }
  }
}

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

/// Values that options and operands accept, for tests of all commands.
enum SampleValue {
  /// Each is accepted by some option or operand that has no choices.
  private static let texts = [
    "1", "1234", "1946", "text", "a=b", "2022-03-08", "50.1,8.6", "127.0.0.1", "cyan", "de", "ann@h.test",
    "https://h.test", "https://h.test/{z}/{x}/{y}", "Europe/Berlin", "127.0.0.1:7400",
  ]

  static func text(_ value: ValueDeclaration) throws -> String {
    try #require(
      (value.choices.map(\.name) + texts).first { (try? value.read($0, for: "")) != nil },
      "no value is \(value.expects)")
  }

  /// The words that give the option.
  static func giving(_ option: OptionDeclaration) throws -> [String] {
    guard let value = option.value else { return [option.spelling] }
    return ["--\(option.name)", try text(value)]
  }
}
