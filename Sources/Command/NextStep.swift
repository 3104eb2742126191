import Output
import System

/// Hints for words that are unknown where they were written, but mean something elsewhere.
enum NextStep {
  /// Commands of other programs, and what has their purpose here.
  private static let otherNames = ["doctor": "check --self", "man": "help", "server": "serve"]

  /// For an unknown command of the program: a topic of help, or a command of a suite.
  static func command(_ name: String, in program: Program) -> String? {
    var found: [String] = []
    if Topic.all(program).contains(where: { $0.name == name }) { found.append("help \(name)") }
    if let other = otherNames[name] { found.append(other) }
    found += program.suites.filter { $0.commands.contains { $0.name == name } }.map { "\($0.name) \(name)" }
    return question(found, program)
  }

  /// For an unknown command of a suite: help about it, or a command that belongs to no suite.
  static func command(_ name: String, of suite: String, in program: Program) -> String? {
    if name == "help" { return question(["help \(suite)"], program) }
    return question(program.tools.commands.map(\.name).filter { $0 == name }, program)
  }

  /// For an unknown option: the name that other programs have for an option, or an operand.
  static func option(
    _ name: String, value: String?, operands: [OperandDeclaration], options: [OptionDeclaration]
  ) -> String? {
    if name == "format", options.contains(where: { $0.name == StandardOptions.output.declaration.name }) {
      return "did you mean '-o \(value.flatMap(Format.init(rawValue:))?.rawValue ?? "FORMAT")'?"
    }
    guard let operand = operands.first(where: { $0.name == name.uppercased() }) else { return nil }
    guard let value, !value.hasPrefix("-") else { return "\(operand.name) is an operand" }
    return "\(operand.name) is an operand: write \(ShellWord(value).quoted) without '--\(name)'"
  }

  private static func question(_ commands: [String], _ program: Program) -> String? {
    let names = commands.map { "'\(program.name) \($0)'" }
    guard let last = names.last else { return nil }
    let list = names.count == 1 ? last : "\(names.dropLast().joined(separator: ", ")) or \(last)"
    return "did you mean \(list)?"
  }
}
