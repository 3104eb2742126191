import System
import Terminal

/// Confirmation before data is deleted. Without a terminal, a command may delete only what its command line names.
public enum Confirmation {
  public static let yes = Option("yes", short: "y", "Skip the confirmation")
  public static let dryRun = Option("dry-run", "Print what would be done, but do nothing")
}

extension Context {
  /// Returns if `--yes` was given or the user confirms. Without a terminal, `--yes` is required.
  public func confirm(_ question: String) throws(Failure) {
    guard !call[Confirmation.yes] else { return }
    guard host.isInteractive else {
      throw Failure(
        .usage, "'\(call.commandName)' requires '--yes' without a terminal",
        hint: "add '--yes', or '--dry-run' to print what would be done")
    }
    try ask(question)
  }

  /// Asks before the deletion of named objects. Without a terminal, naming them is sufficient.
  public func confirmIfInteractive(_ question: String) throws(Failure) {
    if host.isInteractive, !call[Confirmation.yes] { try ask(question) }
  }

  private func ask(_ question: String) throws(Failure) {
    guard try host.prompt().confirm(question) else { throw Failure(.no, "nothing was changed") }
  }
}
