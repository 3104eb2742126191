import Command
import Output
import System

extension Toolbox {
  static let shell = Operand(optional: "SHELL", ValueKind<Shell>.choice, "The shell")
  static let completionWords = Option(
    "words", ValueKind<String>.text("KIND"), "Print completion words of a kind",
    details: "One word per line, with its meaning after a tab. Only local data is used, and no network.")
  static let completionAfter = Option(
    "after", ValueKind<String>.text("WORD"), "Set the previous word, with --words")
  static let completionLine = Option(
    "line", each: ValueKind<String>("WORD", expects: "a word") { $0 },
    "Add a word of the command line, with --words",
    details:
      "The whole line, one option per word. Options such as --demo and --url select the service.")

  static let completions = Command(
    "completions", "Print the completion script for a shell",
    discussion: """
      The scripts run 'hw completions --words KIND' for words that only hw knows. KIND is own-commands, node-aliases, \
      setting-names or another; an unknown KIND lists all. The words come from the embedded backend or from cached \
      responses, never from a network. They can also fill a menu:

        hw completions --words node-aliases | cut -f1 | fzf
      """,
    usage: ["SHELL", "--words KIND [--after WORD] [--line WORD]..."],
    operands: [shell],
    options: [completionWords, completionAfter, completionLine],
    exclusions: [Exclusion(shell, from: completionWords, completionAfter, completionLine)],
    output: .plain("The script."),
    examples: [
      Example("hw completions fish >hw.fish", "write the script for fish"),
      Example("hw completions --words setting-names", "the words for 'hw config get'"),
    ]
  ) { call, context throws(Failure) in
    let program = context.program
    let outlet = context.output.outlet
    if let shell = try call[shell] { return try outlet.write(shell.script(for: program)) }
    guard let kind = call[completionWords] else {
      throw Failure(
        .usage, "missing operand SHELL",
        hint: "shells: \(Shell.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    let sources = program.wordSources
    guard let source = sources.first(where: { $0.name == kind }) else {
      throw Failure(
        .usage, "there are no words of kind '\(kind)'",
        hint: "kinds: \(sources.map(\.name).joined(separator: ", "))")
    }
    for word in try context.words(of: source, after: call[completionAfter], on: call[completionLine]) {
      try outlet.write("\(word.name)\t\(word.meaning)\n")
    }
  }
}
