import Command
import HTTP
import System

/// Rents and returns bikes for a command, and notes the rentals on servers without users, which do not store them.
struct RentalSession {
  let client: BikesClient
  /// Notes of rented bikes; nil for a demo, whose data is temporary.
  let notes: RentedNotes?
  /// With `--replay` and `--explain` notes are not changed.
  var isReplayed = false
  let time: any TimeKeeper
  let report: (String) -> Void
  let reportInterruption: (Failure) -> Void
}

extension RentalSession {
  init(_ context: Context) throws(Failure) {
    client = try Bikes.client(context)
    var base = client.endpoint.base
    if base.scheme == .demo {
      notes = nil
    } else {
      let folders = UserFolders(context.environment)
      // The directory of 'embedded:' by another spelling.
      if File.realPath(base.database) == (try File.realPath(folders.data)) { base.database = "" }
      notes = RentedNotes(folder: try folders.state, service: base, token: client.token)
    }
    isReplayed = context.isReplaying || context.isExplaining
    time = context.time
    report = { context.messages.report($0) }
    reportInterruption = context.reportInterruption
  }

  /// Updates the note of a bike that was changed on the server. Failures are only reported: the change was made.
  static func updateNote(
    of id: String, _ context: Context, _ update: (RentalSession) throws(Failure) -> Void
  ) {
    do throws(Failure) { try update(RentalSession(context)) } catch {
      context.messages.report("the note of bike \(id) remains as it was: \(error.message)")
    }
  }

  /// The user's rentals in the order of their start; `ofAll` adds those of others for an admin.
  func rented(ofAll: Bool = false, next: String? = nil) throws(Failure) -> [RentedBike] {
    try settle { report("another command is renting or returning a bike, whose outcome is not listed yet") }
    if let open = try openRentals(ofAll: ofAll, next: next) { return open.map { RentedBike($0, time: time) } }
    return try notes?.all().map { RentedBike(note: $0, time: time) } ?? []
  }

  /// Open rentals on the server; nil if the server has no users, and without a request if there is no token.
  private func openRentals(ofAll: Bool = false, next: String? = nil) throws(Failure) -> [OpenRental]? {
    client.token == nil ? nil : try client.openRentals(ofAll: ofAll, next: next)
  }

  /// Refuses notes of a newer version before it rents: the bike could be neither noted nor returned.
  func rent(_ id: String) throws(Failure) -> RentedBike {
    try notes?.checkVersion()
    do throws(Failure) {
      try settle()
      return try attempt(.rent, id) { key throws(Failure) in
        switch try client.requestRental(id, key: key) {
        case .rented(let bike?):
          let rented = RentedBike(bike, since: time.now(), time: time)
          return bike.renter == nil ? saveNote(of: rented) : rented
        case .rented(nil): return try saveNote(of: readPin(of: id))
        case .rentedAlready(let bike, let possiblyByUs):
          if let ours = try ownRental(id, bike) { return saveNote(of: ours) }
          throw alreadyRented(id, bike, possiblyByUs)
        }
      }
    } catch {
      throw error.reportingInterruption(reportInterruption)
    }
  }

  /// Reads a rented bike from the list, because the response had no PIN.
  private func readPin(of id: String) throws(Failure) -> RentedBike {
    let since = time.now()
    do throws(Failure) {
      let bike = try client.listed(id)
      guard bike.pin != nil else { throw Failure(.invalidData, "the service sends none") }
      return RentedBike(bike, since: since, time: time)
    } catch {
      add(RentedNotes.Note(id: id, name: "", pin: nil, since: since))
      throw error.prefixing(
        "bike \(id) is yours, but its PIN could not be read",
        hint: "\(ShellWord.command("hw", "bikes", "rent", id)) again reads it")
    }
  }

  /// The user's rental if its PIN was never read; nil if the bike is not the user's. Throws if the PIN was read.
  private func ownRental(_ id: String, _ bike: Bike?) throws(Failure) -> RentedBike? {
    if let open = try openRentals() {
      guard let own = open.first(where: { $0.rental.bike == id }) else { return nil }
      throw alreadyRentedByUser(id, since: own.rental.at)
    }
    guard let note = knownNote(id) else { return nil }
    if note.pin == nil, let bike, bike.pin != nil { return RentedBike(bike, since: note.since, time: time) }
    throw alreadyRentedByUser(id, since: note.since)
  }

  private func alreadyRentedByUser(_ id: String, since: Timestamp) -> Failure {
    Failure(
      .conflict, "you have rented bike \(id) since \(time.local(since).minutes)",
      hint: "'hw bikes rented' shows its PIN, \(BikesClient.returnCommand(id, at: nil)) returns it")
  }

  /// Reports unreadable notes, because the response of the server counts anyway.
  private func knownNote(_ id: String) -> RentedNotes.Note? {
    do throws(Failure) {
      return try notes?.note(of: id)
    } catch {
      report(error.message)
      return nil
    }
  }

  private func alreadyRented(_ id: String, _ bike: Bike?, _ possiblyByUs: Bool) -> Failure {
    var hints: [String] = []
    if possiblyByUs {
      hints.append("if it was your attempt, \(BikesClient.returnCommand(id, at: nil)) returns the bike")
    }
    if let other = bike.flatMap(nearestFree) {
      let distance = other.meters.map { ", \($0) m away" } ?? ""
      let command = ShellWord.command("hw", "bikes", "rent", other.bike.id)
      hints.append("the nearest free one: \(command) (\(other.bike.name)\(distance))")
    }
    return Failure(
      .conflict,
      possiblyByUs
        ? "bike \(id) is rented now: maybe by the first attempt, whose response was lost"
        : "bike \(id) is rented",
      hint: hints.isEmpty ? nil : hints.joined(separator: "; "), outcomeUnknown: possiblyByUs)
  }

  /// Searches in growing circles: a town can have more bikes than fit into one response.
  private func nearestFree(to taken: Bike) -> FoundBike? {
    for meters in [500.0, 2000, 8000, .infinity] {
      let circle = meters.isFinite ? Circle(taken.place, meters: meters) : nil
      guard let bikes = try? client.bikes(in: circle) else { return nil }
      if let free = FoundBike.sorted(bikes.filter(\.isFree), from: taken.place).first { return free }
    }
    return nil
  }

  private func saveNote(of rented: RentedBike) -> RentedBike {
    add(rented.note)
    return rented
  }

  /// Updates the note of a bike that the user rents and edits.
  func noteChange(_ change: BikeChange, of bike: Bike) {
    guard let note = knownNote(bike.id) else { return }
    add(
      .init(id: note.id, name: bike.name, pin: change.pin ?? note.pin, since: note.since, place: note.place))
  }

  /// Reports a note that cannot be written, because the bike is rented anyway.
  private func add(_ note: RentedNotes.Note) {
    guard !isReplayed else { return }
    do throws(Failure) { try notes?.add(note) } catch {
      report("bike \(note.id) is yours, but that could not be noted: \(error.message)")
    }
  }

  func forget(_ id: String) {
    guard !isReplayed else { return }
    do throws(Failure) { try notes?.remove(id) } catch {
      report("bike \(id) is returned, but still noted as yours: \(error.message)")
    }
  }

  func onlyRented(at place: Place) throws(Failure) -> String {
    try client.requireChangeable()
    let out = try rented(next: RentalSession.returnRequests("ID"))
    guard let first = out.first else {
      throw Failure(.notFound, "you have no rented bike", hint: "name one: 'hw bikes return ID --at LAT,LON'")
    }
    guard out.count == 1 else {
      throw Failure(
        .conflict, "you have \(out.count) rented bikes: \(out.map(\.id).joined(separator: ", "))",
        hint: "name one: \(BikesClient.returnCommand(first.id, at: place))")
    }
    return first.id
  }

  // MARK: Attempts, which a killed command leaves to the next one

  /// Notes an idempotency key and calls `body` to send the request. Ends the attempt when its outcome is known.
  private func attempt<Value>(
    _ action: RentedNotes.Attempt.Action, _ id: String, _ body: (_ key: String?) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard let notes, !isReplayed else { return try body(nil) }
    let new = RentedNotes.Attempt(action: action, id: id, key: RandomID.make(), since: time.now())
    return try notes.attempt(new) { attempt throws(Failure) in
      do throws(Failure) {
        let value = try body(attempt?.key)
        if let attempt { end(attempt) }
        return value
      } catch {
        if let attempt, !error.outcomeUnknown { end(attempt) }
        throw error
      }
    }
  }

  /// Reports failures only: the next command ends a remaining attempt.
  private func end(_ attempt: RentedNotes.Attempt) {
    do throws(Failure) { try notes?.end(attempt) } catch {
      report(
        "'hw bikes \(attempt.action.rawValue) \(attempt.id)' is still noted as unfinished: \(error.message)")
    }
  }

  /// Determines and notes the outcomes of killed commands, or calls `ifAnotherWaits` while another command waits for a
  /// response. Unreadable notes are reported where they are needed.
  private func settle(ifAnotherWaits: () -> Void = {}) throws(Failure) {
    guard let notes, !isReplayed else { return }
    let known: [RentedNotes.Attempt]?
    do throws(Failure) { known = try notes.interrupted() } catch { return }
    guard let attempts = known else { return ifAnotherWaits() }
    for attempt in attempts {
      do throws(Failure) {
        try settle(attempt)
      } catch {
        if error.kind == .interrupted { throw error }
        if error.cause == .unknownObject {
          end(attempt)
        } else {
          report("\(description(of: attempt)), and its outcome cannot be read now: \(error.message)")
        }
      }
    }
  }

  private func description(of attempt: RentedNotes.Attempt) -> String {
    "'hw bikes \(attempt.action.rawValue) \(attempt.id)' was interrupted at \(time.local(attempt.since).minutes)"
  }

  private func settle(_ attempt: RentedNotes.Attempt) throws(Failure) {
    let id = attempt.id
    let isKept = attempt.since.seconds > time.now().seconds - Int64(IdempotencyKey.lifetime)
    let method: Method = attempt.action == .rent ? .put : .delete
    switch (attempt.action, try client.outcome(method, id, key: attempt.key, isKept: isKept)) {
    case (.rent, .performed(let rented)):
      // Somebody may have returned the bike. A server with users stores the rental itself.
      guard rented.renter == nil, let bike = try client.refetch(id).get(), bike.isRented else {
        return end(attempt)
      }
      _ = saveNote(of: RentedBike(bike, since: attempt.since, time: time))
      end(attempt)
    case (_, .unknown(let bike?)) where bike.isRented:
      report("\(description(of: attempt)): bike \(id) is rented, by you or by somebody else")
      if !isKept { end(attempt) }
    case (.giveBack, .performed), (.giveBack, .unknown): forget(id)
    case (_, .canceled), (_, .unknown): end(attempt)
    }
  }

  // MARK: Returning

  func returnBike(_ id: String, at place: Place) throws(Failure) -> Bike {
    do throws(Failure) {
      try client.requireChangeable(id)
      let wasNoted = (try? notes?.note(of: id)) != nil
      try settle()
      if let open = try openRentals(next: RentalSession.returnRequests(id)) {
        return try returnBike(id, at: place, open)
      }
      return try returnNoted(id, at: place, wasNoted: wasNoted)
    } catch {
      throw error.reportingInterruption(reportInterruption)
    }
  }

  /// The requests that return a bike on a server with users.
  private static func returnRequests(_ id: String) -> String {
    "GET /bikes/\(id), PATCH /bikes/\(id) with the place if it differs, DELETE /bikes/\(id)/rented"
  }

  /// Returns a bike on a server with users, which allows that to renter, owner and admins.
  private func returnBike(_ id: String, at place: Place, _ open: [OpenRental]) throws(Failure) -> Bike {
    var bike = try client.bike(id)
    guard bike.isRented else {
      throw Failure(.conflict, "bike \(id) is not rented", hint: "'hw bikes rented' shows what you have out")
    }
    let isOwn = open.contains { $0.rental.bike == id }
    let bikeReturn = BikeReturn(
      client: client, id: id, place: place, wasOurs: isOwn, supportsIdempotency: true)
    try bikeReturn.perform(bike, key: nil) { () throws(Failure) in
      _ = try client.edit(id, BikeChange(place: place))
    }
    // The note may be older than the users of the server.
    forget(id)
    (bike.place, bike.isRented, bike.renter) = (place, false, nil)
    return bike
  }

  /// Returns a bike on a server without users. If it `wasNoted` and is not any more, it was returned meanwhile.
  private func returnNoted(_ id: String, at place: Place, wasNoted: Bool) throws(Failure) -> Bike {
    let note = try notes?.note(of: id)
    var (bike, supportsIdempotency) = try current(id, note)
    // The original server gives ids again after a restart.
    if !supportsIdempotency, let note, let pin = note.pin, !bike.name.hasPrefix(note.name), bike.pin != pin {
      forget(id)
      throw Failure(
        .conflict, "bike \(id) is '\(bike.name)' now: the server has lost '\(note.name)', which you rented",
        hint: "it is no longer noted as yours; 'hw bikes list --anywhere' lists all bikes")
    }
    if bike.isRented {
      guard note != nil || !wasNoted else {
        throw Failure(.conflict, "bike \(id) was returned, and somebody else has rented it since")
      }
      let bikeReturn = BikeReturn(
        client: client, id: id, place: place, wasOurs: note != nil, supportsIdempotency: supportsIdempotency)
      guard let pin = bike.pin ?? note?.pin else {
        throw Failure(.unauthorized, "bike \(id) is not yours to return: somebody else has it out")
      }
      let profile = BikeChange(place: place).profile(of: bike, pin: pin)
      try attempt(.giveBack, id) { key throws(Failure) in
        try bikeReturn.perform(bike, key: key) { () throws(Failure) in
          try client.change(id, to: profile, supportsIdempotency: supportsIdempotency)
        }
        forget(id)
      }
    } else if wasNoted {
      forget(id)
    } else {
      throw Failure(.conflict, "bike \(id) is not rented")
    }
    guard bike.isRented || bike.place == place else {
      throw Failure(
        .conflict,
        "bike \(id) is free already, at \(bike.place): somebody else ended your rental, and it is no longer noted",
        hint: "to bring it to \(place), rent it again")
    }
    bike.place = place
    bike.isRented = false
    return bike
  }

  /// The current state of the bike. Removes the note of a bike that no longer exists.
  private func current(
    _ id: String, _ note: RentedNotes.Note?
  ) throws(Failure) -> (bike: Bike, supportsIdempotency: Bool) {
    do throws(Failure) {
      return try client.fetch(
        id, next: "PUT /bikes/\(id) with its values and the place, DELETE /bikes/\(id)/rented")
    } catch {
      guard note != nil, error.cause == .unknownObject else { throw error }
      forget(id)
      throw error.appending("it is no longer noted as yours", hint: error.hint ?? "")
    }
  }
}
