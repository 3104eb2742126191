import Foundation
import System
import TestSupport
import Testing

@testable import Store

/// Prepared statements and settings on connections that a pool lends for one transaction.
@Suite("PostgreSQL pools", .needs(.pgbouncer, .postgresql)) struct PostgreSQLPoolTests {
  private static let migrations = Migrations("test", ["CREATE TABLE t (v INTEGER);"])

  private func open(_ address: String) throws -> Database {
    try Store(postgreSQL: address).open(PostgreSQLPoolTests.migrations)
  }

  @Test func noStatementIsRunInPlaceOfAnother() throws {
    let server = try #require(PostgreSQLServer.shared)
    try server.execute("CREATE DATABASE lent")
    let pool = try PgBouncer(server, connections: 3)
    let databases = try (0..<3).map { _ in try open(pool.address(database: "lent")) }
    for round in 0..<20 {
      for (index, database) in databases.enumerated() {
        // Each has prepared other statements before.
        for number in 0...index {
          let found = try database.first("SELECT ? + \(number)", [.integer(round)]) { row throws(Failure) in
            try row[0].integer
          }
          #expect(found == round + number)
        }
        try database.transaction { () throws(Failure) in
          try database.enqueue("INSERT INTO t VALUES (?)", [.integer(round * 3 + index)])
        }
      }
    }
    #expect(try databases[0].integers("SELECT v FROM t ORDER BY v") == Array(0..<60))
  }

  /// The connections of a pool keep their search_path, so all of its schemas are examined.
  @Test func codeOfAnotherRoleBehindPoolIsRefused() throws {
    let server = try #require(PostgreSQLServer.shared)
    try server.execute("CREATE DATABASE shared")
    try server.execute(
      """
      ALTER DATABASE shared SET search_path = public, town, pg_catalog; CREATE SCHEMA town; CREATE ROLE stranger;
      CREATE TABLE town.log (v bigint);
      CREATE FUNCTION town.spy(name, name) RETURNS bool LANGUAGE sql AS 'INSERT INTO town.log VALUES (1); SELECT true';
      ALTER FUNCTION town.spy OWNER TO stranger;
      CREATE OPERATOR town.= (LEFTARG = name, RIGHTARG = name, FUNCTION = town.spy);
      """, database: "shared")
    let pool = try PgBouncer(server, connections: 2)
    let refused = failure { _ = try open(pool.address(database: "shared")) }
    #expect(refused?.message.hasSuffix("a function or operator of another role") == true, "\(refused as Any)")
    #expect(try server.execute("SELECT count(*) FROM town.log", database: "shared") == "0")
    let path = try Database(
      PostgreSQLEngine(pool.address(database: "shared"), time: SystemTime()), SystemTime()
    )
    .text("SHOW search_path")
    #expect(path == "public, town, pg_catalog")
  }

  @Test func settingsOfTransactionEndWithIt() throws {
    let server = try #require(PostgreSQLServer.shared)
    try server.execute("CREATE DATABASE set")
    let pool = try PgBouncer(server, connections: 2)
    let database = try open(pool.address(database: "set"))
    let setting = "SELECT current_setting('lock_timeout')"
    for _ in 0..<6 {
      try database.transaction { () throws(Failure) in
        try database.run("INSERT INTO t VALUES (1)")
        #expect(try database.text(setting) == "5s")
      }
      #expect(try database.text(setting) == "0")
    }
  }
}

/// What happens to prepared statements on any connection.
@Suite("Prepared statements of PostgreSQL", .needs(.postgresql)) struct PreparedStatementTests {
  private func engine() throws -> PostgreSQLEngine {
    try PostgreSQLEngine(try #require(PostgreSQLServer.shared).newSchema(), time: SystemTime())
  }

  @Test func nameOfStatementDependsOnItsTextAlone() throws {
    let (a, b) = (try engine(), try engine())
    let texts = (0..<100).map { "SELECT \($0)" }
    let names = texts.map { a.namedCommand($0).name }
    #expect(texts.reversed().map { b.namedCommand($0).name } == names.reversed())
    #expect(Set(names).count == texts.count)
  }

  @Test func statementsThatServerHasForgottenAreRunAllSameAndOnce() throws {
    let engine = try engine()
    let database = Database(engine, FakeClock())
    try database.run("CREATE TABLE t (v BIGINT)")
    func change() throws(Failure) {
      try database.transaction { () throws(Failure) in
        try database.run("INSERT INTO t VALUES (1)")
        try database.enqueue("INSERT INTO t VALUES (2)")
      }
    }
    try change()
    try engine.execute("DEALLOCATE ALL")
    try change()
    #expect(try database.integer("SELECT count(*) FROM t") == 4)
  }

  @Test func planForTableThatWasChangedMeanwhileIsNotUsedAgain() throws {
    let engine = try engine()
    let database = Database(engine, FakeClock())
    try database.run("CREATE TABLE t (v BIGINT)")
    try database.run("INSERT INTO t VALUES (1)")
    let sql = "SELECT * FROM t"
    #expect(try database.integer(sql) == 1)
    try engine.execute("ALTER TABLE t ADD COLUMN w BIGINT")
    #expect(try database.integer(sql) == 1)
    try engine.execute("ALTER TABLE t ADD COLUMN x BIGINT")
    #expect(try database.integers(sql) == [1])
    try engine.execute("ALTER TABLE t ADD COLUMN y BIGINT")
    try database.transaction { () throws(Failure) in
      #expect(try database.integers(sql).count == 1)
    }
  }

  @Test(
    "the search_path of an address is read as the server reads it",
    arguments: [
      ("-csearch_path=a", "a"), ("-c search_path=a,b", "a,b"), ("--search-path=a", "a"),
      ("-cwork_mem=1MB", nil), ("-csearch_path=a -csearch_path=b\\ c", "b c"),
      ("-csearch_path=b\\ c -cwork_mem=1MB", "b c"), ("", nil), ("-csearch_path=\"a\\\\\"", "\"a\\\""),
    ] as [(String, String?)])
  func searchPath(_ options: String, _ path: String?) {
    #expect(PostgreSQLOptions.searchPath(in: options) == path)
  }
}
