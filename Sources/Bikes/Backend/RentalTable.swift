import Store
import System

/// Who had which bike, from where and when to where and when.
struct RentalTable {
  let bikes: BikeTable
  private var database: Database { bikes.database }

  /// Rents a free bike; false when it is rented or does not exist. The second of two requests finds the row changed.
  func rent(_ number: Int, by renter: String?, at now: Int) throws(Failure) -> Bool {
    try bikes.advance()
    let changed = try database.run(
      """
      UPDATE bike SET rented = 1, renter = ?, revision = (SELECT revision FROM state)
      WHERE id = ? AND rented = 0 AND deleted = 0
      """, [.optional(renter), .integer(number)])
    guard changed == 1 else { return false }
    try database.run(
      """
      INSERT INTO rental (id, bike, renter, rented_at, from_latitude, from_longitude)
      SELECT (SELECT coalesce(max(id) + 1, 1) FROM rental), id, ?, ?, latitude, longitude FROM bike WHERE id = ?
      """,
      [.optional(renter), .integer(now), .integer(number)])
    return true
  }

  /// Frees a rented bike; false when it is free, or not there.
  func returnBike(_ number: Int, at now: Int) throws(Failure) -> Bool {
    try bikes.advance()
    let changed = try database.run(
      """
      UPDATE bike SET rented = 0, renter = NULL, revision = (SELECT revision FROM state)
      WHERE id = ? AND rented = 1 AND deleted = 0
      """, [.integer(number)])
    guard changed == 1 else { return false }
    try database.run(
      """
      UPDATE rental SET returned_at = ?,
        to_latitude = (SELECT latitude FROM bike WHERE bike.id = rental.bike),
        to_longitude = (SELECT longitude FROM bike WHERE bike.id = rental.bike)
      WHERE bike = ? AND returned_at IS NULL
      """,
      [.integer(now), .integer(number)])
    return true
  }

  /// The newest first. With `user`, only what that person had, or had lent.
  func history(bike: Int?, user: String?, limit: Int) throws(Failure) -> [Rental] {
    var conditions: [String] = []
    var values: [SQLValue] = []
    if let bike {
      conditions.append("rental.bike = ?")
      values.append(.integer(bike))
    }
    if let user {
      conditions.append("(rental.renter = ? OR bike.owner = ?)")
      values += [.text(user), .text(user)]
    }
    let filter = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
    return try database.rows(
      """
      SELECT rental.id, rental.bike, bike.name, rental.renter, rented_at, from_latitude, from_longitude,
        returned_at, to_latitude, to_longitude
      FROM rental JOIN bike ON bike.id = rental.bike \(filter) ORDER BY rental.id DESC LIMIT ?
      """, values + [.integer(limit)]
    ) { row throws(Failure) in
      guard let from = Place(latitude: try row[5].real, longitude: try row[6].real) else {
        throw Failure(.storage, "rental \(try row[0].integer) has no valid place")
      }
      var to: Place?
      if let latitude = try row[8].orNull?.real, let longitude = try row[9].orNull?.real {
        to = Place(latitude: latitude, longitude: longitude)
      }
      return Rental(
        id: String(try row[0].integer), bike: String(try row[1].integer), name: try row[2].text,
        renter: try row[3].orNull?.text, rentedAt: Timestamp(seconds: Int64(try row[4].integer)), from: from,
        returnedAt: try row[7].orNull.map { column throws(Failure) in
          Timestamp(seconds: Int64(try column.integer))
        }, to: to)
    }
  }
}
