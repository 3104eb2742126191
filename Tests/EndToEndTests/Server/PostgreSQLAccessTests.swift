import Foundation
import TestSupport
import Testing

/// How `hw serve` gets to a PostgreSQL server: libpq's own variables and files, several hosts, and a server that is full.
@Suite(.ownThread, .needs(.postgresql)) struct PostgreSQLAccess {
  private let server: PostgreSQLServer

  init() throws { server = try #require(PostgreSQLServer.shared) }

  /// A new role, with a schema of its own; returns the address. The names of roles are the server's, and not the schema's.
  private func role(_ name: String, _ options: String = "") throws -> String {
    try server.execute("CREATE ROLE \(name) LOGIN \(options)")
    try server.execute("CREATE SCHEMA \(name) AUTHORIZATION \(name)")
    return server.address(schema: name).replacing("hw@", with: "\(name)@")
  }

  @Test func serviceFileCompletesAddress() throws {
    let schema = try #require(server.newSchema().split(separator: "%3D").last)
    let home = try Home()
    try home.write(
      "[town]\nhost=\(server.directory.path)\nuser=hw\ndbname=postgres\noptions=-csearch_path=\(schema)\n",
      to: "services")
    let environment = ["PGSERVICE": "town", "PGSERVICEFILE": "services"]
    let ending = try serve("postgresql://", in: home, environment: environment)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(try server.execute("SELECT count(*) FROM \(schema).hw_version") != "0")
    let unknown = try serve(
      "postgresql://", in: home, environment: ["PGSERVICE": "city", "PGSERVICEFILE": "services"])
    #expect(unknown.status == 5 && unknown.errors.contains("city"), "\(unknown.errors)")
  }

  @Test func passwordIsReadFromFileOrVariable() throws {
    let address = try role("keyed", "PASSWORD 'hush-hush'")
    let file = "\(server.directory.path)/data/pg_hba.conf"
    let rules = try String(contentsOfFile: file, encoding: .utf8)
    // Written in place: the file belongs to the server's user.
    try Data("local all keyed scram-sha-256\n\(rules)".utf8).write(to: URL(filePath: file))
    try server.execute("SELECT pg_reload_conf()")
    try waitUntil("the server to require the password") { try serve(address).status != 0 }

    let home = try Home()
    try home.write("*:*:*:keyed:hush-hush\n", to: "right")
    try home.write("*:*:*:keyed:hush-puppy\n", to: "wrong")
    #expect(try shell("chmod 600 right wrong", in: home).status == 0)
    let withPassword = address.replacing("keyed@", with: "keyed:hush-hush@")
    let cases: [(variables: [String: String], status: Int32)] = [
      ([:], 7), (["PGPASSFILE": "right"], 0), (["PGPASSFILE": "wrong"], 7), (["PGPASSWORD": "hush-hush"], 0),
    ]
    for (variables, status) in cases {
      let ending = try serve(address, in: home, environment: variables)
      #expect(ending.status == status, "\(variables): \(ending.errors)")
      #expect(!ending.errors.contains("hush"))
      #expect(status == 0 || ending.errors.contains("PGPASSFILE"))
    }
    #expect(try shell("hw serve -- true", in: home, environment: ["HW_STORE": withPassword]).status == 0)
  }

  @Test func firstRespondingHostIsUsed() throws {
    let host = server.directory.path.replacing("/", with: "%2F")
    let address = try server.newSchema().replacing("host=\(host)", with: "host=%2Fnowhere,\(host)")
    let ending = try serve(address)
    #expect(ending.status == 0, "\(ending.errors)")
    let none = try serve("postgresql://hw@/postgres?host=%2Fnowhere,%2Fnowhere-else")
    #expect(none.status == 5)
    #expect(none.errors.contains("/nowhere,/nowhere-else"), "\(none.errors)")
  }

  @Test func fullServerIsReportedAtStartAndLaterIs503() throws {
    let address = try role("crowded", "CONNECTION LIMIT 0")
    let refused = try serve(address)
    #expect(refused.status == 5)
    #expect(refused.errors.contains("too many connections"), "\(refused.errors)")
    #expect(refused.errors.contains("max_connections"))

    try server.execute("ALTER ROLE crowded CONNECTION LIMIT -1")
    let running = try Serving.Server(["--samples", "--store", address])
    let client = try #require(RawConnection(running.url))
    #expect(client.ask("PUT", "/bikes/0/rented")?.status == 200)
    try server.execute("ALTER ROLE crowded CONNECTION LIMIT 0")
    try server.execute(
      "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE usename = 'crowded'")
    let busy = try #require(client.ask("PUT", "/bikes/1/rented"))
    #expect(busy.status == 503)
    #expect(busy.head.lowercased().contains("retry-after: "))
    try server.execute("ALTER ROLE crowded CONNECTION LIMIT -1")
    try waitUntil("the server to connect again") { client.ask("PUT", "/bikes/1/rented")?.status == 200 }
    #expect(client.ask("GET", "/bikes/0")?.body.contains(#""rented":true"#) == true)
    #expect(running.stop().status == 0)
  }
}
