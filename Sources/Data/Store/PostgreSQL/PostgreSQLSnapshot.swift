import System

extension PostgreSQLEngine {
  func snapshot<Answer>(_ body: () throws(Failure) -> Answer) throws(Failure) -> Answer {
    try execute(
      """
      BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
      SET LOCAL idle_in_transaction_session_timeout = 0;
      """)
    let answer: Answer
    do throws(Failure) {
      let identity = try snapshotIdentity()
      answer = try body()
      // A new connection is outside the transaction.
      guard try snapshotIdentity() == identity else {
        throw Failure(
          .storage, "the connection to '\(name)' was lost",
          hint: "what was read is of two states; run the command again", retryable: true)
      }
    } catch {
      // A lost connection has no transaction to end.
      _ = try? execute("ROLLBACK")
      throw error
    }
    try execute("COMMIT")
    return answer
  }

  /// Identity of a transaction: `now()` is its beginning.
  private func snapshotIdentity() throws(Failure) -> SQLValue {
    try value("SELECT pg_backend_pid()::text || ' ' || now()::text")
  }
}
