import Foundation
import TestSupport
import Testing

/// `hw serve --samples --store postgresql://…`: what is accepted, and what is reported at the start.
@Suite(.ownThread, .needs(.postgresql)) struct PostgreSQLStore {
  private let server: PostgreSQLServer

  init() throws { server = try #require(PostgreSQLServer.shared) }

  /// Otherwise the tables of the suites before it would be left behind.
  @Test func foreignTableIsFoundBeforeTablesAreCreated() throws {
    let address = try server.newSchema()
    let schema = try #require(address.split(separator: "%3D").last)
    try server.execute("CREATE TABLE \(schema).score (points int)")
    let tables = "SELECT string_agg(tablename, ' ') FROM pg_tables WHERE schemaname = '\(schema)'"
    func isRefused() throws {
      let ending = try serve(address)
      #expect(ending.status == 10 && ending.errors.contains("a table 'score'"), "\(ending)")
    }
    try isRefused()
    #expect(try server.execute(tables) == "score")
    // The suite that has such a table is not served.
    let bikes = try shell("hw serve bikes --samples --store '\(address)' -- true")
    #expect(bikes.status == 0, "\(bikes)")
    // Now there is a table with versions.
    try isRefused()
    #expect(try !server.execute(tables).split(separator: " ").contains("race"))
  }

  @Test func tableInAnotherSchemaIsIgnored() throws {
    try server.execute("CREATE DATABASE mixed")
    try server.execute("CREATE SCHEMA hw", database: "mixed")
    try server.execute("CREATE TABLE public.score (points int)", database: "mixed")
    let ending = try serve(server.address(schema: "hw%2Cpublic", database: "mixed"))
    #expect(ending.status == 0, "\(ending)")
  }

  @Test func wrongDatabaseIsReportedAtStart() throws {
    try server.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    try server.execute("CREATE DATABASE frozen")
    try server.execute("ALTER DATABASE frozen SET default_transaction_read_only = on")
    try server.execute("CREATE ROLE guest LOGIN")
    try server.execute("CREATE SCHEMA closed")
    try server.execute("GRANT USAGE ON SCHEMA closed TO guest")
    let good = server.address()
    let newer = try server.newSchema()
    #expect(try serve(newer).status == 0)
    let schema = try #require(newer.split(separator: "%3D").last)
    try server.execute("UPDATE \(schema).hw_version SET version = 99")
    let host = server.directory.path.replacing("/", with: "%2F")
    let cases: [(String, Int32, String)] = [
      ("postgresql://hw@127.0.0.1:1/x", 5, "cannot connect to 'postgresql://127.0.0.1:1/x'"),
      ("postgresql://hw@no-such-host.invalid/x", 5, "no-such-host.invalid"),
      ("postgresql://hw@/x?host=%2Fnowhere", 5, "cannot connect"),
      (server.address(database: "missing"), 10, "does not exist"),
      (good.replacing("hw@", with: "nobody@"), 7, "nobody"),
      (server.address(schema: "closed").replacing("hw@", with: "guest@"), 7, "permission denied"),
      (server.address(database: "latin"), 10, "encoding"),
      (server.address(database: "frozen"), 10, "read-only"),
      (server.address(schema: "no_such_schema"), 10, "CREATE SCHEMA"), (newer, 10, "newer hw"),
      ("postgresql://hw@host:port:x/", 2, "malformed"),
      ("postgresql://hw@/x?host=\(host)&nonsense=1", 2, "malformed"),
      ("\(good)&sslmode=nonsense", 5, "sslmode"),
    ]
    for (address, status, words) in cases {
      let ending = try serve(address)
      #expect(ending.status == status, "\(address): \(ending.errors)")
      #expect(ending.errors.contains(words), "\(address): \(ending.errors)")
    }
  }
}
