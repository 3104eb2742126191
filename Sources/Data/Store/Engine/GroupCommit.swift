import System

/// Changes that share one commit: the first opens a transaction, and all are durable when `commit` returns. So a server
/// pays for the disk once a turn, however many requests it brought.
///
/// A change that throws undoes its own part alone. No change may be reported before the commit; when that fails,
/// none of them was made.
public final class GroupCommit {
  private let database: Database

  public init(_ database: Database) {
    self.database = database
  }

  @discardableResult
  public func change<Answer>(_ body: () throws(Failure) -> Answer) throws(Failure) -> Answer {
    if database.isInGroup { return try database.transaction(body) }
    // No change precedes the first, so there is nothing it could undo, and it needs no savepoint.
    try database.beginGroup()
    do throws(Failure) {
      return try body()
    } catch {
      database.dropGroup()
      throw error
    }
  }

  /// Undoes the changes since the last commit.
  public func rollback() {
    if database.isInGroup { database.dropGroup() }
  }

  /// Makes the changes since the last commit durable; nothing to do when there are none.
  public func commit() throws(Failure) {
    if database.isInGroup { try database.endGroup() }
  }
}
