import Command
import Output
import System

extension Toolbox {
  static let about = Operand(
    rest: "ABOUT", ValueKind<String>.text("ABOUT", .subjects),
    "A suite, a suite and its command, a topic, or a plug-in")

  static let help = Command(
    "help", "Print help about hw, a suite, a command or a topic",
    discussion: """
      --json prints the names and summaries of all commands or of ABOUT, with their operands and options. 'hw schema \
      COMMAND' describes the output of a command.
      """,
    operands: [about],
    output: .plain("The help page.", orJSON: HelpDocument.self).schemaVersion(5),
    examples: [
      Example("hw help wordle tiles", "the help of one command"),
      Example("hw help exit-codes", "the help of a topic"),
      Example(
        "hw help --json | jq -r '.commands[] | .name + \": \" + .summary'",
        "all commands with their summaries"),
    ]
  ) { call, context throws(Failure) in
    let program = context.program
    let outlet = context.output.outlet
    if context.output.settings.format?.isJSON == true {
      try context.output.write(try HelpDocument(try commandNames(call[about], context), in: program))
    } else {
      var words = try call[about]
      let aliases = context.aliases
      if words.count == 1, !program.hasPage(words[0]) {
        if let alias = try aliases.words(of: words[0]) {
          let line = ([program.name] + alias).map { ShellWord($0).quoted }.joined(separator: " ")
          try outlet.write("'\(words[0])' is an alias of: \(line)\n\n")
          words = program.names(in: alias)
        }
        if words.count == 1, !program.hasPage(words[0]) { try context.execHelp(ofPlugIn: words[0]) }
      }
      let page = try Page.find(words, in: program, aliases: aliases.all, plugIns: context.plugIns)
      try outlet.write(page.full(on: context.output.settings.screen))
    }
  }

  /// Replaces an alias with the names of its suite and command, and returns other words unchanged.
  private static func commandNames(_ words: [String], _ context: Context) throws(Failure) -> [String] {
    guard words.count == 1, !context.program.hasPage(words[0]) else { return words }
    return try context.aliases.words(of: words[0]).map { context.program.names(in: $0) } ?? words
  }

  static let schemaSubject = Operand(
    rest: "COMMAND", ValueKind<String>.text("COMMAND", .commands),
    "A suite and its command, a command of hw itself, or 'errors'")

  static let schema = Command(
    "schema", "Print the JSON Schema of what a command prints",
    discussion: """
      The schema (2020-12) describes the document that --json prints without --fields; under --jsonl each line is \
      one of its items. The number at the end of its '$id' is its version, which is new with each change.

      'hw schema errors' prints the schema of an error under --json and --jsonl.
      """,
    usage: ["SUITE COMMAND", "COMMAND"],
    operands: [schemaSubject],
    output: .document("A JSON Schema."),
    examples: [Example("hw schema wordle tiles", "the JSON Schema of the output")]
  ) { call, context throws(Failure) in
    let words = try commandNames(call[schemaSubject], context)
    if words == ["errors"] { return try context.output.outlet.write(FailureReport.schema.text(.one)) }
    let command = try context.program.command(words)
    let title = "\(context.program.name) \(words.joined(separator: " "))"
    guard let shape = command.output.schemaRoot else {
      throw Failure(.usage, "'\(title)' prints text, which has no schema")
    }
    let schema = Schema(
      title: title, description: command.summary, columns: command.output.columns,
      version: command.output.version)
    try context.output.outlet.write(schema.text(shape))
  }
}
