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
    try SQLiteEngine(.file(scratch.file("bikes.db")), time: FakeClock()).execute(EarlierStores.dump)
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
    #expect(rentals.map(\.bike) == ["2", "1"] && rentals.map { $0.returnedAt != nil } == [true, false])
    let repeated = try server.ask(.put, "/bikes/1/rented", headers: ["Idempotency-Key": "k1"])
    #expect(repeated.status == 200 && repeated.text.contains(#""pin":"5678""#))
    #expect(try server.ask(.put, "/imports/0123456789abcdef?rows=1").text == #"{"added":1}"#)
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
      try schema(Store.memory(time: time).open(stepped))
        == schema(Store.memory(time: time).open(BikeTable.migrations)))
  }

  private static let storedAt: Int64 = 1795343201

  private static let dump = """
    PRAGMA application_id = 1752654441;
    PRAGMA user_version = 2;
    PRAGMA foreign_keys=OFF;
    BEGIN TRANSACTION;
    CREATE TABLE state (
      id INTEGER PRIMARY KEY, epoch TEXT NOT NULL, revision BIGINT NOT NULL
    );
    INSERT INTO state VALUES(1,'1nwe0nqsznecy',9);
    CREATE TABLE bike (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      color TEXT NOT NULL,
      pin TEXT NOT NULL,
      latitude DOUBLE PRECISION NOT NULL,
      longitude DOUBLE PRECISION NOT NULL,
      cell BIGINT NOT NULL,
      rented INTEGER NOT NULL,
      owner TEXT,
      renter TEXT,
      deleted INTEGER NOT NULL,
      revision BIGINT NOT NULL
    );
    INSERT INTO bike VALUES(0,'Henry','00C8E6','1234',50.119503999999999166,8.6381370000000003983,1797785836610,0,NULL,NULL,0,1);
    INSERT INTO bike VALUES(1,'Hans','76CD68','5678',50.119228999999997143,8.6400199999999998112,1797785836610,1,NULL,NULL,0,4);
    INSERT INTO bike VALUES(2,'Thomas','EAB151','1111',50.120452000000000223,8.6505069999999992802,1797785836610,0,NULL,NULL,0,6);
    INSERT INTO bike VALUES(3,'Wanda','D8433A','0420',50.119999999999997443,8.6400000000000005684,1797785836610,0,NULL,NULL,0,7);
    INSERT INTO bike VALUES(4,'Gone','D8433A','----',50.119999999999997443,8.6400000000000005684,1797785836610,0,NULL,NULL,1,9);
    CREATE TABLE rental (
      id INTEGER PRIMARY KEY,
      bike INTEGER NOT NULL REFERENCES bike,
      renter TEXT,
      rented_at BIGINT NOT NULL,
      from_latitude DOUBLE PRECISION NOT NULL,
      from_longitude DOUBLE PRECISION NOT NULL,
      returned_at BIGINT,
      to_latitude DOUBLE PRECISION,
      to_longitude DOUBLE PRECISION
    );
    INSERT INTO rental VALUES(1,1,NULL,1795343201,50.119228999999997143,8.6400199999999998112,NULL,NULL,NULL);
    INSERT INTO rental VALUES(2,2,NULL,1795343201,50.120452000000000223,8.6505069999999992802,1795343201,50.120452000000000223,8.6505069999999992802);
    CREATE TABLE answered (
      asker TEXT NOT NULL,
      key TEXT NOT NULL,
      request TEXT NOT NULL,
      body TEXT NOT NULL,
      at BIGINT NOT NULL,
      PRIMARY KEY (asker, key)
    );
    INSERT INTO answered VALUES('','k1','PUT /bikes/1/rented ','{"id":"1","name":"Hans","color":"76CD68","pin":"5678","location":{"latitude":50.119229,"longitude":8.64002},"rented":true}',1795343201);
    CREATE TABLE staged (
      upload TEXT NOT NULL,
      owner TEXT,
      number INTEGER NOT NULL,
      name TEXT NOT NULL,
      color TEXT NOT NULL,
      pin TEXT NOT NULL,
      latitude DOUBLE PRECISION NOT NULL,
      longitude DOUBLE PRECISION NOT NULL,
      cell BIGINT NOT NULL,
      at BIGINT NOT NULL,
      PRIMARY KEY (upload, number)
    );
    INSERT INTO staged VALUES('0123456789abcdef',NULL,0,'Staged','D8433A','0420',50.119999999999997443,8.6400000000000005684,1797785836610,1795343202);
    CREATE INDEX bike_cell ON bike (cell);
    CREATE INDEX bike_revision ON bike (revision);
    CREATE INDEX rental_bike ON rental (bike, returned_at);
    CREATE INDEX answered_at ON answered (at);
    COMMIT;
    """
}

/// The columns and indices of every table: not their types, which SQLite hardly minds, nor their defaults.
private func schema(_ database: Database) throws -> [String] {
  let tables = try database.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name") {
    row throws(Failure) in try row[0].text
  }
  return try tables.flatMap { table in
    let columns = try database.rows(
      "SELECT name || ' ' || \"notnull\" || ' ' || pk FROM pragma_table_info(?)", [.text(table)]
    ) { row throws(Failure) in "\(table).\(try row[0].text)" }
    let indices = try database.rows(
      """
      SELECT list."unique" || ' ' || group_concat(info.name)
      FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS info GROUP BY list.name ORDER BY 1
      """, [.text(table)]
    ) { row throws(Failure) in "\(table) index \(try row[0].text)" }
    return columns + indices
  }
}
