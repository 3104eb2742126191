import Foundation
import Synchronization
import TestSupport
import Testing

/// Clients that send requests without a pause and repeat none of them.
final class SteadyLoad: Sendable {
  typealias Sent = (method: String, path: String, body: String, headers: [String])

  private let url: String
  private let request: @Sendable (_ client: Int, _ number: Int) -> Sent
  private let ended = DispatchGroup()
  private let isStopping = Atomic(false)
  private let responses = Atomic(0)
  private let lost = Mutex<[String]>([])

  init(at url: String, _ request: @escaping @Sendable (_ client: Int, _ number: Int) -> Sent) {
    self.url = url
    self.request = request
  }

  var count: Int { responses.load(ordering: .relaxed) }
  var losses: [String] { lost.withLock { $0 } }

  func start(_ clients: Int) {
    for client in 0..<clients {
      ended.enter()
      Thread.detachNewThread { [self] in
        work(client)
        ended.leave()
      }
    }
  }

  func stop() {
    isStopping.store(true, ordering: .relaxed)
    ended.wait()
  }

  private func work(_ client: Int) {
    var connection = RawConnection(url)
    var number = 0
    while !isStopping.load(ordering: .relaxed) {
      number += 1
      let request = request(client, number)
      let answer = connection?.ask(request.method, request.path, request.body, headers: request.headers)
      if answer?.status == 200 {
        responses.add(1, ordering: .relaxed)
      } else {
        lost.withLock { $0.append("\(request.method) \(request.path): \(answer?.head ?? "no response")") }
      }
      // A proxy ends connections after a number of requests.
      if answer == nil || answer?.head.lowercased().contains("connection: close") == true {
        connection = RawConnection(url)
      }
    }
  }
}

/// Servers that are restarted one after the other, as an upgrade does.
@Suite(.ownThread, .needs(.postgresql)) struct RollingRestart {
  private static let clients = 8
  private let database: PostgreSQLServer
  private let store: String
  private let schema: String
  private let admin: String

  init() throws {
    database = try #require(PostgreSQLServer.shared)
    store = try database.newSchema()
    schema = try #require(store.split(separator: "%3D").last.map(String.init))
    admin = try ServerCluster.addUser("root --admin", to: store, in: Home())
  }

  private static func bike(_ name: String) -> String {
    #"{"name":"\#(name)","color":"ff0000","pin":"1234","location":{"latitude":50.1,"longitude":8.6}}"#
  }

  private func run(_ step: (ServerCluster, Int) throws -> Void) throws {
    let cluster = try ServerCluster(
      of: store, ["--log", "text"],
      settings: ["HW_SERVE_REQUESTS_PER_ADDRESS": "0", "HW_SERVE_REQUESTS_PER_USER": "0"])
    let connection = try #require(RawConnection(cluster.url))
    for number in 0..<RollingRestart.clients {
      let headers = ["Authorization: Bearer \(admin)"]
      let added = connection.ask("POST", "/bikes", Self.bike("\(number)"), headers: headers)
      #expect(added?.status == 200, "\(String(describing: added))")
    }
    let load = SteadyLoad(at: cluster.url) { [admin] client, number in
      let key = "\(client)-\(number)"
      let headers = ["Authorization: Bearer \(admin)", "Idempotency-Key: \(key)"]
      return switch number % 4 {
      case 0: ("POST", "/bikes", Self.bike(key), headers)
      case 1: ("PUT", "/bikes/\(client)/rented", "", headers)
      case 2: ("GET", "/bikes/\(client)", "", headers)
      default: ("DELETE", "/bikes/\(client)/rented", "", headers)
      }
    }
    load.start(RollingRestart.clients)
    func proceed() throws {
      let next = load.count + 100
      try waitUntil("the clients to go on") { load.count >= next || load.losses.count > 20 }
    }
    for index in cluster.urls.indices {
      try proceed()
      try step(cluster, index)
    }
    try proceed()
    load.stop()
    #expect(load.losses == [])
    for index in cluster.urls.indices { #expect(cluster.stop(index).status == 0) }
  }

  @Test(.needs(.nginx)) func restartLosesNoRequest() throws {
    try run { cluster, index in
      for _ in 0..<2 {
        #expect(cluster.stop(index).status == 0)
        let log = cluster.messages(index)
        try cluster.restart(index)
        // The proxy uses it again, so the next one may stop.
        try waitUntil("requests of the proxy") {
          cluster.messages(index).dropFirst(log.count).contains(" /bikes/")
        }
      }
    }
  }

  /// The new version adds to the schema while servers of the former one go on. The former one does not start any more.
  @Test(.needs(.nginx)) func oldServersRunDuringUpgrade() throws {
    var isUpgraded = false
    try run { cluster, index in
      guard !isUpgraded else { return }
      isUpgraded = true
      #expect(cluster.stop(index).status == 0)
      try database.execute(
        """
        SET search_path = \(schema);
        BEGIN;
        ALTER TABLE bike ADD COLUMN battery INTEGER;
        CREATE INDEX bike_battery ON bike (battery) WHERE battery IS NOT NULL;
        UPDATE hw_version SET version = version + 1 WHERE suite = 'bikes';
        COMMIT;
        """)
      let former = try shell("hw serve bikes --listen 127.0.0.1:0 --store '\(store)' -- true")
      #expect(former.status == 10 && former.errors.contains("newer hw"), "\(former)")
      // This test has no newer program: the restarted one gets its own schema back.
      try database.execute(
        """
        SET search_path = \(schema);
        BEGIN;
        ALTER TABLE bike DROP COLUMN battery;
        UPDATE hw_version SET version = version - 1 WHERE suite = 'bikes';
        COMMIT;
        """)
      try cluster.restart(index)
    }
  }
}
