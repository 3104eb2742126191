import System
import TestSupport
import Testing

@testable import Store

@Suite("Group commit", installed)
struct GroupCommitTests {
  func table(_ location: Database.Location = .memory) throws -> (Database, GroupCommit) {
    let database = try Database(location, time: FakeClock())
    try database.run("CREATE TABLE t (v INTEGER PRIMARY KEY)")
    return (database, GroupCommit(database))
  }

  @Test func changesAreVisibleToOthersOnlyAfterCommit() throws {
    let scratch = try ScratchDirectory()
    let (database, group) = try table(.file(scratch.file("a.db")))
    let other = try Database(scratch.file("a.db"))
    for number in 1...3 {
      try group.change { () throws(Failure) in
        try database.run("INSERT INTO t VALUES (?)", [.integer(number)])
      }
    }
    #expect(try other.integer("SELECT count(*) FROM t") == 0)
    try group.commit()
    #expect(try other.integer("SELECT count(*) FROM t") == 3)
  }

  @Test func undoesPartOfChangeThatThrowsAndKeepsThoseBesideIt() throws {
    let (database, group) = try table()
    for number in [1, 2, 1] {
      _ = failure {
        try group.change { () throws(Failure) in
          try database.run("INSERT INTO t VALUES (?)", [.integer(number + 10)])
          try database.run("INSERT INTO t VALUES (?)", [.integer(number)])
        }
      }
    }
    try group.commit()
    #expect(try database.integer("SELECT count(*) FROM t") == 4)
  }

  @Test func firstThatThrowsLeavesNothingBehindAndThoseAfterItGoOn() throws {
    let (database, group) = try table()
    _ = failure {
      try group.change { () throws(Failure) in
        try database.run("INSERT INTO t VALUES (1)")
        throw Failure(.conflict, "no")
      }
    }
    try group.change { () throws(Failure) in try database.run("INSERT INTO t VALUES (2)") }
    try group.commit()
    #expect(try database.text("SELECT group_concat(v) FROM t") == "2")
  }

  @Test func canBeUsedAgainAfterCommitAndCommitsNothingForNothing() throws {
    let (database, group) = try table()
    try group.commit()
    for number in 1...2 {
      try group.change { () throws(Failure) in
        try database.run("INSERT INTO t VALUES (?)", [.integer(number)])
      }
      try group.commit()
    }
    #expect(try database.integer("SELECT count(*) FROM t") == 2)
  }

  @Test("what was changed since the last commit can be undone")
  func rollback() throws {
    let (database, group) = try table()
    group.rollback()
    for number in 1...2 {
      let result = try group.change { () throws(Failure) in
        try database.run("INSERT INTO t VALUES (?)", [.integer(number)])
        return number * 10
      }
      #expect(result == number * 10)
    }
    group.rollback()
    #expect(try database.integer("SELECT count(*) FROM t") == 0)
    try group.change { () throws(Failure) in try database.run("INSERT INTO t VALUES (3)") }
    try group.commit()
    group.rollback()
    #expect(try database.text("SELECT group_concat(v) FROM t") == "3")
    // It is no part of a transaction any more.
    #expect(failure { try database.lock(named: "t") }?.kind == .defect)
  }

  @Test func failsAsWholeWhenSQLiteUndidTransactionByItself() throws {
    let (database, group) = try table()
    try group.change { () throws(Failure) in try database.run("INSERT INTO t VALUES (1)") }
    _ = failure { try database.run("INSERT OR ROLLBACK INTO t VALUES (1)") }
    #expect(
      failure { try group.commit() }
        == Failure(.storage, "the transaction on 'memory' was undone after an error"))
    #expect(try database.integer("SELECT count(*) FROM t") == 0)
    try group.change { () throws(Failure) in try database.run("INSERT INTO t VALUES (2)") }
    try group.commit()
    #expect(try database.integer("SELECT v FROM t") == 2)
  }
}
