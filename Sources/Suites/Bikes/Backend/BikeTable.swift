import JSON
import Store
import System

/// The bikes in the database. Each change gives the row a unique revision, and the number of the transaction, so that a
/// cache can read changes (`ChangeMark`). A deleted bike keeps its row, for that and for the history, but not its PIN.
/// Revisions come from a sequence, which needs no lock; a rolled back transaction leaves a gap.
///
/// The PIN of a deleted bike is overwritten with a text of the same length, which SQLite writes in place: no VACUUM is
/// needed, which would block writers. Two copies remain for a time: in the write-ahead log until its next checkpoint,
/// and in a response in `IdempotentChanges`.
struct BikeTable {
  let database: Database
  private let locked = LockedBikes()

  /// As long as a PIN, and invalid.
  static let erasedPin = "----"

  private static let columns =
    "id, name, color, pin, latitude, longitude, rented, owner, renter, deleted, revision, state"

  /// A row: the bike, its renter, and columns that are not sent.
  struct Record {
    var number: Int
    var bike: Bike
    /// The renter, whom `json` shows to some users only: `bike` has none.
    var renter: String?
    var isDeleted: Bool
    var revision: Int

    /// The JSON of the bike. `showsPin` includes PIN and renter, for owner and renter. Admins always see the renter.
    func json(showsPin: Bool, toAdmin isAdmin: Bool = false) -> [UInt8] {
      var bike = bike
      bike.renter = showsPin || isAdmin ? renter : nil
      return JSONWriter.bytes { bike.write(to: &$0, pin: showsPin ? bike.pin : nil) }
    }
  }

  /// Fills a new database. Returns its epoch, the secret in hashes and temporary ids, which a database keeps.
  func initialize(
    epoch: @autoclosure () -> String, with profiles: @autoclosure () -> [BikeProfile]
  ) throws(Failure) -> String {
    if let epoch = try self.epoch() { return epoch }
    return try database.transaction { () throws(Failure) in
      // Another process may have initialized it.
      if let epoch = try self.epoch() { return epoch }
      let epoch = epoch()
      let added = try database.run(
        "INSERT INTO bike_epoch VALUES (1, ?) ON CONFLICT DO NOTHING", [.text(epoch)])
      // On PostgreSQL a second transaction waits here for the first.
      if added == 0, let epoch = try self.epoch() { return epoch }
      for profile in profiles() { try insert(profile, owner: nil) }
      return epoch
    }
  }

  func insertIfBlank(_ profiles: [BikeProfile]) throws(Failure) {
    try database.transaction { () throws(Failure) in
      guard try database.first("SELECT 1 FROM bike LIMIT 1", [], { _ in true }) == nil else { return }
      for profile in profiles { try insert(profile, owner: nil) }
    }
  }

  private func epoch() throws(Failure) -> String? {
    try database.first("SELECT epoch FROM bike_epoch") { row throws(Failure) in try row[0].text }
  }

  private static let selectBike = "SELECT \(columns) FROM bike WHERE id = ? AND deleted = 0"

  func find(_ number: Int) throws(Failure) -> Record? {
    try database.first(Self.selectBike, [.integer(number)]) { row throws(Failure) in try Record(row) }
  }

  func lock(_ number: Int) throws(Failure) -> Record? {
    if let record = locked.take(number) { return record }
    return try database.lock(Self.selectBike, [.integer(number)]) { row throws(Failure) in try Record(row) }
  }

  /// Locks and reads the bikes of a batch in one round trip. Bikes locked by others are left to `lock`.
  func lockTogether(_ numbers: [Int]) throws(Failure) {
    let padded = LockedBikes.padded(numbers)
    let placeholders = Array(repeating: "?", count: padded.count).joined(separator: ",")
    try database.lockAvailable(
      "SELECT \(BikeTable.columns) FROM bike WHERE id IN (\(placeholders)) AND deleted = 0",
      padded.map(SQLValue.integer)
    ) { row throws(Failure) in locked.add(try Record(row)) }
  }

  /// Called at the end of each transaction, which releases its locks.
  func forgetLocked() { locked.removeAll() }

  /// All bikes, or some with ids above a number, ordered by id.
  func each(
    after number: Int = .min, atMost limit: Int = .max, _ body: (Record) throws(Failure) -> Void
  ) throws(Failure) {
    try database.each(
      "SELECT \(BikeTable.columns) FROM bike WHERE id > ? AND deleted = 0 ORDER BY id LIMIT ?",
      [.integer(number), .integer(limit)]
    ) { row throws(Failure) in try body(Record(row)) }
  }

  func within(_ circle: Circle) throws(Failure) -> [Record] {
    var found: [Record] = []
    guard let ranges = circle.cells else {
      try each { if circle.contains($0.bike.place) { found.append($0) } }
      return found
    }
    for range in ranges {
      try database.each(
        "SELECT \(BikeTable.columns) FROM bike WHERE cell BETWEEN ? AND ? AND deleted = 0",
        [.integer(range.lowerBound), .integer(range.upperBound)]
      ) { row throws(Failure) in
        let record = try Record(row)
        if circle.contains(record.bike.place) { found.append(record) }
      }
    }
    return found.sorted { $0.number < $1.number }
  }

  /// The bikes, also deleted ones, that were last changed by this transaction or a later one.
  func changes(from floor: Int, _ body: (Record) throws(Failure) -> Void) throws(Failure) {
    try database.each("SELECT \(BikeTable.columns) FROM bike WHERE writer >= ?", [.integer(floor)]) {
      row throws(Failure) in try body(Record(row))
    }
  }

  /// Assignments of every change: a new revision, and the number of the transaction.
  private static let changeMark = "revision = nextval('bike_revision'), writer = txid_current()"

  func count(ownedBy owner: String, upTo limit: Int) throws(Failure) -> Int {
    try database.count(
      """
      SELECT count(*) FROM
        (SELECT 1 FROM bike WHERE owner = ? AND owner IS NOT NULL AND deleted = 0 LIMIT ?) AS own
      """,
      [.text(owner), .integer(limit)])
  }

  func count(rentedBy renter: String) throws(Failure) -> Int {
    try database.count("SELECT count(*) FROM bike WHERE renter = ? AND renter IS NOT NULL", [.text(renter)])
  }

  private static let insertBike = """
    INSERT INTO bike
      (id, name, color, pin, latitude, longitude, cell, rented, owner, state, deleted, revision, writer)
    VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, 0, nextval('bike_revision'), txid_current())
    """

  private static func values(
    _ number: Int, _ profile: BikeProfile, _ owner: String?, _ state: BikeState
  ) -> [SQLValue] {
    let place = profile.place
    return [
      .integer(number), .text(profile.name), .text(profile.color), .text(profile.pin.digits),
      .real(place.latitude), .real(place.longitude), .integer(GridCell.number(of: Direction(place))),
      .optional(owner), .text(state.rawValue),
    ]
  }

  @discardableResult
  func insert(
    _ profile: BikeProfile, owner: String?, _ state: BikeState = .available
  ) throws(Failure) -> Int {
    let number = try database.nextValue(of: "bike_id")
    try database.enqueue(BikeTable.insertBike, BikeTable.values(number, profile, owner, state))
    return number
  }

  /// Adds a bike with an id. A deleted bike with the id, and with the name or the color, is restored with its history.
  /// Returns false if the id belongs to another bike.
  func insert(
    _ profile: BikeProfile, owner: String?, _ state: BikeState, as number: Int
  ) throws(Failure) -> Bool {
    try database.run(
      """
      \(BikeTable.insertBike)
      ON CONFLICT (id) DO UPDATE SET
        name = excluded.name, color = excluded.color, pin = excluded.pin, latitude = excluded.latitude,
        longitude = excluded.longitude, cell = excluded.cell, owner = excluded.owner, state = excluded.state,
        pin_readers = 0, deleted = 0, revision = excluded.revision, writer = excluded.writer
      WHERE bike.deleted = 1 AND (bike.name IN ('', excluded.name) OR bike.color = excluded.color)
      """, BikeTable.values(number, profile, owner, state)) > 0
  }

  /// The bike must be locked.
  func update(_ number: Int, to profile: BikeProfile, _ state: BikeState) throws(Failure) {
    let place = profile.place
    try database.enqueue(
      """
      UPDATE bike SET pin_readers = CASE WHEN pin = ? THEN pin_readers ELSE 0 END, name = ?, color = ?, pin = ?,
        latitude = ?, longitude = ?, cell = ?, state = ?, \(BikeTable.changeMark)
      WHERE id = ?
      """,
      [
        .text(profile.pin.digits), .text(profile.name), .text(profile.color), .text(profile.pin.digits),
        .real(place.latitude), .real(place.longitude), .integer(GridCell.number(of: Direction(place))),
        .text(state.rawValue), .integer(number),
      ])
    // The renter can read the new PIN. `hasKnownPin` misses a renter who returns the bike within this second.
    try database.enqueue(
      """
      INSERT INTO pin_reader SELECT id, renter, pin FROM bike WHERE id = ? AND renter <> coalesce(owner, '')
      ON CONFLICT (bike, reader) DO UPDATE SET pin = excluded.pin
      """, [.integer(number)])
    try removeFormerReaders(of: number)
  }

  /// Removes the names of those who knew a former PIN, with that PIN. The bike must be locked.
  func removeFormerReaders(of number: Int) throws(Failure) {
    try database.enqueue(
      """
      DELETE FROM pin_reader
      WHERE bike = ? AND NOT EXISTS (SELECT 1 FROM bike WHERE id = ? AND deleted = 0 AND bike.pin = pin_reader.pin)
      """, [.integer(number), .integer(number)])
  }

  /// The bike must be locked.
  func delete(_ number: Int) throws(Failure) {
    try database.enqueue(
      "UPDATE bike SET deleted = 1, pin = ?, \(BikeTable.changeMark) WHERE id = ?",
      [.text(BikeTable.erasedPin), .integer(number)])
    try removeFormerReaders(of: number)
  }

  /// The bike must be locked.
  func setRented(_ isRented: Bool, renter: String?, _ number: Int) throws(Failure) {
    try database.enqueue(
      "UPDATE bike SET rented = ?, renter = ?, \(BikeTable.changeMark) WHERE id = ?",
      [.integer(isRented ? 1 : 0), .optional(renter), .integer(number)])
  }
}

extension Database {
  func count(_ sql: String, _ values: [SQLValue]) throws(Failure) -> Int {
    try first(sql, values) { row throws(Failure) in try row[0].integer } ?? 0
  }
}

extension SQLValue {
  static func optional(_ text: String?) -> SQLValue { text.map(SQLValue.text) ?? .null }
}

extension BikeTable.Record {
  fileprivate init(_ row: ResultRow) throws(Failure) {
    number = try row[0].integer
    isDeleted = try row[9].integer != 0
    let pin = Pin(try row[3].text)
    guard isDeleted || pin != nil, let place = Place(latitude: try row[4].real, longitude: try row[5].real),
      let state = BikeState(rawValue: try row[11].text)
    else { throw Failure(.storage, "bike \(try row[0].integer) has no valid PIN, place or state") }
    bike = Bike(
      id: String(try row[0].integer), name: try row[1].text, color: try row[2].text, pin: pin, place: place,
      isRented: try row[6].integer != 0, owner: try row[7].orNull?.text, state: state)
    renter = try row[8].orNull?.text
    revision = try row[10].integer
  }
}

/// Bikes that a batch of requests is about to change, locked and read before the first handler.
///
/// Each record is used once: the first handler may change the bike, so the next one reads it again.
final class LockedBikes {
  private var records: [Int: BikeTable.Record] = [:]

  func add(_ record: BikeTable.Record) { records[record.number] = record }

  func take(_ number: Int) -> BikeTable.Record? { records.removeValue(forKey: number) }

  func removeAll() { records.removeAll(keepingCapacity: true) }

  /// Repeats the last number until the count is a power of two, so that few different statements are prepared.
  static func padded(_ numbers: [Int]) -> [Int] {
    guard let last = numbers.last else { return [] }
    var count = 1
    while count < numbers.count { count *= 2 }
    return numbers + Array(repeating: last, count: count - numbers.count)
  }
}
