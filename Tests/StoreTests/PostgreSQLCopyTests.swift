import System
import TestSupport
import Testing

@testable import Store

/// Copies to a PostgreSQL database that others use at the same time.
@Suite(
  "Copies to PostgreSQL", installed,
  .enabled(if: PostgreSQLServer.isAvailable, "PostgreSQL is not installed"))
struct PostgreSQLCopyTests {
  private let scratch: ScratchDirectory
  private let server: PostgreSQLServer
  private var source: Store { Store(folder: scratch.file("a"), time: SystemTime()) }

  private static let shape = Migrations(
    "all",
    [
      """
      CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL REFERENCES parent);
      """
    ])

  init() throws {
    scratch = try ScratchDirectory()
    server = try #require(PostgreSQLServer.shared)
    let database = try source.open(PostgreSQLCopyTests.shape)
    try database.run("INSERT INTO parent VALUES (1, 'a'), (2, 'b')")
    try database.run("INSERT INTO child VALUES (1, 1)")
  }

  private func store(_ address: String) throws(Failure) -> Store {
    try Store(PostgreSQLAddress(address), environment: Environment([:]), time: SystemTime())
  }

  @discardableResult
  private func copy(
    _ migrations: Migrations = shape, to target: Store,
    _ progress: @escaping (StoreCopy.Progress) -> Void = { _ in }
  ) throws(Failure) -> [TableSummary] {
    try StoreCopy([migrations], from: source, to: target, progress: progress).run()
  }

  @Test(
    "a copy ends when it has lost the lock that keeps others from filling the schema",
    arguments: [("parent", 1), ("child", 2)])
  func lostLock(table: String, tables: Int) throws {
    let name = "unlocked_\(table)"
    try server.execute("CREATE DATABASE \(name)")
    let target = try store(server.address(database: name))
    // The connection that holds the lock is the only one with such a lock while rows are copied.
    let terminate = """
      SELECT pg_terminate_backend(pid, 60000) FROM pg_locks WHERE locktype = 'advisory'
      AND database = (SELECT oid FROM pg_database WHERE datname = '\(name)')
      """
    var steps: [StoreCopy.Progress] = []
    let found = failure {
      try copy(to: target) { step in
        steps.append(step)
        guard case .copied(table, _) = step else { return }
        #expect((try? server.execute(terminate)) == "t")
      }
    }
    #expect(found?.kind == .storage && found?.retryable == true)
    #expect(steps.count == tables)
    #expect(
      failure { try target.verify(PostgreSQLCopyTests.shape) }?.message.hasSuffix("is an incomplete copy")
        == true)
    // What it had copied is kept.
    steps = []
    let copied = try copy(to: target) { steps.append($0) }
    #expect(try copied == source.verify(PostgreSQLCopyTests.shape))
    #expect(steps.first == .continued(tables: tables))
  }

  @Test("a copy that is not what its source is leaves nothing")
  func otherCopy() throws {
    let address = try server.newSchema()
    let target = try store(address)
    var problem: Failure?
    let found = failure {
      try copy(to: target) { step in
        guard case .copied("child", _) = step else { return }
        problem = failure {
          try PostgreSQLEngine(PostgreSQLAddress(address), environment: Environment([:]), time: SystemTime())
            .execute("DELETE FROM parent WHERE id = 2")
        }
      }
    }
    #expect(problem == nil)
    let name = try PostgreSQLAddress(address).name
    #expect(
      found
        == Failure(
          .storage, "the copy of table 'parent' in '\(name)' differs from its source",
          hint: "it has 1 of 2 rows; check the disk, and run the command again"))
    #expect(try target.verify(PostgreSQLCopyTests.shape) == nil)
  }

  @Test("a copy that fails leaves the databases of other suites as they are")
  func otherSuites() throws {
    let target = try store(server.newSchema())
    let other = Migrations("other", ["CREATE TABLE other (v INTEGER);"])
    try target.open(other).run("INSERT INTO other VALUES (7)")
    try source.open(PostgreSQLCopyTests.shape).run("INSERT INTO parent VALUES (9, CAST(x'ff' AS TEXT))")
    #expect(failure { try copy(to: target) }?.kind == .storage)
    #expect(try target.verify(PostgreSQLCopyTests.shape) == nil)
    #expect(try target.verify(other)?.map(\.rows) == [1])
    #expect(try target.open(other).integer("SELECT v FROM other") == 7)
  }

  @Test("a schema that has the database is left as it is")
  func databaseThatIsThere() throws {
    let address = try server.newSchema()
    let target = try store(address)
    try target.open(PostgreSQLCopyTests.shape).run("INSERT INTO parent VALUES (7, 'mine')")
    let name = try PostgreSQLAddress(address).name
    #expect(failure { try copy(to: target) } == Failure.notEmpty(name, "database 'all'"))
    #expect(try target.open(PostgreSQLCopyTests.shape).integer("SELECT id FROM parent") == 7)
  }

  @Test("the rows of a table that was copied empty are counted from one")
  func emptyTable() throws {
    let migrations = Migrations("empty", ["CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER);"])
    _ = try source.open(migrations)
    let target = try store(server.newSchema())
    try copy(migrations, to: target)
    let database = try target.open(migrations)
    for number in 1...2 {
      try database.run("INSERT INTO t (v) VALUES (0)")
      #expect(try database.integer("SELECT max(id) FROM t") == number)
    }
  }
}
