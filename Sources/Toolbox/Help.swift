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
    operands: [about],
    options: [manual, pages, list],
    output: .plain("The help page."), needs: [.pager],
    examples: [
      Example("hw help wordle tiles", "all about one command"),
      Example("hw help exit-codes", "a topic"),
      Example("hw help --man hw-wordle >hw-wordle.1", "a page of the manual, for 'man ./hw-wordle.1'"),
      Example("hw help --list | grep -i json", "search the commands"),
    ]
  ) { call, context throws(Failure) in
    let program = context.program
    let outlet = context.output.outlet
    if let page = call[manual] {
      try outlet.write(ManualPage.named(page, in: program).text)
    } else if call[pages] {
      for page in ManualPage.all(program) { try outlet.write("\(page.fileName)\n") }
    } else if call[list] {
      for (name, command) in program.allCommands {
        try outlet.write("\(program.name) \(name)\t\(command.summary)\n")
      }
    } else {
      let words = try call[about]
      if words.count == 1, !program.hasPage(words[0]) { try context.execHelp(ofPlugIn: words[0]) }
      try outlet.write(
        Page.find(words, in: program, plugIns: context.plugIns).full(on: context.output.settings.screen))
    }
  }
}

extension Toolbox {
  static let schemaSubject = Operand(
    rest: "COMMAND", ValueKind<String>.text("COMMAND", .commands),
    "A suite and its command, or a command of hw itself")

  static let schema = Command(
    "schema", "Print the JSON Schema of what a command prints",
    discussion: """
      The schema (2020-12) describes the one document that --json prints; under --jsonl each line is one of its items.
      """,
    usage: ["SUITE COMMAND", "COMMAND"],
    operands: [schemaSubject],
    output: .document("A JSON Schema."),
    examples: [Example("hw schema wordle tiles", "the fields of a row of tiles, for a validator")]
  ) { call, context throws(Failure) in
    let words = try call[schemaSubject]
    let command = try context.program.command(words)
    let title = "\(context.program.name) \(words.joined(separator: " "))"
    guard let shape = command.output.schemaRoot else {
      throw Failure(.usage, "'\(title)' prints text, which has no schema")
    }
    let schema = Schema(title: title, description: command.summary, columns: command.output.columns)
    try context.output.outlet.write(schema.text(shape))
  }
}
