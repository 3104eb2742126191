import Foundation
import TestSupport
import Testing

/// The simulation of many renters, against two servers that share a store of each kind.
@Suite(.ownThread, .needs(.libsqlite3)) struct ConcurrentRentals {
  private static let clients = 64

  /// A new store with a thousand bikes: a schema of this server, or a directory of the home.
  private func town(on server: PostgreSQLServer?, _ home: Home) throws -> String {
    let address = try server?.newSchema() ?? home.file("data")
    try RentalRace.makeTown(in: address, home)
    return address
  }

  private func connections(_ urls: [String]) throws -> [RawConnection] {
    try (0..<ConcurrentRentals.clients).map { try #require(RawConnection(urls[$0 % urls.count])) }
  }

  private static let engines: [Tool?] = [nil, .postgresql]

  @Test(arguments: engines) func oneRenterWinsEachTimeOnTwoServers(_ engine: Tool?) throws {
    if SkippedTests.includesCurrentTest(needing: engine.map { [$0] } ?? []) { return }
    let home = try Home()
    let address = try town(on: engine == nil ? nil : PostgreSQLServer.shared, home)
    let servers = try (0..<2).map { _ in try Serving.Server(["--samples", "--store", address]) }
    let clients = try connections(servers.map(\.url))
    let race = RentalRace()
    while race.attempts < 5000 { #expect(race.round(clients)) }
    #expect(race.impossible == [])
    #expect(race.refused > 250)
    for server in servers {
      let (history, free) = try RentalRace.kept(["HW_URL": server.url])
      #expect(race.compare(with: history, free: free) == [])
    }
  }

  /// Each time at another moment of a batch of requests, which are read, done, committed and answered; every second time
  /// no server is left that has the store open.
  @Test(arguments: engines) func acknowledgedRentalsSurviveServerKill(_ engine: Tool?) throws {
    if SkippedTests.includesCurrentTest(needing: engine.map { [$0] } ?? []) { return }
    let home = try Home()
    let address = try town(on: engine == nil ? nil : PostgreSQLServer.shared, home)
    var steady = try Serving.Server(["--samples", "--store", address])
    let race = RentalRace()
    let (kills, attempts, delay) = engine == nil ? (8, 1250, 50) : (4, 1000, 200)
    for moment in 1...kills {
      let server = try Serving.Server(["--samples", "--store", address])
      let clients = try connections([server.url, steady.url])
      while race.attempts < moment * attempts { #expect(race.round(clients)) }
      _ = race.round(clients) {
        // No event: each time another moment of the requests.
        usleep(UInt32(moment * moment * delay))
        kill(server.started.id, SIGKILL)
        if moment.isMultiple(of: 2) { kill(steady.started.id, SIGKILL) }
      }
      _ = server.started.end()
      if moment.isMultiple(of: 2) {
        _ = steady.started.end()
        steady = try Serving.Server(["--samples", "--store", address])
      }
      let (history, free) = try RentalRace.kept(["HW_URL": steady.url])
      #expect(race.compare(with: history, free: free) == [])
    }
    #expect(race.impossible == [])
  }
}
