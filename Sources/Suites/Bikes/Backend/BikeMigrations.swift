import Store

extension BikeTable {
  static let migrations = Migrations(
    "bikes", base: 8,
    [
      // `pin_readers` counts deleted users who know the PIN. `answered` has the response to a user (`asker`) for each
      // idempotency key, `imported` hashes of imported rows, and `growth` the bytes added by a user on a day.
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
        writer INTEGER NOT NULL,
        state TEXT NOT NULL DEFAULT 'available',
        pin_readers INTEGER NOT NULL DEFAULT 0
      );
      CREATE INDEX bike_cell ON bike (cell);
      CREATE INDEX bike_owner ON bike (owner) WHERE owner IS NOT NULL;
      CREATE INDEX bike_renter ON bike (renter) WHERE renter IS NOT NULL;
      CREATE INDEX bike_change ON bike (writer, revision);
      CREATE TABLE rental (
        id INTEGER PRIMARY KEY,
        bike INTEGER NOT NULL REFERENCES bike,
        renter TEXT,
        rented_at INTEGER NOT NULL,
        from_latitude DOUBLE PRECISION NOT NULL,
        from_longitude DOUBLE PRECISION NOT NULL,
        returned_at INTEGER,
        to_latitude DOUBLE PRECISION,
        to_longitude DOUBLE PRECISION,
        action TEXT,
        changed TEXT,
        ended_by TEXT,
        bike_owner TEXT
      );
      CREATE INDEX rental_of_bike ON rental (bike, id);
      CREATE INDEX rental_open ON rental (bike) WHERE returned_at IS NULL;
      CREATE INDEX rental_of_renter ON rental (renter, id) WHERE renter IS NOT NULL;
      CREATE INDEX rental_of_owner ON rental (bike_owner, id) WHERE bike_owner IS NOT NULL;
      CREATE TABLE answered (
        asker TEXT NOT NULL,
        key TEXT NOT NULL,
        request TEXT NOT NULL,
        body TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (asker, key)
      );
      CREATE INDEX answered_at ON answered (at);
      CREATE TABLE imported (
        asker TEXT NOT NULL,
        digest TEXT NOT NULL,
        bike INTEGER NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (asker, digest)
      );
      CREATE TABLE growth (member TEXT PRIMARY KEY, day INTEGER NOT NULL, bytes INTEGER NOT NULL);
      """,
      // Names of people who know a PIN although the history does not show it.
      """
      CREATE TABLE pin_reader (
        bike INTEGER NOT NULL, reader TEXT NOT NULL, pin TEXT NOT NULL, PRIMARY KEY (bike, reader)
      );
      """,
    ], transactionColumns: ["writer"])
}
