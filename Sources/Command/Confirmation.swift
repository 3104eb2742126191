import System
import Terminal

/// Confirmation before data is lost. Without a terminal, a command may delete what its command line names, and nothing
/// else.
public enum Confirmation {
  public static let yes = Option("yes", short: "y", "Do it without asking")
  public static let dryRun = Option("dry-run", "Show what would be done, and do nothing")
}

extension Context {
  /// Returns if `--yes` was given or the user confirms. Without a terminal, `--yes` is required.
  public func confirm(_ question: String) throws(Failure) {
    guard !call[Confirmation.yes] else { return }
    guard host.isInteractive else {
      throw Failure(
        .usage, "'\(call.command.name)' wants '--yes' where nobody can be asked",
        hint: "say '--yes', or '--dry-run' to see what would be done")
    }
    try ask(question)
  }

  /// The same for things that the command line names: without a terminal, naming them is sufficient.
  public func confirmIfInteractive(_ question: String) throws(Failure) {
    if host.isInteractive, !call[Confirmation.yes] { try ask(question) }
  }

  private func ask(_ question: String) throws(Failure) {
    guard try host.prompt().confirm(question) else { throw Failure(.no, "nothing was changed") }
  }
}
