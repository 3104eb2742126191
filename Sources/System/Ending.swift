/// The end of the process: `main` alone calls these.
public enum Ending {
  public static func exit(_ code: Int32) -> Never {
    Platform.exit(code)
  }

  /// Ends as the failure says. Where a signal was behind it, the process ends by that signal, so that a shell loop
  /// stops at Ctrl-C and a closed pipe looks as it does with any other tool.
  public static func end(with failure: Failure) -> Never {
    switch failure.kind {
    case .interrupted: Interruption.raiseAgain(Interruption.pending ?? SIGINT)
    case .closedPipe: Interruption.raiseAgain(SIGPIPE)
    default: break
    }
    exit(failure.kind.exitCode)
  }
}
