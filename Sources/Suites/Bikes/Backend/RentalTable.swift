import Store
import System

/// The history of rentals, and of changes of bikes. A row without `action` is a rental, open until it has
/// `returned_at`. Other rows are changes by `renter` at `rented_at`, and never open.
struct RentalTable {
  let bikes: BikeTable
  var database: Database { bikes.database }

  /// The bike must be locked and free.
  func rent(_ record: BikeTable.Record, by renter: String?, at now: Int) throws(Failure) {
    try bikes.setRented(true, renter: renter, record.number)
    let place = record.bike.place
    try database.enqueue(
      """
      INSERT INTO rental (id, bike, renter, rented_at, from_latitude, from_longitude, bike_owner)
      VALUES (nextval('rental_id_seq'), ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(record.number), .optional(renter), .integer(now), .real(place.latitude),
        .real(place.longitude), .optional(record.bike.owner),
      ])
  }

  /// The bike must be locked and rented. A rental does not end before its start, even if clocks differ.
  func returnBike(_ record: BikeTable.Record, by user: String?, at now: Int) throws(Failure) {
    try bikes.setRented(false, renter: nil, record.number)
    let place = record.bike.place
    try database.enqueue(
      """
      UPDATE rental SET returned_at = CASE WHEN rented_at > ? THEN rented_at ELSE ? END,
        to_latitude = ?, to_longitude = ?, ended_by = ?
      WHERE bike = ? AND returned_at IS NULL
      """,
      [
        .integer(now), .integer(now), .real(place.latitude), .real(place.longitude), .optional(user),
        .integer(record.number),
      ])
  }

  /// Adds an entry for a change. `changed` are the members changed by an edit.
  func addEntry(
    _ action: Rental.Action, of number: Int, ownedBy owner: String?, place: Place, changed: [String] = [],
    by user: String?, at now: Int
  ) throws(Failure) {
    try database.enqueue(
      """
      INSERT INTO rental
        (id, bike, renter, rented_at, from_latitude, from_longitude, returned_at, action, changed, bike_owner)
      VALUES (nextval('rental_id_seq'), ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(number), .optional(user), .integer(now), .real(place.latitude), .real(place.longitude),
        .integer(now), .text(action.rawValue),
        .optional(changed.isEmpty ? nil : changed.joined(separator: ",")), .optional(owner),
      ])
  }

  private static let columns = """
    rental.id, rental.bike, bike.name, rental.renter, rented_at, from_latitude, from_longitude,
    returned_at, to_latitude, to_longitude, action, changed, ended_by
    """

  /// The entries of a bike and of a user, or all, newest first. A user also has those of bikes that the user owned then.
  func history(
    of bike: Int? = nil, user: String? = nil, before: Int? = nil, limit: Int
  ) throws(Failure) -> [Rental] {
    var conditions: [String] = []
    var values: [SQLValue] = []
    if let bike {
      conditions.append("rental.bike = ?")
      values.append(.integer(bike))
    }
    if let before {
      conditions.append("rental.id < ?")
      values.append(.integer(before))
    }
    if let user {
      // Reads each index in order, up to the limit.
      func newest(_ column: String) -> String {
        let filter = (["\(column) = ?", "\(column) IS NOT NULL"] + conditions).joined(separator: " AND ")
        return "SELECT id FROM (SELECT id FROM rental WHERE \(filter) ORDER BY id DESC LIMIT ?) AS \(column)s"
      }
      let branch = [.text(user)] + values + [.integer(limit)]
      conditions = ["rental.id IN (\(newest("renter")) UNION \(newest("bike_owner")))"]
      values = branch + branch
    }
    let filter = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
    return try database.rows(
      """
      SELECT \(RentalTable.columns) FROM rental JOIN bike ON bike.id = rental.bike \(filter)
      ORDER BY rental.id DESC LIMIT ?
      """, values + [.integer(limit)]
    ) { row throws(Failure) in try RentalTable.rental(row) }
  }

  /// Open rentals of a user by start, with current PINs. `showsAll` adds those of others, without PINs.
  func open(of user: String, showsAll: Bool) throws(Failure) -> [OpenRental] {
    try database.rows(
      """
      SELECT \(RentalTable.columns), bike.pin FROM bike JOIN rental ON rental.bike = bike.id
      WHERE \(showsAll ? "bike.rented = 1" : "bike.renter = ?") AND bike.deleted = 0
      AND rental.returned_at IS NULL ORDER BY rental.id
      """, showsAll ? [] : [.text(user)]
    ) { row throws(Failure) in
      let rental = try RentalTable.rental(row)
      return OpenRental(rental: rental, pin: rental.by == user ? Pin(try row[13].text) : nil)
    }
  }

  private static func rental(_ row: ResultRow) throws(Failure) -> Rental {
    guard let from = Place(latitude: try row[5].real, longitude: try row[6].real) else {
      throw Failure(.storage, "rental \(try row[0].integer) has no valid place")
    }
    var to: Place?
    if let latitude = try row[8].orNull?.real, let longitude = try row[9].orNull?.real {
      to = Place(latitude: latitude, longitude: longitude)
    }
    let action = try row[10].orNull.flatMap { column throws(Failure) in
      Rental.Action(rawValue: try column.text)
    }
    let changed = try row[11].orNull?.text.split(separator: ",").map(String.init) ?? []
    return Rental(
      id: String(try row[0].integer), bike: String(try row[1].integer), name: try row[2].text,
      action: action ?? .rent, by: try row[3].orNull?.text,
      at: Timestamp(seconds: Int64(try row[4].integer)), from: from,
      returnedAt: try row[7].orNull.map { column throws(Failure) in
        Timestamp(seconds: Int64(try column.integer))
      }, returnedBy: try row[12].orNull?.text, to: to, changed: changed)
  }
}
