import HTTP
import System
import TestSupport
import Testing

@testable import Bikes
@testable import Store

/// A store of version 8, which does not remember by name who has known a PIN.
@Suite(.eachEngine, installed) struct ConvertedStores {
  private func store(in scratch: ScratchDirectory, time: FakeClock) throws -> Store {
    guard let address = try StorageEngine.address(for: scratch.path) else {
      return Store(folder: scratch.path, time: time)
    }
    return Store(try PostgreSQLAddress(address), environment: Environment([:]), time: time)
  }

  @Test func storeOfVersion8KeepsBikesRentalsAndKeys() throws {
    let (scratch, time) = (try ScratchDirectory(), FakeClock())
    let store = try store(in: scratch, time: time)
    do {
      let database = try store.open(BikeTable.migrations.upTo(8))
      let rows = [
        "INSERT INTO bike_epoch VALUES (1, 'e')",
        """
        INSERT INTO bike SELECT nextval('bike_id'), 'Henry', '00C8E6', '1234', 50.1, 8.6, 7, 0, NULL, NULL, 0,
          nextval('bike_revision'), txid_current(), 'available', 0 FROM (SELECT 1 UNION SELECT 2 UNION SELECT 3) AS three
        """,
        "UPDATE bike SET rented = 1 WHERE id = 1",
        """
        INSERT INTO rental (bike, rented_at, from_latitude, from_longitude, action) VALUES (1, 7, 50.1, 8.6, 'rent')
        """,
        "INSERT INTO answered VALUES ('', 'k1', 'PUT /bikes/1/rented ', '{\"id\":\"1\"}', \(time.now().seconds))",
      ]
      try database.transaction { () throws(Failure) in for row in rows { try database.run(row) } }
    }
    #expect(try store.missingSteps(BikeTable.migrations).map(\.to) == [9])
    let before = try store.verify(BikeTable.migrations)
    let server = try TestServer(folder: scratch.path)
    #expect(try store.missingSteps(BikeTable.migrations) == [])
    let after = try store.verify(BikeTable.migrations)
    #expect(
      after?.map(\.table) == ["bike_epoch", "bike", "rental", "answered", "imported", "growth", "pin_reader"])
    func unchanged(_ tables: [TableSummary]?) -> [String]? {
      tables?.filter { ["bike_epoch", "rental", "answered"].contains($0.table) }.map(\.checksum)
    }
    #expect(unchanged(after) == unchanged(before))
    #expect(try server.client.bikes().map(\.state) == [.available, .available, .available])
    #expect(try server.client.bikes().map(\.isRented) == [false, true, false])
    #expect(try server.client.rentals(of: nil, limit: 10).map(\.bike) == ["1"])
    let repeated = try server.ask(.put, "/bikes/1/rented", headers: ["Idempotency-Key": "k1"])
    #expect(repeated.status == 200 && repeated.text == #"{"id":"1"}"#)
    #expect(try server.ask(.post, "/bikes", body()).text.hasPrefix(#"{"id":"3""#))
  }

  @Test(arguments: [(7, "is of an older hw"), (10, "is of a newer hw")])
  func storeOfAnotherVersionIsRefusedUnchanged(version: Int, message: String) throws {
    let (scratch, time) = (try ScratchDirectory(), FakeClock())
    let store = try store(in: scratch, time: time)
    do {
      let database = try store.open(BikeTable.migrations)
      try database.run(
        store.isShared
          ? "UPDATE hw_version SET version = \(version)" : "PRAGMA user_version = \(version)")
    }
    let before = store.isShared ? nil : try scratch.bytes("bikes.db")
    for found in [
      failure { _ = try store.open(BikeTable.migrations) },
      failure { _ = try store.verify(BikeTable.migrations) },
      failure { _ = try store.missingSteps(BikeTable.migrations) },
    ] {
      #expect(found?.kind == .storage && found?.message.contains("\(message): version \(version)") == true)
      #expect(found?.hint?.hasPrefix("it was left as it is; ") == true)
    }
    if let before { #expect(try scratch.bytes("bikes.db") == before) }
  }
}
