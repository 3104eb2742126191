import System

extension Failure {
  public var storageProblem: StorageProblem? {
    if case .storage(let problem, _) = cause { return problem }
    return nil
  }

  /// Nothing of the transaction was stored, and it may succeed at once if it is repeated.
  public var isRolledBack: Bool {
    if case .storage(_, isRolledBack: true) = cause { return true }
    return false
  }

  /// Whether nothing was stored, and a repetition may succeed at once or soon.
  var allowsRepetition: Bool {
    !outcomeUnknown && (isRolledBack || storageProblem == .contended || storageProblem == .unavailable)
  }

  var rolledBack: Failure {
    var failure = self
    failure.cause = .storage(storageProblem, isRolledBack: true)
    // Another change of the same transaction may be the one that failed.
    failure.retryable = true
    return failure
  }

  static func damaged(_ name: String, _ message: String) -> Failure {
    Failure(
      // A message of SQLite may have several lines.
      .storage, "database '\(name)' is damaged: \(message.replacing("\n", with: " "))",
      hint: PostgreSQLAddress.isAddress(name)
        ? "it was left as it is; restore it from a backup"
        : "it was left as it is; put a copy back; 'sqlite3 FILE .dump' shows the rows that are left")
  }
}
