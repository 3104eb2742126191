import Foundation
import TestSupport
import Testing

/// Servers on one PostgreSQL behind nginx, while servers and databases are killed. The clients repeat what failed, and
/// then everything that was acknowledged is stored, and nothing was done twice.
///
/// `HW_CHAOS_CHANGES` is the number of changes in each of the first two tests (10 000): with more, there are more failures
/// too.
@Suite(.ownThread, .serialized, .needs(.postgresql), .needs(.nginx)) struct ClusterFailures {
  private static let changes =
    ProcessInfo.processInfo.environment["HW_CHAOS_CHANGES"].flatMap { Int($0) } ?? 10_000
  private static let clients = 64

  /// The bikes and the users of a town, and a cluster that serves it.
  private final class Town {
    let cluster: ServerCluster
    let crowd: RentingCrowd
    let admin: String

    /// `stores` are the addresses of the same database for each of the servers.
    convenience init(
      in store: String, on database: PostgreSQLServer, schema: String, database name: String = "postgres"
    ) throws {
      try self.init(in: [store, store, store], on: database, schema: schema, database: name)
    }

    init(
      in stores: [String], on database: PostgreSQLServer, schema: String, database name: String = "postgres"
    ) throws {
      let home = try Home()
      admin = try ServerCluster.addUser("root --admin", to: stores[0], in: home)
      let names = (0..<ClusterFailures.clients).map { "user\($0)" }
      let tokens = try ServerCluster.addUsers(names, to: schema, on: database, database: name)
      let members = zip(names, tokens).map { RentingCrowd.Member(name: $0, token: $1) }
      cluster = try ServerCluster(
        of: stores, settings: ["HW_SERVE_REQUESTS_PER_ADDRESS": "0", "HW_SERVE_REQUESTS_PER_USER": "0"])
      try home.writeBikes(RentingCrowd.bikes)
      let imported = try shell(
        "hw bikes import many.csv", in: home, environment: ["HW_URL": cluster.url(0), "HW_TOKEN": admin])
      try #require(imported.status == 0, "\(imported.errors)")
      crowd = RentingCrowd(of: members, at: cluster.url)
    }

    /// What differs between what a server has and what the clients know.
    func differences(at url: String) throws -> [String] {
      func rows(_ path: String) throws -> [[String: Any]] {
        let answer = try #require(
          RawConnection(url)?.ask("GET", path, headers: ["Authorization: Bearer \(admin)"]))
        #expect(answer.status == 200, "\(answer.body)")
        return try #require(
          try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [[String: Any]])
      }
      var history: [(bike: Int, user: String, isOpen: Bool)] = []
      var before = ""
      while true {
        let page = try rows("/rentals?limit=10000\(before)")
        for row in page where row["action"] as? String == "rent" {
          history.append(
            (
              try #require((row["bike"] as? String).flatMap { Int($0) }),
              try #require(row["by"] as? String), row["returnedAt"] is NSNull
            ))
        }
        guard page.count == 10_000, let last = page.last?["id"] as? String else { break }
        before = "&before=\(last)"
      }
      let rented = try rows("/bikes").filter { $0["rented"] as? Bool == true }
        .compactMap { ($0["id"] as? String).flatMap { Int($0) } }
      return crowd.compare(history, rented: Set(rented))
    }

    /// Each server lists the same bikes, whichever of its connections to the database reads them.
    func lists() throws -> Set<String> {
      var lists: Set<String> = []
      for url in cluster.urls {
        let connections = try (0..<8).map { _ in try #require(RawConnection(url)) }
        for connection in connections {
          connection.send("GET", "/bikes", headers: ["Authorization: Bearer \(admin)"])
        }
        for connection in connections { lists.insert(connection.answer()?.body ?? "none") }
      }
      return lists
    }

    /// Stops the clients, and compares all servers with what they know.
    func check() throws {
      crowd.stop()
      #expect(crowd.findings == [])
      for (index, url) in cluster.urls.enumerated() {
        let differences = try differences(at: url)
        #expect(differences == [], "server \(index): \(differences.prefix(10))")
      }
      #expect(try lists().count == 1)
      for index in cluster.urls.indices { #expect(cluster.stop(index).status == 0) }
    }
  }

  private func awaitReady(_ cluster: ServerCluster) throws {
    for url in cluster.urls {
      try waitUntil("\(url) to be ready") { RawConnection(url)?.ask("GET", "/readyz")?.status == 200 }
    }
  }

  @Test func changesSurviveServerAndDatabaseCrashes() throws {
    let database = try PostgreSQLServer()
    try database.execute("CREATE SCHEMA town")
    let town = try Town(in: database.address(schema: "town"), on: database, schema: "town")
    town.crowd.start()
    var next = 1000
    var round = 0
    while next < ClusterFailures.changes {
      try town.crowd.wait(for: next)
      let server = round % 3
      switch round % 4 {
      case 0:
        town.cluster.crash(server)
        try town.cluster.restart(server)
      case 1, 2:
        try database.stop()
        try database.start()
      default:
        town.cluster.crash(server)
        try database.stop()
        try database.start()
        try town.cluster.restart(server)
      }
      round += 1
      next = town.crowd.changes + 1000
      guard town.crowd.findings.isEmpty else { break }
    }
    try town.crowd.wait(for: ClusterFailures.changes)
    try awaitReady(town.cluster)
    try town.check()
    #expect(town.crowd.refusals > 100)
  }

  @Test func changesSurviveFailoverToStandby() throws {
    let primary = try PostgreSQLServer(settings: ["synchronous_standby_names=standby"])
    let standby = try PostgreSQLServer(standbyOf: primary, name: "standby")
    try primary.execute("CREATE SCHEMA town")
    let town = try Town(in: primary.address(or: standby, schema: "town"), on: primary, schema: "town")
    // It lags: it has all changes, and shows none of them until it is promoted.
    try standby.execute("SELECT pg_wal_replay_pause()")
    town.crowd.start()
    try town.crowd.wait(for: ClusterFailures.changes / 2)
    try primary.kill()
    try standby.promote()
    try town.crowd.wait(for: ClusterFailures.changes)
    try awaitReady(town.cluster)
    try town.check()
    #expect(try standby.execute("SELECT pg_is_in_recovery()") == "f")
  }

  @Test(.needs(.pgbouncer, .postgresql))
  func changesSurviveDatabaseCrashBehindPool() throws {
    let database = try PostgreSQLServer()
    try database.execute("CREATE DATABASE town")
    let pool = try PgBouncer(database, connections: 12)
    let town = try Town(in: pool.address(database: "town"), on: database, schema: "public", database: "town")
    town.crowd.start()
    for round in 1...2 {
      try town.crowd.wait(for: round * 500)
      try database.stop()
      try database.start()
    }
    try town.crowd.wait(for: 1500)
    try awaitReady(town.cluster)
    try town.check()
  }

  /// One of the servers has a network to the database in which half of the packets are late, as after a loss, and
  /// connections end now and then.
  @Test func changesSurviveUnreliableNetwork() throws {
    let database = try #require(PostgreSQLServer.shared)
    let address = try database.newSchema()
    let schema = try #require(address.split(separator: "%3D").last.map(String.init))
    let network = try UnreliableNetwork(to: database)
    let town = try Town(in: [address, address, network.route(address)], on: database, schema: schema)
    network.isUnreliable = true
    town.crowd.start()
    try town.crowd.wait(for: 500)
    town.crowd.stop()
    network.isUnreliable = false
    #expect(network.delays > 20)
    try awaitReady(town.cluster)
    try town.check()
  }
}
