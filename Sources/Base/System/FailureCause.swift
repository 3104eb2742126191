extension Failure {
  /// Typed reason of a failure, for code that reacts to it: messages are never compared, so their wording may change.
  public enum Cause: Equatable, Sendable {
    /// `--explain` printed the request instead of sending it, which is the end of a successful command.
    case explained
    /// A signal ended a wait. A failure that describes a change under way has no cause, so that it is reported.
    case signal
    /// The input is invalid at this line, which the message names.
    case input(line: Int)
    /// Status and error text that a service returned to a client, or the status that a handler returns.
    case response(status: Int, text: String? = nil)
    /// The service has no object of this id.
    case unknownObject
    /// No user has the token of the request.
    case unknownToken
    /// A handler refuses a request that exceeds a limit; the client may retry after `seconds`.
    case wait(seconds: Int)
    /// A database failed. `isRolledBack`: nothing of the transaction was stored, since it lost against another or its
    /// connection was lost before the commit, and it may succeed at once if it is repeated.
    case storage(StorageProblem? = nil, isRolledBack: Bool = false)
  }

  /// Database failures that code reacts to.
  public enum StorageProblem: Sendable {
    /// Another transaction has locked the row. This one may go on without it.
    case contended
    /// The database server denies a right; nothing was changed.
    case denied
    /// A disk or a quota is full; nothing was changed.
    case full
    /// The database server cannot be reached.
    case unavailable
  }
}
