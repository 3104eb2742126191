import CLibraries
import Foundation
import System
import TestSupport
import Testing

@testable import Store

@Suite("Database", installed) struct DatabaseTests {
  @Test(
    arguments: [
      .null, .integer(0), .integer(.min), .integer(.max), .real(0.1), .real(-0.0), .real(2.0),
      .real(.infinity), .real(-.infinity), .real(.greatestFiniteMagnitude), .real(.leastNonzeroMagnitude),
      .text(""), .text("Henry"), .text("a\0b"), .text("日本語 🚲 e\u{301}"),
      .text(String(repeating: "x", count: 100_000)),
    ] as [SQLValue])
  func storedValueIsReadBack(_ value: SQLValue) throws {
    let database = try Database.memory()
    try database.run("CREATE TABLE t (v)")
    try database.run("INSERT INTO t VALUES (?)", [value])
    let stored = try database.first("SELECT v FROM t") { row throws(Failure) in try row[0].value }
    #expect(stored == value)
  }

  @Test func notANumberIsRefused() throws {
    let database = try Database.memory()
    #expect(failure { try database.run("SELECT ?", [.real(.nan)]) }?.kind == .storage)
  }

  @Test func typeMismatchNamesColumn() throws {
    let database = try Database.memory()
    func found(_ read: (ResultRow) throws(Failure) -> Void) -> Failure? {
      failure { try database.first("SELECT 1, 'a', NULL, 1.5, x'31', CAST(x'ff' AS TEXT)", [], read) }
    }
    let messages = [
      found { row throws(Failure) in _ = try row[0].text },
      found { row throws(Failure) in _ = try row[1].integer },
      found { row throws(Failure) in _ = try row[1].real },
      found { row throws(Failure) in _ = try row[2].real },
      found { row throws(Failure) in _ = try row[3].integer },
      found { row throws(Failure) in _ = try row[4].integer },
      found { row throws(Failure) in _ = try row[4].value },
      found { row throws(Failure) in _ = try row[5].integer },
    ].map { found in
      #expect(found?.kind == .storage)
      return found?.message.replacing("database 'memory' is damaged: column", with: "…")
    }
    #expect(
      messages == [
        "… 1 of a row is not text", "… 2 of a row is not an integer", "… 2 of a row is not a number",
        "… 3 of a row is not a number", "… 4 of a row is not an integer", "… 5 of a row cannot be read",
        "… 5 of a row cannot be read", "… 6 of a row cannot be read",
      ])
    #expect(try database.first("SELECT 1.5, 2") { row throws(Failure) in try row[0].real } == 1.5)
  }

  @Test func manyTextsBecomeOneAndWhatIsNoTextIsRefused() throws {
    let database = try Database.memory()
    var bytes: [UInt8] = []
    try database.each("VALUES ('a'), (''), ('ä\u{1F6B2}'), (char(0) || 'b')") { row throws(Failure) in
      try row[0].appendText(to: &bytes)
    }
    #expect(bytes == Array("aä\u{1F6B2}\0b".utf8))
    for literal in ["1", "NULL", "x'31'"] {
      let found = failure {
        try database.each("SELECT \(literal)") { row throws(Failure) in try row[0].appendText(to: &bytes) }
      }
      #expect(found?.kind == .storage)
    }
  }

  @Test func columnsNullIsNilIntegerIsNumberAndThereIsNoneAfterLast() throws {
    let database = try Database.memory()
    try database.each("SELECT NULL, 2") { row throws(Failure) in
      #expect(try row[0].orNull == nil)
      #expect(try row[1].orNull?.integer == 2)
      #expect(try row[1].real == 2.0)
      #expect(try row[2].value == .null)
      #expect(try row[-1].value == .null)
      #expect(try row[.max].value == .null)
    }
  }

  @Test(
    arguments: [
      ("SELECT ?", []), ("SELECT ?", [1, 2]), ("SELECT 1; SELECT 2", []), ("", []), ("-- nothing", []),
    ] as [(String, [SQLValue])])
  func wrongCallIsInternalError(_ sql: String, _ values: [SQLValue]) throws {
    let database = try Database.memory()
    #expect(failure { try database.run(sql, values) }?.kind == .defect)
  }

  @Test func wrongSQLFailsAndDatabaseStaysUsable() throws {
    let database = try Database.memory()
    #expect(failure { try database.run("SELEKT 1") }?.kind == .storage)
    #expect(try database.integer("SELECT 1") == 1)
  }

  @Test func changesAreCountedRowsAreReadInOrder() throws {
    let database = try Database.memory()
    try database.run("CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER)")
    for n in [30, 10, 20] { try database.run("INSERT INTO t (n) VALUES (?)", [.integer(n)]) }
    #expect(try database.run("UPDATE t SET n = n + 1 WHERE n > ?", [15]) == 2)
    #expect(try database.run("DELETE FROM t WHERE n = ?", [99]) == 0)
    #expect(try database.integers("SELECT n FROM t ORDER BY n") == [10, 21, 31])
    #expect(try database.integer("SELECT n FROM t WHERE id = 9") == nil)
    try database.enqueue("INSERT INTO t (n) VALUES (?)", [5])
    #expect(try database.integer("SELECT count(*) FROM t") == 4)
  }

  @Test func rowsThatAreLockedAreRead() throws {
    let database = try Database.memory()
    try database.run("CREATE TABLE t (n INTEGER)")
    try database.run("INSERT INTO t VALUES (2), (1), (3)")
    try database.transaction { () throws(Failure) in
      let sql = "SELECT n FROM t WHERE n < ? ORDER BY n"
      for (bound, first) in [(4, 1), (1, nil)] as [(Int, Int?)] {
        let found = try database.lock(sql, [.integer(bound)]) { row throws(Failure) in try row[0].integer }
        #expect(found == first)
      }
      var free: [Int] = []
      try database.lockAvailable(sql, [.integer(3)]) { row throws(Failure) in free.append(try row[0].integer)
      }
      #expect(free == [1, 2])
    }
  }

  @Test func rowHasNoValuesAfterItsRun() throws {
    let database = try Database.memory()
    var kept: ResultRow?
    try database.each("SELECT 'a'") { row in kept = row }
    let row = try #require(kept)
    #expect(try row[0].value == .null)
    var bytes: [UInt8] = []
    #expect(failure { try row[0].appendText(to: &bytes) }?.kind == .storage)
    #expect(bytes == [])
  }

  @Test func statementMayRunAgainInsideItsOwnRun() throws {
    let database = try Database.memory()
    var pairs: [[Int]] = []
    let sql = "SELECT 1 UNION SELECT 2"
    try database.each(sql) { outer throws(Failure) in
      let a = try outer[0].integer
      try database.each(sql) { inner throws(Failure) in pairs.append([a, try inner[0].integer]) }
    }
    #expect(pairs == [[1, 1], [1, 2], [2, 1], [2, 2]])
  }

  @Test func moreDifferentStatementsThanAreKept() throws {
    let database = try Database.memory()
    for n in 0..<200 { #expect(try database.integer("SELECT \(n)") == n) }
  }

  @Test func failureInsideRowEndsRunAndLeavesStatementFitForNext() throws {
    let database = try Database.memory()
    let sql = "SELECT 1 UNION SELECT 2"
    let found = failure {
      try database.each(sql) { _ throws(Failure) in throw Failure(.closedPipe, "closed") }
    }
    #expect(found?.kind == .closedPipe)
    #expect(try database.integers(sql) == [1, 2])
  }

  @Test(arguments: [
    ("INSERT INTO child VALUES (1, 1, 1)", "UNIQUE"), ("INSERT INTO child VALUES (2, 7, 1)", "UNIQUE"),
    ("INSERT INTO child VALUES (2, 1, NULL)", "NOT NULL"), ("INSERT INTO child VALUES (2, 1, -1)", "CHECK"),
    ("INSERT INTO child VALUES (2, 99, 1)", "FOREIGN KEY"),
  ])
  func brokenRuleIsNamed(_ sql: String, _ rule: String) throws {
    let database = try Database.memory()
    try database.run("CREATE TABLE parent (id INTEGER PRIMARY KEY)")
    try database.run("INSERT INTO parent VALUES (1), (7)")
    try database.run(
      """
      CREATE TABLE child (
        id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent, n INTEGER NOT NULL CHECK (n > 0))
      """)
    try database.run("CREATE UNIQUE INDEX one ON child (n) WHERE parent = 7")
    try database.run("INSERT INTO child VALUES (1, 7, 1)")
    let found = failure { try database.run(sql) }
    #expect(found?.kind == .storage)
    #expect(found?.message.hasPrefix("database 'memory' refused a row: \(rule) constraint failed") == true)
  }

  @Test("a file: durable settings, private, and alone when it is closed")
  func file() throws {
    let scratch = try ScratchDirectory()
    do {
      let database = try Database(scratch.file("a.db"))
      try database.run("CREATE TABLE t (v)")
      #expect(try database.text("PRAGMA journal_mode") == "wal")
      #expect(try database.integer("PRAGMA synchronous") == 2)
      #expect(try database.integer("PRAGMA foreign_keys") == 1)
      #expect(scratch.names == ["a.db", "a.db-shm", "a.db-wal"])
      for name in scratch.names { #expect(scratch.mode(name) == 0o600) }
    }
    #expect(scratch.names == ["a.db"])
  }

  @Test("read-only: refuses a change, leaves nothing beside the file, wants one that exists")
  func readOnly() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("a.db")
    try Database(path).run("CREATE TABLE t (v)")
    let before = try scratch.bytes("a.db")
    do {
      let database = try Database(.readOnly(path), time: SystemTime())
      let found = failure { try database.run("INSERT INTO t VALUES (1)") }
      #expect(found?.message == "cannot write '\(path)': it is read-only")
      #expect(try database.integer("SELECT count(*) FROM t") == 0)
    }
    #expect(try scratch.bytes("a.db") == before)
    #expect(scratch.names == ["a.db"])
    let missing = failure {
      try Database(.readOnly(scratch.file("b.db")), time: SystemTime())
    }
    #expect(missing?.kind == .storage)
    #expect(missing?.message.hasSuffix("no such file or directory") == true)
  }

  @Test(arguments: [(":memory:", "./:memory:"), ("file:a?b", "./file:a?b"), ("/x/a.db", "/x/a.db")])
  func nameIsFilesWhateverItLooksLike(_ name: String, _ path: String) throws {
    #expect(try SQLiteEngine.explicitPath(name) == path)
  }

  @Test func withoutSQLiteSaysWhichPackageToInstall() {
    let found = failure { try SQLite(["libnone.so.0"]) }
    #expect(found?.kind == .storage)
    #expect(found?.hint?.range(of: "libsqlite3-0") != nil)
  }

  @Test func libraryThatIsNoSQLiteIsPassedOver() {
    #expect(failure { try SQLite(["libm.so.6"]) }?.kind == .storage)
    #expect(failure { try SQLite(["libm.so.6"] + SQLite.names) } == nil)
  }

  @Test func tooOldSQLiteIsNotUsed() {
    #expect(SQLite.names.contains { hw_sqlite_open($0, SQLite.oldest) != nil })
    #expect(SQLite.names.allSatisfy { hw_sqlite_open($0, .max) == nil })
  }
}
