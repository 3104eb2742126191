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
    "show", "Show single bikes",
    usage: ["ID...", "-"],
    operands: [ids], options: [near, location, tokenFile],
    output: .oneOrRows(FoundBike.self),
    needs: [.network],
    examples: [
      Example("hw bikes show 1", "Hans, who is green"),
      Example("hw bikes show 1 2 --json", "two bikes, for a program"),
      Example("hw bikes show 1000", "there is no such bike", exits: 3),
    ],
    failures: [.connection, .invalidData, .notFound]
  ) { call, context throws(Failure) in
    let client = try client(context)
    try writeEach(call, context) { id throws(Failure) in
      FoundBike(try client.bike(id), from: position(call, near))
    }
  }

  static let history = Command(
    "history", "List rentals and changes of bikes, newest first",
    discussion: """
      Rentals, and who added, edited and deleted bikes. On a server with users you see what you did, and what others did \
      with your bikes; an admin sees everything. The original server keeps no history.
      """,
    operands: [optionalID], options: [allEntries, tokenFile],
    output: .list(RentalRow.self, order: "newest first"),
    needs: [.network, .pager],
    examples: [
      Example("hw bikes history --limit 5", "the last five"),
      Example("hw bikes history 10 --json", "of one bike"),
      Example("hw bikes history --all --where action=edit", "every edit"),
    ],
    failures: [.connection, .invalidData, .notFound, .unauthorized]
  ) { call, context throws(Failure) in
    let isPart = call[allEntries] || call.isGiven(ListOptions.filter) || call.isGiven(ListOptions.sort)
    let limit = isPart ? Int.max : call[ListOptions.limit] ?? usualEntries
    let client = try client(context)
    let id = try call[optionalID]
    var entries: [Rental] = []
    var hasMore = true
    while hasMore, entries.count < limit {
      // One more tells whether there are others.
      let size = min(limit - entries.count, mostEntries - 1) + 1
      let page = try client.rentals(of: id, limit: size, before: entries.last?.id)
      hasMore = page.count == size
      entries += page
    }
    if entries.count > limit { entries.removeLast(entries.count - limit) }
    if hasMore, !call.isGiven(ListOptions.limit), !isPart {
      context.messages.report("the newest \(usualEntries) entries are listed; --all lists every entry")
    }
    try context.output.write(entries.map { RentalRow(rental: $0, time: context.time) })
  }

  static let optionalID = Operand(
    optional: "ID", ValueKind<String>.text("ID", .words(bikeIDs)), "The bike's id")
  static let allEntries = Option("all", "List every entry, and not only the newest \(usualEntries)")
  private static let usualEntries = 100
  /// The service's limit for one response.
  private static let mostEntries = 10_000
}
