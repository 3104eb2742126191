import Command
import Output
import System

extension Toolbox {
  static let shell = Operand("SHELL", ValueKind<Shell>.choice, "The shell to complete in")

  static let completions = Command(
    "completions", "Print the completion script for a shell",
    operands: [shell],
    output: .plain("The script, as it also stands in the folder completions of the source."),
    examples: [Example("hw completions fish >hw.fish", "the script for fish")]
  ) { call, context throws(Failure) in
    try context.output.outlet.write(call[shell].script(for: context.program))
  }
}
