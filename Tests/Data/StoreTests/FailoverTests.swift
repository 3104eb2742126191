import Foundation
import System
import TestSupport
import Testing

@testable import Store

/// What a crash of the server or a failover does to transactions and to readers of changes.
@Suite("Failover", .ownThread, .needs(.postgresql)) struct FailoverTests {
  private let migrations = Migrations(
    "test",
    [
      "CREATE TABLE t (v INTEGER, writer INTEGER NOT NULL); CREATE TABLE n (v INTEGER); INSERT INTO n VALUES (0);"
    ])

  private func open(_ address: String) throws -> Database {
    try Store(postgreSQL: address).open(migrations)
  }

  private func insert(_ value: Int, _ database: Database) throws(Failure) {
    try database.enqueue("INSERT INTO t VALUES (?, txid_current())", [.integer(value)])
  }

  /// A crash forgets the numbers of transactions that stored nothing: others get the same numbers.
  @Test("a commit that a crash prevented is not confused with a later transaction of the same number")
  func reusedNumbers() throws {
    let server = try PostgreSQLServer()
    let (database, other) = (try open(server.address()), try open(server.address()))
    var wasReused = false
    for value in 1...20 where !wasReused {
      var attempts = 0
      let failure = failure {
        try database.transaction { () throws(Failure) in
          attempts += 1
          let number = try database.lock("SELECT v, txid_current() FROM n") { row throws(Failure) in
            try row[1].integer
          }
          guard attempts == 1, let number else { return try insert(value, database) }
          var last = 0
          // It throws errors of the test, which end the test.
          do {
            try server.stop()
            try server.start()
            while last < number {
              last = try other.transaction { () throws(Failure) in
                try other.run("UPDATE n SET v = v + 1")
                return try other.integer("SELECT txid_current()") ?? 0
              }
            }
          } catch {
            throw Failure(.defect, "\(error)")
          }
          wasReused = last == number
          try insert(value, database)
        }
      }
      let rows = try other.integer("SELECT count(*) FROM t WHERE v = \(value)")
      if failure == nil {
        #expect(rows == 1)
      } else {
        #expect(failure?.outcomeUnknown == true, "\(String(describing: failure))")
      }
    }
    #expect(wasReused)
  }

  @Test func standbyIsReadAndNotWritten() throws {
    let server = try PostgreSQLServer()
    _ = try open(server.address())
    let standby = try PostgreSQLServer(standbyOf: server, name: "standby")
    let reader = try Store(postgreSQL: standby.address())
    #expect(try reader.contains(migrations) && reader.missingSteps(migrations) == [])
    let tables = try reader.verify(migrations)
    #expect(tables?.map(\.table) == ["t", "n"])
    #expect(try tables == Store(postgreSQL: server.address()).verify(migrations))
    let database = try reader.openForReading(migrations)
    #expect(try database.integer("SELECT v FROM n") == 0)
    let refused = failure { try reader.open(migrations) }
    #expect(refused?.kind == .storage && refused?.message.contains("read-only") == true)
    // The primary may have what the standby lacks.
    let both = try Store(postgreSQL: standby.address(or: server)).openForReading(migrations)
    #expect(try both.run("UPDATE n SET v = 1") == 1)
  }

  /// Its connection is lost while it waits for a standby that is away; then everybody sees it.
  @Test func commitThatNoStandbyHasIsNotReportedAsDone() throws {
    let server = try PostgreSQLServer(settings: ["synchronous_standby_names=away"])
    let local = server.address().replacing("options=", with: "options=-csynchronous_commit%3Dlocal%20")
    _ = try open(local)
    let database = try open(server.address())
    let isWaiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    Thread.detachNewThread {
      try? waitUntil("the commit to wait for the standby") {
        try server.execute("SELECT count(pg_terminate_backend(pid)) \(isWaiting)") == "1"
      }
    }
    let lost = failure { try database.transaction { () throws(Failure) in try insert(1, database) } }
    #expect(lost?.outcomeUnknown == true, "\(String(describing: lost))")
    #expect(try database.integer("SELECT count(*) FROM t") == 1)
  }

  @Test func afterCrashOrFailoverReaderOfChangesBeginsAnew() throws {
    let server = try PostgreSQLServer()
    let (reader, writer) = (try open(server.address()), try open(server.address()))
    // A crash forgets numbers, unless the server has noted them meanwhile, as it does every 15 seconds: then the reader's
    // mark is above that of the next writer.
    var isForgotten = false
    for _ in 1...10 where !isForgotten {
      for _ in 1...10 { _ = try writer.first("SELECT txid_current()") { _ in true } }
      let before = try reader.changeMark()
      #expect(try reader.changeMark() == before)
      try server.stop()
      try server.start()
      try writer.transaction { () throws(Failure) in try insert(1, writer) }
      let crashed = try reader.changeMark()
      #expect(crashed != before && crashed.history != before.history)
      isForgotten = try reader.integers("SELECT v FROM t WHERE writer >= \(before.floor)").isEmpty
    }
    #expect(isForgotten)

    let standby = try PostgreSQLServer(standbyOf: server, name: "standby")
    let pair = try open(standby.address(or: server, schema: "public"))
    let primary = try pair.changeMark()
    try server.kill()
    try standby.promote()
    #expect(try pair.changeMark().history != primary.history)
  }

  /// Such as one of a machine without power, or whose process is stopped.
  @Test func unresponsiveHostIsSkipped() throws {
    let server = try #require(PostgreSQLServer.shared)
    let silent = try ScratchDirectory()
    let listener = try Loopback.listen(at: silent.file(".s.PGSQL.5432"))
    defer { close(listener) }
    let schema = try server.newSchema()
    let host = server.directory.path.replacing("/", with: "%2F")
    let hosts = "\(silent.path.replacing("/", with: "%2F")),\(host)"
    let address = schema.replacing("host=\(host)", with: "host=\(hosts)").replacing(
      "port=5432", with: "port=5432,5432&connect_timeout=2")
    let database = try open(address)
    #expect(try database.integer("SELECT v FROM n") == 0)
  }
}
