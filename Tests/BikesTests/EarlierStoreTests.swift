import HTTP
import System
import TestSupport
import Testing

@testable import Bikes
@testable import Store

/// A database of the version before PostgreSQL, with bikes, rentals, an idempotency key and an unfinished import.
@Suite(installed) struct EarlierStores {
  private func earlier() throws -> ScratchDirectory {
    let scratch = try ScratchDirectory()
    let engine = try SQLiteEngine(.file(scratch.file("bikes.db")), time: FakeClock())
    try engine.execute(try StoredVersion.text("bikes.sql") + EarlierStores.more)
    return scratch
  }

  @Test func areReadWithoutLoss() throws {
    let scratch = try earlier()
    let server = try TestServer(folder: scratch.path)
    // The moment at which the idempotency key was stored.
    server.time.setCalendar(forward: Timestamp(seconds: EarlierStores.storedAt) - server.time.now())
    let bikes = try server.client.bikes()
    #expect(bikes.map(\.name) == ["Henry", "Hans", "Thomas", "Wanda"])
    #expect(bikes.map(\.isRented) == [false, true, false, false])
    let rentals = try server.client.rentals(of: nil, limit: 10)
    #expect(
      rentals.map(\.bike) == ["2", "1"] && rentals.map(\.action) == [.rent, .rent]
        && rentals.map { $0.returnedAt != nil } == [true, false])
    let repeated = try server.ask(.put, "/bikes/1/rented", headers: ["Idempotency-Key": "k1"])
    #expect(repeated.status == 200 && repeated.text.contains(#""pin":"5678""#))
    #expect(try server.ask(.put, "/imports/0123456789abcdef?rows=1").text == #"{"added":1,"present":0}"#)
    // Numbers and revisions go on above those that were given out, deleted bikes included.
    #expect(try server.client.bikes().map(\.id) == ["0", "1", "2", "3", "5"])
    #expect(try server.ask(.post, "/bikes", body()).text.hasPrefix(#"{"id":"6""#))
    let revisions = try server.backend.database.rows("SELECT revision FROM bike") { row throws(Failure) in
      try row[0].integer
    }
    #expect(Set(revisions).count == revisions.count)
    for _ in 0..<5 { #expect(try server.client.bikes().count == 6) }
    #expect(try server.ask(.delete, "/bikes/1/rented").status == 200)
    #expect(try server.client.bikes()[1].isRented == false)
  }

  @Test func leadToTheShapeOfANewOne() throws {
    let time = FakeClock()
    let stepped = Migrations("bikes", BikeTable.migrations.steps)
    #expect(
      try databaseSchema(Store.memory(time: time).open(stepped))
        == databaseSchema(Store.memory(time: time).open(BikeTable.migrations)))
  }

  private static let storedAt: Int64 = 1_795_349_311

  /// What the stored file lacks: a deleted bike, a response for an idempotency key and an unfinished import.
  private static let more = """
    UPDATE state SET revision = 9;
    INSERT INTO bike VALUES(4,'Gone','D8433A','----',50.12,8.64,1797785836610,0,NULL,NULL,1,9);
    INSERT INTO answered VALUES('','k1','PUT /bikes/1/rented ','{"id":"1","name":"Hans","color":"76CD68","pin":"5678","location":{"latitude":50.119229,"longitude":8.64002},"rented":true}',1795349311);
    INSERT INTO staged VALUES('0123456789abcdef',NULL,0,'Staged','D8433A','0420',50.12,8.64,1797785836610,1795349312);
    """
}
