import Command
import Output
import System

extension Toolbox {
  static let about = Operand(
    rest: "ABOUT", ValueKind<String>.text("ABOUT", .commands), "A suite, a suite and its command, or a topic")

  static let help = Command(
    "help", "Print help about hw, a suite, a command or a topic",
    operands: [about],
    output: .plain("The help page."),
    examples: [
      Example("hw help wordle tiles", "all about one command"),
      Example("hw help exit-codes", "a topic"),
    ]
  ) { call, context throws(Failure) in
    try context.output.outlet.write(Page.find(call[about], in: context.program).full)
  }
}
