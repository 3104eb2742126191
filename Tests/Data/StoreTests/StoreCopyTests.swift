import Foundation
import Synchronization
import System
import TestSupport
import Testing

@testable import Store

/// Copies between directories and PostgreSQL, where that is installed.
@Suite("Copies of stores", installed) struct StoreCopyTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  private static let all = Migrations(
    "all",
    [
      """
      CREATE SEQUENCE all_number MINVALUE 0;
      CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT NOT NULL, writer INTEGER NOT NULL);
      CREATE TABLE child (
        parent INTEGER NOT NULL REFERENCES parent, part INTEGER NOT NULL, x DOUBLE PRECISION, t TEXT,
        PRIMARY KEY (parent, part)
      ) WITHOUT ROWID;
      """
    ], transactionColumns: ["writer"])

  private func folder(_ name: String) -> Store {
    Store(folder: scratch.file(name), time: SystemTime())
  }

  private func postgreSQL() throws -> Store {
    try Store(postgreSQL: try #require(PostgreSQLServer.shared).newSchema())
  }

  @discardableResult
  private func copy(
    _ databases: [Migrations] = [all], from: Store, to: Store
  ) throws(Failure) -> [TableSummary] {
    try StoreCopy(databases, from: from, to: to) { _, _ in }.run()
  }

  @Test func rowsAreCopiedInBatches() throws {
    let source = folder("large")
    let database = try source.open(StoreCopyTests.all)
    // The first two have 4 MB exactly.
    for (number, size) in zip(1..., [3 << 20, 1 << 20, 3 << 20]) {
      let text = String(repeating: "x", count: size)
      try database.run("INSERT INTO parent VALUES (?, ?, 0)", [.integer(number), .text(text)])
    }
    for number in 4...6 { try database.run("INSERT INTO parent VALUES (?, '', 0)", [.integer(number)]) }
    try database.transaction { () throws(Failure) in
      for part in 1...5001 {
        try database.run("INSERT INTO child VALUES (1, ?, NULL, NULL)", [.integer(part)])
      }
    }
    let counts = Mutex<[String]>([])
    _ = try StoreCopy([StoreCopyTests.all], from: source, to: folder("small")) { table, rows in
      counts.withLock { $0.append("\(table) \(rows)") }
    }.run()
    #expect(counts.withLock { $0 } == ["parent 2", "parent 6", "child 5000", "child 5001"])
  }

  @Test func tableWithoutRowsIsCopiedAndNotReported() throws {
    try folder("a").open(StoreCopyTests.all).run("INSERT INTO parent VALUES (1, 'a', 0)")
    var counts: [String] = []
    let copied = try StoreCopy([StoreCopyTests.all], from: folder("a"), to: folder("b")) { table, rows in
      counts.append("\(table) \(rows)")
    }.run()
    #expect(copied.map(\.table) == ["parent", "child"] && copied.map(\.rows) == [1, 0])
    #expect(counts == ["parent 1"])
  }

  private static let reals: [SQLValue] = [
    0.1, -0.0, 2.0, nil, .real(.infinity), .real(-.infinity), .real(.leastNonzeroMagnitude),
  ]

  private func fill(_ store: Store) throws {
    let database = try store.open(StoreCopyTests.all)
    try database.transaction { () throws(Failure) in
      for name in ["", "日本語 🚲 e\u{301}", "'; DROP TABLE parent; --"] {
        try database.run(
          "INSERT INTO parent VALUES (nextval('all_number'), ?, txid_current())", [.text(name)])
      }
      for (part, value) in StoreCopyTests.reals.enumerated() {
        try database.run(
          "INSERT INTO child VALUES (1, ?, ?, ?)",
          [.integer(part == 0 ? .min : part == 1 ? .max : part), value, part == 2 ? nil : .text("t\(part)")])
      }
    }
    try database.run("INSERT INTO parent (name, writer) VALUES ('counted', 0)")
    try database.run("DELETE FROM parent WHERE name = 'counted'")
  }

  /// What is stored, and what new rows get.
  private func expectUsable(_ store: Store) throws {
    let database = try store.open(StoreCopyTests.all)
    let values = try database.rows("SELECT x FROM child ORDER BY part") { row throws(Failure) in
      try row[0].value
    }
    #expect(
      values == [0.1, 2.0, nil, .real(.infinity), .real(-.infinity), .real(.leastNonzeroMagnitude), -0.0])
    try database.transaction { () throws(Failure) in
      let next = try database.nextValue(of: "all_number")
      #expect(next == 3)
      try database.run("INSERT INTO parent (name, writer) VALUES ('new', txid_current())")
    }
    #expect(try database.integer("SELECT max(id) FROM parent") ?? 0 >= 3)
    let newer = try database.integer(
      "SELECT count(*) FROM parent WHERE writer < (SELECT writer FROM parent WHERE name = 'new')")
    #expect(newer == 3, "the new row has the newest transaction")
  }

  @Test func directoryIsCopiedToDirectory() throws {
    try fill(folder("a"))
    let copied = try copy(from: folder("a"), to: folder("b"))
    #expect(copied.map(\.table) == ["parent", "child"] && copied.map(\.rows) == [3, 7])
    #expect(try folder("b").verify(StoreCopyTests.all) == folder("a").verify(StoreCopyTests.all))
    #expect(scratch.names("b") == ["all.db"] && scratch.mode("b/all.db") == 0o600)
    #expect(
      try folder("b").open(StoreCopyTests.all).integer("SELECT min(writer) FROM parent") == 1,
      "the numbers of transactions go on")
    try expectUsable(folder("b"))
  }

  @Test(
    "to PostgreSQL, to another and back: the checksums are equal, and the copies can be used",
    .needs(.postgresql))
  func allDirections() throws {
    try fill(folder("a"))
    let (first, second) = (try postgreSQL(), try postgreSQL())
    let copied = try copy(from: folder("a"), to: first)
    #expect(try copy(from: first, to: second) == copied)
    #expect(try copy(from: second, to: folder("b")) == copied)
    let expected = try folder("a").verify(StoreCopyTests.all)
    for store in [first, second, folder("b")] {
      #expect(try store.verify(StoreCopyTests.all) == expected)
      try expectUsable(store)
    }
    let found = failure { try copy(from: folder("a"), to: first) }
    #expect(found?.kind == .conflict)
  }

  /// A directory counts rows that are gone if its database has sequences.
  @Test(.needs(.postgresql), arguments: [false, true], [false, true])
  func numbersOfRowsThatAreGoneContinue(fromServer: Bool, toServer: Bool) throws {
    let migrations = Migrations(
      "all", ["CREATE SEQUENCE s MINVALUE 1; CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER);"])
    let first = try fromServer ? postgreSQL() : folder("a")
    let second = try toServer ? postgreSQL() : folder("b")
    let insert = "INSERT INTO t VALUES (nextval('t_id_seq'), 0)"
    let source = try first.open(migrations)
    try source.transaction { () throws(Failure) in for _ in 0..<5 { try source.run(insert) } }
    try source.run("DELETE FROM t WHERE id > 2")
    try copy([migrations], from: first, to: second)
    let target = try second.open(migrations)
    try target.transaction { () throws(Failure) in _ = try target.run(insert) }
    #expect(try target.integer("SELECT max(id) FROM t") == 6)
  }

  @Test(.needs(.postgresql), arguments: [(false, 0, 1), (true, 5, 6)])
  func numbersOfRowsThatAreGoneAreNotGivenOutAgain(fromServer: Bool, count: Int, next: Int) throws {
    let migrations = Migrations("all", ["CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER);"])
    let (first, second) = try (fromServer ? postgreSQL() : folder("a"), postgreSQL())
    let source = try first.open(migrations)
    for _ in 0..<count { try source.run("INSERT INTO t (v) VALUES (0)") }
    try source.run("DELETE FROM t WHERE id > 2")
    try copy([migrations], from: first, to: second)
    let target = try second.open(migrations)
    for number in next...next + 1 {
      try target.run("INSERT INTO t (v) VALUES (0)")
      #expect(try target.integer("SELECT max(id) FROM t") == number)
    }
  }

  @Test func targetWithDatabaseIsRefusedAndLeftAsItIs() throws {
    try fill(folder("a"))
    try fill(folder("b"))
    let before = try scratch.bytes("b/all.db")
    let found = failure { try copy(from: folder("a"), to: folder("b")) }
    #expect(found?.kind == .conflict && found?.message.contains("database 'all'") == true)
    #expect(try scratch.bytes("b/all.db") == before && scratch.names("b") == ["all.db"])
    #expect(failure { try copy(from: folder("a"), to: folder("a")) }?.kind == .conflict)
    #expect(failure { try copy(from: folder("nothing"), to: folder("c")) }?.kind == .notFound)
    #expect(scratch.names("c") == [])
  }

  @Test func concurrentChangesAreNotCopied() throws {
    try fill(folder("a"))
    let writer = try folder("a").open(StoreCopyTests.all)
    var problem: Failure?
    let copied = try StoreCopy([StoreCopyTests.all], from: folder("a"), to: folder("b")) { _, _ in
      do throws(Failure) {
        try writer.transaction { () throws(Failure) in
          try writer.run("DELETE FROM child WHERE part = 3")
          try writer.run("UPDATE parent SET name = name || '!'")
        }
      } catch { problem = error }
    }.run()
    #expect(problem == nil)
    #expect(copied.map(\.rows) == [3, 7])
    #expect(try folder("a").verify(StoreCopyTests.all)?.map(\.rows) == [3, 6])
    try expectUsable(folder("b"))
  }

  /// In its own table, or in another.
  @Test func rowMayReferToOneThatIsCopiedLater() throws {
    let migrations = Migrations(
      "all",
      [
        """
        CREATE TABLE a (id INTEGER PRIMARY KEY, z INTEGER REFERENCES z);
        CREATE TABLE z (id INTEGER PRIMARY KEY, next INTEGER REFERENCES z);
        """
      ])
    let database = try folder("a").open(migrations)
    for row in [
      "INSERT INTO z VALUES (2, NULL)", "INSERT INTO z VALUES (1, 2)", "INSERT INTO a VALUES (1, 2)",
    ] {
      try database.run(row)
    }
    try copy([migrations], from: folder("a"), to: folder("b"))
    let copied = try folder("b").open(migrations)
    #expect(try copied.integer("SELECT next FROM z WHERE id = 1") == 2)
    #expect(try copied.integer("SELECT z FROM a") == 2)
  }

  /// The first step adds a row, and the second one another.
  private static let steps = Migrations(
    "steps", base: 3,
    ["CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1);", "INSERT INTO t VALUES (2);"])

  @Test func olderVersionIsCopiedAsItIsAndMigratedAfterwards() throws {
    let steps = StoreCopyTests.steps
    try folder("a").open(steps.upTo(3)).run("INSERT INTO t VALUES (7)")
    for target in [folder("b")] + (Tool.postgresql.isPresent ? [try postgreSQL()] : []) {
      let copied = try copy([steps], from: folder("a"), to: target)
      #expect(copied.map(\.rows) == [2] && copied.map(\.version) == [3])
      #expect(try target.missingSteps(steps).map(\.from) == [3])
      try target.migrate(steps)
      #expect(try target.missingSteps(steps) == [])
      #expect(try target.verify(steps)?.map(\.rows) == [3])
      #expect(failure { try target.verify(steps.upTo(3)) }?.message.contains("newer") == true)
    }
    #expect(try folder("none").missingSteps(steps) == [])
    #expect(scratch.names("none") == [])
  }

  @Test func rowsThatStepsAddAreThoseOfSource() throws {
    let steps = StoreCopyTests.steps
    try folder("a").open(steps).run("DELETE FROM t WHERE id = 1")
    for target in [folder("b")] + (Tool.postgresql.isPresent ? [try postgreSQL()] : []) {
      #expect(try copy([steps], from: folder("a"), to: target).map(\.rows) == [1])
      #expect(try target.open(steps).integer("SELECT id FROM t") == 2)
    }
  }

  @Test func tablesThatDoNotBelongToDatabaseAreNotLeftOutSilently() throws {
    try fill(folder("a"))
    let database = try folder("a").open(StoreCopyTests.all)
    try database.run("CREATE TABLE mine (v)")
    #expect(
      failure { try copy(from: folder("a"), to: folder("b")) }
        == Failure(
          .storage,
          "'\(scratch.file("a/all.db"))' has objects that do not belong to it: table mine",
          hint: "find out who made them, and drop them with sqlite3"))
    try database.run("DROP TABLE mine")
    try database.run("DROP TABLE child")
    #expect(failure { try copy(from: folder("a"), to: folder("b")) }?.message.contains("child") == true)
    #expect(scratch.names("b") == [])
  }

  @Test func copyThatWouldEndWithProcessIsNotMade() throws {
    try fill(folder("a"))
    #expect(failure { try copy(from: folder("a"), to: .memory(time: SystemTime())) }?.kind == .defect)
    #expect(failure { try copy(from: .memory(time: SystemTime()), to: folder("b")) }?.kind == .notFound)
  }

  @Test(arguments: [
    (
      "DELETE FROM parent WHERE id = 2", "the copy of table 'parent' in 'PATH' differs from its source",
      "it has 2 of 3 rows; check the disk, and run the command again"
    ),
    (
      "DELETE FROM parent WHERE id = 1",
      "database 'PATH' is damaged: a row of table 'child' refers to one that is missing",
      "it was left as it is; put a copy back; 'sqlite3 FILE .dump' shows the rows that are left"
    ),
  ])
  func differingCopyIsRemoved(_ change: String, _ message: String, _ hint: String) throws {
    try fill(folder("a"))
    let path = scratch.file("b/all.db")
    var problem: Failure?
    let found = failure {
      try StoreCopy([StoreCopyTests.all], from: folder("a"), to: folder("b")) { table, _ in
        guard table == "parent" else { return }
        problem = failure {
          let other = try Database(path)
          try other.run("PRAGMA foreign_keys = OFF")
          try other.run(change)
        }
      }.run()
    }
    #expect(problem == nil)
    #expect(found == Failure(.storage, message.replacing("PATH", with: path), hint: hint))
    #expect(scratch.names("b") == [])
  }

  @Test(.needs(.postgresql))
  func schemaWithTableOfThatNameIsLeftAsItIs() throws {
    try fill(folder("a"))
    let server = try postgreSQL()
    guard case .postgreSQL(let address, let environment) = server.place else { return }
    let engine = try PostgreSQLEngine(address, environment: environment, time: SystemTime())
    try engine.execute("CREATE TABLE child (v BIGINT)")
    #expect(
      failure { try copy(from: folder("a"), to: server) }
        == Failure(
          .conflict, "'\(address.name)' is not empty: it has table 'child'",
          hint: "it was left as it is; name a new directory or an empty database with --to"))
    #expect(try engine.hasTable("child") && !engine.hasTable("parent"))
    #expect(try !engine.hasTable("hw_version"))
  }

  @Test func dataOfThisMachineStaysOffDatabaseServer() throws {
    let local = Migrations("local", ["CREATE TABLE mine (v INTEGER);"], isLocal: true)
    try fill(folder("a"))
    try folder("a").open(local).run("INSERT INTO mine VALUES (1)")
    let databases = [StoreCopyTests.all, local]
    #expect(try copy(databases, from: folder("a"), to: folder("b")).map(\.database).last == "local")
    guard Tool.postgresql.isPresent else { return }
    let server = try postgreSQL()
    #expect(try copy(databases, from: folder("a"), to: server).allSatisfy { $0.database == "all" })
    #expect(try server.missingSteps(local) == [])
  }

  /// He could read the PINs in a copy whose files get the owner of the directory.
  @Test(.enabled(if: geteuid() == 0, "only root can give a directory to another user"))
  func copyIntoDirectoryOfAnotherUserInOneForAllIsRefused() throws {
    let target = scratch.file("for all/backup")
    try Folder.make(target)
    try #require(chmod(scratch.file("for all"), 0o1777) == 0 && chown(target, 65_534, 65_534) == 0)
    let refused = failure { _ = try IncompleteCopy.begin(in: target, ["all"]) }
    #expect(refused?.message == "'\(target)' belongs to another user")
  }

  @Test func readOnlyCopyIsReadWhereNothingCanBeWritten() async throws {
    await #expect(processExitsWith: .success) {
      let scratch = try ScratchDirectory()
      let folder = Store(folder: scratch.file("read % only"), time: SystemTime())
      let shape = Migrations("all", ["CREATE TABLE t (v INTEGER);"])
      try folder.open(shape).run("INSERT INTO t VALUES (1)")
      let files = FileManager.default
      try files.setAttributes([.posixPermissions: 0o444], ofItemAtPath: scratch.file("read % only/all.db"))
      for directory in ["read % only", "."] {
        try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: scratch.file(directory))
      }
      becomeNobody()
      let summary = try folder.verify(shape)
      guard summary?.first?.rows == 1, scratch.names("read % only") == ["all.db"] else { exit(1) }
      guard failure({ try StoreCopy([shape], from: folder, to: folder) { _, _ in }.run() })?.kind == .conflict
      else { exit(2) }
    }
  }
}
