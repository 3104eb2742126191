import Output
import System

/// The declarations as data: what `hw help --json` prints, for programs that generate documentation, completions or
/// bindings. A new member needs no new `format`; a member that changes its meaning does.
public struct HelpDocument: Row {
  private let program: Program
  private let suites: [Suite]
  private let commands: [DeclaredCommand]

  private static let format = 1

  /// Everything, or the suite or the command that these words name.
  public init(_ words: [String], in program: Program) throws(Failure) {
    self.program = program
    if words.isEmpty {
      suites = program.suites
      commands =
        suites.flatMap { suite in suite.commands.map { DeclaredCommand($0, suite: suite.name) } }
        + program.tools.commands.map { DeclaredCommand($0, suite: nil) }
    } else if words.count == 1, let suite = program.suite(named: words[0]) {
      suites = [suite]
      commands = suite.commands.map { DeclaredCommand($0, suite: suite.name) }
    } else if words.count == 1, Topic.all(program).contains(where: { $0.name == words[0] }) {
      throw Failure(
        .usage, "'\(words[0])' is a topic, and topics have no JSON",
        hint: "print its text with '\(program.name) help \(words[0])'")
    } else {
      let command = try program.command(words)
      suites = words.count > 1 ? [try program.suite(words[0])] : []
      commands = [DeclaredCommand(command, suite: words.count > 1 ? words[0] : nil)]
    }
  }

  public static let fields: Fields<HelpDocument> = [
    .integer("version", "Version", "the version of this document's format") { _ in format },
    .text("name", "Name", "the program") { $0.program.name },
    .text("programVersion", "Program version", "its version") { $0.program.version },
    .text("summary", "Summary", "a summary in one line") { $0.program.summary },
    .rows("suites", "Suites", "the suites that have the commands", of: SuiteFields.all) { $0.suites },
    .rows("commands", "Commands", "the commands", of: DeclaredCommand.fields) { $0.commands },
    .rows("standardOptions", "Standard options", "the options of every command", of: OptionFields.all) {
      _ in StandardOptions.all.map(\.declaration)
    },
    .rows("standardSettings", "Standard settings", "the settings of every command", of: SettingFields.all) {
      _ in StandardSettings.all
    },
    .rows("exitCodes", "Exit codes", "the exit status of each kind of failure", of: KindFields.all) { _ in
      Failure.Kind.allCases
    },
  ]
}

/// A command with the suite it belongs to.
private struct DeclaredCommand {
  let command: Command
  let suite: String?

  init(_ command: Command, suite: String?) {
    self.command = command
    self.suite = suite
  }

  static let fields: Fields<DeclaredCommand> = [
    .text("name", "Name", "the words that name the command: 'nodes top'") { declared in
      [declared.suite, declared.command.name].compactMap { $0 }.joined(separator: " ")
    },
    .text("suite", "Suite", "the suite it belongs to, or null", orNull: { $0.suite }),
    .text("summary", "Summary", "what it does") { $0.command.summary },
    .text("description", "Description", "paragraphs, separated by empty lines") { $0.command.discussion },
    .list("usage", "Usage", "what follows the name in a command line") { $0.command.usageTails },
    .list("needs", "Needs", "network: sends requests; writes: changes data of a service; and others") {
      $0.command.needs.names
    },
    .rows("operands", "Operands", "the operands in their order", of: OperandFields.all) {
      $0.command.operands.map(\.declaration)
    },
    .rows("options", "Options", "the options beside the standard ones", of: OptionFields.all) {
      $0.command.options.map(\.declaration)
    },
    .rows("settings", "Settings", "the settings beside the standard ones", of: SettingFields.all) {
      $0.command.settings.map(\.declaration)
    },
    .rows(
      "exclusions", "Exclusions", "options and operands that cannot be given together",
      of: ExclusionFields.all
    ) { $0.command.exclusions.flatMap(\.pairs) },
    .text("output.kind", "Output", "list, rows, one, anyRows, text, textOrOne or document") {
      $0.command.output.kindName
    },
    .text("output.text", "Text", "what the text format is, or null", orNull: { $0.command.output.text }),
    .integer(
      "output.schemaVersion", "Schema version", "the version of its JSON Schema, or null without one",
      orNull: { $0.command.output.schemaRoot == nil ? nil : $0.command.output.version }),
    .rows("output.fields", "Fields", "the fields of a row", of: ColumnFields.all) {
      $0.command.output.columns
    },
    .rows("exitCodes", "Exit codes", "what it can end with", of: ExitCodeFields.all) {
      ExitCodes.items(for: $0.command)
    },
    .rows("examples", "Examples", "command lines that work", of: ExampleFields.all) { $0.command.examples },
  ]
}

private enum SuiteFields {
  static let all: Fields<Suite> = [
    .text("name", "Name", "the name") { $0.name },
    .text("summary", "Summary", "what it is for") { $0.summary },
    .text("description", "Description", "paragraphs, separated by empty lines") { $0.discussion },
    .text("url", "URL", "the default address of its service, or null", orNull: { $0.service?.address }),
  ]
}

private enum OperandFields {
  static let all: Fields<OperandDeclaration> = [
    .text("name", "Name", "its name in the usage line") { $0.name },
    .text("summary", "Summary", "a summary in one line") { $0.summary },
    .choice(
      "count", "Count", "rest: none, one or many; afterDashes: the words after '--', none, one or many",
      \.count),
    .row("value", "Value", "the value that it takes", of: ValueFields.all) { $0.value },
  ]
}

private enum OptionFields {
  static let all: Fields<OptionDeclaration> = [
    .text("name", "Name", "its long name without the dashes") { $0.name },
    .text("spelling", "Spelling", "the form that help lists: --limit, --no-header") { $0.spelling },
    .text("short", "Short", "its letter, or null", orNull: { $0.short.map { String($0) } }),
    .text("summary", "Summary", "what it does") { $0.summary },
    .text("details", "Details", "more about it, or empty") { $0.details },
    .text("kind", "Kind", "flag, counter (may be repeated), value, list (may be repeated) or shorthand") {
      $0.kind.name
    },
    .text(
      "shorthandFor", "Shorthand for", "what a shorthand stands for: '--output=json', or null",
      orNull: { $0.kind.meaning }),
    .text("default", "Default", "its value if it is not given, or null", orNull: { $0.defaultText }),
    .text(
      "setting", "Setting", "its name in the configuration, or null",
      orNull: { $0.isSetting ? $0.key : nil }),
    .text(
      "variable", "Variable", "its environment variable for all suites or for its tool, or null",
      orNull: { $0.isSetting ? $0.variable : nil }),
    .rowOrNull("value", "Value", "the value that it takes; null for a flag", of: ValueFields.all) {
      $0.value
    },
  ]
}

private enum SettingFields {
  static let all: Fields<OptionDeclaration> = [
    .text("name", "Name", "its name in the configuration, for all suites or for its tool") { $0.key },
    .text("variable", "Variable", "its environment variable, for all suites or for its tool") {
      $0.variable
    },
    .text("summary", "Summary", "what it sets; for a flag, what the value does that is not the default") {
      $0.summary
    },
    .text("details", "Details", "more about it, or empty") { $0.details },
    .text("default", "Default", "its value if it is not set, or null", orNull: { $0.defaultText }),
    .rowOrNull("value", "Value", "the value that it takes; null for a flag", of: ValueFields.all) {
      $0.value
    },
  ]
}

private enum ExclusionFields {
  static let all: Fields<Exclusion.Pair> = [
    .text("one", "One", "the spelling of an option, or the name of an operand") { $0.one.spelling },
    .text("other", "Other", "the option or operand that it excludes") { $0.other.spelling },
  ]
}

private enum ValueFields {
  static let all: Fields<ValueDeclaration> = [
    .text("name", "Name", "its name in help: N, FILE") { $0.valueName },
    .text("expects", "Expects", "the values that it takes, in words") { $0.expects },
    .rows("choices", "Choices", "the words that it takes or, for text, some of them", of: ChoiceFields.all) {
      $0.choices
    },
  ]
}

private enum ChoiceFields {
  static let all: Fields<Choice> = [
    .text("name", "Name", "the word") { $0.name },
    .text("meaning", "Meaning", "what it stands for") { $0.meaning },
  ]
}

private enum ColumnFields {
  static let all: Fields<Column> = [
    .text("path", "Path", "its name, dotted where JSON has an object in an object") { $0.path },
    .text("title", "Title", "its heading in a table") { $0.title },
    .text("meaning", "Meaning", "a summary in one line") { $0.meaning },
    .text("type", "Type", "its type, as the manual names it") { $0.type.name },
    .flag("nullable", "Nullable", "whether it may be null") { $0.isOptional },
    .flag("shown", "Shown", "whether tables, CSV and TSV have it without --fields") { $0.isShown },
  ]
}

private enum ExitCodeFields {
  static let all: Fields<Item> = [
    .text("code", "Code", "the exit status, or 'any other'") { $0.termText },
    .text("meaning", "Meaning", "what it means") { $0.summary },
  ]
}

private enum KindFields {
  static let all: Fields<Failure.Kind> = [
    .integer("code", "Code", "the exit status") { Int($0.exitCode) },
    .text("kind", "Kind", "the member 'kind' of the error object") { $0.rawValue },
    .text("meaning", "Meaning", "what it means") { $0.meaning },
  ]
}

private enum ExampleFields {
  static let all: Fields<Example> = [
    .text("command", "Command", "the command line, for a shell") { $0.command },
    .text("meaning", "Meaning", "what it does") { $0.meaning },
    .integer("exitCode", "Exit code", "the status that it ends with") { Int($0.exits) },
  ]
}

extension OptionDeclaration.Kind {
  fileprivate var name: String {
    switch self {
    case .flag: "flag"
    case .counter: "counter"
    case .value: "value"
    case .list: "list"
    case .shorthand: "shorthand"
    }
  }

  /// The option and the value that a shorthand sets.
  fileprivate var meaning: String? {
    if case .shorthand(let name, let text) = self { "--\(name)=\(text)" } else { nil }
  }
}

extension Needs {
  fileprivate var names: [String] {
    let all: [(Needs, String)] = [
      (.network, "network"), (.input, "input"), (.store, "store"), (.configuration, "configuration"),
      (.writes, "writes"), (.loss, "loss"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}

extension CommandOutput {
  fileprivate var kindName: String {
    switch kind {
    case .list: schemaRoot == .one ? "one" : "list"
    case .rows: "rows"
    case .one: "one"
    case .anyRows: "anyRows"
    case .text: "text"
    case .textOrOne: "textOrOne"
    case .document: "document"
    }
  }
}
