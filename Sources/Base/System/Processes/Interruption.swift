import CLibraries

/// The signals that ask the program to stop, noted rather than obeyed at once, so that the owner of a terminal
/// or a half-written file can put it right first.
///
/// The handlers are set without `SA_RESTART`: a system call that waits comes back with `EINTR`, `call` sees the
/// pending signal, and the failure `interrupted` unwinds to `main`, which raises the signal again. A program that does
/// not get there is ended by the signal: after 100 ms of computing, or after a second inside a library.
public enum Interruption {
  /// Starts taking note. SIGPIPE and SIGXFSZ are ignored, so that a closed pipe and a file that may not grow are
  /// errors of `write` like any other.
  public static func install() {
    hw_note_signals()
  }

  /// Lets the clean-up after a signal take as long as it needs, from now on: for a server that finishes its requests, and
  /// for a pager or a browser, which must not outlive the program.
  public static func allowLongCleanUp() {
    hw_be_patient()
  }

  /// The first signal that asked to stop, if any did.
  public static var pending: Int32? {
    let number = hw_noted_signal()
    return number == 0 ? nil : number
  }

  /// Throws `interrupted` when a signal is pending: for loops that make no system call for a while.
  public static func check() throws(Failure) {
    if pending != nil { throw failure }
  }

  public static var failure: Failure { Failure(.interrupted, "interrupted", cause: .signal) }

  /// Ends the process as `signal` would have ended it, so that a shell or a supervisor sees the truth.
  static func raiseAgain(_ number: Int32) {
    hw_default_signal(number)
    _ = raise(number)
  }
}

extension Failure {
  /// The status of the process that ends with the failure, as a shell shows it: 128+N if signal N ended it.
  public var exitStatus: Int32 {
    kind == .interrupted ? 128 + (Interruption.pending ?? SIGINT) : kind.exitCode
  }
}

/// The end of the process: `main` alone calls these.
public enum Exit {
  /// At once: all output has been written, and the clean-up of libraries that are loaded costs more than some
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
