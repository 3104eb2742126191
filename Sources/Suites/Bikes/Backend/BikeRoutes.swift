import HTTP
import JSON
import Server
import System

/// The API of the original server, with owners, a history and idempotent requests that its clients can ignore.
struct BikeRoutes {
  private let services: BikeServices
  private let rentals: RentalTable
  private let imports: BikeImports

  init(_ services: BikeServices) {
    self.services = services
    rentals = RentalTable(bikes: services.bikes)
    imports = BikeImports(services)
  }

  var routes: [Route] {
    [
      Route(.get, "/bikes", reply: list), Route(.post, "/bikes", reply: add),
      Route(.get, "/bikes/:id", reply: show), Route(.put, "/bikes/:id", reply: replace),
      Route(.patch, "/bikes/:id", reply: edit), Route(.delete, "/bikes/:id", reply: delete),
      Route(.put, "/bikes/:id/rented", reply: rent), Route(.delete, "/bikes/:id/rented", reply: returnBike),
      Route(.get, "/rentals", handler: history),
    ]
  }

  private func list(_ call: Call) throws(Failure) -> Reply {
    let caller = call.caller
    let circle = try Circle(call.query)
    guard caller != .stranger else { return try listForStranger(call, circle) }
    guard let found = try services.cache.entries(in: circle, services.dividedRead, call) else {
      return .unfinished
    }
    let entries = found.filter { entry in
      entry.state == .available || caller.manages(owner: entry.owner, renter: entry.renter)
        || caller.seesPin(owner: entry.owner, renter: entry.renter)
    }
    let showsAll = call.query["pins"] != nil && caller.isAdmin
    return BikeRoutes.list(entries) { entry, body in
      if showsAll || call.serverHasUsers && caller.seesPin(owner: entry.owner, renter: entry.renter) {
        entry.appendWithPin(to: &body)
      } else {
        body += entry.json
      }
    }
  }

  /// Sends strangers the content of the feed. With names the rides of bikes could be followed.
  private func listForStranger(_ call: Call, _ circle: Circle?) throws(Failure) -> Reply {
    guard let entries = try services.cache.free(in: circle, for: .stranger, services.dividedRead, call) else {
      return .unfinished
    }
    return BikeRoutes.list(entries) { entry, body in
      body += services.cache.json(of: entry, for: .stranger)
    }
  }

  private static func list(
    _ entries: [BikeReadCache.Entry], _ append: (BikeReadCache.Entry, inout [UInt8]) -> Void
  ) -> Reply {
    var body: [UInt8] = []
    body.reserveCapacity(entries.reduce(0) { $0 + $1.json.count + 3 })
    body.append(UInt8(ascii: "["))
    for entry in entries {
      if body.count > 1 { body.append(UInt8(ascii: ",")) }
      append(entry, &body)
    }
    body.append(UInt8(ascii: "]"))
    return .response(.uncached(json: body))
  }

  private func show(_ call: Call) throws(Failure) -> Reply {
    guard call.caller != .stranger else { return try showToStranger(call) }
    var record = try find(call["id"])
    if let user = call.caller.user, user.isAdmin || user.name == record.bike.owner {
      record.bike.pinReaders = try rentals.pinReaders(of: record)
    }
    return .response(.uncached(json: json(of: record, for: call)))
  }

  /// Accepts only the temporary ids that strangers receive. With permanent ids a bike could be followed.
  private func showToStranger(_ call: Call) throws(Failure) -> Reply {
    let (id, cache) = (call["id"], services.cache)
    guard id.utf8.count == GBFS.Vehicle.idLength else { throw BikeRoutes.tokenRequired }
    guard let entries = try cache.free(in: nil, for: .stranger, services.dividedRead, call) else {
      return .unfinished
    }
    guard let entry = entries.first(where: { cache.temporaryID(of: $0) == id }) else {
      throw BikeRoutes.unknown(id)
    }
    return .response(.uncached(json: cache.json(of: entry, for: .stranger)))
  }

  private func add(_ call: Call) throws(Failure) -> Reply {
    let caller = call.caller
    let json = try JSON.parse(call.body)
    guard json.kind != .array else { return try imports.add(json, call) }
    let profile = try BikeProfile(json)
    return try services.changes.respond(to: call, from: caller) { () throws(Failure) in
      try services.limits.checkBikes(of: caller, in: services.bikes, adding: 1)
      let number = try services.bikes.insert(profile, owner: caller.name)
      try rentals.addEntry(
        .add, of: number, ownedBy: caller.name, place: profile.place, by: caller.name,
        at: services.changes.now)
      return try find("\(number)").json(showsPin: true)
    }
  }

  private func replace(_ call: Call) throws(Failure) -> Reply {
    try change(call) { json throws(Failure) in BikeChange(try BikeProfile(json)) }
  }

  private func edit(_ call: Call) throws(Failure) -> Reply {
    try change(call) { json throws(Failure) in try BikeChange(json) }
  }

  private func change(_ call: Call, _ read: (JSON) throws(Failure) -> BikeChange) throws(Failure) -> Reply {
    let caller = call.caller
    // An unknown bike is reported before an invalid body.
    _ = try find(call["id"])
    let change = try read(JSON.parse(call.body))
    return try services.changes.respond(to: call, from: caller) { () throws(Failure) in
      var record = try lock(call)
      let changed = change.changedMembers(of: record.bike)
      let isMove = caller.hasRented(record) && changed.allSatisfy { $0 == "location" }
      guard caller.manages(record) || isMove else {
        throw .refused(403, .unauthorized, "bike \(call["id"]) is not yours to change")
      }
      guard let pin = record.bike.pin else { throw Failure(.storage, "bike \(call["id"]) has no valid PIN") }
      let profile = change.profile(of: record.bike, pin: pin)
      record.bike = record.bike.applying(change)
      try services.bikes.update(record.number, to: profile, record.bike.state)
      // The place of a return is a part of the rental.
      if !changed.isEmpty, !isMove {
        try rentals.addEntry(
          .edit, of: record.number, ownedBy: record.bike.owner, place: profile.place, changed: changed,
          by: caller.name, at: services.changes.now)
      }
      return json(of: record, for: call)
    }
  }

  private func rent(_ call: Call) throws(Failure) -> Reply {
    let caller = call.caller
    return try services.changes.respond(to: call, from: caller) { () throws(Failure) in
      var record = try lock(call)
      guard !record.bike.isRented else {
        let isOwn = caller.name != nil && record.renter == caller.name
        // Status 400 as in the original, on which apps rely.
        throw .refused(400, .conflict, "bike \(call["id"]) is rented already\(isOwn ? ", by you" : "")")
      }
      guard record.bike.state == .available else {
        throw .refused(409, .conflict, "bike \(call["id"]) is \(record.bike.state.rawValue)")
      }
      try services.limits.checkRentals(of: caller, in: services.bikes)
      try rentals.rent(record, by: caller.name, at: services.changes.now)
      record.bike.isRented = true
      record.renter = caller.name
      return record.json(showsPin: true)
    }
  }

  private func returnBike(_ call: Call) throws(Failure) -> Reply {
    let caller = call.caller
    return try services.changes.respond(to: call, from: caller) { () throws(Failure) in
      var record = try lock(call)
      guard !record.bike.isRented || caller.manages(record) || caller.hasRented(record) else {
        throw .refused(403, .unauthorized, "bike \(call["id"]) is not yours to return")
      }
      guard record.bike.isRented else { throw .refused(400, .conflict, "bike \(call["id"]) is not rented") }
      try rentals.returnBike(record, by: caller.name, at: services.changes.now)
      record.bike.isRented = false
      record.renter = nil
      return json(of: record, for: call)
    }
  }

  private func delete(_ call: Call) throws(Failure) -> Reply {
    let caller = call.caller
    return try services.changes.respond(to: call, from: caller) { () throws(Failure) in
      let record = try lock(call)
      guard caller != .anybody else {
        throw .refused(403, .unauthorized, "a bike can be deleted only if the server has users")
      }
      guard caller.manages(record) else {
        throw .refused(403, .unauthorized, "bike \(call["id"]) is not yours to delete")
      }
      if record.bike.isRented {
        guard record.bike.state == .missing else {
          throw .refused(409, .conflict, "bike \(call["id"]) is rented: it can be deleted when it is back")
        }
        try rentals.returnBike(record, by: caller.name, at: services.changes.now)
      }
      try services.bikes.delete(record.number)
      try rentals.addEntry(
        .delete, of: record.number, ownedBy: record.bike.owner, place: record.bike.place, by: caller.name,
        at: services.changes.now)
      return []
    }
  }

  /// The history, or with `open` the user's open rentals.
  private func history(_ call: Call) throws(Failure) -> Response {
    guard call.caller != .stranger else { throw BikeRoutes.tokenRequired }
    var writer = JSONWriter()
    if call.query["open"] != nil {
      // Without users the renter is unknown.
      guard let user = call.caller.name else { throw Failure(.notFound, "this server has no users") }
      let showsAll = call.query["open"] == "all" && call.caller.isAdmin
      let rentals = try rentals.open(of: user, showsAll: showsAll)
      writer.array { writer in for rental in rentals { rental.write(to: &writer) } }
      return .uncached(json: writer.bytes)
    }
    let bike = call.query["bike"]
    let before = try BikeRoutes.number(call, "before", 1 ... .max)
    let rentals = try rentals.history(
      of: bike.map { id throws(Failure) in try BikeRoutes.number(id) }, user: call.caller.ordinaryUser,
      before: before, limit: BikeRoutes.number(call, "limit", 1...10_000) ?? 100)
    // Deleted bikes have a history.
    if rentals.isEmpty, before == nil, let bike { _ = try find(bike) }
    writer.array { writer in for rental in rentals { rental.write(to: &writer) } }
    return .uncached(json: writer.bytes)
  }

  static func number(_ call: Call, _ name: String, _ range: ClosedRange<Int>) throws(Failure) -> Int? {
    guard let text = call.query[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let last = range.upperBound == .max ? " or more" : " to \(range.upperBound)"
      throw Failure(.usage, "\(name) requires a whole number, \(range.lowerBound)\(last), not '\(text)'")
    }
    return number
  }

  private static let tokenRequired = Failure(.unauthorized, "this needs the token of a user")

  /// Locks the bike of the request until the end of the transaction.
  private func lock(_ call: Call) throws(Failure) -> BikeTable.Record {
    let id = call["id"]
    guard let record = try services.bikes.lock(BikeRoutes.number(id)) else { throw BikeRoutes.unknown(id) }
    return record
  }

  private func find(_ id: String) throws(Failure) -> BikeTable.Record {
    guard let record = try services.bikes.find(BikeRoutes.number(id)) else { throw BikeRoutes.unknown(id) }
    return record
  }

  static func number(_ id: String) throws(Failure) -> Int {
    // `007` and `+7` are not ids.
    guard let number = Int(id), id == String(number) else { throw unknown(id) }
    return number
  }

  private static func unknown(_ id: String) -> Failure { Failure(.notFound, "there is no bike '\(id)'") }

  private func json(of record: BikeTable.Record, for call: Call) -> [UInt8] {
    record.json(
      showsPin: !call.serverHasUsers || call.caller.seesPin(of: record),
      toAdmin: call.caller.user?.isAdmin == true)
  }
}

extension Circle {
  /// The circle of a query; nil without a place. An invalid place is an error; the original then sends all bikes.
  init?(_ query: Query) throws(Failure) {
    let (latitude, longitude) = (query["latitude"], query["longitude"])
    guard latitude != nil || longitude != nil else { return nil }
    guard let latitude, let longitude else { throw Failure(.usage, "latitude and longitude go together") }
    guard let north = Place.number(latitude), Place.latitudes.contains(north) else {
      throw Failure(.usage, "latitude requires a number from -90 to 90, not '\(latitude)'")
    }
    guard let east = Place.number(longitude), let place = Place(latitude: north, longitude: east) else {
      throw Failure(.usage, "longitude requires a number from -180 to 180, not '\(longitude)'")
    }
    var meters = Circle.defaultMeters
    if let text = query["radius"] {
      guard let radius = Place.number(text), radius >= 0 else {
        throw Failure(.usage, "radius requires a number of meters, not '\(text)'")
      }
      meters = radius
    }
    self.init(place, meters: meters)
  }
}
