import Command
import Output
import System

extension Bikes {
  static let rent = Command(
    "rent", "Rent bikes and print their PINs",
    discussion: """
      A server with users stores your rentals. For other servers a note is stored on this machine, for 'hw bikes \
      rented' and 'hw bikes return'. If the bike is taken, the error names the nearest free one.

      Several bikes are rented one by one. A failure is reported, the others are rented, and the status is that of \
      the first failure.
      """,
    usage: ["ID...", "-"],
    operands: [freeIDs], options: [tokenFile],
    output: .rows(RentedBike.self).schemaVersion(3).hintIfLost("'hw bikes rented' shows the PINs"),
    needs: [.network, .writes, .store],
    examples: [
      Example("hw bikes rent 2", "rent a bike and print its PIN")
    ]
  ) { call, context throws(Failure) in
    let session = try RentalSession(context)
    try writeEach(call[freeIDs], context, session.client) { id throws(Failure) in try session.rent(id) }
  }

  static let returnBike = Command(
    "return", "Return bikes",
    discussion: """
      Moves the bike to --at, or else to your place (HW_BIKES_LOCATION), and ends the rental. Without an ID your only \
      rented bike is returned. The owner of a bike and an admin can return it too. If an error reports that the bike \
      was moved and not returned, repeat the command.

      On a server without users, the command also removes a bike from 'hw bikes rented' that others returned or deleted.
      """,
    usage: ["[ID...]", "-"],
    operands: [rentedIDs], options: [at, tokenFile], settings: [location],
    output: .rows(FoundBike.self).schemaVersion(3),
    needs: [.network, .writes, .store],
    examples: [
      Example("hw bikes return 5 --at 50.1190,8.6420", "return a bike at a position"),
      Example("hw bikes return --at 50.1190,8.6420", "return your only rented bike", after: afterRenting),
    ]
  ) { call, context throws(Failure) in
    guard let place = position(call, at) else {
      throw Failure(
        .usage, "missing the position of the bike", hint: "use --at LAT,LON, or set HW_BIKES_LOCATION")
    }
    let session = try RentalSession(context)
    let named = try call[rentedIDs]
    guard named.isEmpty else {
      return try writeEach(named, context, session.client) { id throws(Failure) in
        FoundBike(try session.returnBike(id, at: place), from: call[location])
      }
    }
    let bike = try session.returnBike(session.onlyRented(at: place), at: place)
    try context.output.write([FoundBike(bike, from: call[location])])
  }

  /// Rents a bike before the command, on the server of the example.
  private static let afterRenting =
    "hw() { command hw serve -- sh -c 'hw bikes rent 2 >/dev/null; hw \"$@\"' sh \"$@\"; }; "

  static let rented = Command(
    "rented", "List your rentals, with PINs",
    discussion: """
      With a token: the rentals on the server, for an admin those of all users, without the PINs of others. Without a \
      token: the rentals from this machine, without a request. After an interrupted rent or return, requests find out \
      whether it took place.
      """,
    options: [tokenFile],
    output: .list(RentedBike.self, order: "by time, first rented first").schemaVersion(2),
    needs: [.network, .store],
    examples: [Example("hw bikes rented --json", "your rentals as JSON", after: afterRenting)]
  ) { call, context throws(Failure) in
    try context.output.write(RentalSession(context).rented(ofAll: true))
  }
}
