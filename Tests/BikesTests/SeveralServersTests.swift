import Foundation
import HTTP
import Store
import System
import TestSupport
import Testing

@testable import Bikes
@testable import Server

/// Backends of several servers that share one database.
@Suite(.enabled(if: PostgreSQLServer.isAvailable, "PostgreSQL is not installed"))
struct SeveralServers {
  private func server(_ address: String, ahead: Duration = .zero) throws -> TestServer {
    let address = try PostgreSQLAddress(address)
    let server = try TestServer { settings in
      settings.store = Store(address, environment: Environment([:]), time: settings.time)
    }
    server.time.advance(by: ahead)
    return server
  }

  /// A crash forgets the numbers of transactions that stored nothing, so a later change may have a smaller one.
  @Test func aListHasChangesAfterACrashOfTheDatabase() throws {
    let database = try PostgreSQLServer()
    let (reader, writer) = (try server(database.address()), try server(database.address()))
    for _ in 1...5 { #expect(try reader.ask(.get, "/bikes").status == 200) }
    for _ in 1...10 { try database.execute("SELECT txid_current()") }
    #expect(try reader.ask(.get, "/bikes").text.contains("true") == false)
    try database.stop()
    try database.start()
    var status = 0
    // The first request finds that the connection is lost.
    while status != 200 { status = try writer.ask(.put, "/bikes/1/rented").status }
    #expect(try reader.ask(.get, "/bikes").text.contains("true"))
  }

  /// The clocks of two servers differ by two minutes.
  @Test func clocksApart() throws {
    let database = try #require(PostgreSQLServer.shared)
    let schema = try database.newSchema()
    let (early, late) = (try server(schema), try server(schema, ahead: .seconds(120)))
    let key: Headers = ["Idempotency-Key": "clocks-1"]
    let first = try late.ask(.put, "/bikes/1/rented", headers: key)
    #expect(first.status == 200)
    #expect(try early.ask(.put, "/bikes/1/rented", headers: key).text == first.text)
    #expect(try early.ask(.delete, "/bikes/1/rented").status == 200)
    let rental = try #require(try early.client.rentals(of: "1", limit: 10).first { $0.action == .rent })
    // A rental does not end before it began.
    #expect(rental.returnedAt == rental.at)
    #expect(try late.ask(.get, "/bikes").text == early.ask(.get, "/bikes").text)
  }
}
