import Foundation
import System
import TestSupport
import Testing

@testable import Store

/// A copy that is killed in the middle of its second table, and what the next one makes of it.
@Suite("Interrupted copies of stores", installed)
struct InterruptedCopyTests {
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
  private static let children = 12_000

  init() throws {
    scratch = try ScratchDirectory()
    let all = try source.open(InterruptedCopyTests.databases[0])
    try all.transaction { () throws(Failure) in
      for name in ["a", "b"] {
        try all.run("INSERT INTO parent VALUES (nextval('all_number'), ?, txid_current())", [.text(name)])
      }
      for number in 1...InterruptedCopyTests.children {
        try all.run("INSERT INTO child VALUES (?, 1)", [.integer(number)])
      }
    }
    try source.open(InterruptedCopyTests.databases[1]).run("INSERT INTO other VALUES (7)")
  }

  /// A directory, or a new schema of PostgreSQL where that is installed.
  private func target(isShared: Bool) throws -> String? {
    guard isShared else { return scratch.file("b") }
    return PostgreSQLServer.isAvailable ? try PostgreSQLServer.shared?.newSchema() : nil
  }

  private static func store(_ name: String) throws -> Store {
    guard PostgreSQLAddress.isOne(name) else { return Store(folder: name, time: SystemTime()) }
    return try Store(PostgreSQLAddress(name), environment: Environment([:]), time: SystemTime())
  }

  /// Copies in another process, which is killed after some of the rows of the second table.
  private func copyAndKill(to target: String) async throws {
    let from = scratch.file("a")
    await #expect(processExitsWith: .signal(SIGKILL)) { [from = from as String, target = target as String] in
      let (source, target) = (
        try InterruptedCopyTests.store(from), try InterruptedCopyTests.store(target)
      )
      _ = try StoreCopy(InterruptedCopyTests.databases, from: source, to: target) { progress in
        if case .copied("child", _) = progress { kill(getpid(), SIGKILL) }
      }.run()
    }
  }

  /// What the next copy reports, after which source and target are equal.
  private func copyAgain(to name: String) throws -> [StoreCopy.Progress] {
    let target = try InterruptedCopyTests.store(name)
    var steps: [StoreCopy.Progress] = []
    let copied = try StoreCopy(InterruptedCopyTests.databases, from: source, to: target) { steps.append($0) }
      .run()
    for migrations in InterruptedCopyTests.databases {
      let expected = try source.verify(migrations)
      #expect(try target.verify(migrations) == expected)
      #expect(copied.filter { $0.database == migrations.name } == expected)
    }
    // The numbers go on, and a server accepts the copy.
    let all = try target.open(InterruptedCopyTests.databases[0])
    try all.transaction { () throws(Failure) in #expect(try all.nextValue(of: "all_number") == 3) }
    #expect(scratch.names("b").allSatisfy { $0 != "incomplete-copy" })
    return steps
  }

  private func copies(_ table: String, in steps: [StoreCopy.Progress]) -> Bool {
    steps.contains { if case .copied(table, _) = $0 { true } else { false } }
  }

  @Test("an unchanged source: the complete table is kept, the others are copied", arguments: [false, true])
  func continues(_ isShared: Bool) async throws {
    guard let target = try target(isShared: isShared) else { return }
    try await copyAndKill(to: target)
    let steps = try copyAgain(to: target)
    #expect(steps.first == .continued(tables: 1) && !steps.contains(.startedOver))
    #expect(!copies("parent", in: steps) && copies("child", in: steps) && copies("other", in: steps))
  }

  @Test("killed again and again: each copy begins where the last one ended", arguments: [false, true])
  func continuesAgain(_ isShared: Bool) async throws {
    guard let target = try target(isShared: isShared) else { return }
    for _ in 0..<2 { try await copyAndKill(to: target) }
    #expect(try copyAgain(to: target).first == .continued(tables: 1))
  }

  @Test("a copy that a signal ends keeps what it has copied")
  func endedByASignal() async throws {
    let (from, target) = (scratch.file("a"), scratch.file("b"))
    await #expect(processExitsWith: .success) { [from = from as String, target = target as String] in
      let (source, target) = (
        try InterruptedCopyTests.store(from), try InterruptedCopyTests.store(target)
      )
      let found = failure {
        try StoreCopy(InterruptedCopyTests.databases, from: source, to: target) { progress in
          if case .copied("parent", _) = progress { interruptThisProcess() }
        }.run()
      }
      #expect(found == Failure(.interrupted, "interrupted"))
    }
    #expect(try copyAgain(to: target).first == .continued(tables: 1))
  }

  @Test("a change of the rest of the source is copied", arguments: [false, true])
  func changeOfTheRest(_ isShared: Bool) async throws {
    guard let target = try target(isShared: isShared) else { return }
    try await copyAndKill(to: target)
    let all = try source.open(InterruptedCopyTests.databases[0])
    try all.run("UPDATE child SET parent = 2 WHERE id <= 10")
    #expect(try copyAgain(to: target).first == .continued(tables: 1))
  }

  @Test("a changed source: the copy starts over, and says so", arguments: [false, true])
  func startsOver(_ isShared: Bool) async throws {
    guard let target = try target(isShared: isShared) else { return }
    try await copyAndKill(to: target)
    let all = try source.open(InterruptedCopyTests.databases[0])
    // The number of the transaction is no part of the printed checksum.
    try all.run("UPDATE parent SET writer = writer + 1 WHERE id = 2")
    try all.run("DELETE FROM child WHERE id > 100")
    let steps = try copyAgain(to: target)
    #expect(steps.first == .startedOver && copies("parent", in: steps))
  }

  @Test("nobody opens the target meanwhile", arguments: [false, true])
  func refused(_ isShared: Bool) async throws {
    guard let target = try target(isShared: isShared) else { return }
    try await copyAndKill(to: target)
    let store = try InterruptedCopyTests.store(target)
    for migrations in InterruptedCopyTests.databases {
      for found in [
        failure { _ = try store.open(migrations) }, failure { _ = try store.verify(migrations) },
        failure { _ = try store.missingSteps(migrations) },
      ] {
        #expect(found?.kind == .storage && found?.message.contains("incomplete copy") == true)
      }
    }
    let back = failure {
      try StoreCopy(InterruptedCopyTests.databases, from: store, to: source) { _ in }.run()
    }
    #expect(back?.message.contains("incomplete copy") == true)
  }

  @Test("a mark of a newer hw is refused, a damaged one starts over without a word")
  func marks() async throws {
    let target = scratch.file("b")
    try await copyAndKill(to: target)
    let mark = scratch.text("b/incomplete-copy")
    try scratch.write(mark.replacing("copy 1", with: "copy 2"), to: "b/incomplete-copy")
    #expect(failure { _ = try copyAgain(to: target) }?.message.contains("newer hw") == true)
    #expect(scratch.names("b").contains("all.db"))
    try scratch.write("\(mark)nonsense\n", to: "b/incomplete-copy")
    let steps = try copyAgain(to: target)
    #expect(copies("parent", in: steps) && !steps.contains(.continued(tables: 1)))
  }

  @Test("a line of the mark that was cut short does not count")
  func cutLine() async throws {
    let target = scratch.file("b")
    try await copyAndKill(to: target)
    try scratch.write(String(scratch.text("b/incomplete-copy").dropLast(3)), to: "b/incomplete-copy")
    #expect(copies("parent", in: try copyAgain(to: target)))
  }

  @Test(
    "a copy that failed for another reason than an interruption leaves nothing", arguments: [false, true])
  func otherFailures(_ isShared: Bool) throws {
    guard let target = try target(isShared: isShared) else { return }
    let all = try source.open(InterruptedCopyTests.databases[0])
    try all.run("INSERT INTO parent VALUES (9, CAST(x'ff' AS TEXT), 1)")
    let store = try InterruptedCopyTests.store(target)
    let found = failure {
      try StoreCopy(InterruptedCopyTests.databases, from: source, to: store) { _ in }.run()
    }
    #expect(found?.kind == .storage)
    #expect(try store.verify(InterruptedCopyTests.databases[0]) == nil && scratch.names("b") == [])
    if isShared, let schema = target.split(separator: "%3D").last {
      let left = "SELECT tablename FROM pg_tables WHERE schemaname = '\(schema)'"
      #expect(try PostgreSQLServer.shared?.execute(left) == "")
    }
    try all.run("DELETE FROM parent WHERE id = 9")
    #expect(copies("parent", in: try copyAgain(to: target)))
  }
}
