import Foundation
import System
import TestSupport
import Testing

@testable import Store

/// A copy that ends in the middle of its second table, and what is left in the target.
@Suite("Interrupted copies of stores", installed) struct InterruptedCopyTests {
  private let scratch: ScratchDirectory
  private var source: Store { Store(folder: scratch.file("a"), time: SystemTime()) }

  private static let databases = [
    Migrations(
      "all",
      [
        """
        CREATE SEQUENCE all_number MINVALUE 1;
        CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT NOT NULL, writer INTEGER NOT NULL);
        CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL REFERENCES parent);
        """
      ], transactionColumns: ["writer"]), Migrations("other", ["CREATE TABLE other (v INTEGER);"]),
  ]

  init() throws {
    scratch = try ScratchDirectory()
    let all = try source.open(InterruptedCopyTests.databases[0])
    try all.transaction { () throws(Failure) in
      try all.run("INSERT INTO parent VALUES (nextval('all_number'), 'a', txid_current())")
      for number in 1...12_000 { try all.run("INSERT INTO child VALUES (?, 1)", [.integer(number)]) }
    }
    try source.open(InterruptedCopyTests.databases[1]).run("INSERT INTO other VALUES (7)")
  }

  /// A directory, or a new schema of PostgreSQL where that is installed.
  private func target(isShared: Bool) throws -> String? {
    guard isShared else { return scratch.file("b") }
    return Tool.postgresql.isPresent ? try PostgreSQLServer.shared?.newSchema() : nil
  }

  private static func store(_ name: String) throws -> Store {
    guard PostgreSQLAddress.isAddress(name) else { return Store(folder: name, time: SystemTime()) }
    return try Store(postgreSQL: name)
  }

  @discardableResult
  private static func copy(
    from: Store, to: Store, _ progress: @escaping (String, Int) -> Void = { _, _ in }
  ) throws(Failure) -> [TableSummary] {
    try StoreCopy(databases, from: from, to: to, progress: progress).run()
  }

  /// Copies, after which source and target are equal, and the numbers go on.
  private func expectCopy(to name: String) throws {
    let target = try InterruptedCopyTests.store(name)
    let copied = try InterruptedCopyTests.copy(from: source, to: target)
    for migrations in InterruptedCopyTests.databases {
      let expected = try source.verify(migrations)
      #expect(try target.verify(migrations) == expected)
      #expect(copied.filter { $0.database == migrations.name } == expected)
    }
    let all = try target.open(InterruptedCopyTests.databases[0])
    try all.transaction { () throws(Failure) in #expect(try all.nextValue(of: "all_number") == 2) }
  }

  private func expectNothing(in name: String) throws {
    let target = try InterruptedCopyTests.store(name)
    for migrations in InterruptedCopyTests.databases { #expect(try target.verify(migrations) == nil) }
    #expect(scratch.names("b") == [])
    guard let schema = name.split(separator: "%3D").last, target.isShared else { return }
    let left = "SELECT tablename FROM pg_tables WHERE schemaname = '\(schema)'"
    #expect(try PostgreSQLServer.shared?.execute(left) == "")
  }

  /// The last one ends in a signal that cannot be handled.
  private func copyAndKill(to target: String) async throws {
    let from = scratch.file("a")
    await #expect(processExitsWith: .signal(SIGKILL)) { [from = from as String, target = target as String] in
      _ = try InterruptedCopyTests.copy(
        from: InterruptedCopyTests.store(from), to: InterruptedCopyTests.store(target)
      ) { table, _ in if table == "child" { kill(getpid(), SIGKILL) } }
    }
  }

  @Test func killedCopyToADirectoryIsRefusedUntilItIsDeleted() async throws {
    let target = scratch.file("b")
    try await copyAndKill(to: target)
    let store = try InterruptedCopyTests.store(target)
    let migrations = InterruptedCopyTests.databases[0]
    for found in [
      failure { _ = try store.open(migrations) }, failure { _ = try store.verify(migrations) },
      failure { _ = try store.missingSteps(migrations) }, failure { _ = try store.contains(migrations) },
      failure { try InterruptedCopyTests.copy(from: source, to: store) },
      failure { try InterruptedCopyTests.copy(from: store, to: source) },
    ] {
      #expect(
        found
          == Failure(
            .storage, "'\(target)' is an incomplete copy",
            hint:
              "if no 'hw store copy' is filling it, delete its databases and '\(target)/incomplete-copy', and copy again"
          ))
    }
    #expect(scratch.names("b").contains("all.db"))
    try FileManager.default.removeItem(atPath: target)
    try expectCopy(to: target)
  }

  @Test(.needs(.postgresql))
  func killedCopyToPostgreSQLLeavesNothing() async throws {
    let target = try #require(try target(isShared: true))
    try await copyAndKill(to: target)
    try expectNothing(in: target)
    try expectCopy(to: target)
  }

  @Test(arguments: [false, true]) func copyEndedByASignalLeavesNothing(_ isShared: Bool) async throws {
    guard let target = try target(isShared: isShared) else { return }
    let from = scratch.file("a")
    await #expect(processExitsWith: .success) { [from = from as String, target = target as String] in
      let (source, target) = (try InterruptedCopyTests.store(from), try InterruptedCopyTests.store(target))
      let found = failure {
        try InterruptedCopyTests.copy(from: source, to: target) { table, _ in
          if table == "parent" { interruptThisProcess() }
        }
      }
      #expect(found == Interruption.failure)
    }
    try expectNothing(in: target)
    try expectCopy(to: target)
  }

  @Test(arguments: [false, true]) func failedCopyLeavesNothing(_ isShared: Bool) throws {
    guard let target = try target(isShared: isShared) else { return }
    let all = try source.open(InterruptedCopyTests.databases[0])
    try all.run("INSERT INTO parent VALUES (9, CAST(x'ff' AS TEXT), 1)")
    let store = try InterruptedCopyTests.store(target)
    #expect(failure { try InterruptedCopyTests.copy(from: source, to: store) }?.kind == .storage)
    try expectNothing(in: target)
    try all.run("DELETE FROM parent WHERE id = 9")
    try expectCopy(to: target)
  }

  @Test(.needs(.postgresql))
  func lostConnectionRepeatsTheCopy() throws {
    let server = try #require(PostgreSQLServer.shared)
    try server.execute("CREATE DATABASE interrupted")
    let target = try InterruptedCopyTests.store(server.address(database: "interrupted"))
    var tables: [String] = []
    let copied = try InterruptedCopyTests.copy(from: source, to: target) { table, _ in
      tables.append(table)
      guard table == "other", tables.count(where: { $0 == "other" }) == 1 else { return }
      let terminate = """
        SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = 'interrupted'
        """
      #expect((try? server.execute(terminate)) == "t")
    }
    #expect(tables.count(where: { $0 == "parent" }) == 2)
    let stored = try InterruptedCopyTests.databases.flatMap { try target.verify($0) ?? [] }
    #expect(stored == copied && stored.map(\.rows) == [1, 12_000, 1])
  }

  /// Others wait for the end of the transaction, and none finds a part of the copy.
  @Test(.needs(.postgresql))
  func copyToPostgreSQLIsNotSeenBeforeItIsComplete() throws {
    let target = try InterruptedCopyTests.store(try #require(try target(isShared: true)))
    var found: [Bool] = []
    try InterruptedCopyTests.copy(from: source, to: target) { _, _ in
      found.append((try? target.contains(InterruptedCopyTests.databases[0])) ?? true)
    }
    #expect(!found.isEmpty && found.allSatisfy { !$0 })
    #expect(try target.contains(InterruptedCopyTests.databases[0]))
  }
}
