import Foundation
import System
import TestSupport
import Testing

@testable import Store

/// What SQLite does otherwise than PostgreSQL.
@Suite("The engine of SQLite", installed) struct SQLiteEngineTests {
  private let scratch: ScratchDirectory
  private let path: String

  init() throws {
    scratch = try ScratchDirectory()
    path = scratch.file("a.db")
  }

  @Test func commitThatIsRefusedLeavesNoTransactionOpen() throws {
    let database = try Database.memory()
    try database.run("CREATE TABLE parent (id INTEGER PRIMARY KEY)")
    try database.run("CREATE TABLE child (parent INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED)")
    let found = failure {
      try database.transaction { () throws(Failure) in try database.run("INSERT INTO child VALUES (7)") }
    }
    #expect(found == Failure(.storage, "database 'memory' refused a row: FOREIGN KEY constraint failed"))
    #expect(try database.integer("SELECT count(*) FROM child") == 0)
    try database.transaction { () throws(Failure) in
      try database.run("INSERT INTO child VALUES (7)")
      try database.run("INSERT INTO parent VALUES (7)")
    }
    #expect(try database.integer("SELECT count(*) FROM child") == 1)
  }

  @Test func snapshotIsOneStateAndEnds() throws {
    let other = try Database(path)
    try other.run("CREATE TABLE t (v INTEGER)")
    let engine = try SQLiteEngine(.file(path), time: FakeClock())
    let count = "SELECT count(*) FROM t"
    try engine.snapshot { () throws(Failure) in
      #expect(try engine.number(count) == 0)
      try other.run("INSERT INTO t VALUES (1)")
      #expect(try engine.number(count) == 0)
      // One inside another is the same.
      #expect(try engine.snapshot { () throws(Failure) in try engine.number(count) } == 0)
      try engine.checkTransaction()
    }
    #expect(try engine.number(count) == 1)
    let found = failure {
      try engine.snapshot { () throws(Failure) in throw Failure(.no, "stop") }
    }
    #expect(found == Failure(.no, "stop"))
    #expect(
      failure { try engine.checkTransaction() }
        == Failure(.storage, "the transaction on '\(path)' was undone after an error"))
    try engine.begin()
    try engine.commit()
  }

  @Test func tablesAloneAreTables() throws {
    let engine = try SQLiteEngine(.memory, time: FakeClock())
    try engine.execute("CREATE TABLE t (v); CREATE INDEX i ON t (v); CREATE VIEW w AS SELECT 1")
    for (name, isThere) in [("t", true), ("i", false), ("w", false), ("none", false)] {
      #expect(try engine.hasTable(name) == isThere)
    }
  }

  @Test func valuesOfOtherTypesAreNone() throws {
    let engine = try SQLiteEngine(.memory, time: FakeClock())
    #expect(try engine.number("SELECT 7") == 7 && engine.number("SELECT 'a'") == 0)
    #expect(try engine.text("SELECT 'a'") == "a" && engine.text("SELECT 7") == nil)
    #expect(try engine.text("SELECT 'a' WHERE 1 = 0") == nil)
  }

  @Test func fileSaysWhoseItIsAndWhichVersion() throws {
    let engine = try SQLiteEngine(.file(path), time: FakeClock())
    try engine.migrate(bikes)
    // "hwbi"
    #expect(try engine.number("PRAGMA application_id") == 0x6877_6269)
    #expect(try engine.number("PRAGMA user_version") == 2)
    #expect(try engine.inspect(bikes) == 2)
  }

  @Test func serverDoesNotWaitForLockOfAnotherProcessOthersDo() throws {
    let time = FakeClock()
    let holder = try Store(folder: scratch.path, time: SystemTime()).open(bikes)
    let server = try Store(folder: scratch.path, waitsForLocks: false, time: time).open(bikes)
    let command = try Store(folder: scratch.path, time: time).open(bikes)
    let locked = Failure(
      .storage, "database '\(scratch.file("bikes.db"))' is locked by another process",
      hint: "run the command again when that process is done", retryable: true)
    try holder.transaction { () throws(Failure) in
      #expect(failure { try server.run("DELETE FROM bike") } == locked)
      #expect(time.sleeps == [])
      #expect(failure { try command.run("DELETE FROM bike") } == locked)
      #expect(time.sleeps == waitsForALock)
      // A transaction takes the lock at once, and readers never wait.
      #expect(failure { try server.transaction { () throws(Failure) in Issue.record("two") } } == locked)
      #expect(try server.integer("SELECT count(*) FROM bike") == 1)
    }
    #expect(try server.run("DELETE FROM bike") == 1)
  }

  @Test func signalEndsWaitForLockAndReadingOfDatabase() async {
    await #expect(processExitsWith: .success) {
      let scratch = try ScratchDirectory()
      let store = Store(folder: scratch.path, time: SystemTime())
      let (holder, waiting) = (try store.open(bikes), try store.open(bikes))
      interruptThisProcess()
      let interrupted = Interruption.failure
      try holder.transaction { () throws(Failure) in
        #expect(failure { try waiting.run("DELETE FROM bike") } == interrupted)
      }
      #expect(failure { try store.verify(bikes) } == interrupted)
      #expect(try waiting.run("DELETE FROM bike") == 1)
    }
  }

  @Test func damagedDatabaseIsFoundWhenItIsVerifiedAndNotCopied() throws {
    let strict = Migrations("all", ["CREATE TABLE v (n INTEGER NOT NULL CHECK (n > 0));"])
    let store = Store(folder: scratch.path, time: SystemTime())
    do {
      let database = try store.open(strict)
      try database.run("INSERT INTO v VALUES (1)")
      #expect(try store.verify(strict)?.map(\.rows) == [1])
      try database.run("PRAGMA ignore_check_constraints = ON")
      try database.run("INSERT INTO v VALUES (-1)")
    }
    let target = Store(folder: scratch.file("b"), time: SystemTime())
    for found in [
      failure { try store.verify(strict) },
      failure { try StoreCopy([strict], from: store, to: target) { _, _ in }.run() },
    ] {
      #expect(found?.kind == .storage)
      #expect(found?.message.hasPrefix("database '\(scratch.file("all.db"))' is damaged: CHECK") == true)
    }
    #expect(scratch.names("b") == [])
  }

  @Test func fileAtRestIsReadWithoutItsLocksAndItsLogWhateverItsName() throws {
    let name = "a b\t%3f?#é-._~Z9.db"
    do {
      let database = try Database(scratch.file(name))
      try database.run("CREATE TABLE t (v INTEGER)")
      try database.run("INSERT INTO t VALUES (7)")
    }
    #expect(scratch.names == [name])
    let connection = try SQLiteConnection(
      scratch.file(name), name: "db", isImmutable: true, time: FakeClock())
    let statement = try SQLiteStatement("SELECT v FROM t", on: connection)
    try statement.start([], .firstRow)
    #expect(try statement.step())
    #expect(try statement.value(0) == 7)
    #expect(try !statement.step())
    try statement.reset()
    #expect(scratch.names == [name])
    #expect(
      failure { try connection.execute("DELETE FROM t") }
        == Failure(
          .storage, "cannot write 'db': it is read-only",
          hint: "the file and its folder must be writable"))
  }

  @Test func withoutItsEngineConnectionHasNoSequences() throws {
    let connection = try SQLiteConnection(":memory:", name: "db", time: FakeClock())
    for function in ["nextval('a')", "nextval(NULL)", "txid_current()"] {
      let statement = try SQLiteStatement("SELECT \(function)", on: connection)
      #expect(failure { try statement.step() } == Failure(.storage, "database 'db': the database was closed"))
    }
  }

  /// A server would be open to everybody if a file that had users counted as a new one.
  @Test func blankFileIsDamagedAndLeftAsItIs() throws {
    try scratch.write("", to: "bikes.db")
    let store = Store(folder: scratch.path, time: SystemTime())
    let damaged = Failure(
      .storage, "database '\(scratch.file("bikes.db"))' is damaged: it is empty",
      hint: "put a copy back, or remove the file if it never had data")
    #expect(failure { try store.verify(bikes) } == damaged)
    #expect(failure { try store.stored([bikes]) } == damaged)
    #expect(failure { try store.missingSteps(bikes) } == damaged)
    #expect(failure { try store.open(bikes) } == damaged)
    #expect(scratch.text("bikes.db") == "")
  }

  /// Of several that make a database at once, each has the same one in the end, and nothing is left beside it.
  @Test func newFileHasItsNameOnlyWithItsTables() throws {
    let path = scratch.file("all.db")
    let shape = Migrations("all", ["CREATE TABLE t (v INTEGER);"])
    try SQLiteEngine.make(path, shape, time: SystemTime())
    let store = Store(folder: scratch.path, time: SystemTime())
    try store.open(shape).run("INSERT INTO t VALUES (1)")
    try SQLiteEngine.make(path, shape, time: SystemTime())
    #expect(try store.verify(shape)?.map(\.rows) == [1])
    #expect(scratch.names == ["all.db"])
    // A step that fails leaves nothing.
    #expect(throws: Failure.self) {
      try SQLiteEngine.make(scratch.file("b.db"), Migrations("b", ["CREATE"]), time: SystemTime())
    }
    #expect(
      failure { try SQLiteEngine.make(scratch.file("no/c.db"), shape, time: SystemTime()) }?.message
        == "cannot make database '\(scratch.file("no/c.db"))': no such file or directory")
    #expect(scratch.names == ["all.db"])
  }

  @Test func unreadableLogIsNotIgnored() async throws {
    let shape = Migrations("all", ["CREATE TABLE t (v INTEGER);"])
    let writer = try Store(folder: scratch.file("a"), time: SystemTime()).open(shape)
    try writer.run("INSERT INTO t VALUES (1)")
    for name in ["all.db", "all.db-wal"] {
      try scratch.write("", to: "b/\(name)")
      try scratch.bytes("a/\(name)").write(to: URL(filePath: scratch.file("b/\(name)")))
      chmod(scratch.file("b/\(name)"), 0o444)
    }
    for directory in ["b", "."] { chmod(scratch.file(directory), 0o555) }
    defer { for directory in [".", "b"] { chmod(scratch.file(directory), 0o755) } }
    await #expect(processExitsWith: .success) { [folder = scratch.file("b") as String] in
      becomeNobody()
      let shape = Migrations("all", ["CREATE TABLE t (v INTEGER);"])
      #expect(failure { try Store(folder: folder, time: SystemTime()).verify(shape) }?.kind == .storage)
    }
  }
}
