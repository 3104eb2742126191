import System
import TestSupport
import Testing

@testable import Store

/// What migrations send to a server, in which order: other processes may do the same at that moment.
@Suite("Migrations of PostgreSQL", .needs(.libpq)) struct PostgreSQLMigrationsTests {
  private let server: PostgreSQLDouble
  private let engine: PostgreSQLEngine

  private static let migrations = Migrations("test", ["CREATE TABLE t (v INTEGER);"])
  private static let beginning = "  BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
  /// Until no other process migrates the schema.
  private static let waiting = [
    "  SELECT pg_catalog.set_config('lock_timeout', '10min', true), pg_catalog.pg_advisory_xact_l…"
  ]
  private static let versionTable = "  script: CREATE TABLE IF NOT EXISTS hw_version"
  private static let steps = [
    "  script: CREATE TABLE t( v BIGINT);", "  INSERT INTO hw_version VALUES ($1, $2)",
  ]

  init() throws {
    server = try PostgreSQLDouble()
    engine = try PostgreSQLEngine(server.address)
    _ = server.takeLog()
  }

  /// No database was migrated yet.
  private func respondWithoutVersions() { server.respond(to: "SELECT to_regclass", .rows([[.bool(false)]])) }

  /// The messages, without what begins every transaction. The end of a long one is left out.
  private func log() -> [String] {
    server.takeLog().filter { !["  sync", "  s1"].contains($0) && !$0.contains("txid_current()") }
      .map { line in
        let long = [PostgreSQLMigrationsTests.versionTable] + PostgreSQLMigrationsTests.steps
        return long.first { line.hasPrefix($0) } ?? line
      }
  }

  @Test func stepsAreTakenWhenNoOtherProcessMigratesOrFillsSchema() throws {
    respondWithoutVersions()
    server.respond(to: "SELECT version", .rows([]))
    try engine.migrate(PostgreSQLMigrationsTests.migrations)
    var expected = ["  SELECT to_regclass($1) IS NOT NULL (hw_version)", PostgreSQLMigrationsTests.beginning]
    expected += PostgreSQLMigrationsTests.waiting + [PostgreSQLMigrationsTests.versionTable]
    expected += ["  SELECT version FROM hw_version WHERE suite = $1 (test)"]
    expected += PostgreSQLMigrationsTests.steps + ["  COMMIT"]
    let log = log()
    #expect(log.first?.contains("proname") == true, "objects of others could change a later statement")
    #expect(Array(log.dropFirst()) == expected)
  }

  @Test func stepsThatAnotherProcessHasTakenDuringWaitAreNotTakenAgain() throws {
    respondWithoutVersions()
    server.respond(to: "SELECT version", .rows([[.integer(1)]]))
    try engine.migrate(PostgreSQLMigrationsTests.migrations)
    let log = log()
    #expect(log.last == "  COMMIT" && !log.contains { PostgreSQLMigrationsTests.steps.contains($0) })
  }

  @Test func rightThatIsMissingIsReportedToUserWhoStartsServer() throws {
    respondWithoutVersions()
    server.respond(to: " CREATE TABLE", .error(state: "42501", "permission denied for schema public"))
    let found = failure { try engine.migrate(PostgreSQLMigrationsTests.migrations) }
    #expect(
      found
        == Failure(
          .unauthorized, "database '\(engine.name)': permission denied for schema public",
          hint: "hw needs the right to create tables and sequences in the first schema of the search_path"))
    #expect(log().last == "  ROLLBACK")
  }

  @Test func anotherFailureIsReportedAsItIs() throws {
    respondWithoutVersions()
    server.respond(to: " CREATE TABLE", .error(state: "53100", "no space left on device"))
    let found = failure { try engine.migrate(PostgreSQLMigrationsTests.migrations) }
    #expect(found?.kind == .storage && found?.storageProblem == .full)
  }
}
