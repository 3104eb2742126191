import Command
import HTTP
import Output
import Store
import System

extension Bikes {
  static let rent = Command(
    "rent", "Rent a bike, and be told its PIN",
    discussion: """
      Two who want the same bike never both get it: the second is told so, and which free one is nearest to it. The bike \
      is noted on this machine, for 'hw bikes rented' and 'hw bikes return'.
      """,
    operands: [id], options: [tokenFile],
    output: .one(RentedBike.self),
    needs: [.network, .writes, .store],
    examples: [
      Example("hw bikes rent 2", "Thomas, and the PIN of his padlock"),
      Example("hw serve -- sh -c 'hw bikes rent 2 && hw bikes rented'", "it is noted as yours"),
      Example("hw bikes rent 5", "taken by somebody else", exits: 4),
      Example("hw bikes rent 1000", "there is no such bike", exits: 3),
    ],
    failures: [.connection, .conflict, .notFound, .unauthorized, .storage]
  ) { call, context throws(Failure) in
    let renting = try Renting(context)
    try context.output.write(renting.rent(call[id]))
  }

  static let giveBack = Command(
    "return", "Return a bike where you are",
    discussion: """
      The bike is moved to --at, or else --location, and then freed. If only the first of these two is done, it says so, \
      and the same command finishes it. Without an ID it is the bike you have out, if that is just one.
      """,
    operands: [bikeToo], options: [at, location, tokenFile],
    output: .one(FoundBike.self),
    needs: [.network, .writes, .store],
    examples: [
      Example("hw bikes return 5 --at 50.1190,8.6420", "it is free again, there"),
      Example(
        "hw serve -- sh -c 'hw bikes rent 2 -q && hw bikes return --at 50.1190,8.6420'",
        "the one you have out"),
      Example("hw bikes return 5", "nobody knows where", exits: 2),
      Example("hw bikes return 1 --at 50.1190,8.6420", "it is not rented", exits: 4),
    ],
    failures: [.connection, .conflict, .notFound, .unauthorized, .storage]
  ) { call, context throws(Failure) in
    guard let place = here(call, at) else {
      throw Failure(
        .usage, "nobody knows where the bike is returned", hint: "write --at LAT,LON, or set HW_LOCATION")
    }
    let renting = try Renting(context)
    let id = if let id = try call[bikeToo] { id } else { try renting.onlyOne() }
    try context.output.write(FoundBike(renting.giveBack(id, at: place), from: nil))
  }

  static let rentedSort = Option(
    "sort", ValueKind<SortOrder>.sortOrder(by: RentedBike.sortable), "Sort by a field",
    details: "Without it they stand in the order in which you rented them.")

  static let rented = Command(
    "rented", "List the bikes you have out, with their PINs",
    discussion: "As noted on this machine, for the service that is asked; it is not asked itself.",
    options: [rentedSort, limit],
    output: .rows(RentedBike.self),
    needs: [.store, .list],
    examples: [
      Example(
        "hw serve -- sh -c 'hw bikes rent 2 -q && hw bikes rented --json'", "what you rented, and its PIN")
    ],
    failures: [.storage]
  ) { call, context throws(Failure) in
    let notes = try Renting(context).notes?.all() ?? []
    let bikes = notes.map { RentedBike($0, at: nil) }
    let sorted = call[rentedSort]?.sorted(bikes) ?? bikes
    try context.output.write(sorted.prefix(call[limit]))
  }
}

/// Renting and returning, and the note of it.
struct Renting {
  let client: BikesClient
  /// Nil for a demo, which ends with the command.
  let notes: RentedNotes?
  private let context: Context

  init(_ context: Context) throws(Failure) {
    self.context = context
    client = try Bikes.client(context)
    let base = client.endpoint.base
    notes =
      base.scheme == .demo
      ? nil : RentedNotes(folder: try Folders(context.host.environment).state, service: base.description)
  }

  func rent(_ id: String) throws(Failure) -> RentedBike {
    do throws(Failure) {
      let rented = RentedBike(try client.rent(id), since: context.time.now())
      note(rented)
      return rented
    } catch {
      guard error.kind == .conflict, let other = nearestFree(to: id) else { throw error }
      var failure = error
      let way = other.metres.map { ", \($0) m away" } ?? ""
      failure.hint =
        [error.hint, "the nearest free one: 'hw bikes rent \(other.bike.id)' (\(other.bike.name)\(way))"]
        .compactMap { $0 }.joined(separator: "; ")
      throw failure
    }
  }

  /// The bike is rented, noted or not: so a note that fails is told, and no more.
  private func note(_ rented: RentedBike) {
    do throws(Failure) {
      try notes?.add(.init(id: rented.id, name: rented.name, pin: rented.pin, since: rented.since))
    } catch {
      context.messages.tell("bike \(rented.id) is yours, but that could not be noted: \(error.message)")
    }
  }

  private func nearestFree(to id: String) -> FoundBike? {
    guard let bikes = try? client.bikes(), let taken = bikes.first(where: { $0.id == id }) else { return nil }
    return FoundBike.sorted(bikes.filter { !$0.isRented }, from: taken.place).first
  }

  func onlyOne() throws(Failure) -> String {
    let out = try notes?.all() ?? []
    guard let first = out.first else {
      throw Failure(
        .notFound, "you have no bike out here", hint: "name one: 'hw bikes return ID --at LAT,LON'")
    }
    guard out.count == 1 else {
      throw Failure(
        .conflict, "you have \(out.count) bikes out: \(out.map(\.id).joined(separator: ", "))",
        hint: "name one: 'hw bikes return \(first.id)'")
    }
    return first.id
  }

  func giveBack(_ id: String, at place: Place) throws(Failure) -> Bike {
    let note = try notes?.all().first { $0.id == id }
    var bike = try client.bike(id)
    guard bike.isRented || note != nil else { throw Failure(.conflict, "bike \(id) is not rented") }
    guard let pin = bike.pin ?? note?.pin else {
      throw Failure(.unauthorized, "bike \(id) is not yours to return: somebody else has it out")
    }
    do throws(Failure) {
      try client.change(id, to: BikeProfile(name: bike.name, color: bike.color, pin: pin, place: place))
    } catch {
      throw error.saying("bike \(id) stays where it was, and rented", again: nil)
    }
    do throws(Failure) {
      try client.giveBack(id, wasOurs: note != nil)
    } catch {
      throw error.saying(
        "bike \(id) was moved to \(place), but is not returned yet",
        again: "finish with 'hw bikes return \(id) --at \(place)'")
    }
    do throws(Failure) { try notes?.remove(id) } catch {
      context.messages.tell("bike \(id) is returned, but still noted as yours: \(error.message)")
    }
    bike.place = place
    bike.isRented = false
    return bike
  }
}

extension Failure {
  /// The same failure with what stands, and how to go on.
  fileprivate func saying(_ state: String, again: String?) -> Failure {
    guard self != .explained else { return self }
    var failure = self
    failure.message = "\(state): \(message)"
    failure.hint = again ?? hint
    return failure
  }
}
