import Foundation
import TestSupport
import Testing

/// The simulation of many renters, against servers that share a PostgreSQL database.
@Suite(.ownThread, .needs(.postgresql))
struct BikesOnPostgreSQL {
  private static let clients = 64

  /// An empty town in a new schema, with a thousand bikes.
  private func town(on server: PostgreSQLServer) throws -> String {
    let address = try server.newSchema()
    let home = try Home()
    let lines = (0..<RentalRace.bikes - 3).map { "B\($0),red,1234,50.\(1000 + $0),8.64" }
    let file = (["name,color,pin,latitude,longitude"] + lines).joined(separator: "\n")
    try file.write(toFile: "\(home.path)/many.csv", atomically: true, encoding: .utf8)
    let ending = try shell("hw serve --samples --store '\(address)' -- hw bikes import many.csv", in: home)
    #expect(ending.status == 0, "\(ending.errors)")
    return address
  }

  private func connections(_ urls: [String]) throws -> [RawConnection] {
    try (0..<BikesOnPostgreSQL.clients).map { try #require(RawConnection(urls[$0 % urls.count])) }
  }

  @Test func oneWinnerEachTimeOnTwoServers() throws {
    let address = try town(on: #require(PostgreSQLServer.shared))
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

  @Test func afterAKillOfOneServerEveryAcknowledgedRentalIsThere() throws {
    let address = try town(on: #require(PostgreSQLServer.shared))
    let steady = try Serving.Server(["--samples", "--store", address])
    let race = RentalRace()
    for moment in 1...4 {
      let server = try Serving.Server(["--samples", "--store", address])
      let clients = try connections([server.url, steady.url])
      while race.attempts < moment * 1000 { #expect(race.round(clients)) }
      _ = race.round(clients) {
        // No event: each time another moment of the requests.
        usleep(UInt32(moment * moment * 200))
        kill(server.started.id, SIGKILL)
      }
      _ = server.started.end()
      let (history, free) = try RentalRace.kept(["HW_URL": steady.url])
      #expect(race.compare(with: history, free: free) == [])
    }
    #expect(race.impossible == [])
  }

  /// What a crash of the database did to a transaction is found out before anybody gets a response.
  @Test func afterACrashOfTheDatabaseEveryAcknowledgedRentalIsThere() throws {
    let database = try PostgreSQLServer()
    let address = try town(on: database)
    let servers = try (0..<2).map { _ in try Serving.Server(["--samples", "--store", address]) }
    let clients = try connections(servers.map(\.url))
    let race = RentalRace()
    for moment in 1...3 {
      while race.attempts < moment * 500 { #expect(race.round(clients)) }
      for _ in 0..<3
      where race.round(
        clients,
        killing: {
          // No event: each time another moment of the requests.
          usleep(UInt32(moment * 500))
          try? database.stop()
        })
      {}
      try database.start()
      try waitUntil("both servers to connect again") {
        (moment...moment + 1).allSatisfy { clients[$0].ask("GET", "/bikes/1")?.status != 503 }
      }
      let (history, free) = try RentalRace.kept(["HW_URL": servers[0].url])
      #expect(race.compare(with: history, free: free) == [])
    }
    #expect(race.impossible == [])
  }
}
