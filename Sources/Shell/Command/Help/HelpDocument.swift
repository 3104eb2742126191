import Output
import System

/// Declarations as data for `hw help --json`, for programs that list commands and options.
public struct HelpDocument: Row {
  private let program: Program
  private let commands: [(command: Command, suite: String?)]

  /// Everything, or the suite or the command with this name.
  public init(_ words: [String], in program: Program) throws(Failure) {
    self.program = program
    if words.isEmpty {
      commands =
        program.suites.flatMap { suite in suite.commands.map { ($0, suite.name) } }
        + program.tools.commands.map { ($0, nil) }
    } else if words.count == 1, let suite = program.suite(named: words[0]) {
      commands = suite.commands.map { ($0, suite.name) }
    } else if words.count == 1, Topic.all(program).contains(where: { $0.name == words[0] }) {
      throw Failure(
        .usage, "'\(words[0])' is a topic, and topics have no JSON",
        hint: "print its text with '\(program.name) help \(words[0])'")
    } else {
      commands = [(try program.command(words), words.count > 1 ? words[0] : nil)]
    }
  }

  public static let fields: Fields<HelpDocument> = [
    .text("name", "Name", "the program") { $0.program.name },
    .text("version", "Version", "its version") { $0.program.version },
    .rows("commands", "Commands", "the commands", of: commandFields) { $0.commands },
    .rows("standardOptions", "Standard options", "the options of every command", of: optionFields) { _ in
      StandardOptions.all
    },
  ]

  private static let commandFields: Fields<(command: Command, suite: String?)> = [
    .text("name", "Name", "the words that name the command: 'nodes top'") { command, suite in
      [suite, command.name].compactMap { $0 }.joined(separator: " ")
    },
    .text("suite", "Suite", "the suite it belongs to, or null", orNull: { $0.suite }),
    .text("summary", "Summary", "what it does") { $0.command.summary },
    .list("usage", "Usage", "what follows the name in a command line") { $0.command.usageTails },
    .rows("operands", "Operands", "the operands in their order", of: operandFields) {
      $0.command.operands.map(\.declaration)
    },
    .rows("options", "Options", "the options beside the standard ones", of: optionFields) {
      $0.command.options.map(\.declaration)
    },
  ]

  private static let operandFields: Fields<OperandDeclaration> = [
    .text("name", "Name", "its name in the usage line") { $0.name },
    .text("summary", "Summary", "a summary in one line") { $0.summary },
  ]

  private static let optionFields: Fields<OptionDeclaration> = [
    .text("name", "Name", "its long name without the dashes") { $0.name },
    .text("spelling", "Spelling", "the form that help lists: --limit, --no-header") { $0.spelling },
    .text("short", "Short", "its letter, or null", orNull: { $0.short.map { String($0) } }),
    .text("value", "Value", "the name of its value; null for a flag", orNull: { $0.value?.valueName }),
    .text("summary", "Summary", "what it does") { $0.summary },
    .text("default", "Default", "its value if it is not given, or null", orNull: { $0.defaultText }),
    .text(
      "variable", "Variable", "its environment variable for all suites or for its tool, or null",
      orNull: { $0.isSetting ? $0.variable : nil }),
  ]
}
