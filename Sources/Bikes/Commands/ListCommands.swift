import Command
import Output
import System

extension Bikes {
  static let list = Command(
    "list", "List the free bikes around you, nearest first",
    discussion: """
      Around --near, or else --location; where neither is known, and with --anywhere, the bikes of the whole world in the \
      order of the service. Distances are those on the ellipsoid, within 0.2 %, at the poles and across the date line too.
      """,
    options: [near, location, radius, all, anywhere, tokenFile],
    output: .list(
      FoundBike.self, order: "nearest first, or the order of the service", key: "id", limit: 1000,
      watch: .init()),
    needs: [.network, .pager],
    examples: [
      Example("hw bikes list --near 50.1195,8.6381", "what is free within a kilometre"),
      Example("hw bikes list --near 50.1195,8.6381 --all --radius 300 --csv", "rented ones too, for a table"),
      Example(
        "hw bikes list --near 50.1195,8.6381 --limit 1 --json | jq -r '.[0].id'", "the id of the nearest"),
      Example("hw bikes list --near 91,8", "there is no such place", exits: 2),
    ],
    failures: [.connection, .invalidData, .unauthorized]
  ) { call, context throws(Failure) in
    let bikes = try client(context).bikes(in: circle(call)).filter { call[all] || !$0.isRented }
    try context.output.write(FoundBike.sorted(bikes, from: position(call, near)))
  }

  static let show = Command(
    "show", "Show one bike",
    operands: [id], options: [near, location, tokenFile],
    output: .one(FoundBike.self),
    needs: [.network],
    examples: [
      Example("hw bikes show 1", "Hans, who is green"),
      Example("hw bikes show 1000", "there is no such bike", exits: 3),
    ],
    failures: [.connection, .invalidData, .notFound]
  ) { call, context throws(Failure) in
    let bike = try client(context).bike(call[id])
    try context.output.write(FoundBike(bike, from: position(call, near)))
  }

  static let history = Command(
    "history", "List who had which bike, the newest rental first",
    discussion: """
      Our server keeps it; the original does not. Where the server knows people, you see what you had, and what others had \
      of yours.
      """,
    operands: [optionalID], options: [tokenFile],
    output: .list(RentalRow.self, order: "newest first", limit: 100),
    needs: [.network, .pager],
    examples: [
      Example("hw bikes history --limit 5", "the last five"),
      Example("hw bikes history 10 --json", "of one bike"),
    ],
    failures: [.connection, .invalidData, .notFound, .unauthorized]
  ) { call, context throws(Failure) in
    let needed = context.output.settings.list?.rowsNeeded ?? mostRentals
    let rentals = try client(context).rentals(of: call[optionalID], limit: min(max(1, needed), mostRentals))
    if rentals.count == mostRentals {
      context.messages.report("the service lists the newest \(mostRentals) rentals only")
    }
    try context.output.write(rentals.map { RentalRow(rental: $0, time: context.time) })
  }

  static let optionalID = Operand(
    optional: "ID", ValueKind<String>.text("ID", .words(bikeIDs)), "The bike's id")
  /// The service's own limit.
  private static let mostRentals = 10_000
}
