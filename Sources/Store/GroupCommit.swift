import System

/// Changes that share one commit: the first opens a transaction, and all are durable when `commit` returns. So a server
/// pays for the disk once a turn, however many requests it brought.
///
/// A change that throws undoes its own part alone. Nobody may be told of a change before the commit; when that fails,
/// none of them was made.
public final class GroupCommit {
  private let database: Database

  public init(_ database: Database) {
    self.database = database
  }

  /// There are changes that wait for their commit.
  public var isOpen: Bool { database.isInGroup }

  @discardableResult
  public func change<Answer>(_ body: () throws(Failure) -> Answer) throws(Failure) -> Answer {
    if database.isInGroup { return try database.transaction(body) }
    // The first has nobody before it whose change it could undo, and so needs no part of its own.
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
