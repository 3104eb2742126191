import Store
import System

/// Who had which bike, from where and when to where and when.
struct RentalTable {
  let bikes: BikeTable
  private var database: Database { bikes.database }

  /// Rents a bike that is locked and free.
  func rent(_ record: BikeTable.Record, by renter: String?, at now: Int) throws(Failure) {
    try bikes.setRented(true, renter: renter, record.number)
    let place = record.bike.place
    try database.enqueue(
      "INSERT INTO rental (bike, renter, rented_at, from_latitude, from_longitude) VALUES (?, ?, ?, ?, ?)",
      [
        .integer(record.number), .optional(renter), .integer(now), .real(place.latitude),
        .real(place.longitude),
      ])
  }

  /// Frees a bike that is locked and rented.
  func returnBike(_ record: BikeTable.Record, at now: Int) throws(Failure) {
    try bikes.setRented(false, renter: nil, record.number)
    let place = record.bike.place
    try database.enqueue(
      """
      UPDATE rental SET returned_at = ?, to_latitude = ?, to_longitude = ?
      WHERE bike = ? AND returned_at IS NULL
      """,
      [.integer(now), .real(place.latitude), .real(place.longitude), .integer(record.number)])
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
