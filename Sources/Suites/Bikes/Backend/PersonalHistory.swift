import Command
import Store
import System

extension PersonalData {
  static let bikes = PersonalData { store, user throws(Failure) in
    try RentalTable(in: store)?.remains(of: user) ?? []
  } prune: { store, limit throws(Failure) in
    try RentalTable(in: store)?.prune(limit) ?? Pruned()
  }
}

extension RentalTable {
  fileprivate init?(in store: Store) throws(Failure) {
    guard try store.contains(BikeTable.migrations) else { return nil }
    self.init(bikes: BikeTable(database: try store.open(BikeTable.migrations)))
  }

  // MARK: Readers of a PIN

  /// The number of people, without the owner, who have known the PIN since it was changed.
  func pinReaders(of record: BikeTable.Record) throws(Failure) -> Int {
    let number = SQLValue.integer(record.number)
    let change = try lastPinChange(of: record.number)
    return try database.count(
      """
      SELECT (SELECT pin_readers FROM bike WHERE id = ?) + count(*) FROM (
        SELECT reader FROM (\(RentalTable.formerReaders)) AS former
        UNION SELECT renter FROM rental WHERE bike = ? AND \(RentalTable.hasKnownPin) AND renter <> ?) AS readers
      """, [number, number, number] + change + [.text(record.bike.owner ?? "")])
  }

  /// People who know the PIN and whose rentals were pruned.
  private static let formerReaders = """
    SELECT reader FROM pin_reader JOIN bike ON bike.id = pin_reader.bike AND bike.pin = pin_reader.pin
    WHERE pin_reader.bike = ?
    """

  /// Condition of rentals whose renter has known the current PIN: those that began or ended after its change, and open
  /// ones. The parameters are `lastPinChange`.
  private static let hasKnownPin = "action IS NULL AND (returned_at IS NULL OR id > ? OR returned_at > ?)"

  /// Id and time of the last change of the PIN; zeros if the PIN is older than the history.
  private func lastPinChange(of number: Int) throws(Failure) -> [SQLValue] {
    try database.first(
      """
      SELECT id, rented_at FROM rental
      WHERE bike = ? AND (action = 'add' OR action = 'edit' AND changed LIKE '%pin%') ORDER BY id DESC LIMIT 1
      """, [.integer(number)]
    ) { row throws(Failure) in [.integer(try row[0].integer), .integer(try row[1].integer)] }
      ?? [.integer(0), .integer(0)]
  }

  private func knowsPin(_ user: String, of number: Int) throws(Failure) -> Bool {
    try database.count(
      """
      SELECT (SELECT count(*) FROM (\(RentalTable.formerReaders)) AS former WHERE reader = ?) + count(*)
      FROM rental WHERE bike = ? AND \(RentalTable.hasKnownPin) AND renter = ?
      """, [.integer(number), .text(user), .integer(number)] + lastPinChange(of: number) + [.text(user)]) > 0
  }

  // MARK: A user who is deleted

  /// Sentences about data that remain after a user is deleted, with the commands of an admin that remove them.
  func remains(of user: String) throws(Failure) -> [String] {
    let rented = try numbers(
      "SELECT id FROM bike WHERE renter = ? AND renter IS NOT NULL AND deleted = 0", user)
    let owned = try numbers("SELECT id FROM bike WHERE owner = ? AND owner IS NOT NULL AND deleted = 0", user)
    let ridden = try numbers(
      """
      SELECT id FROM bike WHERE deleted = 0 AND id IN (
        SELECT bike FROM rental WHERE renter = ? AND renter IS NOT NULL
        UNION SELECT bike FROM pin_reader WHERE reader = ?)
      """, user, user)
    var known: [Int] = []
    for number in ridden where !owned.contains(number) {
      if try knowsPin(user, of: number) { known.append(number) }
    }
    return [
      (rented, "rents", "'hw bikes return ID --at LAT,LON' ends a rental"),
      (owned, "owns", "'hw bikes delete ID' deletes one"),
      (known, "knows the PINs of", "'hw bikes edit ID --pin-file -' changes one"),
    ].compactMap { numbers, verb, command in
      guard !numbers.isEmpty else { return nil }
      let list = numbers.map(String.init).joined(separator: ", ")
      return "'\(user)' \(verb) \(numbers.count == 1 ? "bike" : "bikes") \(list): \(command)"
    }
  }

  private func numbers(_ sql: String, _ users: String...) throws(Failure) -> [Int] {
    try database.rows("\(sql) ORDER BY 1", users.map(SQLValue.text)) { row throws(Failure) in
      try row[0].integer
    }
  }

  // MARK: Retention

  /// Removes entries that ended before a time, and names of former users from other entries. Keeps open rentals. Each
  /// bike has its own transaction, so that no request waits long.
  func prune(_ limit: PersonalData.Limit) throws(Failure) -> PersonalData.Pruned {
    var pruned = PersonalData.Pruned()
    var next = try nextBike(after: .min)
    while let (number, owner) = next {
      try prune(number, of: owner, limit, &pruned)
      next = try nextBike(after: number)
    }
    let others = try formerUsers("SELECT member FROM growth UNION SELECT asker FROM imported", [], limit)
    guard !limit.isDryRun else { return pruned }
    for name in others {
      try database.run("DELETE FROM growth WHERE member = ?", [.text(name)])
      try database.run("DELETE FROM imported WHERE asker = ?", [.text(name)])
    }
    try database.run(
      "DELETE FROM answered WHERE at < ?", [.integer(IdempotencyKey.oldest(at: Int(limit.time.seconds)))])
    return pruned
  }

  private func nextBike(after number: Int) throws(Failure) -> (number: Int, owner: String)? {
    try database.first("SELECT id, owner FROM bike WHERE id > ? ORDER BY id LIMIT 1", [.integer(number)]) {
      row throws(Failure) in (try row[0].integer, try row[1].orNull?.text ?? "")
    }
  }

  /// The names that a query returns and that belong to no user any more.
  private func formerUsers(
    _ sql: String, _ values: [SQLValue], _ limit: PersonalData.Limit
  ) throws(Failure) -> [String] {
    guard let isUser = limit.isUser else { return [] }
    let names = try database.rows(sql, values) { row throws(Failure) in try row[0].orNull?.text ?? "" }
    var former: [String] = []
    for name in names where !name.isEmpty {
      if try !isUser(name) { former.append(name) }
    }
    return former
  }

  private func prune(
    _ number: Int, of owner: String, _ limit: PersonalData.Limit, _ pruned: inout PersonalData.Pruned
  ) throws(Failure) {
    let (bike, time) = (SQLValue.integer(number), SQLValue.integer(Int(limit.time.seconds)))
    let ended = "FROM rental WHERE bike = ? AND returned_at IS NOT NULL"
    let names = try formerUsers(
      """
      SELECT renter \(ended) UNION SELECT ended_by \(ended) UNION SELECT bike_owner \(ended)
      UNION SELECT reader FROM pin_reader WHERE bike = ?
      """, [bike, bike, bike, bike], limit)
    let entries = try database.count("SELECT count(*) \(ended) AND returned_at < ?", [bike, time])
    pruned.names.formUnion(names)
    pruned.entries += entries
    guard !limit.isDryRun, entries > 0 || !names.isEmpty else { return }
    try database.transaction { () throws(Failure) in
      for name in names { try anonymize(name, number, of: owner) }
      // Keeps the names of people who know the PIN, without time and place of their rides.
      try database.run(
        """
        INSERT INTO pin_reader
        SELECT DISTINCT bike, renter, (SELECT pin FROM bike WHERE bike.id = rental.bike) FROM rental
        WHERE bike = ? AND \(RentalTable.hasKnownPin) AND renter <> ? AND returned_at < ?
        ON CONFLICT (bike, reader) DO UPDATE SET pin = excluded.pin
        """, [bike] + lastPinChange(of: number) + [.text(owner), time])
      try bikes.removeFormerReaders(of: number)
      // Stores the next number in SQLite, which would otherwise give the numbers of removed entries again.
      try database.raise("rental_id_seq", above: 0)
      try database.run("DELETE FROM rental WHERE bike = ? AND returned_at < ?", [bike, time])
      try database.run(
        """
        UPDATE bike SET name = '', owner = NULL
        WHERE id = ? AND deleted = 1 AND NOT EXISTS (SELECT 1 FROM rental WHERE rental.bike = bike.id)
        """, [bike])
    }
  }

  private func anonymize(_ name: String, _ number: Int, of owner: String) throws(Failure) {
    let (bike, text) = (SQLValue.integer(number), SQLValue.text(name))
    let rents = try database.count(
      "SELECT count(*) FROM bike WHERE id = ? AND renter = ? AND renter IS NOT NULL", [bike, text])
    if name != owner, rents == 0, try knowsPin(name, of: number) {
      try database.run("UPDATE bike SET pin_readers = pin_readers + 1 WHERE id = ?", [bike])
    }
    for column in ["renter", "ended_by", "bike_owner"] {
      try database.run(
        "UPDATE rental SET \(column) = NULL WHERE bike = ? AND \(column) = ? AND returned_at IS NOT NULL",
        [bike, text])
    }
    try database.run("DELETE FROM pin_reader WHERE bike = ? AND reader = ?", [bike, text])
  }
}
