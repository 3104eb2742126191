import Foundation
import TestSupport
import Testing

/// Three servers on one PostgreSQL behave as one.
@Suite(.ownThread, .needs(.postgresql), .needs(.nginx)) struct SeveralServersOnOneStore {
  private let database: PostgreSQLServer
  private let schema: String
  private let store: String
  private let home: Home
  private let admin: String

  init() throws {
    database = try #require(PostgreSQLServer.shared)
    store = try database.newSchema()
    schema = try #require(store.split(separator: "%3D").last.map(String.init))
    home = try Home()
    admin = try ServerCluster.addUser("root --admin", to: store, in: home)
  }

  private func token(_ token: String) -> [String] { ["Authorization: Bearer \(token)"] }

  private func ask(
    _ url: String, _ method: String, _ path: String, _ body: String = "", as user: String, key: String? = nil
  ) throws -> RawConnection.Answer {
    let headers = token(user) + (key.map { ["Idempotency-Key: \($0)"] } ?? [])
    return try #require(RawConnection(url)?.ask(method, path, body, headers: headers))
  }

  private func bike(_ name: String) -> String {
    """
    {"name":"\(name)","color":"ff0000","pin":"1234","location":{"latitude":50.1,"longitude":8.6}}
    """
  }

  /// Each user takes more than the limits allow, on all servers at the same time.
  @Test func limitsApplyAcrossServers() throws {
    let cluster = try ServerCluster(
      of: store,
      settings: [
        "HW_SERVE_RENTALS_PER_USER": "2", "HW_SERVE_BIKES_PER_OWNER": "3", "HW_SERVE_REQUESTS_PER_USER": "0",
      ])
    let names = (0..<12).map { "user\($0)" }
    let tokens = try ServerCluster.addUsers(names, to: schema, on: database)
    // Two connections of each user to each server.
    let urls = cluster.urls + cluster.urls
    let connections = try tokens.map { _ in try urls.map { try #require(RawConnection($0)) } }
    func sendAll(_ request: (_ user: Int, _ number: Int) -> (String, String, String)) -> [[Int]] {
      for (user, own) in connections.enumerated() {
        for (number, connection) in own.enumerated() {
          let (method, path, body) = request(user, number)
          connection.send(method, path, body, headers: token(tokens[user]))
        }
      }
      return connections.map { $0.map { $0.answer()?.status ?? 0 } }
    }
    for added in sendAll({ user, number in ("POST", "/bikes", bike("B\(user)-\(number)")) }) {
      #expect(added.sorted() == [200, 200, 200, 403, 403, 403])
    }
    let listed = try ask(cluster.url, "GET", "/bikes", as: admin).body
    let bikes = try #require(try JSONSerialization.jsonObject(with: Data(listed.utf8)) as? [[String: Any]])
      .compactMap { $0["id"] as? String }
    #expect(bikes.count == 36)
    // Bikes of their own, so that no two requests are for one bike; 36 bikes are 3 for each user.
    for round in 0..<4 {
      let rented = sendAll { user, number in ("PUT", "/bikes/\(bikes[user * 3 + number % 3])/rented", "") }
      for statuses in rented { #expect(statuses.count { $0 == 200 } == 2, "round \(round): \(statuses)") }
      let open = try ask(cluster.url, "GET", "/bikes", as: admin).body
      #expect(open.split(separator: "\"rented\":true").count - 1 == 24)
      for bike in bikes { _ = try ask(cluster.url, "DELETE", "/bikes/\(bike)/rented", as: admin) }
    }
  }

  @Test func idempotencyKeyIsAppliedOnce() throws {
    let cluster = try ServerCluster(of: store)
    var id = ""
    for number in 0..<20 {
      let connections = try cluster.urls.map { try #require(RawConnection($0)) }
      for connection in connections {
        connection.send(
          "POST", "/bikes", bike("K\(number)"), headers: token(admin) + ["Idempotency-Key: same-\(number)"])
      }
      let answers = connections.map { $0.answer() }
      #expect(answers.allSatisfy { $0?.status == 200 }, "\(answers)")
      #expect(Set(answers.map { $0?.body }).count == 1)
      // Numbers of transactions that lost are left out.
      id = String((answers[0]?.body ?? "").split(separator: "\"").dropFirst(3).first ?? "")
    }
    // The second one waits for the lock of the first, and then meets a bike that is rented, or free.
    for number in 0..<20 {
      let connections = try cluster.urls.map { try #require(RawConnection($0)) }
      let method = number % 2 == 0 ? "PUT" : "DELETE"
      for connection in connections {
        connection.send(
          method, "/bikes/\(id)/rented", headers: token(admin) + ["Idempotency-Key: rent-\(number)"])
      }
      let answers = connections.map { $0.answer() }
      #expect(answers.allSatisfy { $0?.status == 200 }, "\(answers)")
    }
    for url in cluster.urls {
      let list = try ask(url, "GET", "/bikes", as: admin).body
      #expect(list.split(separator: "\"name\":\"K").count - 1 == 20)
      // The same key with another request is refused everywhere.
      #expect(try ask(url, "POST", "/bikes", bike("other"), as: admin, key: "same-1").status == 422)
    }
  }

  @Test func historyIsSharedByServers() throws {
    let cluster = try ServerCluster(of: store)
    try home.writeBikes(1000)
    // The pieces of the file reach any server.
    let imported = try shell(
      "hw bikes import many.csv --jsonl && hw bikes import many.csv --jsonl", in: home,
      environment: ["HW_URL": cluster.url, "HW_TOKEN": admin])
    #expect(imported.status == 0, "\(imported)")
    #expect(imported.output.contains("\"added\":1000"), "\(imported.output)")
    #expect(imported.output.contains("\"present\":1000"), "\(imported.output)")
    #expect(try ask(cluster.url(1), "PUT", "/bikes/1/rented", as: admin).status == 200)
    let answers = try cluster.urls.map { url in
      try ["/bikes", "/rentals?limit=100", "/bikes/1"].map { try ask(url, "GET", $0, as: admin) }
    }
    for path in 0..<3 { #expect(Set(answers.map { $0[path].body }).count == 1) }
  }

  @Test func unavailableDatabaseIs503() throws {
    let database = try PostgreSQLServer()
    let store = database.address()
    let admin = try ServerCluster.addUser("root --admin", to: store, in: home)
    let cluster = try ServerCluster(of: store)
    #expect(try ask(cluster.url(0), "POST", "/bikes", bike("B"), as: admin).status == 200)
    for url in cluster.urls { #expect(try ask(url, "GET", "/bikes", as: admin).status == 200) }
    try database.stop()
    for url in cluster.urls {
      for (method, path) in [("GET", "/bikes"), ("GET", "/bikes/0"), ("PUT", "/bikes/0/rented")] {
        let refused = try ask(url, method, path, as: admin, key: "while-away-\(method)-\(path)-\(url)")
        #expect(refused.status == 503 && refused.head.contains("Retry-After: "), "\(refused)")
      }
      #expect(RawConnection(url)?.ask("GET", "/readyz")?.status == 503)
      #expect(RawConnection(url)?.ask("GET", "/healthz")?.status == 200)
    }
    // The proxy passes the response of a server on, also when none has the database.
    for number in 0..<9 {
      let refused = try ask(cluster.url, "PUT", "/bikes/0/rented", as: admin, key: "proxy-\(number)")
      #expect(refused.status == 503 && refused.head.contains("Retry-After: "), "\(refused)")
    }
    try database.start()
    for url in cluster.urls {
      try waitUntil("\(url) to be ready") { RawConnection(url)?.ask("GET", "/readyz")?.status == 200 }
      try waitUntil("\(url) to rent") {
        [200, 400].contains(try ask(url, "PUT", "/bikes/0/rented", as: admin, key: "back-\(url)").status)
      }
    }
    let rentals = try ask(cluster.url(0), "GET", "/rentals?limit=100", as: admin).body
    #expect(rentals.split(separator: "\"action\":\"rent\"").count - 1 == 1, "\(rentals)")
  }

  private func setStandby(_ name: String, of database: PostgreSQLServer) throws {
    try database.execute("ALTER SYSTEM SET synchronous_standby_names = '\(name)'")
    try database.execute("SELECT pg_reload_conf()")
  }

  /// Servers of a database with a synchronous standby. They have bike 0.
  private func clusterWithStandby() throws -> (
    PostgreSQLServer, PostgreSQLServer, ServerCluster, admin: String
  ) {
    let database = try PostgreSQLServer()
    let standby = try PostgreSQLServer(standbyOf: database, name: "standby")
    let store = database.address()
    let admin = try ServerCluster.addUser("root --admin", to: store, in: home)
    let cluster = try ServerCluster(of: store)
    #expect(try ask(cluster.url(0), "POST", "/bikes", bike("B"), as: admin).status == 200)
    try setStandby("standby", of: database)
    try waitUntil("the standby to be synchronous") {
      try database.execute("SELECT sync_state FROM pg_stat_replication") == "sync"
    }
    return (database, standby, cluster, admin)
  }

  /// Changes wait for the standby, and nothing else does.
  @Test func changesWaitForSynchronousStandby() throws {
    let (database, standby, cluster, admin) = try clusterWithStandby()
    #expect(try ask(cluster.url(0), "PUT", "/bikes/0/rented", as: admin).status == 200)
    try standby.kill()
    let waiting = try #require(RawConnection(cluster.url(0)))
    waiting.send("DELETE", "/bikes/0/rented", headers: token(admin))
    try waitUntil("the change to wait for the standby") {
      try database.execute("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'") == "1"
    }
    for url in cluster.urls {
      let list = try ask(url, "GET", "/bikes", as: admin)
      #expect(list.status == 200 && list.body.contains("\"rented\":true"))
    }
    try setStandby("", of: database)
    #expect(waiting.answer()?.status == 200)
    for url in cluster.urls {
      #expect(try ask(url, "GET", "/bikes", as: admin).body.contains("\"rented\":false"))
    }
  }

  /// The connection of a change is lost while it waits for the standby, so everybody sees the change. The repetition of
  /// the request finds it, and waits as well.
  @Test func repeatedChangeWaitsForStandby() throws {
    let (database, standby, cluster, admin) = try clusterWithStandby()
    try standby.kill()
    let waiting = try #require(RawConnection(cluster.url(0)))
    waiting.send("PUT", "/bikes/0/rented", headers: token(admin) + ["Idempotency-Key: k"])
    let isWaiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    try waitUntil("the change to wait for the standby") {
      try database.execute("SELECT count(pg_terminate_backend(pid, 10000)) \(isWaiting)") == "1"
    }
    try waitUntil("the change to wait again") {
      try database.execute("SELECT count(*) \(isWaiting)") != "0"
    }
    #expect(try ask(cluster.url(1), "GET", "/bikes", as: admin).body.contains("\"rented\":true"))
    try setStandby("", of: database)
    #expect(waiting.answer()?.status == 200)
  }
}
