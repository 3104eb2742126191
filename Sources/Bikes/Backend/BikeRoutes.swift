import HTTP
import JSON
import Server
import System

/// The routes of bikes and rentals: the contract of the original server, with owners, a history and repeatable requests.
/// What is added here does not disturb clients of the original.
struct BikeRoutes {
  private let bikes: BikeTable
  private let rentals: RentalTable
  private let cache: BikeReadCache
  private let changes: IdempotentChanges
  private let epoch: String

  init(
    _ bikes: BikeTable, _ cache: BikeReadCache, _ changes: IdempotentChanges, epoch: String
  ) {
    self.bikes = bikes
    rentals = RentalTable(bikes: bikes)
    self.cache = cache
    self.changes = changes
    self.epoch = epoch
  }

  var routes: [Route] {
    [
      Route(.get, "/bikes", handler: list), Route(.post, "/bikes", handler: add),
      Route(.get, "/bikes/:id", handler: show), Route(.put, "/bikes/:id", handler: change),
      Route(.delete, "/bikes/:id", handler: delete), Route(.put, "/bikes/:id/rented", handler: rent),
      Route(.delete, "/bikes/:id/rented", handler: returnBike), Route(.get, "/rentals", handler: history),
    ]
  }

  private func list(_ call: Call) throws(Failure) -> Response {
    let caller = call.caller
    let circle = try Circle(call.query)
    let entries = try cache.entries(in: circle, showsPins: !call.serverHasUsers)
    var tag = EntityTag(epoch, call.serverHasUsers ? caller.name ?? "" : nil)
    for entry in entries { tag.add(entry.revision) }
    let text = tag.text
    if let known = call.header("If-None-Match"), EntityTag.matches(known, text) {
      return Response(304, headers: ["ETag": text])
    }
    var body: [UInt8] = []
    body.reserveCapacity(2 + entries.reduce(0) { $0 + $1.json.count + 1 })
    body.append(UInt8(ascii: "["))
    for (index, entry) in entries.enumerated() {
      if index > 0 { body.append(UInt8(ascii: ",")) }
      if call.serverHasUsers, caller.sees(owner: entry.owner, renter: entry.renter),
        let record = try bikes.find(entry.number)
      {
        body += record.json(pin: record.bike.pin)
      } else {
        body += entry.json
      }
    }
    body.append(UInt8(ascii: "]"))
    var response = Response.json(bytes: body)
    response.headers["ETag"] = text
    // A list may contain PINs, so no cache may keep it. A client asks again with the ETag.
    response.headers["Cache-Control"] = "no-store"
    return response
  }

  private func show(_ call: Call) throws(Failure) -> Response {
    .json(bytes: json(of: try find(call), for: call))
  }

  private func add(_ call: Call) throws(Failure) -> Response {
    let caller = call.caller
    let profile = try BikeProfile(JSON.parse(call.body))
    return try changes.respond(to: call, from: caller) { () throws(Failure) in
      let number = try bikes.insert(profile, owner: caller.name)
      return try found("\(number)").json(pin: profile.pin)
    }
  }

  private func change(_ call: Call) throws(Failure) -> Response {
    let caller = call.caller
    _ = try find(call)
    let profile = try BikeProfile(JSON.parse(call.body))
    return try changes.respond(to: call, from: caller) { () throws(Failure) in
      var record = try lock(call)
      let changed = record.bike.taking(profile)
      if !caller.manages(record) {
        var moved = record.bike
        moved.place = profile.place
        guard caller.hasRented(record), changed == moved else {
          throw .refused(403, .unauthorized, "bike \(call["id"]) is not yours to change")
        }
      }
      try bikes.update(record.number, to: profile)
      record.bike = changed
      return json(of: record, for: call)
    }
  }

  private func rent(_ call: Call) throws(Failure) -> Response {
    let caller = call.caller
    return try changes.respond(to: call, from: caller) { () throws(Failure) in
      var record = try lock(call)
      guard !record.bike.isRented else {
        // Not 409: the original says 400, and apps know that.
        throw .refused(400, .conflict, "bike \(call["id"]) is rented already")
      }
      try rentals.rent(record, by: caller.name, at: changes.now)
      record.bike.isRented = true
      return record.json(pin: record.bike.pin)
    }
  }

  private func returnBike(_ call: Call) throws(Failure) -> Response {
    let caller = call.caller
    return try changes.respond(to: call, from: caller) { () throws(Failure) in
      var record = try lock(call)
      guard !record.bike.isRented || caller.manages(record) || caller.hasRented(record) else {
        throw .refused(403, .unauthorized, "bike \(call["id"]) is not yours to return")
      }
      guard record.bike.isRented else {
        throw .refused(400, .conflict, "bike \(call["id"]) is not rented")
      }
      try rentals.returnBike(record, at: changes.now)
      record.bike.isRented = false
      record.renter = nil
      return json(of: record, for: call)
    }
  }

  private func delete(_ call: Call) throws(Failure) -> Response {
    let caller = call.caller
    return try changes.respond(to: call, from: caller) { () throws(Failure) in
      let record = try lock(call)
      guard caller != .anybody else {
        throw .refused(403, .unauthorized, "a bike can be deleted only if the server has users")
      }
      guard caller.manages(record) else {
        throw .refused(403, .unauthorized, "bike \(call["id"]) is not yours to delete")
      }
      guard !record.bike.isRented else {
        throw .refused(409, .conflict, "bike \(call["id"]) is rented: it can be deleted when it is back")
      }
      try bikes.delete(record.number)
      return []
    }
  }

  private func history(_ call: Call) throws(Failure) -> Response {
    let caller = call.caller
    if caller == .stranger { throw Failure(.unauthorized, "this needs the token of a user") }
    var limit = 100
    if let text = call.query["limit"] {
      guard let number = Int(text), (1...10_000).contains(number) else {
        throw Failure(.usage, "limit wants a whole number from 1 to 10000, not '\(text)'")
      }
      limit = number
    }
    let bike = call.query["bike"]
    let number = try bike.map { id throws(Failure) in try BikeRoutes.number(id) }
    let rentals = try rentals.history(bike: number, user: caller.historyFilter, limit: limit)
    // One that was deleted has its history still.
    if rentals.isEmpty, let bike { _ = try found(bike) }
    var writer = JSONWriter()
    writer.array { writer in for rental in rentals { rental.write(to: &writer) } }
    return .json(bytes: writer.bytes)
  }

  private func find(_ call: Call) throws(Failure) -> BikeTable.Record {
    try found(call["id"])
  }

  /// The bike of the request, which nobody else changes until the end of the transaction.
  private func lock(_ call: Call) throws(Failure) -> BikeTable.Record {
    let id = call["id"]
    guard let record = try bikes.lock(BikeRoutes.number(id)) else { throw BikeRoutes.unknown(id) }
    return record
  }

  private func found(_ id: String) throws(Failure) -> BikeTable.Record {
    guard let record = try bikes.find(BikeRoutes.number(id)) else { throw BikeRoutes.unknown(id) }
    return record
  }

  private static func number(_ id: String) throws(Failure) -> Int {
    // `007` and `+7` are not ids, though they are numbers.
    guard let number = Int(id), id == String(number) else { throw unknown(id) }
    return number
  }

  private static func unknown(_ id: String) -> Failure { Failure(.notFound, "bike '\(id)' doesn't exist") }

  private func json(of record: BikeTable.Record, for call: Call) -> [UInt8] {
    record.json(pin: !call.serverHasUsers || call.caller.sees(record) ? record.bike.pin : nil)
  }
}

extension Circle {
  /// The circle of a query; nil when it names no place. The original ignores a place that it does not understand, and
  /// then responds with every bike there is: here that is an error.
  init?(_ query: Query) throws(Failure) {
    let (latitude, longitude) = (query["latitude"], query["longitude"])
    guard latitude != nil || longitude != nil else { return nil }
    guard let latitude, let longitude else {
      throw Failure(.usage, "latitude and longitude go together")
    }
    guard let north = Place.number(latitude), Place.latitudes.contains(north) else {
      throw Failure(.usage, "latitude wants a number from -90 to 90, not '\(latitude)'")
    }
    guard let east = Place.number(longitude), let place = Place(latitude: north, longitude: east) else {
      throw Failure(.usage, "longitude wants a number from -180 to 180, not '\(longitude)'")
    }
    var metres = Circle.usualMetres
    if let text = query["radius"] {
      guard let radius = Place.number(text), radius >= 0 else {
        throw Failure(.usage, "radius wants a number of metres, not '\(text)'")
      }
      metres = radius
    }
    self.init(place, metres: metres)
  }
}

/// The ETag of a list: two responses with the same tag have the same bytes. It is a hash of the revisions of the bikes,
/// which change with everything about a bike, and not of the bytes, which are many.
private struct EntityTag {
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  /// `epoch` names the database: revisions mean nothing in another. Each user sees other PINs, and so has other tags;
  /// `reader` is nil where everybody sees all.
  init(_ epoch: String, _ reader: String?) {
    for byte in epoch.utf8 { mix(UInt64(byte)) }
    mix(reader == nil ? 0 : 1)
    for byte in (reader ?? "").utf8 { mix(UInt64(byte)) }
  }

  mutating func add(_ revision: Int) {
    mix(UInt64(bitPattern: Int64(revision)))
  }

  private mutating func mix(_ value: UInt64) {
    hash = (hash ^ value) &* 0x9E37_79B9_7F4A_7C15
    hash ^= hash >> 29
  }

  var text: String { "\"\(String(hash, radix: 36))\"" }

  /// Whether an `If-None-Match` field contains the tag.
  static func matches(_ field: String, _ tag: String) -> Bool {
    field == tag || field == "*"
      || field.split(separator: ",").contains { part in
        let bare = part.drop { $0 == " " }
        return bare == tag || bare.hasPrefix("W/") && bare.dropFirst(2) == tag
      }
  }
}
