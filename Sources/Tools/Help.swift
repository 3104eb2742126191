import Command
import Output
import System

extension Toolbox {
  static let about = Operand(
    rest: "ABOUT", ValueKind<String>.text("ABOUT", .subjects),
    "A suite, a suite and its command, a topic, or a plug-in")

  static let manual = Option(
    "man", ValueKind<String>.text("PAGE"), "Print a page of the manual as mdoc source",
    details: "'--pages' lists them.")
  static let pages = Option("pages", "List the file names of the manual pages")
  static let list = Option("list", "List every command with its summary, parted by a tab")

  static let help = Command(
    "help", "Print help about hw, a suite, a command or a topic",
    discussion: """
      --json prints the declarations of all commands or of ABOUT: operands, options with values and defaults, output \
      fields, exit codes and examples. 'hw schema help' prints the JSON Schema of it.
      """,
    operands: [about],
    options: [manual, pages, list],
    exclusions: [Exclusion(about, manual, pages, list)],
    output: .plain("The help page.", orJSON: HelpDocument.self).schemaVersion(4),
    examples: [
      Example("hw help wordle tiles", "the help of one command"),
      Example("hw help exit-codes", "the help of a topic"),
      Example("hw help --man hw-wordle >hw-wordle.1", "write a page of the manual"),
      Example("hw help --list | grep -i json", "search the commands"),
      Example("hw help nodes top --json", "the declaration of a command as JSON"),
    ]
  ) { call, context throws(Failure) in
    let program = context.program
    let outlet = context.output.outlet
    if context.output.settings.format?.isJSON == true {
      let texts: [any Declared] = [manual, pages, list]
      if let text = texts.first(where: call.isGiven) {
        throw Failure(.usage, "'\(text.declaration.spelling)' prints text, and has no JSON")
      }
      try context.output.write(try HelpDocument(try commandNames(call[about], context), in: program))
    } else if let page = call[manual] {
      try outlet.write(ManualPage.named(page, in: program).text)
    } else if call[pages] {
      for page in ManualPage.all(program) { try outlet.write("\(page.fileName)\n") }
    } else if call[list] {
      for (name, command) in program.allCommands {
        try outlet.write("\(program.name) \(name)\t\(command.summary)\n")
      }
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
}

extension Toolbox {
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
