import CLibraries
import Foundation
import Synchronization
import System
import TestSupport
import Testing

@testable import Store

/// The engine on a server that responds as the test says.
@Suite("The engine of PostgreSQL", .needs(.libpq)) struct PostgreSQLEngineTests {
  private let server: PostgreSQLDouble
  private let time = FakeClock()
  private let engine: PostgreSQLEngine
  private let database: Database

  init() throws {
    server = try PostgreSQLDouble()
    engine = try PostgreSQLEngine(server.address, time: time)
    database = Database(engine, FakeClock())
    _ = server.takeLog()
  }

  private func insert(_ value: SQLValue) throws(Failure) -> Int {
    try database.run("INSERT INTO t VALUES (?)", [value])
  }

  @Test func statementMayBeLongerThanConnectionTakesAtOnce() throws {
    let text = String(repeating: "x", count: 1 << 20)
    #expect(try insert(.text(text)) == 1)
    #expect(server.takeLog() == ["  prepare s1: INSERT INTO t VALUES ($1)", "  s1 (\(text))", "  sync"])
  }

  @Test func columnsAreWhatServerSaysTheyAre() throws {
    server.respond(
      to: "SELECT v FROM t",
      .rows([
        [.text("a"), .integer(-7), .null, .bool(true)], [.text("é"), .integer(.max), .null, .bool(false)],
      ]))
    var bytes: [UInt8] = []
    var values: [[SQLValue]] = []
    var kept: ResultRow?
    try database.each("SELECT v FROM t") { row throws(Failure) in
      try row[0].appendText(to: &bytes)
      for column in [1, 2, 3, 4, -1] {
        let found = failure { try row[column].appendText(to: &bytes) }
        #expect(found?.kind == .storage && found?.hint == "it was left as it is; restore it from a backup")
        #expect(found?.message.hasPrefix("database '\(engine.name)' is damaged: column ") == true)
        #expect(found?.message.hasSuffix(" of a row is not text") == true)
      }
      values.append([])
      for column in [0, 1, 2, 3, 4, -1, .max] {
        values[values.count - 1].append(try row[column].value)
      }
      kept = row
    }
    #expect(bytes == Array("aé".utf8))
    #expect(values == [["a", -7, nil, 1, nil, nil, nil], ["é", .integer(.max), nil, 0, nil, nil, nil]])
    // It has no values any more.
    #expect(try kept?[0].value == .null)
    #expect(failure { try kept?[0].appendText(to: &bytes) }?.kind == .storage)
  }

  @Test func moreValuesThanProtocolCanCountAreNoChangeThatWasDone() throws {
    let places = Array(repeating: "(?)", count: 65_536).joined(separator: ", ")
    let values = Array(repeating: SQLValue.integer(1), count: 65_536)
    #expect(failure { try database.run("INSERT INTO t VALUES \(places)", values) }?.kind == .storage)
    #expect(try insert(1) == 1)
  }

  @Test func ofSeveralHostsThatAreNotThereEachHasItsReason() throws {
    let directories = [try ScratchDirectory(), try ScratchDirectory()]
    let hosts = directories.map { $0.path.replacing("/", with: "%2F") }.joined(separator: ",")
    let found = failure { try PostgreSQLEngine("postgresql:///hw?host=\(hosts)&user=hw", time: time) }
    #expect(found?.kind == .connection && found?.retryable == true)
    for directory in directories {
      #expect(found?.message.contains("\(directory.path)/.s.PGSQL.5432") == true)
    }
  }

  @Test func serverThatRefusesFirstQueryIsRefusedWithItsReason() throws {
    server.respond(
      to: "SELECT pg_catalog.current_setting('server_encoding')",
      .error(state: "42501", "permission denied for function pg_current_wal_lsn"))
    let found = failure { try PostgreSQLEngine(server.address, time: time) }
    #expect(
      found
        == Failure(
          .unauthorized, "'\(engine.name)' refuses: permission denied for function pg_current_wal_lsn",
          hint: "hw needs the right to create tables and sequences in the first schema of the search_path"))
  }

  @Test func connectionEndsWithItsEngine() throws {
    _ = try PostgreSQLEngine(server.address, time: time)
    var log: [String] = []
    try waitUntil("the end of the connection") {
      log += server.takeLog()
      return log.contains("end")
    }
  }

  /// Clocks that go on by a step whenever somebody looks at them.
  private final class Rushing: TimeKeeper {
    private let state = Mutex((uptime: Duration.seconds(1000), step: Duration.zero))

    func rush(by step: Duration) { state.withLock { $0.step = step } }
    func now() -> Timestamp { FakeClock.start }
    func sleep(for duration: Duration) throws(Failure) { state.withLock { $0.uptime += duration } }

    func uptime() -> Duration {
      state.withLock { state in
        state.uptime += state.step
        return state.uptime
      }
    }
  }

  @Test func connectionAndStatementHaveTimeLimits() throws {
    let time = Rushing()
    let engine = try PostgreSQLEngine(server.address, time: time)
    let name = engine.name
    let database = Database(engine, FakeClock())
    // A connection has five seconds.
    time.rush(by: .seconds(5))
    #expect(
      failure { try PostgreSQLEngine(server.address, time: time) }
        == Failure(
          .connection, "cannot connect to '\(name)': no response in time",
          hint: "check host, port and TLS with 'psql', which takes the same address", retryable: true))
    // A statement has two minutes.
    time.rush(by: .seconds(120))
    #expect(
      failure { try database.run("INSERT INTO t VALUES (1)") }
        == Failure(
          .storage, "the connection to '\(name)' was lost during a commit",
          hint: "whether the change was stored is unknown", retryable: true, outcomeUnknown: true))
    #expect(
      failure { try database.run("INSERT INTO t VALUES (1)") }
        == Failure(
          .storage, "cannot connect to '\(name)': no response in time",
          hint: "nothing was changed; run the command again", retryable: true,
          cause: .storage(.unavailable)))
    time.rush(by: .zero)
    // The pause before the next attempt has grown with each failed one.
    try time.sleep(for: .seconds(5))
    #expect(try database.run("INSERT INTO t VALUES (1)") == 1)
  }

  @Test func variablesNameHostsAndLimitWhereAddressDoesNot() async {
    await #expect(processExitsWith: .success) {
      for (name, value) in [("PGHOST", "a,b"), ("PGPORT", "1,2"), ("PGCONNECT_TIMEOUT", "7")] {
        setenv(name, value, 1)
      }
      func attempts(_ text: String) throws -> (hosts: [[String]], limit: Duration) {
        let attempts = try PostgreSQLAddress(text).attempts(Environment([:]))
        let hosts = attempts.parameters.map { parameters in
          parameters.filter { ["host", "port"].contains($0.keyword) }.map { "\($0.keyword)=\($0.value)" }
        }
        return (hosts, attempts.limit)
      }
      let usual = try attempts("postgresql:///db")
      #expect(usual.hosts == [["host=a", "port=1"], ["host=b", "port=2"]] && usual.limit == .seconds(7))
      let own = try attempts("postgresql://c:3,d:4/db?connect_timeout=2")
      #expect(own.hosts == [["host=c", "port=3"], ["host=d", "port=4"]] && own.limit == .seconds(2))
      #expect(try attempts("postgresql://c/db").hosts == [[]])
    }
  }
}

/// Versions of a schema that a real server has.
@Suite("Versions on PostgreSQL", .needs(.postgresql)) struct PostgreSQLVersionTests {
  private static let migrations = Migrations(
    "test", base: 2, ["CREATE TABLE t (v INTEGER);", "CREATE TABLE u (v INTEGER);"])

  @Test(
    arguments: [
      (1, "is of an older hw: version 1, and this one reads from 2 on"), (2, nil), (3, nil),
      (4, "is of a newer hw: version 4, and this one reads up to 3"),
    ] as [(Int, String?)])
  func missingStepsAreTakenAndOtherVersionsAreRefused(version: Int, message: String?) throws {
    let address = try #require(PostgreSQLServer.shared).newSchema()
    let store = try Store(postgreSQL: address)
    let engine = try PostgreSQLEngine(address, time: SystemTime())
    try engine.execute(
      """
      CREATE TABLE hw_version (suite TEXT COLLATE "C" PRIMARY KEY, version BIGINT NOT NULL);
      INSERT INTO hw_version VALUES ('test', \(version));
      CREATE TABLE t (v BIGINT); \(version == 3 ? "CREATE TABLE u (v BIGINT);" : "")
      """)
    let found = failure { try store.open(PostgreSQLVersionTests.migrations) }
    #expect(found?.message == message.map { "'\(engine.name) (test)' \($0)" })
    #expect(found == nil || found?.kind == .storage)
    // What it lacked it has now.
    #expect(try engine.hasTable("u") == (message == nil))
    let stored = try engine.value("SELECT version FROM hw_version")
    #expect(stored == .integer(message == nil ? 3 : version))
  }
}
