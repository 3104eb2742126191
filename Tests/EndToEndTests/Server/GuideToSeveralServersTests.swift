import Foundation
import Server
import TestSupport
import Testing

@testable import Command
@testable import Store
@testable import hw

/// The part of `hw-server(7)` about several servers: its commands run against a database with a standby, and PostgreSQL
/// and pgbouncer accept their files.
@Suite(.ownThread, .serialized, .needs(.postgresql)) struct SeveralServersGuideText {
  private static let tools = [
    "createuser", "createdb", "pg_basebackup", "psql", "hw serve", "curl", "postgresql:", "mkdir",
  ]

  /// Whether a command of the guide is one of this suite.
  static func runs(_ line: String) -> Bool { tools.contains { line.contains($0) } }

  private static let commands = GuideBlocks.commands.flatMap(\.self).filter(runs)

  private static func command(_ prefix: String) throws -> String {
    try #require(commands.first { $0.hasPrefix(prefix) })
  }

  /// The lines of a configuration file of PostgreSQL, as settings.
  private static func settings(_ file: String) throws -> [String] {
    try GuideBlocks.file(file).split(separator: "\n").map { line in
      let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      return "\(parts[0])=\(parts[1].trimmingCharacters(in: ["'"]))"
    }
  }

  @Test func guideCommandsRun() throws {
    let primary = try PostgreSQLServer()
    let home = try Home()
    var environment = [
      "PGHOST": primary.directory.path, "PGUSER": "hw", "PGDATABASE": "postgres",
      "PATH": "\(Installed.folder):\(primary.tools):/usr/bin:/bin",
    ]
    func run(_ line: String, _ replacements: [String: String] = [:]) throws -> Ending {
      var line = line
      for (old, new) in replacements { line = line.replacing(old, with: new) }
      let ending = try shell(line, in: home, environment: environment)
      #expect(ending.status == 0, "\(line): \(ending.errors)")
      return ending
    }
    // Nobody types a password here, and the user of the tests has the name already.
    let createUser = try Self.command("createuser --pwprompt hw").replacing("--pwprompt ", with: "")
    try #expect(shell(createUser, in: home, environment: environment).errors.contains("already exists"))
    _ = try run(Self.command("createdb"))
    #expect(try run("hw users add ben --store lib").status == 0)
    _ = try run(
      Self.command("hw store copy --from /var"),
      ["/var/lib/hw": "lib", "postgresql://hw@db1.example/hw": "'\(primary.address(database: "hw"))'"])

    _ = try run(Self.command("mkdir"), ["/var/lib/hw": "lib"])
    #expect(home.names("lib/before") == ["users.db"])

    // The standbys, with the setting that makes them synchronous from then on.
    _ = try run(Self.command("createuser --pwprompt --replication"), ["--pwprompt ": ""])
    _ = try run(Self.command("psql -c 'SELECT pg_reload_conf()'"))
    let baseBackup = try Self.command("pg_basebackup")
    let first = try PostgreSQLServer(standbyOf: primary, name: "db2", command: baseBackup)
    let second = try PostgreSQLServer(standbyOf: primary, or: first, name: "db3", command: baseBackup)
    let listing = "'SELECT application_name, state FROM pg_stat_replication'"
    try #expect(
      shell("hw help cluster").output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
        listing))
    try waitUntil("the standbys to be connected") {
      try run("psql -c \(listing)").output.split(separator: "\n").filter { $0.contains("streaming") }.count
        == 2
    }
    let names = try #require(Self.settings("hw-standbys.conf").first)
    #expect(names.hasPrefix("synchronous_standby_names="))
    for server in [primary, first, second] {
      try server.execute("ALTER SYSTEM SET synchronous_standby_names = '\(names.split(separator: "=")[1])'")
      try server.execute("SELECT pg_reload_conf()")
    }
    try waitUntil("the standbys to be synchronous") {
      try primary.execute("SELECT DISTINCT sync_state FROM pg_stat_replication") == "quorum"
    }
    let both = primary.address(or: first, database: "hw")
    let mia = try run(Self.command("hw users add mia"), ["postgresql://hw@db1.example/hw": "'\(both)'"])
    #expect(!mia.output.isEmpty)
    let served = try run(
      "hw serve bikes wordle --store 'postgresql://hw@db1.example/hw' -- hw bikes list --anywhere",
      ["postgresql://hw@db1.example/hw": both])
    #expect(served.status == 0)
    // The upgrade.
    _ = try run(
      Self.command("hw store copy --from postgresql"),
      ["postgresql://hw@db1.example/hw": "'\(both)'", "/var/backups/hw/": "backup-"])
    let kept = try run("hw store verify --store '\(both)' --tsv").output
    _ = try run(Self.command("hw store migrate"), ["postgresql://hw@db1.example/hw": "'\(both)'"])

    // The restore.
    _ = try run(Self.command("psql -c 'ALTER DATABASE hw RENAME"))
    _ = try run(Self.command("createdb"))
    #expect(try run("hw store copy --from backup-before-upgrade --to '\(both)' --tsv").output == kept)
    let former = primary.address(or: first, database: "before")
    #expect(try run("hw store verify --store '\(former)' --tsv").output.contains("\tserver_user\t"))

    // The failover.
    let verify = try Self.command("hw store verify")
    let address = "'postgresql://hw@db1.example,db2.example,db3.example/hw?connect_timeout=3'"
    #expect(verify.contains(address))
    let before = try run(
      verify, [address: "'\(first.address(or: primary, database: "hw"))&connect_timeout=3'"])
    try primary.kill()
    let received = try Self.command("psql -c 'SELECT pg_last_wal_receive_lsn")
    let positions = try [first, second].map { standby in
      environment["PGHOST"] = standby.directory.path
      let position = try run(received).output.split(separator: "\n").first { $0.contains("/") }
      return try #require(position).split(separator: "/").map {
        UInt64($0.trimmingCharacters(in: [" "]), radix: 16) ?? 0
      }
    }
    let newest = positions[0].lexicographicallyPrecedes(positions[1]) ? second : first
    environment["PGHOST"] = newest.directory.path
    _ = try run(Self.command("psql -c 'SELECT pg_promote()'"))
    let promoted = primary.address(or: newest, database: "hw")
    let after = try run(verify, [address: "'\(promoted)&connect_timeout=3'"])
    #expect(after.output == before.output)
    // A change waits for the other standby, which follows by itself.
    _ = try run("hw users add cara --store '\(promoted)'")
  }

  /// Nothing waits for a standby before the guide has created it, and whoever connects has a password.
  @Test func standbyStepsAreInOrder() throws {
    let lines = GuideBlocks.all.flatMap(\.self)
    let steps = [
      "createuser --pwprompt hw", "createuser --pwprompt --replication", "pg_basebackup",
      "synchronous_standby_names",
    ]
    let places = steps.compactMap { step in lines.firstIndex { $0.hasPrefix(step) } }
    #expect(places.count == steps.count && places == places.sorted())
  }

  /// A server is ready when this command ends.
  @Test(.needs(.curl)) func readinessCommandWaits() throws {
    let server = try Serving.Server()
    let line = try Self.command("until curl").replacing("http://10.0.0.11:7400", with: server.url)
    #expect(try shell(line).output == "ready\n")
  }

  /// The database requires TLS.
  @Test(.needs(.pgbouncer, .openssl)) func poolConfigurationIsAccepted() throws {
    let lines = try GuideBlocks.file("pgbouncer.ini").split(separator: "\n").map(String.init)
    let start = try #require(lines.firstIndex(of: "[pgbouncer]"))
    let places = ["listen_addr", "listen_port", "auth_type", "auth_file"]
    let settings = lines[(start + 1)...].filter { line in !places.contains { line.hasPrefix($0) } }
    let server = try PostgreSQLServer(certificate: Certificate())
    try server.directory.write(
      "local all all trust\nhostssl all all 127.0.0.1/32 trust\n", to: "data/pg_hba.conf")
    try server.execute("SELECT pg_reload_conf()")
    try server.execute("CREATE DATABASE guide_pool")
    let pool = try PgBouncer(server, host: "127.0.0.1", settings: settings)
    let served = try shell(
      "hw serve bikes wordle --store '\(pool.address(database: "guide_pool"))' -- hw bikes list --anywhere")
    #expect(served.status == 0, "\(served)")
  }

  /// The number of connections in the guide.
  @Test func documentedConnectionCountIsCorrect() throws {
    let server = try #require(PostgreSQLServer.shared)
    try server.execute("CREATE DATABASE guide_count")
    let running = try Serving.Server(["bikes", "wordle", "--store", server.address(database: "guide_count")])
    for _ in 0..<20 {
      #expect(RawConnection(running.url)?.ask("GET", "/readyz")?.status == 200)
      #expect(RawConnection(running.url)?.ask("GET", "/bikes")?.status == 200)
    }
    let count = try server.execute(
      "SELECT count(*) FROM pg_stat_activity WHERE datname = 'guide_count' AND application_name = 'hw'")
    let text = try shell("hw help cluster").output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(text.contains("A server uses \(count) connections"), "\(count)")
  }

  /// Servers of the previous version run during an upgrade, so a step of a schema may only add what they do not use.
  /// The first steps were written before the first release: one of each database, and two of bikes.
  @Test func migrationsOnlyAddToSchema() throws {
    let former = ["bikes": 2]
    for migrations in Program.hw.suites.flatMap(\.databases) + [UserTable.migrations]
    where !migrations.isLocal {
      for step in migrations.steps.dropFirst(former[migrations.name] ?? 1) {
        let words = step.uppercased()
        for forbidden in ["DROP TABLE", "DROP COLUMN", "RENAME ", "ALTER COLUMN"] {
          #expect(!words.contains(forbidden), "\(step)")
        }
        for line in words.split(separator: "\n")
        where line.contains("ADD COLUMN") && line.contains("NOT NULL") {
          #expect(line.contains("DEFAULT"), "\(step)")
        }
      }
    }
  }
}
