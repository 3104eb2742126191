import TestSupport
import Testing

/// Servers behind a pgbouncer that gives each transaction another connection.
@Suite(.ownThread, .needs(.pgbouncer, .postgresql)) struct PostgreSQLPool {
  private let server: PostgreSQLServer

  init() throws { server = try #require(PostgreSQLServer.shared) }

  @Test func schemaOptionIgnoredByPoolIsRefused() throws {
    try server.execute("CREATE DATABASE pooled_schema")
    try server.execute("CREATE SCHEMA town", database: "pooled_schema")
    let options = "&options=-csearch_path%3Dtown"
    let strict = try PgBouncer(server)
    let refused = try serve(strict.address(database: "pooled_schema", options: options))
    #expect(refused.status == 5 && refused.errors.contains("startup parameter"), "\(refused)")
    #expect(refused.errors.contains("ALTER ROLE"), "\(refused)")

    let lax = try PgBouncer(server, settings: ["ignore_startup_parameters = options"])
    let address = lax.address(database: "pooled_schema", options: options)
    let ignored = try serve(address)
    #expect(ignored.status == 10 && ignored.errors.contains("ignores 'options'"), "\(ignored)")
    let tables = "SELECT schemaname FROM pg_tables WHERE tablename = 'bike'"
    #expect(try server.execute(tables, database: "pooled_schema") == "")

    try server.execute("ALTER DATABASE pooled_schema SET search_path = town")
    let other = try PgBouncer(server)
    let served = try serve(other.address(database: "pooled_schema"))
    #expect(served.status == 0, "\(served)")
    #expect(try server.execute(tables, database: "pooled_schema") == "town")
  }

  @Test func twoServersBehindPoolApplyChangesOnce() throws {
    try server.execute("CREATE DATABASE pooled")
    let pool = try PgBouncer(server, connections: 8)
    let address = pool.address(database: "pooled")
    let home = try Home()
    try RentalRace.makeTown(in: address, home)
    let servers = try (0..<2).map { _ in try Serving.Server(["--samples", "--store", address]) }
    let clients = try (0..<32).map { try #require(RawConnection(servers[$0 % 2].url)) }
    let race = RentalRace()
    while race.attempts < 2000 { #expect(race.round(clients)) }
    // Lost connections of the pool to the server, while transactions are open.
    for _ in 0..<5 {
      #expect(
        race.round(clients) {
          _ = try? server.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'pooled'")
        })
    }
    try waitUntil("the servers to connect again") {
      clients.prefix(2).allSatisfy { $0.ask("GET", "/bikes/1")?.status == 200 }
    }
    #expect(race.impossible == [])
    let (history, free) = try RentalRace.kept(["HW_URL": servers[1].url])
    #expect(race.compare(with: history, free: free) == [])

    let copied = try shell("hw store copy --from '\(address)' --to copy --tsv", in: home)
    #expect(copied.status == 0, "\(copied)")
    #expect(try shell("hw store verify --store '\(address)' --tsv", in: home).output == copied.output)
    for server in servers { #expect(server.stop().status == 0) }
  }
}
