import Store

/// The tables of the suite, and how those of earlier versions become them.
extension BikeTable {
  static let migrations = Migrations(
    "bikes",
    [
      """
      CREATE TABLE state (
        id INTEGER PRIMARY KEY, epoch TEXT NOT NULL, revision BIGINT NOT NULL
      );
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
      CREATE INDEX bike_cell ON bike (cell);
      CREATE INDEX bike_revision ON bike (revision);
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
      CREATE INDEX rental_bike ON rental (bike, returned_at);
      CREATE TABLE answered (
        asker TEXT NOT NULL,
        key TEXT NOT NULL,
        request TEXT NOT NULL,
        body TEXT NOT NULL,
        at BIGINT NOT NULL,
        PRIMARY KEY (asker, key)
      );
      CREATE INDEX answered_at ON answered (at);
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
      """,
      "UPDATE bike SET pin = '\(erasedPin)' WHERE deleted = 1;",
      // Version 2 had one row with the last revision, which every change locked.
      """
      CREATE TABLE sequence (name TEXT PRIMARY KEY, next INTEGER NOT NULL) WITHOUT ROWID;
      INSERT INTO sequence VALUES ('transaction', 1);
      INSERT INTO sequence SELECT 'bike_id', coalesce(max(id) + 1, 0) FROM bike;
      INSERT INTO sequence SELECT 'bike_revision', coalesce(max(revision) + 1, 1) FROM
        (SELECT revision FROM state UNION ALL SELECT max(revision) FROM bike);
      CREATE TABLE bike_epoch (id INTEGER PRIMARY KEY, epoch TEXT NOT NULL);
      INSERT INTO bike_epoch SELECT 1, epoch FROM state;
      DROP TABLE state;
      ALTER TABLE bike ADD COLUMN writer INTEGER NOT NULL DEFAULT 0;
      DROP INDEX bike_revision;
      CREATE INDEX bike_writer ON bike (writer);
      """,
      """
      ALTER TABLE rental ADD COLUMN action TEXT;
      ALTER TABLE rental ADD COLUMN changed TEXT;
      ALTER TABLE rental ADD COLUMN ended_by TEXT;
      CREATE INDEX rental_renter ON rental (renter) WHERE renter IS NOT NULL;
      CREATE INDEX bike_owner ON bike (owner) WHERE owner IS NOT NULL;
      CREATE INDEX bike_renter ON bike (renter) WHERE renter IS NOT NULL;
      ALTER TABLE staged ADD COLUMN bike INTEGER;
      ALTER TABLE staged ADD COLUMN bike_owner TEXT;
      UPDATE staged SET bike_owner = owner;
      CREATE INDEX staged_owner ON staged (owner) WHERE owner IS NOT NULL;
      CREATE INDEX staged_bike ON staged (upload, bike) WHERE bike IS NOT NULL;
      CREATE TABLE importing (
        upload TEXT NOT NULL,
        asker TEXT NOT NULL,
        state TEXT NOT NULL,
        added INTEGER NOT NULL,
        present INTEGER NOT NULL,
        digest TEXT,
        at INTEGER NOT NULL,
        PRIMARY KEY (upload, asker)
      );
      CREATE TABLE imported (
        asker TEXT NOT NULL,
        digest TEXT NOT NULL,
        bikes INTEGER NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (asker, digest)
      );
      """,
      // A page of a history, a step of an import and the open rental of a bike are each found in an index.
      """
      ALTER TABLE rental ADD COLUMN bike_owner TEXT;
      UPDATE rental SET bike_owner = (SELECT owner FROM bike WHERE bike.id = rental.bike);
      DROP INDEX rental_bike;
      DROP INDEX rental_renter;
      CREATE INDEX rental_of_bike ON rental (bike, id);
      CREATE INDEX rental_open ON rental (bike) WHERE returned_at IS NULL;
      CREATE INDEX rental_of_renter ON rental (renter, id) WHERE renter IS NOT NULL;
      CREATE INDEX rental_of_owner ON rental (bike_owner, id) WHERE bike_owner IS NOT NULL;
      DROP INDEX bike_writer;
      CREATE INDEX bike_change ON bike (writer, revision);
      CREATE INDEX staged_at ON staged (at);
      """,
    ],
    base: .init(
      version: 3,
      """
      CREATE SEQUENCE bike_id MINVALUE 0;
      CREATE SEQUENCE bike_revision MINVALUE 1;
      CREATE TABLE bike_epoch (id INTEGER PRIMARY KEY, epoch TEXT NOT NULL);
      CREATE TABLE bike (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        color TEXT NOT NULL,
        pin TEXT NOT NULL,
        latitude DOUBLE PRECISION NOT NULL,
        longitude DOUBLE PRECISION NOT NULL,
        cell INTEGER NOT NULL,
        rented INTEGER NOT NULL,
        owner TEXT,
        renter TEXT,
        deleted INTEGER NOT NULL,
        revision INTEGER NOT NULL,
        writer INTEGER NOT NULL
      );
      CREATE INDEX bike_cell ON bike (cell);
      CREATE INDEX bike_writer ON bike (writer);
      CREATE TABLE rental (
        id INTEGER PRIMARY KEY,
        bike INTEGER NOT NULL REFERENCES bike,
        renter TEXT,
        rented_at INTEGER NOT NULL,
        from_latitude DOUBLE PRECISION NOT NULL,
        from_longitude DOUBLE PRECISION NOT NULL,
        returned_at INTEGER,
        to_latitude DOUBLE PRECISION,
        to_longitude DOUBLE PRECISION
      );
      CREATE INDEX rental_bike ON rental (bike, returned_at);
      CREATE TABLE answered (
        asker TEXT NOT NULL,
        key TEXT NOT NULL,
        request TEXT NOT NULL,
        body TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (asker, key)
      );
      CREATE INDEX answered_at ON answered (at);
      CREATE TABLE staged (
        upload TEXT NOT NULL,
        owner TEXT,
        number INTEGER NOT NULL,
        name TEXT NOT NULL,
        color TEXT NOT NULL,
        pin TEXT NOT NULL,
        latitude DOUBLE PRECISION NOT NULL,
        longitude DOUBLE PRECISION NOT NULL,
        cell INTEGER NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (upload, number)
      );
      """), transactionColumns: ["writer"])
}
