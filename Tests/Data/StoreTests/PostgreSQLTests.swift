import Foundation
import Synchronization
import System
import TestSupport
import Testing

@testable import Store

/// The engine of PostgreSQL against a real server.
@Suite("PostgreSQL", .needs(.postgresql)) struct PostgreSQLTests {
  let address: String

  init() throws { address = try #require(PostgreSQLServer.shared).newSchema() }

  private func open(_ migrations: Migrations = Migrations("test", ["CREATE TABLE t (v INTEGER);"])) throws
    -> Database
  {
    try Store(postgreSQL: address).open(migrations)
  }

  private func contents(_ database: Database) throws(Failure) -> [Int] {
    try database.integers("SELECT v FROM t ORDER BY v")
  }

  @Test func storedValueIsReadBack() throws {
    let database = try open(Migrations("test", ["CREATE TABLE v (i INTEGER, r DOUBLE PRECISION, s TEXT);"]))
    let integers: [Int] = [0, 1, -1, .min, .max]
    let reals: [Double] = [
      0.1, -0.0, 2, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
    ]
    let texts = [
      "", "Henry", "日本語 🚲 e\u{301}", "'; DROP TABLE v; --", String(repeating: "x", count: 100_000),
    ]
    for index in 0..<7 {
      let values: [SQLValue] = [
        integers.indices.contains(index) ? .integer(integers[index]) : .null, .real(reals[index]),
        texts.indices.contains(index) ? .text(texts[index]) : .null,
      ]
      try database.run("INSERT INTO v VALUES (?, ?, ?)", values)
      try database.each("SELECT i, r, s FROM v") { row throws(Failure) in
        for column in 0..<3 { #expect(try row[column].value == values[column]) }
        #expect(try row[3].value == .null)
      }
      try database.run("DELETE FROM v")
    }
    #expect(failure { try database.run("INSERT INTO v VALUES (1, 1, ?)", ["a\0b"]) }?.kind == .usage)
    #expect(failure { try database.run("INSERT INTO v VALUES (1, ?, '')", [.real(.nan)]) }?.kind == .storage)
  }

  @Test func secondWriterWaitsAndSeesChangeOfFirst() throws {
    let (first, second) = (try open(), try open())
    try first.run("INSERT INTO t VALUES (0)")
    let (a, b) = (UncheckedTransfer(first), UncheckedTransfer(second))
    DispatchQueue.concurrentPerform(iterations: 2) { index in
      let database = index == 0 ? a.value : b.value
      for _ in 0..<100 {
        _ = failure {
          try database.transaction { () throws(Failure) in
            let value = try database.lock("SELECT v FROM t") { row throws(Failure) in try row[0].integer }
            try database.enqueue("UPDATE t SET v = ?", [.integer((value ?? 0) + 1)])
          }
        }
      }
    }
    #expect(try contents(first) == [200])
  }

  @Test("rows that others have locked are left out, and those that were free are locked")
  func freeRows() throws {
    let (first, second) = (try open(), try open())
    for number in 1...3 { try first.run("INSERT INTO t VALUES (?)", [.integer(number)]) }
    func free(_ database: Database) throws(Failure) -> [Int] {
      var values: [Int] = []
      try database.lockAvailable(
        "SELECT v FROM t WHERE v IN (?, ?, ?)", [.integer(1), .integer(2), .integer(3)]
      ) {
        row throws(Failure) in values.append(try row[0].integer)
      }
      return values.sorted()
    }
    try first.transaction { () throws(Failure) in
      _ = try first.lock("SELECT v FROM t WHERE v = ?", [.integer(2)]) { _ in true }
      try second.transaction { () throws(Failure) in #expect(try free(second) == [1, 3]) }
      #expect(try free(first) == [1, 2, 3])
      try second.transaction { () throws(Failure) in #expect(try free(second) == []) }
    }
    #expect(failure { _ = try free(first) }?.kind == .defect)
  }

  @Test func noChangeIsMissedThatCommitsAfterOneWithLargerNumber() throws {
    let migrations = Migrations(
      "test",
      [
        """
        CREATE SEQUENCE revision MINVALUE 1;
        CREATE TABLE t (v INTEGER, revision INTEGER NOT NULL, writer INTEGER NOT NULL);
        """
      ])
    let (early, late, reader) = (try open(migrations), try open(migrations), try open(migrations))
    func insert(_ database: Database, _ value: Int) throws(Failure) {
      try database.run("INSERT INTO t VALUES (?, nextval('revision'), txid_current())", [.integer(value)])
    }
    func changes(_ mark: inout ChangeMark) throws -> [Int] {
      let next = try reader.changeMark()
      guard next != mark else { return [] }
      let found = try reader.rows("SELECT v FROM t WHERE writer >= ? ORDER BY v", [.integer(mark.floor)]) {
        row throws(Failure) in try row[0].integer
      }
      mark = next
      return found
    }
    var mark = ChangeMark.none
    try early.transaction { () throws(Failure) in
      // Revision 1, in a transaction that commits last.
      try insert(early, 1)
      try late.transaction { () throws(Failure) in try insert(late, 2) }
      let seen = try? changes(&mark)
      #expect(seen == [2])
    }
    #expect(try changes(&mark).contains(1))
    // Rows can be read again while transactions of other tests run on this server, but none is new.
    #expect(try Set(changes(&mark)).isSubset(of: [1, 2]))
    try insert(late, 3)
    #expect(try changes(&mark).contains(3))
    #expect(try reader.integers("SELECT revision FROM t ORDER BY v") == [1, 2, 3])
  }

  @Test func valueOfTypeThatHwNeverStoresIsReportedAsDamage() throws {
    let database = try open()
    let found = failure {
      try database.first("SELECT 1, now()") { row throws(Failure) in try row[1].value }
    }
    #expect(found?.kind == .storage)
    #expect(found?.message.hasSuffix("' is damaged: column 2 of a row cannot be read") == true)
  }

  /// The result of a query, during which this thread gets signals.
  private static func resultDuringSignals(_ address: String) throws -> Int? {
    let database = Database(try PostgreSQLEngine(address, time: SystemTime()), SystemTime())
    signal(SIGUSR1) { _ in }
    let waiting = pthread_self()
    let isOver = Mutex(false)
    Thread.detachNewThread {
      while !isOver.withLock({ $0 }) {
        pthread_kill(waiting, SIGUSR1)
        // Nothing tells when the query waits, so there are signals all the time.
        usleep(10_000)
      }
    }
    defer { isOver.withLock { $0 = true } }
    return try database.integer("SELECT 7 FROM pg_sleep(0.2)")
  }

  @Test func signalDoesNotEndWaitForResponse() async {
    await #expect(processExitsWith: .success) { [address = address as String] in
      let found = try PostgreSQLTests.resultDuringSignals(address)
      #expect(found == 7)
    }
  }

  @Test func remarksOfServerAreNotPrinted() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [address = address as String] in
      try PostgreSQLEngine(address, time: SystemTime()).execute(
        "DO $$ BEGIN RAISE WARNING 'a remark'; END $$")
    }
    let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(!errors.contains("a remark"))
  }

  @Test func severalThatStartTogetherMigrateOnceAndFailingStepIsUndone() throws {
    let steps = ["CREATE TABLE t (v INTEGER); INSERT INTO t VALUES (1);", "INSERT INTO t VALUES (2);"]
    let database = try open(Migrations("test", Array(steps.prefix(1))))
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      do { _ = try self.open(Migrations("test", steps)) } catch { Issue.record(error) }
    }
    #expect(try contents(database) == [1, 2])
    let failing = Migrations("test", steps + ["DELETE FROM t; INSERT INTO nowhere VALUES (1);"])
    #expect(throws: Failure.self) { try self.open(failing) }
    #expect(try contents(database) == [1, 2])
  }

  @Test func schemaHasDataOfSuiteAsSoonAsItsTablesWereMade() throws {
    let migrations = Migrations("test", ["CREATE TABLE t (v INTEGER);"])
    let store = try Store(postgreSQL: address)
    #expect(try !store.contains(migrations) && !store.forReading(migrations).isShared)
    _ = try store.open(migrations)
    #expect(try store.contains(migrations) && store.forReading(migrations).isShared)
  }
}

@Suite("libpq") struct PostgreSQLLibraryTests {
  @Test func withoutLibpqSaysWhichPackageToInstall() {
    let found = failure { try PostgreSQL(["libnone.so.5"]) }
    #expect(found?.kind == .storage)
    #expect(found?.hint?.contains("libpq5") == true)
  }

  @Test(.needs(.libpq))
  func libraryThatIsNotLibpqIsPassedOver() throws {
    #expect(failure { try PostgreSQL(["libm.so.6"]) }?.kind == .storage)
    #expect(failure { try PostgreSQL(["libm.so.6"] + PostgreSQL.names) } == nil)
  }
}
