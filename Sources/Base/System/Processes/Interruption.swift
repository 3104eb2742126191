import CLibraries

/// Signals that stop the program, noted rather than obeyed at once, so that the owner of a terminal or of a
/// half-written file can clean up.
///
/// The handlers are set without `SA_RESTART`: a waiting system call returns `EINTR`, `call` finds the pending signal,
/// and the failure `interrupted` unwinds to `main`, which raises the signal again. A program that does not get there
/// is ended by the signal: after 100 ms of computing or of a look-up by libpq, or after a second inside a library.
public enum Interruption {
  /// Installs the handlers. SIGPIPE and SIGXFSZ are ignored, so that `write` returns their errors.
  public static func install() { hw_install_handlers() }

  /// Removes the time limit of the clean-up after a signal: for a server that finishes its requests, and for a pager
  /// or a browser, which must not outlive the program.
  public static func allowLongCleanUp() { hw_allow_long_clean_up() }

  public static var pending: Int32? {
    let number = hw_noted_signal()
    return number == 0 ? nil : number
  }

  /// Throws `interrupted` if a signal is pending: for loops without system calls.
  public static func check() throws(Failure) {
    if pending != nil { throw failure }
  }

  public static var failure: Failure { Failure(.interrupted, "interrupted", cause: .signal) }
}

/// Sleeps despite signals, which end every other wait: for cleaning up after one.
func pauseThroughSignals(milliseconds: Int) {
  var (wait, rest) = (timespec(tv_sec: 0, tv_nsec: milliseconds * 1_000_000), timespec())
  while unsafe nanosleep(&wait, &rest) != 0, errno == EINTR { wait = rest }
}

extension Failure {
  /// Exit status as in a shell: 128+N if signal N interrupted the process.
  public var exitStatus: Int32 {
    kind == .interrupted ? 128 + (Interruption.pending ?? SIGINT) : kind.exitCode
  }
}

/// Ends the process; only `main` calls these.
public enum Exit {
  /// Ends without the clean-up of libraries, which costs more than some commands do. All output must be written.
  public static func with(_ code: Int32) -> Never { _exit(code) }

  /// Ends with the failure's status or, after an interruption, by the signal itself, so that a shell loop stops at
  /// Ctrl-C and a closed pipe looks as with any other tool.
  public static func with(_ failure: Failure) -> Never {
    switch failure.kind {
    case .interrupted: hw_end_by_signal(Interruption.pending ?? SIGINT)
    case .closedPipe: hw_end_by_signal(SIGPIPE)
    default: break
    }
    with(failure.kind.exitCode)
  }
}
