import System

extension Failure {
  /// Why the database failed; nil for another failure, or one that needs no special treatment.
  public var storageProblem: StorageProblem? {
    if case .storage(let problem, _) = cause { return problem }
    return nil
  }

  /// Nothing of the transaction was stored, and the same transaction may succeed at once.
  public var isRolledBack: Bool {
    if case .storage(_, isRolledBack: true) = cause { return true }
    return false
  }

  /// Whether nothing was stored, and the same may succeed at once or soon.
  var allowsRepetition: Bool {
    !outcomeUnknown && (isRolledBack || storageProblem == .contended || storageProblem == .unavailable)
  }

  /// Throws if a database has objects that are not hw's, each as its kind and its name.
  static func refuse(_ objects: [String], in database: String, tool: String) throws(Failure) {
    guard !objects.isEmpty else { return }
    throw Failure(
      .storage, "'\(database)' has objects that do not belong to it: \(objects.joined(separator: ", "))",
      hint: "find out who made them, and drop them with \(tool)")
  }

  /// Copy of the failure, marked as rolled back and worth a retry.
  var rolledBack: Failure {
    var failure = self
    failure.cause = .storage(storageProblem, isRolledBack: true)
    // It may be the failure of one change among many.
    failure.retryable = true
    return failure
  }

  static func damaged(_ name: String, _ message: String) -> Failure {
    Failure(
      .storage, "database '\(name)' is damaged: \(message)",
      hint: PostgreSQLAddress.isOne(name)
        ? "it was left as it is; restore it from a backup"
        : "it was left as it is; put a copy back, or rescue the rows with 'sqlite3 FILE .recover'")
  }
}
