import System
import Terminal

/// Asking a person before something is lost. What the command line names, it may lose without a question where nobody
/// can be asked; what it does not name, it may not.
public enum Confirmation {
  public static let yes = Option("yes", short: "y", "Do it without asking")
  public static let dryRun = Option("dry-run", "Show what would be done, and do nothing")
}

extension Context {
  /// Goes on when `--yes` was said, or a person says yes. Where nobody can be asked, `--yes` has to be said.
  public func confirm(_ question: String) throws(Failure) {
    guard !call[Confirmation.yes] else { return }
    guard host.isInteractive else {
      throw Failure(
        .usage, "'\(call.command.name)' wants '--yes' where nobody can be asked",
        hint: "say '--yes', or '--dry-run' to see what would be done")
    }
    try ask(question)
  }

  /// The same for what the command line names, one by one: a script that says it has said it.
  public func confirmIfInteractive(_ question: String) throws(Failure) {
    if host.isInteractive, !call[Confirmation.yes] { try ask(question) }
  }

  private func ask(_ question: String) throws(Failure) {
    guard try host.prompt().confirm(question) else { throw Failure(.no, "nothing was changed") }
  }
}
