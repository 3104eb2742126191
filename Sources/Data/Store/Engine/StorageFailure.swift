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

  /// Throws if the objects of a database are not hw's own: their definitions by kind and name.
  static func compare(
    _ found: [String: String], with own: [String: String], in database: String, tool: String
  ) throws(Failure) {
    let others = found.filter { own[$0.key] != $0.value }.keys.sorted()
    guard others.isEmpty else {
      throw Failure(
        .storage, "'\(database)' has objects that do not belong to it: \(others.joined(separator: ", "))",
        hint: "find out who made them, and drop them with \(tool)")
    }
    guard let missing = own.keys.filter({ found[$0] == nil }).min() else { return }
    throw .damaged(database, "\(missing) is missing")
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
