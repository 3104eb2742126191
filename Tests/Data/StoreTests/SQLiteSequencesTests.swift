import System
import TestSupport
import Testing

@testable import Store

/// The numbers of sequences and transactions in SQLite, and the marks of changes.
@Suite("Sequences of SQLite", installed) struct SQLiteSequencesTests {
  private static let migrations = Migrations(
    "test",
    [
      """
      CREATE SEQUENCE a MINVALUE 5;
      CREATE SEQUENCE
        b MINVALUE 0;
      CREATE TABLE t (v INTEGER PRIMARY KEY);
      """
    ])
  private let scratch: ScratchDirectory
  private let database: Database

  init() throws {
    scratch = try ScratchDirectory()
    database = try Store(folder: scratch.path, time: FakeClock()).open(SQLiteSequencesTests.migrations)
  }

  /// The next numbers, in one transaction.
  private func take(_ names: String...) throws(Failure) -> [Int] {
    try database.transaction { () throws(Failure) in
      var numbers: [Int] = []
      for name in names { numbers.append(try database.nextValue(of: name)) }
      return numbers
    }
  }

  private func transactionNumber(_ database: Database) throws(Failure) -> Int? {
    try database.integer("SELECT txid_current()")
  }

  @Test func numbersContinueAcrossTransactions() throws {
    #expect(try take("a", "a", "b") == [5, 6, 0])
    #expect(try take("a") == [7])
    #expect(try take("b", "a", "b", "b") == [1, 8, 2, 3])
    let engine = try SQLiteEngine(.readOnly(scratch.file("test.db")), time: FakeClock())
    #expect(try engine.upcoming("a") == 9 && engine.upcoming("b") == 4)
  }

  @Test func numbersOfRolledBackTransactionAreReused() throws {
    let found = failure {
      try database.transaction { () throws(Failure) in
        #expect(try database.nextValue(of: "a") == 5)
        throw Failure(.no, "stop")
      }
    }
    #expect(found?.kind == .no)
    #expect(try take("a") == [5])
    // Also where SQLite itself has undone the transaction.
    let undone = failure {
      try database.transaction { () throws(Failure) in
        try database.run("INSERT INTO t VALUES (1)")
        #expect(try database.nextValue(of: "a") == 6)
        _ = failure { try database.run("INSERT OR ROLLBACK INTO t VALUES (1)") }
      }
    }
    #expect(undone?.kind == .storage)
    #expect(try take("a") == [6])
  }

  @Test(arguments: [(3, 5), (4, 5), (5, 6), (6, 7), (20, 21), (-7, 5)])
  func aSequenceIsRaisedButNeverLowered(above number: Int, next: Int) throws {
    try database.transaction { () throws(Failure) in try database.raise("a", above: number) }
    #expect(try take("a", "a") == [next, next + 1])
    try database.transaction { () throws(Failure) in
      #expect(try database.nextValue(of: "a") == next + 2)
      try database.raise("a", above: number)
      #expect(try database.nextValue(of: "a") == next + 3)
    }
  }

  @Test func numberOutsideTransactionIsRefused() throws {
    let outside = "a number of the sequence 'a' is taken outside a transaction"
    let path = scratch.file("test.db")
    #expect(
      failure { try database.nextValue(of: "a") } == Failure(.storage, "database '\(path)': \(outside)"))
    #expect(failure { try database.raise("a", above: 1) } == Failure(.defect, outside))
    #expect(
      failure { try transactionNumber(database) }?.message
        == "database '\(path)': a number of the sequence 'transaction' is taken outside a transaction")
    #expect(
      failure { try take("c") }
        == Failure(.storage, "database '\(path)': database '\(path)' has no sequence 'c'"))
    #expect(try take("a") == [5])
  }

  @Test func transactionHasOneNumber() throws {
    for number in 1...2 {
      try database.transaction { () throws(Failure) in
        for _ in 0..<2 { #expect(try transactionNumber(database) == number) }
      }
      // This one does not ask.
      #expect(try take("b") == [number - 1])
    }
    _ = failure {
      try database.transaction { () throws(Failure) in
        #expect(try transactionNumber(database) == 3)
        throw Failure(.no, "stop")
      }
    }
    try database.transaction { () throws(Failure) in #expect(try transactionNumber(database) == 3) }
  }

  @Test func changeMarkFollowsCommitsOfOthers() throws {
    let other = try Store(folder: scratch.path, time: FakeClock()).open(SQLiteSequencesTests.migrations)
    func change(_ database: Database) throws(Failure) {
      try database.transaction { () throws(Failure) in _ = try transactionNumber(database) }
    }
    let first = try database.changeMark()
    #expect(try first.floor == 1 && first.history == "" && database.changeMark() == first)
    #expect(first != .none)
    try change(other)
    let second = try database.changeMark()
    #expect(try second != first && second.floor == 2 && database.changeMark() == second)
    // Its own changes are none of others, but rows of later transactions have larger numbers.
    try change(database)
    let third = try database.changeMark()
    #expect(third == second && third.floor == 3)
    try database.transaction { () throws(Failure) in
      #expect(try transactionNumber(database) == 3)
      #expect(try database.changeMark().floor == 3)
    }
    #expect(try database.changeMark().floor == 4)
    // Others have committed, and then it has a number itself.
    try change(other)
    try database.transaction { () throws(Failure) in
      #expect(try transactionNumber(database) == 5)
      let mark = try database.changeMark()
      #expect(mark != third && mark.floor == 5)
    }
    #expect(try database.changeMark().floor == 6)
  }

  @Test func changeMarksAreComparedWithoutFloor() {
    let mark = ChangeMark(floor: 7, history: "h", version: 1, snapshot: "s")
    #expect(mark == ChangeMark(floor: 8, history: "h", version: 1, snapshot: "s"))
    for other in [
      ChangeMark(floor: 7, history: "i", version: 1, snapshot: "s"),
      ChangeMark(floor: 7, history: "h", version: 2, snapshot: "s"),
      ChangeMark(floor: 7, history: "h", version: 1, snapshot: "t"),
    ] {
      #expect(mark != other)
    }
  }

  @Test(arguments: [
    "CREATE SEQUENCE a START 5;", "CREATE SEQUENCE a MINVALUE five;", "CREATE SEQUENCE a MINVALUE 5 x;",
    "CREATE SEQUENCE b MINVALUE 1; DROP SEQUENCE a MINVALUE 5;",
    "CREATE SEQUENCE b MINVALUE 1; CREATE SCHEMA a MINVALUE 5;",
  ])
  func unsupportedSequenceSyntaxIsRefused(script: String) throws {
    let engine = try SQLiteEngine(.memory, time: FakeClock())
    let found = failure { try engine.migrate(Migrations("test", [script])) }
    #expect(found?.kind == .storage && found?.message.hasSuffix("syntax error") == true)
    // Nothing of it is left, and the next transaction can begin.
    try engine.begin()
    #expect(try !engine.hasTable("sequence"))
  }
}
