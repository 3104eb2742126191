/// The end of the process: `main` alone calls these.
public enum Exit {
  /// At once: whatever is to be written has been, and the clean-up of libraries that are loaded costs more than some
  /// commands do.
  public static func with(_ code: Int32) -> Never {
    _exit(code)
  }

  /// Ends as the failure says. Where a signal was behind it, the process ends by that signal, so that a shell loop
  /// stops at Ctrl-C and a closed pipe looks as it does with any other tool.
  public static func with(_ failure: Failure) -> Never {
    switch failure.kind {
    case .interrupted: Interruption.raiseAgain(Interruption.pending ?? SIGINT)
    case .closedPipe: Interruption.raiseAgain(SIGPIPE)
    default: break
    }
    with(failure.kind.exitCode)
  }
}
