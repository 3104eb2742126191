import Command
import Output
import System

extension Toolbox {
  static let shell = Operand("SHELL", ValueKind<Shell>.choice, "The shell: bash, zsh or fish")

  static let completions = Command(
    "completions", "Print the completion script for a shell",
    discussion: """
      The script asks hw for the words. Ids and names come from the embedded backend or from cached responses, never \
      from a network.
      """,
    operands: [shell],
    output: .plain("The script."),
    examples: [Example("hw completions fish >hw.fish", "write the script for fish")]
  ) { call, context throws(Failure) in
    try context.output.outlet.write(try call[shell].script(for: context.program))
  }
}
