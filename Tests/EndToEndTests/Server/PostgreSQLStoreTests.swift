import Foundation
import TestSupport
import Testing

/// `hw serve --samples --store postgresql://…`: what is accepted, what is reported at the start, and a database in
/// which nothing can be changed: it is read-only, or the role has no right to do so.
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

  private func expectRefused(_ client: RawConnection, _ method: String, _ path: String) throws {
    let refused = try #require(client.ask(method, path))
    #expect(refused.status == 503 && refused.head.lowercased().contains("retry-after: "), "\(refused)")
    // No other request is in the way.
    #expect(refused.body == "🚲 the store is not available: retry later\n")
  }

  @Test func readOnlyDatabaseIs503UntilWritable() throws {
    try server.execute("CREATE DATABASE thawed")
    let address = server.address(database: "thawed")
    let running = try Serving.Server(["--samples", "--store", address])
    let client = try #require(RawConnection(running.url))
    #expect(client.ask("PUT", "/bikes/1/rented")?.status == 200)
    try server.execute("ALTER DATABASE thawed SET default_transaction_read_only = on")
    try server.execute(
      "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = 'thawed'")
    for _ in 0..<3 { try expectRefused(client, "PUT", "/bikes/2/rented") }
    let refused = try serve(address)
    #expect(refused.status == 10 && refused.errors.contains("it is read-only"), "\(refused)")
    try server.execute("ALTER DATABASE thawed RESET default_transaction_read_only")
    try waitUntil("the server to connect again") { client.ask("PUT", "/bikes/2/rented")?.status == 200 }
    #expect(client.ask("PUT", "/bikes/1/rented")?.status == 400, "it is still rented")
    let ending = running.stop()
    #expect(ending.status == 0 && ending.errors.contains("read-only"), "\(ending)")
  }

  @Test func readOnlyDatabaseCanBeReadAndCopied() throws {
    try server.execute("CREATE DATABASE archived")
    let address = server.address(database: "archived")
    let home = try Home()
    #expect(try serve(address, in: home).status == 0)
    #expect(try shell("hw users add ann --store '\(address)'", in: home).status == 0)
    try server.execute("ALTER DATABASE archived SET default_transaction_read_only = on")
    let read = try shell(
      """
      export HW_STORE='\(address)'
      hw users list --tsv --no-header --fields name && hw store verify >/dev/null || exit
      hw store copy --from "$HW_STORE" --to copied >/dev/null && hw store migrate --dry-run -q >/dev/null
      """, in: home)
    #expect(read.status == 0 && read.output == "ann\n", "\(read)")
    let refused = try shell("hw users delete ann --yes --store '\(address)'", in: home)
    #expect(refused.status == 10 && refused.errors.contains("it is read-only"), "\(refused)")
  }

  @Test func revokedRightIs503UntilGranted() throws {
    let schema = "lent"
    try server.execute("CREATE ROLE borrower LOGIN")
    try server.execute("CREATE SCHEMA \(schema)")
    let owned = server.address(schema: schema)
    #expect(try serve(owned).status == 0)
    func grant(_ words: String) throws {
      try server.execute("GRANT USAGE ON SCHEMA \(schema) TO borrower")
      for kind in ["TABLES", "SEQUENCES"] {
        try server.execute("\(words.replacing("*", with: "ALL \(kind) IN SCHEMA \(schema)")) borrower")
      }
    }
    try grant("GRANT ALL ON * TO")
    let running = try Serving.Server(["--samples", "--store", owned.replacing("hw@", with: "borrower@")])
    let client = try #require(RawConnection(running.url))
    #expect(client.ask("PUT", "/bikes/1/rented")?.status == 200)
    try server.execute("REVOKE INSERT ON \(schema).rental FROM borrower")
    for _ in 0..<3 { try expectRefused(client, "PUT", "/bikes/2/rented") }
    // What needs no such right goes on, and nothing of the refused changes was kept.
    #expect(client.ask("GET", "/bikes/2")?.body.contains(#""rented":false"#) == true)
    #expect(client.ask("DELETE", "/bikes/1/rented")?.status == 200)
    try server.execute("GRANT INSERT ON \(schema).rental TO borrower")
    #expect(client.ask("PUT", "/bikes/2/rented")?.status == 200)
    #expect(try server.execute("SELECT count(*) FROM \(schema).rental") == "2")
    try server.execute("REVOKE ALL ON SCHEMA \(schema) FROM borrower")
    let ending = running.stop()
    #expect(ending.status == 0 && ending.errors.contains("permission denied"), "\(ending)")
    let refused = try shell("hw serve --store '\(owned.replacing("hw@", with: "borrower@"))' -- true")
    #expect(refused.status == 10, "\(refused)")
  }
}
