import CLibraries
import Foundation
import Synchronization
import System
import TestSupport
import Testing

@testable import Store

/// The engine on a server that responds as the test says.
@Suite(
  "The engine of PostgreSQL",
  .needs(.libpq))
struct PostgreSQLEngineTests {
  private let server: PostgreSQLDouble
  private let time = FakeClock()
  private let engine: PostgreSQLEngine
  private let database: Database

  init() throws {
    server = try PostgreSQLDouble()
    engine = try PostgreSQLEngine(
      PostgreSQLAddress(server.address), environment: Environment([:]), time: time)
    database = Database(engine)
    _ = server.takeLog()
  }

  private func insert(_ value: SQLValue) throws(Failure) -> Int {
    try database.run("INSERT INTO t VALUES (?)", [value])
  }

  @Test("a statement may be longer than the connection takes at once")
  func longStatement() throws {
    let text = String(repeating: "x", count: 4 << 20)
    #expect(try insert(.text(text)) == 1)
    #expect(server.takeLog() == ["  prepare s1: INSERT INTO t VALUES ($1)", "  s1 (\(text))", "  sync"])
  }

  @Test("columns are what the server says they are")
  func columns() throws {
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
    #expect(
      values == [
        ["a", -7, nil, 1, nil, nil, nil], ["é", .integer(.max), nil, 0, nil, nil, nil],
      ])
    // It has no values any more.
    #expect(try kept?[0].value == .null)
    #expect(failure { try kept?[0].appendText(to: &bytes) }?.kind == .storage)
  }

  @Test("no limit for a connection is too long")
  func longestLimit() throws {
    let address = try PostgreSQLAddress("\(server.address)&connect_timeout=\(Int.max)")
    let patient = try PostgreSQLEngine(address, environment: Environment([:]), time: time)
    try patient.check()
  }

  @Test("the server is asked whether it is there")
  func check() throws {
    let asked = ["  SELECT 1", "  sync"]
    try database.check()
    #expect(server.takeLog() == asked)
    try engine.checkThoroughly()
    #expect(server.takeLog() == asked)
    server.respond(to: "SELECT 1", .error(state: "XX000", "no"))
    #expect(failure { try database.check() } == Failure(.storage, "database '\(engine.name)': no"))
  }

  private static let identity = "  SELECT pg_backend_pid()::text || ' ' || now()::text"

  @Test("a snapshot ends with what was read, or with nothing")
  func snapshots() throws {
    func log() -> [String] {
      let log = server.takeLog()
      #expect(
        log.first?.hasPrefix("  script: BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL") == true)
      return Array(log.dropFirst())
    }
    let asked = [PostgreSQLEngineTests.identity, "  sync"]
    let result = try engine.snapshot { () throws(Failure) in
      server.noteMark("read")
      return 5
    }
    #expect(result == 5)
    #expect(log() == asked + ["  (read)"] + asked + ["  script: COMMIT"])
    let stop = Failure(.no, "stop")
    #expect(failure { try engine.snapshot { () throws(Failure) -> Void in throw stop } } == stop)
    #expect(log() == asked + ["  script: ROLLBACK"])
    server.respond(to: "SELECT pg_backend_pid()", .rows([[.text("77 a")]]), .rows([[.text("78 a")]]))
    #expect(
      failure { try engine.snapshot {} }
        == Failure(
          .storage, "the connection to '\(engine.name)' was lost",
          hint: "what was read is of two states; run the command again", retryable: true))
    #expect(log() == asked + asked + ["  script: ROLLBACK"])
  }

  /// The failure of a transaction whose queued change is refused each time it runs.
  private func failureOfQueuedChange(_ state: String) -> Failure? {
    let error = PostgreSQLDouble.Response.error(state: state, "no")
    server.respond(to: "INSERT", error, error, error, error, error)
    return failure {
      try database.transaction { () throws(Failure) in
        try database.enqueue("INSERT INTO t VALUES (?)", [1])
      }
    }
  }

  @Test("the failure of one change among many may be none the next time")
  func queuedFailure() throws {
    #expect(
      failureOfQueuedChange("22P02")
        == Failure(
          .storage, "database '\(engine.name)': no", retryable: true,
          cause: .storage(isRolledBack: true)))
    #expect(server.takeLog().count { $0.hasPrefix("  BEGIN") } == 5)
  }

  @Test("a change that is lost on a connection which was made for it may have been stored")
  func changeOnANewConnection() throws {
    server.respond(to: "INSERT", .cut, .cut, .cut)
    for _ in 0..<2 { #expect(failure { try insert(1) }?.outcomeUnknown == true) }
    let queued = failure { try database.enqueue("INSERT INTO t VALUES (?)", [1]) }
    #expect(queued?.outcomeUnknown == true)
    #expect(server.takeLog().count { $0.hasPrefix("  s1 (") } == 3)
    #expect(try insert(1) == 1)
  }

  @Test("so may one that is lost when it is sent again without a name")
  func changeThatIsSentAgain() throws {
    server.respond(to: "INSERT", .error(state: "26000", "no such statement"), .cut)
    let found = failure { try insert(1) }
    #expect(found?.outcomeUnknown == true)
    #expect(found?.hint == "whether the change was stored is unknown")
  }

  @Test("reading on a connection that is made for it and lost has changed nothing")
  func readingOnANewConnection() throws {
    server.respond(to: "INSERT", .cut)
    #expect(failure { try insert(1) }?.outcomeUnknown == true)
    server.respond(to: "SELECT 7", .cut)
    let found = failure { try database.first("SELECT 7") { _ in true } }
    #expect(found?.outcomeUnknown == false)
    #expect(found?.hint == "nothing was changed; it is made again with the next request")
  }

  @Test("what the server skips behind an error stays prepared")
  func skippedStatement() throws {
    #expect(try insert(1) == 1)
    server.respond(to: "DELETE", .error(state: "22P02", "no"))
    let found = failure {
      try database.transaction { () throws(Failure) in
        try database.enqueue("DELETE FROM t")
        _ = try insert(2)
      }
    }
    #expect(found == Failure(.storage, "database '\(engine.name)': no"))
    _ = server.takeLog()
    #expect(try insert(3) == 1)
    #expect(server.takeLog() == ["  s1 (3)", "  sync"])
  }

  @Test("a part that goes on after an error is undone, and the rest of the transaction is done")
  func partThatGoesOnAfterAnError() throws {
    server.respond(to: "INSERT", .error(state: "23514", "a check"))
    try database.transaction { () throws(Failure) in
      let part = failure {
        try database.transaction { () throws(Failure) in _ = failure { try insert(1) } }
      }
      #expect(part == Failure(.storage, "database '\(engine.name)' refused a row: a check"))
      let count = try insert(2)
      #expect(count == 1)
    }
    let log = server.takeLog()
    #expect(log.contains("  ROLLBACK TO part0") && log.contains("  COMMIT"))
  }

  @Test(
    "a server that cannot be used is no lock",
    arguments: [
      ("57P01", .unavailable), ("25006", .unavailable), ("42501", .denied), ("55P03", nil), ("40001", nil),
      ("22P02", nil),
    ] as [(String, Failure.StorageProblem?)])
  func unavailable(state: String, problem: Failure.StorageProblem?) throws {
    #expect(failureOfQueuedChange(state)?.storageProblem == problem)
  }

  @Test("reads are confirmed by something that the commit has to store")
  func confirmedReads() throws {
    try database.transaction { () throws(Failure) in
      _ = try database.first("SELECT v FROM t") { _ in true }
      try database.confirmReads()
    }
    let log = server.takeLog()
    #expect(log.suffix(3) == ["  SELECT pg_logical_emit_message(true, 'hw', '')", "  COMMIT", "  sync"])
    #expect(failure { try database.confirmReads() }?.kind == .defect)
  }

  @Test("a loss that repeats itself is a loss once")
  func repeatedLoss() throws {
    #expect(
      failureOfQueuedChange("40001")
        == Failure(
          .storage, "a transaction on '\(engine.name)' lost against another: no",
          hint: "nothing was changed; run the command again", retryable: true,
          cause: .storage(isRolledBack: true)))
  }

  @Test("a script among rows is run when the rest of them was read")
  func scriptAmongRows() throws {
    var seen: [Int] = []
    try database.each("SELECT v FROM t") { row throws(Failure) in
      seen.append(try row[0].integer)
      try engine.execute("CREATE TABLE b (c TEXT);")
    }
    #expect(seen == [1, 2])
    #expect(server.takeLog().count { $0.hasPrefix("  script: CREATE") } == 2)
  }

  @Test("more values than the protocol can count are no change that was done")
  func tooManyValues() throws {
    let places = Array(repeating: "(?)", count: 65_536).joined(separator: ", ")
    let values = Array(repeating: SQLValue.integer(1), count: 65_536)
    #expect(failure { try database.run("INSERT INTO t VALUES \(places)", values) }?.kind == .storage)
    #expect(try insert(1) == 1)
  }

  @Test("values are written so that they are read as they were")
  func values() throws {
    for value in [.real(.infinity), .real(-0.0), .integer(.min), "", "a\nb", nil] as [SQLValue] {
      #expect(try insert(value) == 1)
    }
    let shown = server.takeLog().filter { $0.hasPrefix("  s1 (") }
    #expect(
      shown == [
        "  s1 (Infinity)", "  s1 (-0.0)", "  s1 (-9223372036854775808)", "  s1 ()", "  s1 (a\nb)",
        "  s1 (null)",
      ])
    #expect(
      failure { try insert("a\0b") } == Failure(.usage, "PostgreSQL stores no text with a NUL character"))
    #expect(server.takeLog() == [])
  }

  @Test("a reason may have colons", arguments: ["password: wrong: 12345", "no entry for host \"::1\""])
  func reasons(_ reason: String) throws {
    server.refuse("28P01", reason)
    let address = try PostgreSQLAddress(server.address)
    let found = failure {
      try PostgreSQLEngine(address, environment: Environment([:]), time: FakeClock())
    }
    #expect(
      found
        == Failure(
          .unauthorized, "'\(address.name)' refuses the user: \(reason)",
          hint: "a password belongs in PGPASSFILE, PGPASSWORD or the variable that contains the address"))
  }

  @Test("what is no SQLSTATE is a part of the reason", arguments: ["X1", "28p01", "281000", "ABCDE"])
  func noState(_ state: String) throws {
    server.refuse(state, "odd")
    let address = try PostgreSQLAddress(server.address)
    let found = failure { try PostgreSQLEngine(address, environment: Environment([:]), time: time) }
    #expect(found?.kind == .connection)
    #expect(found?.message.hasSuffix(": ERROR:  \(state): odd") == true)
  }

  @Test("of several hosts that are not there each has its reason")
  func noHosts() throws {
    let directories = [try ScratchDirectory(), try ScratchDirectory()]
    let hosts = directories.map { $0.path.replacing("/", with: "%2F") }.joined(separator: ",")
    let address = try PostgreSQLAddress("postgresql:///hw?host=\(hosts)&user=hw")
    let found = failure { try PostgreSQLEngine(address, environment: Environment([:]), time: time) }
    #expect(found?.kind == .connection && found?.retryable == true)
    for directory in directories {
      #expect(found?.message.contains("\(directory.path)/.s.PGSQL.5432") == true)
    }
  }

  @Test("a server that refuses the first query is refused with its reason")
  func refusedSession() throws {
    server.respond(
      to: "SELECT current_setting('server_encoding')",
      .error(state: "42501", "permission denied for function pg_current_wal_lsn"))
    let address = try PostgreSQLAddress(server.address)
    let found = failure { try PostgreSQLEngine(address, environment: Environment([:]), time: time) }
    #expect(
      found
        == Failure(
          .unauthorized, "'\(address.name)' refuses: permission denied for function pg_current_wal_lsn",
          hint: "hw needs the right to create tables and sequences in the first schema of the search_path"))
  }

  @Test("the connection ends with its engine")
  func end() throws {
    _ = try PostgreSQLEngine(PostgreSQLAddress(server.address), environment: Environment([:]), time: time)
    var log: [String] = []
    try waitUntil("the end of the connection") {
      log += server.takeLog()
      return log.contains("end")
    }
  }

  @Test("a statement that counts no rows has changed none")
  func noChanges() throws {
    #expect(try database.run("TRUNCATE t") == 0)
  }

  @Test("a part takes back what it has queued since it was sent")
  func queuedBehindReading() throws {
    try database.transaction { () throws(Failure) in
      _ = failure {
        try database.transaction { () throws(Failure) in
          _ = try database.first("SELECT 7") { _ in true }
          try database.enqueue("INSERT INTO t VALUES (?)", [8])
          throw Failure(.no, "stop")
        }
      }
      try database.enqueue("INSERT INTO t VALUES (?)", [9])
    }
    let log = server.takeLog()
    #expect(!log.contains { $0.hasSuffix(" (8)") })
    #expect(log.count { $0.hasSuffix(" (9)") } == 1)
  }

  @Test("a part that reads and locks needs no savepoint")
  func locksInAPart() throws {
    // The second row is not there.
    server.respond(to: "SELECT v FROM t", .rows([[.integer(1)]]), .done("SELECT 0"), .done("SELECT 0"))
    try database.transaction { () throws(Failure) in
      try database.transaction { () throws(Failure) in
        for number in 1...2 {
          _ = try database.lock("SELECT v FROM t WHERE id = ?", [.integer(number)]) { _ in true }
        }
        try database.lock(named: "a")
      }
    }
    #expect(!server.takeLog().contains { $0.contains("SAVEPOINT") })
  }

  @Test("a transaction that has only read waits for its first lock")
  func lockAfterReading() throws {
    try database.transaction { () throws(Failure) in
      _ = try database.first("SELECT 7") { _ in true }
      _ = try database.lock("SELECT v FROM t WHERE id = ?", [1]) { _ in true }
    }
    let log = server.takeLog()
    #expect(log.contains { $0.hasSuffix("FOR UPDATE") } && !log.contains { $0.hasSuffix("SKIP LOCKED") })
  }

  @Test("a queued change that is refused ends the transaction, also where rows are read after it")
  func rowsBehindARefusedChange() throws {
    server.respond(to: "INSERT", .error(state: "23514", "a check"))
    let found = failure {
      try database.transaction { () throws(Failure) in
        try database.enqueue("INSERT INTO t VALUES (?)", [1])
        try database.each("SELECT v FROM t") { _ in }
      }
    }
    #expect(found == Failure(.storage, "database '\(engine.name)' refused a row: a check"))
    #expect(!server.takeLog().contains("  COMMIT"))
  }

  @Test("rows that were left on a connection which was then lost are not among those of the next run")
  func leftRows() throws {
    server.respond(to: "SELECT v", .rowsThenCut([[.integer(8)], [.integer(9)]]))
    let stop = Failure(.no, "stop")
    #expect(failure { try database.each("SELECT v FROM t") { _ throws(Failure) in throw stop } } == stop)
    let found = try database.rows("SELECT v FROM t") { row throws(Failure) in try row[0].integer }
    #expect(found == [1, 2])
  }

  @Test("the failure of one run is not that of the next")
  func failureOfTheRunBefore() throws {
    server.respond(to: "SELECT v", .rowsThenCut([[.integer(8)], [.integer(9)]]), .rows([]))
    let stop = Failure(.no, "stop")
    #expect(failure { try database.each("SELECT v FROM t") { _ throws(Failure) in throw stop } } == stop)
    #expect(try database.first("SELECT v FROM t") { row throws(Failure) in try row[0].integer } == nil)
  }

  @Test("a first row counts when the response is complete: else it is read again")
  func firstRowOfHalfAResponse() throws {
    server.respond(to: "SELECT v", .rowsThenCut([[.integer(8)], [.integer(9)]]))
    let found = try database.first("SELECT v FROM t") { row throws(Failure) in try row[0].integer }
    #expect(found == 1)
  }

  @Test("a script of a part is undone with it")
  func scriptInAPart() throws {
    try database.transaction { () throws(Failure) in
      try database.enqueue("INSERT INTO t VALUES (?)", [1])
      _ = failure {
        try database.transaction { () throws(Failure) in
          try engine.execute("CREATE TABLE b (c TEXT);")
          throw Failure(.no, "stop")
        }
      }
    }
    let log = server.takeLog()
    let savepoint = try #require(log.firstIndex(of: "  SAVEPOINT part0"))
    #expect(log[savepoint...].contains { $0.hasPrefix("  script: CREATE TABLE b") })
    #expect(log.contains("  ROLLBACK TO part0") && log.contains("  COMMIT"))
  }

  @Test("a script is not run in a transaction that has failed")
  func scriptAfterAnError() throws {
    server.respond(to: "INSERT", .error(state: "23514", "a check"))
    let refused = Failure(.storage, "database '\(engine.name)' refused a row: a check")
    let found = failure {
      try database.transaction { () throws(Failure) in
        _ = failure { try insert(1) }
        let script = failure { try engine.execute("CREATE TABLE b (c TEXT);") }
        #expect(script == refused)
      }
    }
    #expect(found == refused)
    #expect(!server.takeLog().contains { $0.hasPrefix("  script: CREATE") })
  }

  @Test("outside a transaction there is none to go on with")
  func noTransaction() throws {
    let undone = Failure(.storage, "the transaction on '\(engine.name)' was undone after an error")
    #expect(failure { try engine.checkTransaction() } == undone)
    try database.transaction { () throws(Failure) in try engine.checkTransaction() }
    #expect(failure { try engine.checkTransaction() } == undone)
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

  @Test("nothing is waited for beyond its limit")
  func limits() throws {
    let time = Rushing()
    let address = try PostgreSQLAddress(server.address)
    func connect() throws(Failure) -> PostgreSQLEngine {
      try PostgreSQLEngine(address, environment: Environment([:]), time: time)
    }
    let engine = try connect()
    let name = engine.name
    let database = Database(engine)
    // A connection has five seconds.
    time.rush(by: .seconds(5))
    #expect(
      failure { try connect() }
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
    try time.sleep(for: .milliseconds(100))
    #expect(try database.run("INSERT INTO t VALUES (1)") == 1)
  }

  @Test("variables name the hosts and the limit where the address does not")
  func variables() async {
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

  @Test("the version of the library is that of its functions")
  func libraryVersion() throws {
    let number = Int(try PostgreSQL.load().calls.pointee.libVersion())
    #expect(try Database.postgreSQLLibraryVersion() == "\(number / 10_000).\(number % 10_000)")
  }
}

/// Versions of a schema that a real server has.
@Suite("Versions on PostgreSQL", .needs(.postgresql))
struct PostgreSQLVersionTests {
  private static let migrations = Migrations(
    "test", base: 2, ["CREATE TABLE t (v INTEGER);", "CREATE TABLE u (v INTEGER);"])

  @Test(
    arguments: [
      (1, "is of an older hw: version 1, and this one reads from 2 on"), (2, nil), (3, nil),
      (4, "is of a newer hw: version 4, and this one reads up to 3"),
    ] as [(Int, String?)])
  func missingStepsAreTakenAndOtherVersionsAreRefused(version: Int, message: String?) throws {
    let address = try PostgreSQLAddress(try #require(PostgreSQLServer.shared).newSchema())
    let environment = Environment([:])
    let store = Store(address, environment: environment, time: SystemTime())
    let engine = try PostgreSQLEngine(address, environment: environment, time: SystemTime())
    try engine.execute(
      """
      CREATE TABLE hw_version (suite TEXT PRIMARY KEY, version BIGINT NOT NULL);
      INSERT INTO hw_version VALUES ('test', \(version));
      """)
    let found = failure { try store.open(PostgreSQLVersionTests.migrations) }
    #expect(found?.message == message.map { "'\(engine.name) (test)' \($0)" })
    #expect(found == nil || found?.kind == .storage)
    // What it lacked it has now.
    #expect(try engine.hasTable("u") == (version == 2) && !engine.hasTable("t"))
    let stored = try engine.value("SELECT version FROM hw_version")
    #expect(stored == .integer(message == nil ? 3 : version))
  }
}
