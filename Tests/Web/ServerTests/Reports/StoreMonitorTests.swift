import Foundation
import Store
import Synchronization
import System
import TestSupport
import Testing

@testable import Server

/// The examinations of a store, and what they find.
@Suite struct StoreMonitorTests {
  private func report(_ monitor: StoreMonitor) throws -> StoreMonitor.Report {
    monitor.request()
    return try waitFor("a report") { monitor.next() }
  }

  /// Until its report is taken, an examination is not over.
  @Test func concurrentRequestsShareOneExamination() throws {
    let count = Mutex(0)
    let monitor = try StoreMonitor {
      count.withLock { $0 += 1 }
      return .unreachable
    }
    #expect(monitor.next() == nil)
    for number in 1...2 {
      for _ in 1...3 { monitor.request() }
      #expect(try !report(monitor).isReachable)
      #expect(monitor.next() == nil && count.withLock { $0 } == number)
    }
  }

  /// After a change met a full disk, the store counts as full until something can be written.
  @Test(.needs(.libsqlite3))
  func fullStoreIsWrittenToUntilThatSucceeds() throws {
    let scratch = try ScratchDirectory()
    let store = Store(folder: scratch.path, waitsForLocks: false, time: FakeClock())
    let database = try store.open(UserTable.migrations)
    let monitor = try StoreMonitor(store)
    #expect(try report(monitor).isFull == false)
    #expect(try #require(report(monitor).free) > 0)
    monitor.noteFull()
    try database.transaction { () throws(Failure) in
      try database.run("INSERT INTO former_user VALUES ('ann', 1)")
      // Nothing can be written meanwhile, and nobody knows better.
      #expect((try? report(monitor))?.isFull == true)
    }
    #expect(try report(monitor).isFull == false)
    #expect(try UserTable(store).former(before: Timestamp(seconds: 9)) == ["ann"])
  }

  @Test(.needs(.libsqlite3))
  func storeThatHasLostADatabaseCannotBeReached() throws {
    let scratch = try ScratchDirectory()
    let store = Store(folder: scratch.path, time: FakeClock())
    let migrations = Migrations("things", ["CREATE TABLE thing (id INTEGER)"])
    let (users, things) = (try UserTable(store), try store.open(migrations))
    let monitor = try StoreMonitor(store, [migrations, Migrations("never", [])])
    #expect(try report(monitor).isReachable)
    try FileManager.default.removeItem(atPath: scratch.file("things.db"))
    #expect(try !report(monitor).isReachable)
    withExtendedLifetime((users, things)) {}
  }

  @Test func aStoreInMemoryIsReachable() throws {
    #expect(try report(StoreMonitor(.memory(time: FakeClock()))).isReachable)
  }

  /// A server does not read the files of a store that is restored while it runs.
  @Test(.needs(.libsqlite3))
  func aStoreWithoutItsFilesCannotBeReached() throws {
    let scratch = try ScratchDirectory()
    let store = Store(folder: scratch.file("data"), time: FakeClock())
    let monitor = try StoreMonitor(store)
    var open: [UserTable] = []
    for isFirst in [true, false] {
      #expect(try !report(monitor).isReachable)
      open.append(try UserTable(store))
      #expect(try report(monitor).isReachable == isFirst)
      try FileManager.default.removeItem(atPath: scratch.file("data"))
    }
    withExtendedLifetime(open) {}
  }
}
