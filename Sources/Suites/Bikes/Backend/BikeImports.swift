import HTTP
import JSON
import Server
import Store
import System

/// Adds many bikes with one request, in one transaction, and each only once.
///
/// After an interruption a client begins again, perhaps on another machine or with an edited file, so the requests
/// differ, and rented bikes have moved. The table `imported` therefore has a hash of each row that a user imported, and
/// the number of its bike. A row with an id, which counts if an admin sends it, is recognized by the id.
struct BikeImports {
  private let services: BikeServices
  private let rentals: RentalTable

  init(_ services: BikeServices) {
    self.services = services
    rentals = RentalTable(bikes: services.bikes)
  }

  func add(_ json: JSON, _ call: Call) throws(Failure) -> Reply {
    let rows = try json.array
    guard rows.count <= ImportedBike.mostPerRequest else {
      throw .refused(413, .usage, "a request adds at most \(ImportedBike.mostPerRequest) bikes")
    }
    let above = try BikeRoutes.number(call, "above", ImportedBike.numbers)
    let bikes = try rows.map { row throws(Failure) in
      var bike = try ImportedBike(row)
      bike.copy = try row["copy"].orNull?.int ?? 1
      if !call.caller.isAdmin {
        (bike.number, bike.owner, bike.state) = (nil, call.caller.name, .available)
      } else if bike.number == nil, bike.owner == nil {
        bike.owner = call.caller.name
      }
      return bike
    }
    var added = 0
    return try services.changes.respond(to: call, from: call.caller, rows: { added }) { () throws(Failure) in
      let conflicts: [Int]
      (added, conflicts) = try add(bikes, for: call.caller, above)
      return JSONWriter.object { writer in
        writer.member("added", added)
        writer.member("present", bikes.count - added - conflicts.count)
        if !conflicts.isEmpty {
          writer.array("conflicts") { writer in for number in conflicts { writer.integer(number) } }
        }
      }
    }
  }

  /// Returns the number of added bikes, and the ids that belong to other bikes.
  private func add(
    _ bikes: [ImportedBike], for caller: Caller, _ above: Int?
  ) throws(Failure) -> (added: Int, conflicts: [Int]) {
    let user = caller.name ?? ""
    // Another server must not search for these rows now.
    try services.limits.lock(user, in: services.bikes)
    // New ids are larger than the ids of the file.
    if caller.isAdmin, let largest = (bikes.map(\.number) + [above]).compactMap(\.self).max() {
      try services.bikes.database.raise("bike_id", above: largest)
    }
    let rows = bikes.map { (bike: $0, hash: $0.number == nil ? hash(of: $0) : nil) }
    var known = try known(rows.compactMap(\.hash), of: user)
    let new = rows.filter { $0.hash.map { known.insert($0).inserted } ?? true }
    try services.limits.checkBikes(of: caller, in: services.bikes, adding: new.count)
    var (added, conflicts) = (0, [Int]())
    for (bike, hash) in new {
      let number: Int
      if let own = bike.number {
        guard try services.bikes.insert(bike.profile, owner: bike.owner, bike.state, as: own) else {
          if try services.bikes.find(own).map(bike.differs(from:)) ?? true { conflicts.append(own) }
          continue
        }
        number = own
      } else {
        number = try services.bikes.insert(bike.profile, owner: bike.owner, bike.state)
      }
      try rentals.addEntry(
        .add, of: number, ownedBy: bike.owner, place: bike.profile.place, by: caller.name,
        at: services.changes.now)
      if let hash { try remember(hash, of: user, number) }
      added += 1
    }
    return (added, conflicts)
  }

  /// Includes a secret, because there are only ten thousand PINs, and a hash would reveal the one in the row.
  private func hash(of bike: ImportedBike) -> String {
    SHA256.hex(Array("\(services.epoch) ".utf8) + bike.bytes)
  }

  /// Hashes of rows that the user imported before, and whose bikes still exist.
  private func known(_ hashes: [String], of user: String) throws(Failure) -> Set<String> {
    guard !hashes.isEmpty else { return [] }
    let placeholders = Array(repeating: "?", count: hashes.count).joined(separator: ",")
    return Set(
      try services.bikes.database.rows(
        """
        SELECT digest FROM imported JOIN bike ON bike.id = imported.bike
        WHERE imported.asker = ? AND imported.digest IN (\(placeholders)) AND bike.deleted = 0
        """, [.text(user)] + hashes.map(SQLValue.text)
      ) { row throws(Failure) in try row[0].text })
  }

  private func remember(_ hash: String, of user: String, _ number: Int) throws(Failure) {
    try services.bikes.database.enqueue(
      """
      INSERT INTO imported (asker, digest, bike, at) VALUES (?, ?, ?, ?)
      ON CONFLICT (asker, digest) DO UPDATE SET bike = excluded.bike, at = excluded.at
      """, [.text(user), .text(hash), .integer(number), .integer(services.changes.now)])
  }
}

extension ImportedBike {
  /// Whether the id belongs to another bike. A bike that has only moved or changed its state is the same.
  fileprivate func differs(from stored: BikeTable.Record) -> Bool {
    let bike = stored.bike
    return bike.name != profile.name || bike.color != profile.color || bike.pin != profile.pin
      || owner != nil && owner != bike.owner
  }
}
