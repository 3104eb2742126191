import Foundation
import Store
import Synchronization
import System
import TestSupport
import Testing

@testable import Server

/// The examinations of a store, and what they find.
@Suite struct StoreMonitorTests {
  private func next(_ monitor: StoreProbe) throws -> (
    report: StoreProbe.Report?, examination: StoreProbe.Examination
  ) {
    try waitFor("a report") { monitor.next() }
  }

  /// A request that comes during an examination waits for that one, if it examines enough.
  @Test func concurrentRequestsShareOneExamination() throws {
    let seen = Mutex<[StoreProbe.Examination]>([])
    let monitor = try StoreProbe { examination in
      seen.withLock { $0.append(examination) }
      return examination == .numbers ? nil : StoreProbe.Report()
    }
    #expect(monitor.next() == nil)
    // Until its report is taken, an examination is not over.
    for examination in [
      StoreProbe.Examination.reachability, .reachability, .numbers, .numbers, .reachability,
    ] {
      monitor.request(examination)
    }
    let first = try next(monitor)
    #expect(first.examination == .reachability && first.report != nil)
    // That of the numbers is still to come.
    monitor.request(.reachability)
    monitor.request(.numbers)
    let second = try next(monitor)
    #expect(second.examination == .numbers && second.report == nil)
    #expect(seen.withLock { $0 } == [.reachability, .numbers])
    monitor.request(.numbers)
    monitor.request(.reachability)
    #expect(try next(monitor).examination == .numbers)
    monitor.request(.reachability)
    #expect(try next(monitor).examination == .reachability)
    #expect(monitor.next() == nil)
    #expect(seen.withLock { $0 } == [.reachability, .numbers, .numbers, .reachability])
  }

  private static func gauge(_ name: String, _ sql: String) -> StoredGauge {
    StoredGauge(name, name, in: UserTable.migrations, sql)
  }

  @Test(.needs(.libsqlite3))
  func examinationReportsGaugesAndSize() throws {
    let scratch = try ScratchDirectory()
    let store = Store(folder: scratch.path, time: FakeClock())
    let users = try UserTable(store)
    for (name, isAdmin) in [("ann", false), ("ben", true), ("cid", false)] {
      try users.add(
        .init(user: User(name, isAdmin: isAdmin), added: Timestamp(seconds: 0)), token: "token of \(name)")
    }
    let monitor = try StoreProbe(
      store,
      [
        Self.gauge("hw_admins", "SELECT count(*) FROM server_user WHERE admin = 1"),
        Self.gauge("hw_nothing", "SELECT admin FROM server_user WHERE name = 'dan'"),
      ])
    monitor.request(.numbers)
    let numbers = try #require(try next(monitor).report)
    #expect(numbers.gauges.map(\.gauge.name) == ["hw_users", "hw_admins", "hw_nothing"])
    #expect(numbers.gauges.map(\.value) == [3, 1, 0])
    #expect(try #require(numbers.size) > 0)
    monitor.request(.reachability)
    let reachability = try #require(try next(monitor).report)
    #expect(reachability.gauges.isEmpty && reachability.size == nil)
    try users.remove("ann", at: Timestamp(seconds: 0))
    monitor.request(.numbers)
    #expect(try next(monitor).report?.gauges.map(\.value) == [2, 1, 0])
  }

  @Test(.needs(.libsqlite3))
  func aStoreWithoutItsFilesCannotBeReached() throws {
    let scratch = try ScratchDirectory()
    let store = Store(folder: scratch.file("data"), time: FakeClock())
    let monitor = try StoreProbe(store, [])
    for examination in [StoreProbe.Examination.reachability, .numbers] {
      monitor.request(examination)
      #expect(try next(monitor).report == nil)
    }
    let users = try UserTable(store)
    monitor.request(.numbers)
    #expect(try next(monitor).report?.gauges.map(\.value) == [0])
    withExtendedLifetime(users) {}
  }

  /// After a change met a full disk, the store counts as full until something can be written.
  @Test(.needs(.libsqlite3))
  func fullStoreIsWrittenToUntilThatSucceeds() throws {
    let scratch = try ScratchDirectory()
    let store = Store(folder: scratch.path, waitsForLocks: false, time: FakeClock())
    let database = try store.open(UserTable.migrations)
    let monitor = try StoreProbe(store, [])
    func report() throws -> StoreProbe.Report? {
      monitor.request(.reachability)
      return try next(monitor).report
    }
    #expect(try report()?.isFull == false)
    #expect(try #require(report()?.free) > 0)
    monitor.noteFull()
    try database.transaction { () throws(Failure) in
      try database.run("INSERT INTO former_user VALUES ('ann', 1)")
      // Nothing can be written meanwhile, and nobody knows better.
      #expect((try? report())??.isFull == true)
    }
    #expect(try report()?.isFull == false)
    #expect(try UserTable(store).former(before: Timestamp(seconds: 9)) == ["ann"])
  }

  @Test func aStoreInMemoryHasNoNumbers() throws {
    let monitor = try StoreProbe(.memory(time: FakeClock()), [Self.gauge("hw_broken", "nonsense")])
    monitor.request(.numbers)
    let report = try #require(try next(monitor).report)
    #expect(report.gauges.isEmpty && report.size == nil)
  }

  @Test(.needs(.libsqlite3))
  func unreadableGaugeMeansNoReport() throws {
    let scratch = try ScratchDirectory()
    let store = Store(folder: scratch.path, time: FakeClock())
    let users = try UserTable(store)
    let monitor = try StoreProbe(store, [Self.gauge("hw_broken", "SELECT x FROM nowhere")])
    monitor.request(.numbers)
    #expect(try next(monitor).report == nil)
    monitor.request(.reachability)
    #expect(try next(monitor).report != nil)
    withExtendedLifetime(users) {}
  }

  /// Not with the files that were there before.
  @Test(.needs(.libsqlite3))
  func restoredStoreIsReadAgain() throws {
    let scratch = try ScratchDirectory()
    let store = Store(folder: scratch.file("data"), time: FakeClock())
    func add(_ names: [String]) throws {
      let users = try UserTable(store)
      for name in names {
        let user = User(name, isAdmin: false)
        try users.add(.init(user: user, added: Timestamp(seconds: 0)), token: "token of \(name)")
      }
    }
    try add(["ann", "ben"])
    let monitor = try StoreProbe(store, [])
    monitor.request(.numbers)
    #expect(try next(monitor).report?.gauges.map(\.value) == [2])
    try FileManager.default.removeItem(atPath: scratch.file("data"))
    monitor.request(.reachability)
    #expect(try next(monitor).report == nil)
    try add(["cid"])
    monitor.request(.numbers)
    #expect(try next(monitor).report?.gauges.map(\.value) == [1])
  }
}
