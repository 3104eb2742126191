import HTTP
import JSON
import Server
import Store
import System

/// The service's contract, answered over a database, and what the original lacks: owners, a history, imports, a feed,
/// answers that are not sent twice. What it adds, no client of the original trips over.
///
/// Changes share one commit a turn of the server (`GroupCommit`), and nobody is answered before it.
final class BikesBackend {
  let bikes: BikeTable
  let rentals: RentalTable
  let answered: AnsweredTable
  let staged: StagedTable
  let group: GroupCommit
  let users: UserRegister?
  let time: any TimeKeeper
  let epoch: String
  var view: BikeView

  init(_ settings: BackendSettings) throws(Failure) {
    let database = try settings.store.open(BikeTable.migrations)
    bikes = BikeTable(database: database)
    rentals = RentalTable(bikes: bikes)
    answered = AnsweredTable(database: database)
    staged = StagedTable(bikes: bikes)
    group = GroupCommit(database)
    users = settings.users
    time = settings.time
    if settings.hasSamples {
      epoch = try Samples.fill(bikes, rentals, seed: settings.seed)
    } else {
      epoch = try bikes.begin(
        epoch: String(UInt64.random(in: 0 ... .max), radix: 36), with: Samples.original)
    }
    let isOpen = settings.users == nil
    view = BikeView(bikes, shows: { isOpen ? $0.bike.pin : nil })
  }

  var backend: Backend {
    Backend(
      "bikes", errors: BikesBackend.errors,
      routes: [
        route(.get, "/bikes") { backend, call throws(Failure) in try backend.list(call) },
        route(.post, "/bikes") { backend, call throws(Failure) in try backend.add(call) },
        route(.get, "/bikes/:id") { backend, call throws(Failure) in try backend.show(call) },
        route(.put, "/bikes/:id") { backend, call throws(Failure) in try backend.change(call) },
        route(.delete, "/bikes/:id") { backend, call throws(Failure) in try backend.delete(call) },
        route(.put, "/bikes/:id/rented") { backend, call throws(Failure) in try backend.rent(call) },
        route(.delete, "/bikes/:id/rented") { backend, call throws(Failure) in try backend.giveBack(call) },
        route(.get, "/rentals") { backend, call throws(Failure) in try backend.history(call) },
        route(.post, "/imports/:upload") { backend, call throws(Failure) in try backend.stage(call) },
        route(.put, "/imports/:upload") { backend, call throws(Failure) in try backend.finishImport(call) },
        route(.delete, "/imports/:upload") { backend, call throws(Failure) in try backend.dropImport(call) },
        route(.get, "/gbfs/gbfs.json") { backend, call throws(Failure) in try backend.feed(call, nil) },
        route(.get, "/gbfs/:version/:file") { backend, call throws(Failure) in
          try backend.feed(call, call["version"])
        },
      ],
      commit: { [self] () throws(Failure) in try turnEnded() })
  }

  private func route(
    _ method: Method, _ pattern: String,
    _ answer: @escaping (BikesBackend, Call) throws(Failure) -> Response
  ) -> Route {
    Route(method, pattern) { [self] call throws(Failure) in try answer(self, call) }
  }

  private func turnEnded() throws(Failure) {
    view.turnEnded()
    do throws(Failure) {
      try group.commit()
    } catch {
      view.forget()
      throw error
    }
  }

  var now: Int { Int(time.now().seconds) }
}

// MARK: The six routes

extension BikesBackend {
  private func list(_ call: Call) throws(Failure) -> Response {
    let caller = try caller(call)
    let circle = try Circle(asked: call.query)
    let entries = try view.entries(in: circle)
    var tag = EntityTag(epoch, caller.name)
    for entry in entries { tag.add(entry.revision) }
    let mark = tag.text
    if let known = call.header("If-None-Match"), EntityTag.matches(known, mark) {
      return Response(304, headers: ["ETag": mark])
    }
    var body: [UInt8] = []
    body.reserveCapacity(2 + entries.reduce(0) { $0 + $1.text.count + 1 })
    body.append(UInt8(ascii: "["))
    for (index, entry) in entries.enumerated() {
      if index > 0 { body.append(UInt8(ascii: ",")) }
      if caller.sees(owner: entry.owner, renter: entry.renter), let record = try bikes.find(entry.number) {
        body += text(of: record, pin: record.bike.pin)
      } else {
        body += entry.text
      }
    }
    body.append(UInt8(ascii: "]"))
    return Response(
      200,
      headers: [
        // It may hold PINs: nobody is to keep a copy. Who asks again asks with the mark.
        "Content-Type": "application/json", "ETag": mark, "Cache-Control": "no-store",
        AnsweredTable.header: AnsweredTable.keeps,
      ], body: body)
  }

  private func show(_ call: Call) throws(Failure) -> Response {
    let caller = try caller(call)
    return Response(
      200,
      headers: ["Content-Type": "application/json", AnsweredTable.header: AnsweredTable.keeps],
      body: text(of: try find(call), for: caller))
  }

  private func add(_ call: Call) throws(Failure) -> Response {
    let caller = try writer(call)
    let profile = try BikeProfile(JSON.parse(call.body))
    return try once(call, caller) { () throws(Failure) in
      let number = try bikes.insert(profile, owner: caller.name)
      return text(of: try found("\(number)"), pin: profile.pin)
    }
  }

  private func change(_ call: Call) throws(Failure) -> Response {
    let caller = try writer(call)
    _ = try find(call)
    let profile = try BikeProfile(JSON.parse(call.body))
    return try once(call, caller) { () throws(Failure) in
      var record = try find(call)
      let changed = record.bike.taking(profile)
      if !caller.manages(record) {
        var moved = record.bike
        moved.place = profile.place
        guard caller.hasOut(record), changed == moved else {
          throw .refused(403, .unauthorized, "bike \(call["id"]) is not yours to change")
        }
      }
      try bikes.update(record.number, to: profile)
      record.bike = changed
      return text(of: record, for: caller)
    }
  }

  private func rent(_ call: Call) throws(Failure) -> Response {
    let caller = try writer(call)
    return try once(call, caller) { () throws(Failure) in
      var record = try find(call)
      // Asked for itself: who comes second must not cost a write.
      guard !record.bike.isRented, try rentals.rent(record.number, by: caller.name, at: now) else {
        // Not 409: the original says 400, and apps know that.
        throw .refused(400, .conflict, "bike \(call["id"]) is rented already")
      }
      record.bike.isRented = true
      return text(of: record, pin: record.bike.pin)
    }
  }

  private func giveBack(_ call: Call) throws(Failure) -> Response {
    let caller = try writer(call)
    return try once(call, caller) { () throws(Failure) in
      var record = try find(call)
      guard !record.bike.isRented || caller.manages(record) || caller.hasOut(record) else {
        throw .refused(403, .unauthorized, "bike \(call["id"]) is not yours to return")
      }
      guard record.bike.isRented, try rentals.giveBack(record.number, at: now) else {
        throw .refused(400, .conflict, "bike \(call["id"]) is not rented")
      }
      record.bike.isRented = false
      record.renter = nil
      return text(of: record, for: caller)
    }
  }

  private func delete(_ call: Call) throws(Failure) -> Response {
    let caller = try writer(call)
    return try once(call, caller) { () throws(Failure) in
      let record = try find(call)
      guard caller.manages(record) else {
        throw .refused(403, .unauthorized, "bike \(call["id"]) is not yours to delete")
      }
      guard !record.bike.isRented, try bikes.delete(record.number) else {
        throw .refused(409, .conflict, "bike \(call["id"]) is rented: it can be deleted when it is back")
      }
      return []
    }
  }

  private func history(_ call: Call) throws(Failure) -> Response {
    let caller = try writer(call)
    var limit = 100
    if let text = call.query["limit"] {
      guard let number = Int(text), (1...10_000).contains(number) else {
        throw Failure(.usage, "limit wants a whole number from 1 to 10000, not '\(text)'")
      }
      limit = number
    }
    let bike = call.query["bike"]
    let number = try bike.map { id throws(Failure) in try BikesBackend.number(id) }
    let rentals = try rentals.history(bike: number, user: caller.name, limit: limit)
    // One that was deleted has its history still.
    if rentals.isEmpty, let bike { _ = try found(bike) }
    var writer = JSONWriter()
    writer.array { writer in for rental in rentals { rental.write(to: &writer) } }
    return Response(200, headers: ["Content-Type": "application/json"], body: writer.bytes)
  }

  private func feed(_ call: Call, _ version: String?) throws(Failure) -> Response {
    // HTTP allows an empty one, an address does not.
    let host = call.header("Host").flatMap { $0.isEmpty ? nil : $0 } ?? "localhost"
    let version = try version.map { text throws(Failure) in
      guard let version = GBFS.Version(rawValue: text) else {
        throw Failure(.notFound, "no feed of version '\(text)'")
      }
      return version
    }
    let name = version == nil ? "gbfs.json" : call["file"]
    var free: [GBFS.Vehicle] = []
    if name.hasSuffix("_status.json") {
      // Every rent and return gives a bike another revision; the epoch is never sent.
      let secret = "gbfs \(epoch)"
      try bikes.each { record in
        guard !record.bike.isRented else { return }
        free.append(GBFS.Vehicle(record.bike, "\(record.revision)", secret: secret))
      }
    }
    let feed = GBFS(version ?? .three, base: "http://\(host)/gbfs/", at: time.now(), free: free)
    guard let body = feed.file(name) else { throw Failure(.notFound, "the feed has no file '\(name)'") }
    return Response(200, headers: ["Content-Type": "application/json"], body: body)
  }
}

// MARK: Finding and telling

extension BikesBackend {
  private func find(_ call: Call) throws(Failure) -> BikeTable.Record {
    try found(call["id"])
  }

  private func found(_ id: String) throws(Failure) -> BikeTable.Record {
    guard let record = try bikes.find(BikesBackend.number(id)) else { throw BikesBackend.unknown(id) }
    return record
  }

  private static func number(_ id: String) throws(Failure) -> Int {
    // `007` and `+7` are not ids, though they are numbers.
    guard let number = Int(id), id == String(number) else { throw unknown(id) }
    return number
  }

  private static func unknown(_ id: String) -> Failure { Failure(.notFound, "bike '\(id)' doesn't exist") }

  private func text(of record: BikeTable.Record, for caller: Caller) -> [UInt8] {
    text(of: record, pin: caller.sees(record) ? record.bike.pin : nil)
  }

  private func text(of record: BikeTable.Record, pin: Pin?) -> [UInt8] {
    var writer = JSONWriter()
    record.bike.write(to: &writer, pin: pin)
    return writer.bytes
  }
}
