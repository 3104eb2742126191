import JSON
import Store
import System

/// The bikes in the database. Every change of a bike gives its row the next revision, which no other row ever had, and
/// the number of its transaction, so that a cache can read what is new (`ChangeMark`). A deleted bike keeps its row, for
/// that and for the history, but not its PIN.
///
/// No row is locked for the revision: it comes from a sequence, as the number of a new bike does. So numbers can be left
/// out, where a transaction was rolled back.
///
/// The PIN of a deleted bike is overwritten with a text of the same length, which SQLite writes in the place of the
/// former one. The file needs no VACUUM for that, which would block the writers of a large database. Two copies may
/// remain for a time: in the write-ahead log until its next checkpoint, and in the response that `IdempotencyTable`
/// keeps for a repeated request.
struct BikeTable {
  let database: Database
  private let locked = LockedBikes()

  /// The PIN of a deleted bike: as long as a PIN, and none.
  static let erasedPin = "----"

  private static let columns =
    "id, name, color, pin, latitude, longitude, rented, owner, renter, deleted, revision, state"

  /// A row of the table: the bike, its renter, and columns that the service does not send.
  struct Record {
    var number: Int
    var bike: Bike
    var renter: String?
    var isDeleted: Bool
    var revision: Int

    /// As the owner and the renter see it, with the PIN and the renter, or as every user does. An admin sees the renter.
    func json(isShown: Bool, toAdmin isAdmin: Bool = false) -> [UInt8] {
      var bike = bike
      bike.renter = isShown || isAdmin ? renter : nil
      var writer = JSONWriter()
      bike.write(to: &writer, pin: isShown ? bike.pin : nil)
      return writer.bytes
    }
  }

  /// Fills a new database and gives it an epoch, which is returned; a database that has one keeps it.
  func initialize(
    epoch: @autoclosure () -> String, with profiles: @autoclosure () -> [BikeProfile]
  ) throws(Failure) -> String {
    if let epoch = try self.epoch() { return epoch }
    return try database.transaction { () throws(Failure) in
      // Another process may have been first.
      if let epoch = try self.epoch() { return epoch }
      let epoch = epoch()
      let added = try database.run(
        "INSERT INTO bike_epoch VALUES (1, ?) ON CONFLICT DO NOTHING", [.text(epoch)])
      // On PostgreSQL two may come this far, and the second waits here for the first.
      if added == 0, let epoch = try self.epoch() { return epoch }
      for profile in profiles() { try insert(profile, owner: nil) }
      return epoch
    }
  }

  /// Adds bikes to a database that never had one.
  func insertIfBlank(_ profiles: [BikeProfile]) throws(Failure) {
    try database.transaction { () throws(Failure) in
      guard try database.first("SELECT 1 FROM bike LIMIT 1", [], { _ in true }) == nil else { return }
      for profile in profiles { try insert(profile, owner: nil) }
    }
  }

  private func epoch() throws(Failure) -> String? {
    try database.first("SELECT epoch FROM bike_epoch") { row throws(Failure) in try row[0].text }
  }

  private static let finding = "SELECT \(columns) FROM bike WHERE id = ? AND deleted = 0"

  func find(_ number: Int) throws(Failure) -> Record? {
    try database.first(BikeTable.finding, [.integer(number)]) { row throws(Failure) in try Record(row) }
  }

  /// The bike, which nobody else changes until the end of the transaction.
  func lock(_ number: Int) throws(Failure) -> Record? {
    if let record = locked.take(number) { return record }
    return try database.lock(BikeTable.finding, [.integer(number)]) { row throws(Failure) in try Record(row) }
  }

  /// Locks and reads bikes that requests are about to change, in one round trip for all of them. One that another
  /// transaction has locked is left to `lock`.
  func lockTogether(_ numbers: [Int]) throws(Failure) {
    let places = LockedBikes.places(for: numbers)
    let list = Array(repeating: "?", count: places.count).joined(separator: ",")
    try database.lockFree(
      "SELECT \(BikeTable.columns) FROM bike WHERE id IN (\(list)) AND deleted = 0",
      places.map(SQLValue.integer)
    ) { row throws(Failure) in locked.add(try Record(row)) }
  }

  /// Called at the end of each transaction, since its locks end with it.
  func forgetLocked() { locked.removeAll() }

  /// Every bike, in the order of their ids.
  func each(_ body: (Record) throws(Failure) -> Void) throws(Failure) {
    try database.each("SELECT \(BikeTable.columns) FROM bike WHERE deleted = 0 ORDER BY id") {
      row throws(Failure) in try body(Record(row))
    }
  }

  /// Some bikes with larger ids than this, in the order of their ids.
  func each(
    after number: Int, atMost limit: Int, _ body: (Record) throws(Failure) -> Void
  ) throws(Failure) {
    try database.each(
      "SELECT \(BikeTable.columns) FROM bike WHERE id > ? AND deleted = 0 ORDER BY id LIMIT ?",
      [.integer(number), .integer(limit)]
    ) { row throws(Failure) in try body(Record(row)) }
  }

  /// The bikes within a circle, ordered by id.
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

  /// Calls `body` with each bike that was last changed by a transaction with this number or a larger one, including
  /// deleted bikes.
  func changes(from floor: Int, _ body: (Record) throws(Failure) -> Void) throws(Failure) {
    try database.each("SELECT \(BikeTable.columns) FROM bike WHERE writer >= ?", [.integer(floor)]) {
      row throws(Failure) in try body(Record(row))
    }
  }

  /// SQL assignments that every change of a bike requires: a new revision and the number of the transaction.
  private static let mark = "revision = nextval('bike_revision'), writer = txid_current()"

  /// How many bikes a user has, counted up to a limit.
  func count(ownedBy owner: String, upTo limit: Int) throws(Failure) -> Int {
    try database.count(
      """
      SELECT count(*) FROM
        (SELECT 1 FROM bike WHERE owner = ? AND owner IS NOT NULL AND deleted = 0 LIMIT ?) AS own
      """,
      [.text(owner), .integer(limit)])
  }

  /// How many bikes a user has rented.
  func count(rentedBy renter: String) throws(Failure) -> Int {
    try database.count("SELECT count(*) FROM bike WHERE renter = ? AND renter IS NOT NULL", [.text(renter)])
  }

  private static let inserting = """
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
      .real(place.latitude), .real(place.longitude), .integer(GridCell(Direction(place)).number),
      .optional(owner), .text(state.rawValue),
    ]
  }

  @discardableResult
  func insert(
    _ profile: BikeProfile, owner: String?, _ state: BikeState = .available
  ) throws(Failure) -> Int {
    let number = try database.nextValue(of: "bike_id")
    try database.enqueue(BikeTable.inserting, BikeTable.values(number, profile, owner, state))
    return number
  }

  /// Adds a bike with this id, which a deleted bike may have had. Returns false if a bike has it.
  func insert(
    _ profile: BikeProfile, owner: String?, _ state: BikeState, as number: Int
  ) throws(Failure) -> Bool {
    try database.run(
      """
      \(BikeTable.inserting)
      ON CONFLICT (id) DO UPDATE SET
        name = excluded.name, color = excluded.color, pin = excluded.pin, latitude = excluded.latitude,
        longitude = excluded.longitude, cell = excluded.cell, owner = excluded.owner, state = excluded.state,
        pin_readers = 0, deleted = 0, revision = excluded.revision, writer = excluded.writer
      WHERE bike.deleted = 1
      """, BikeTable.values(number, profile, owner, state)) > 0
  }

  /// Changes a bike that is locked.
  func update(_ number: Int, to profile: BikeProfile, _ state: BikeState) throws(Failure) {
    let place = profile.place
    try database.enqueue(
      """
      UPDATE bike SET pin_readers = CASE WHEN pin = ? THEN pin_readers ELSE 0 END, name = ?, color = ?, pin = ?,
        latitude = ?, longitude = ?, cell = ?, state = ?, \(BikeTable.mark)
      WHERE id = ?
      """,
      [
        .text(profile.pin.digits),
        .text(profile.name), .text(profile.color), .text(profile.pin.digits), .real(place.latitude),
        .real(place.longitude), .integer(GridCell(Direction(place)).number),
        .text(state.rawValue), .integer(number),
      ])
  }

  /// Deletes a bike that is locked.
  func delete(_ number: Int) throws(Failure) {
    try database.enqueue(
      "UPDATE bike SET deleted = 1, pin = ?, \(BikeTable.mark) WHERE id = ?",
      [.text(BikeTable.erasedPin), .integer(number)])
  }

  /// Hands a bike that is locked to a renter, or takes it back.
  func setRented(_ isRented: Bool, renter: String?, _ number: Int) throws(Failure) {
    try database.enqueue(
      "UPDATE bike SET rented = ?, renter = ?, \(BikeTable.mark) WHERE id = ?",
      [.integer(isRented ? 1 : 0), .optional(renter), .integer(number)])
  }
}

extension Database {
  /// The result of a SELECT that counts rows.
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
