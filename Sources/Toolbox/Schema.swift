import Command
import Output
import System

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
    output: .plain("A JSON Schema."),
    examples: [Example("hw schema wordle tiles", "the fields of a row of tiles, for a validator")]
  ) { call, context throws(Failure) in
    let words = try call[schemaSubject]
    let command = try context.program.command(words)
    let title = "\(context.program.name) \(words.joined(separator: " "))"
    guard let shape = command.output.shape else {
      throw Failure(.usage, "'\(title)' prints text, which has no schema")
    }
    let schema = Schema(title: title, description: command.summary, columns: command.output.columns)
    try context.output.outlet.write(schema.text(shape))
  }
}
