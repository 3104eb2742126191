extension Failure {
  /// The reason of a failure, for the code that decides what happens next: no message decides, so that its wording may
  /// change.
  public enum Cause: Equatable, Sendable {
    /// `--explain` printed the request instead of sending it, which is the end of a successful command.
    case explained
    /// A signal ended a wait, and nothing else is to be reported. If a change was under way, the failure that describes
    /// it has no cause.
    case signal
    /// The input is invalid at this line, which the message names.
    case input(line: Int)
    /// In a client the status that the service returned and the text of its error, in a handler the status to return.
    case response(status: Int, text: String? = nil)
    /// The service has no object of this id.
    case unknownObject
    /// No user has the token of the request.
    case unknownToken
    /// A handler refuses a request that exceeds a limit, until so many seconds have passed.
    case wait(seconds: Int)
    /// A database failed. After a rollback nothing of its transaction was stored, and the same transaction may succeed
    /// at once: it lost against another, or its connection was lost before the commit.
    case storage(StorageProblem? = nil, isRolledBack: Bool = false)
  }

  /// Why a database failed, where that decides what happens next.
  public enum StorageProblem: Sendable {
    /// Another transaction has locked the row. This one may go on without it.
    case contended
    /// The database server denies a right; nothing was changed.
    case denied
    /// A disk or a quota is full; what was being changed is as it was.
    case full
    /// The database server cannot be reached.
    case unavailable
  }
}
