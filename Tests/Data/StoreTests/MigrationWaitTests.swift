import Dispatch
import Synchronization
import System
import TestSupport
import Testing

@testable import Store

/// A process that opens a database of an earlier version while another one migrates it.
@Suite("Waits for migrations", installed) struct MigrationWaitTests {
  private let scratch: ScratchDirectory
  private static let steps = ["CREATE TABLE t (v INTEGER);", "INSERT INTO t VALUES (1);"]
  private static let migrations = Migrations("test", steps)

  init() throws {
    scratch = try ScratchDirectory()
    _ = try Store(folder: scratch.path, time: FakeClock()).open(MigrationWaitTests.migrations.upTo(1))
  }

  /// Opens the database on clocks that call `onSleep`; returns the reported waits.
  private func open(_ onSleep: @escaping @Sendable (Duration) throws(Failure) -> Void) throws -> [String] {
    let reports = Mutex<[String]>([])
    _ = try Store(folder: scratch.path, time: FakeClock(onSleep: onSleep))
      .reportingWaits { line in reports.withLock { $0.append(line) } }.open(MigrationWaitTests.migrations)
    return reports.withLock { $0 }
  }

  /// Another connection that has begun to migrate, and ends when the clocks have moved on by `duration`.
  private final class Migrating: Sendable {
    private let engine: UncheckedTransfer<SQLiteEngine>
    private let left: Mutex<Duration>

    init(_ path: String, for duration: Duration) throws {
      let engine = try SQLiteEngine(.file(path), time: FakeClock())
      try engine.begin()
      self.engine = UncheckedTransfer(engine)
      left = Mutex(duration)
    }

    func sleep(_ duration: Duration) throws(Failure) {
      let isOver = left.withLock { left in
        defer { left -= duration }
        return left > .zero && left <= duration
      }
      guard isOver else { return }
      try engine.value.execute("\(MigrationWaitTests.steps[1]) PRAGMA user_version = 2")
      try engine.value.commit()
    }
  }

  @Test func itWaitsForMinutesSaysSoOnceAndFindsMigratedDatabase() throws {
    let other = try Migrating(scratch.file("test.db"), for: .seconds(300))
    let reports = try open { duration throws(Failure) in try other.sleep(duration) }
    #expect(reports.count == 1 && reports.first?.contains("test.db' is locked") == true)
    let database = try Store(folder: scratch.path, time: FakeClock()).open(MigrationWaitTests.migrations)
    #expect(try database.integer("SELECT count(*) FROM t") == 1, "the step was taken once")
  }

  /// Each reads the version and the tables that belong to it at one instant.
  @Test func manyOpenADatabaseThatOneOfThemMigrates() throws {
    // Many, so that the comparison takes longer than the migration.
    let first = (1...200).map { "CREATE TABLE t\($0) (v INTEGER);" }.joined()
    let tables = Migrations("test", [first, "CREATE TABLE u (v INTEGER);"])
    let failures = Mutex<[String]>([])
    for round in 1...5 {
      let folder = scratch.file("\(round)")
      _ = try Store(folder: folder, time: SystemTime()).open(tables.upTo(1))
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        let found = failure { _ = try Store(folder: folder, time: SystemTime()).open(tables) }
        if let found { failures.withLock { $0.append(found.message) } }
      }
    }
    #expect(failures.withLock { $0 } == [])
  }

  @Test func shortWaitIsNotWorthMessage() throws {
    let other = try Migrating(scratch.file("test.db"), for: .seconds(2))
    #expect(try open { duration throws(Failure) in try other.sleep(duration) } == [])
  }

  @Test func lockThatIsNeverReleasedEndsWait() throws {
    let other = try Migrating(scratch.file("test.db"), for: .seconds(100_000))
    let found = failure { try open { duration throws(Failure) in try other.sleep(duration) } }
    #expect(found?.kind == .storage && found?.message.contains("locked by another process") == true)
    _ = other
  }
}
