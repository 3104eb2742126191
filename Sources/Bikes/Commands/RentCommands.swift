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
    let renting = try RentalSession(context)
    try context.output.write(renting.rent(call[id]))
  }

  static let returnBike = Command(
    "return", "Return a bike where you are",
    discussion: """
      The bike is moved to --at, or else --location, and then freed. If only the first of these two is done, it says so, \
      and the same command finishes it. Without an ID it is the bike you have out, if that is just one. A bike that is \
      gone, or that somebody else has ended your rental of, is no longer noted as yours then.
      """,
    operands: [optionalID], options: [at, location, tokenFile],
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
    guard let place = position(call, at) else {
      throw Failure(
        .usage, "nobody knows where the bike is returned", hint: "write --at LAT,LON, or set HW_LOCATION")
    }
    let renting = try RentalSession(context)
    let id = if let id = try call[optionalID] { id } else { try renting.onlyRented() }
    try context.output.write(FoundBike(renting.returnBike(id, at: place), from: nil))
  }

  static let rented = Command(
    "rented", "List the bikes you have out, with their PINs",
    discussion: "As noted on this machine, for the service that is asked; it is not asked itself.",
    options: [tokenFile],
    output: .list(RentedBike.self, order: "by time, first rented first"),
    needs: [.store],
    examples: [
      Example(
        "hw serve -- sh -c 'hw bikes rent 2 -q && hw bikes rented --json'", "what you rented, and its PIN")
    ],
    failures: [.storage]
  ) { call, context throws(Failure) in
    let notes = try RentalSession(context).notes?.all() ?? []
    let bikes = notes.map { RentedBike($0, time: context.time) }
    try context.output.write(bikes)
  }
}
