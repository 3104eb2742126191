import System
import TestSupport
import Testing

@testable import Store

/// What migrations and copies send to a server, in which order: other processes may do the same at that moment.
@Suite("Migrations of PostgreSQL", .enabled(if: (try? PostgreSQL.load()) != nil, "libpq is not installed"))
struct PostgreSQLMigrationsTests {
  private let server: PostgreSQLDouble
  private let engine: PostgreSQLEngine

  private static let migrations = Migrations("test", ["CREATE TABLE t (v INTEGER);"])
  private static let beginning = "  BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
  /// Until no other process migrates the schema.
  private static let waiting = [
    "  SELECT set_config('lock_timeout', '10min', true)",
    "  SELECT pg_advisory_xact_lock(hashtext('hw ' || current_schema()))",
  ]
  /// How a transaction begins that migrates or fills a schema.
  private let start = [PostgreSQLMigrationsTests.beginning] + PostgreSQLMigrationsTests.waiting
  private static let versionTable = "  script: CREATE TABLE IF NOT EXISTS hw_version"
  private static let steps = [
    "  script: CREATE TABLE t( v BIGINT);", "  INSERT INTO hw_version VALUES ($1, $2)",
  ]

  private static func has(_ table: String) -> String { "  SELECT to_regclass($1) IS NOT NULL (\(table))" }

  init() throws {
    server = try PostgreSQLDouble()
    engine = try PostgreSQLEngine(
      PostgreSQLAddress(server.address), environment: Environment([:]), time: FakeClock())
    _ = server.takeLog()
  }

  /// Whether the tables are there that the engine asks for next.
  private func respond(hasTable answers: Bool...) {
    for answer in answers { server.respond(to: "SELECT to_regclass", .rows([[.bool(answer)]])) }
  }

  /// The messages, without what begins every transaction. The end of a long one is left out.
  private func log() -> [String] {
    server.takeLog().filter { !["  sync", "  s1"].contains($0) && !$0.contains("txid_current()") }
      .map { line in
        let long = [PostgreSQLMigrationsTests.versionTable] + PostgreSQLMigrationsTests.steps
        return long.first { line.hasPrefix($0) } ?? line
      }
  }

  @Test("the steps are taken when no other process migrates or fills the schema")
  func steps() throws {
    respond(hasTable: false, false, false)
    server.respond(to: "SELECT version", .rows([]))
    try engine.migrate(PostgreSQLMigrationsTests.migrations)
    let mark = PostgreSQLMigrationsTests.has("hw_incomplete_copy")
    var expected = [mark, PostgreSQLMigrationsTests.has("hw_version")]
    expected += start + [mark] + PostgreSQLMigrationsTests.waiting
    expected += [PostgreSQLMigrationsTests.versionTable]
    expected += ["  SELECT version FROM hw_version WHERE suite = $1 (test)"]
    expected += PostgreSQLMigrationsTests.steps + ["  COMMIT"]
    #expect(log() == expected)
  }

  @Test("a copy that has begun during the wait is not migrated")
  func copyMeanwhile() throws {
    respond(hasTable: false, false, true)
    let found = failure { try engine.migrate(PostgreSQLMigrationsTests.migrations) }
    #expect(found == Failure.incompleteCopy(engine.name))
    #expect(Array(log().suffix(2)) == [PostgreSQLMigrationsTests.has("hw_incomplete_copy"), "  ROLLBACK"])
  }

  @Test("steps that another process has taken during the wait are not taken again")
  func stepsMeanwhile() throws {
    respond(hasTable: false, false, false)
    server.respond(to: "SELECT version", .rows([[.integer(1)]]))
    try engine.migrate(PostgreSQLMigrationsTests.migrations)
    let log = log()
    #expect(log.last == "  COMMIT" && !log.contains { PostgreSQLMigrationsTests.steps.contains($0) })
  }

  @Test("a right that is missing is reported to the user who starts the server")
  func rights() throws {
    respond(hasTable: false, false, false)
    server.respond(to: "CREATE TABLE", .error(state: "42501", "permission denied for schema public"))
    let found = failure { try engine.migrate(PostgreSQLMigrationsTests.migrations) }
    #expect(
      found
        == Failure(
          .unauthorized, "database '\(engine.name)': permission denied for schema public",
          hint: "hw needs the right to create tables and sequences in the first schema of the search_path"))
    #expect(log().last == "  ROLLBACK")
  }

  @Test("another failure is reported as it is")
  func otherFailures() throws {
    respond(hasTable: false, false, false)
    server.respond(to: "CREATE TABLE", .error(state: "53100", "no space left on device"))
    let found = failure { try engine.migrate(PostgreSQLMigrationsTests.migrations) }
    #expect(found?.kind == .storage && found?.isOutOfSpace == true)
  }

  @Test("a copy waits for migrations before it takes steps")
  func stepsOfACopy() throws {
    server.respond(to: "SELECT version", .rows([]))
    try engine.begin()
    try engine.takeMissingSteps(PostgreSQLMigrationsTests.migrations)
    engine.rollback()
    #expect(Array(log().prefix(4)) == start + [PostgreSQLMigrationsTests.versionTable])
  }

  private func begin() throws(Failure) -> PostgreSQLIncompleteCopy {
    try PostgreSQLIncompleteCopy.begin(on: engine, Database(engine), [], time: FakeClock())
  }

  @Test("a copy takes, empties and leaves a schema when no other process migrates it")
  func copy() throws {
    respond(hasTable: false)
    server.respond(to: "SELECT line", .rows([]))
    let copy = try begin()
    let mark = "hw_incomplete_copy"
    var expected = start
    expected += [PostgreSQLMigrationsTests.has(mark), "  script: CREATE TABLE \(mark) (line TEXT NOT NULL)"]
    expected += ["  COMMIT", "  prepare s2: SELECT line FROM \(mark)", "  s2"]
    expected += start + ["  prepare s3: DELETE FROM \(mark)", "  s3", "  COMMIT"]
    #expect(log() == expected)
    respond(hasTable: false)
    try copy.discard()
    expected = start
    expected += [PostgreSQLMigrationsTests.has("hw_version"), "  script: DROP TABLE \(mark)", "  COMMIT"]
    #expect(log() == expected)
  }

  @Test("a copy that is continued takes nothing away")
  func continuedCopy() throws {
    respond(hasTable: true)
    server.respond(to: "SELECT line", .rows([[.text("all 1 a 1:x")]]), .rows([[.text("all 1 a 1:x")]]))
    let copy = try begin()
    #expect(try copy.finished().map(\.line) == ["all 1 a 1:x"])
    #expect(!log().contains { $0.contains("script") || $0.contains("DELETE") })
  }
}
