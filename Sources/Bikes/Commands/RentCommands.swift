import Command
import HTTP
import Output
import Store
import System

extension Bikes {
  static let rent = Command(
    "rent", "Rent bikes and print their PINs",
    discussion: """
      Of two users who rent the same bike at the same time, one gets it. The other one gets an error with the nearest free \
      bike. A server with users knows what you have rented. For any other server the bike is noted on this machine, for \
      'hw bikes rented' and 'hw bikes return'.

      Several bikes are rented one by one. One that fails is reported, and the others are rented all the same; the exit \
      status is that of the first failure.
      """,
    usage: ["ID...", "-"],
    operands: [ids], options: [tokenFile],
    output: .oneOrRows(RentedBike.self),
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
    try writeEach(call, context) { id throws(Failure) in try renting.rent(id) }
  }

  static let returnBike = Command(
    "return", "Return bikes where you are",
    discussion: """
      A bike is moved to --at, or else --location, and then freed. If only the first of these two is done, the error says \
      so, and the same command finishes it. Without an ID it is the bike you have out, if that is just one. The owner of \
      a bike and an admin may return it as well.

      Without users on the server, a note of a bike that was deleted, or whose rental somebody else has ended, is removed.
      """,
    usage: ["[ID...]", "-"],
    operands: [ids], options: [at, location, tokenFile],
    output: .oneOrRows(FoundBike.self),
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
    guard try call[ids].isEmpty else {
      return try writeEach(call, context) { id throws(Failure) in
        FoundBike(try renting.returnBike(id, at: place), from: nil)
      }
    }
    try context.output.write(FoundBike(renting.returnBike(renting.onlyRented(), at: place), from: nil))
  }

  static let rented = Command(
    "rented", "List the bikes you have out, with their PINs",
    discussion: """
      With a token, a server with users lists your rentals, whichever machine you rented from, with the PINs as they are \
      now. Else the notes of this machine are listed, and nothing is requested.
      """,
    options: [tokenFile],
    output: .list(RentedBike.self, order: "by time, first rented first"),
    needs: [.network, .store],
    examples: [
      Example(
        "hw serve -- sh -c 'hw bikes rent 2 -q && hw bikes rented --json'", "what you rented, and its PIN")
    ],
    failures: [.connection, .invalidData, .unauthorized, .storage]
  ) { call, context throws(Failure) in
    try context.output.write(RentalSession(context).rented())
  }
}
