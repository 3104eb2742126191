import Command
import HTTP
import Output
import System

extension Bikes {
  static let list = Command(
    "list", "List free bikes, nearest first",
    discussion: """
      Searches around --near, or else your place (HW_BIKES_LOCATION). With --anywhere, and without a position, all \
      bikes are listed in the order of the service; only a position gives distances. Distances are accurate to 0.2 %.
      """,
    options: [near, radius, includeRented, anywhere, language, tokenFile], settings: [location],
    exclusions: [Exclusion(radius, anywhere)],
    output: .list(
      FoundBike.self, order: "nearest first, or the order of the service", key: "id", watch: .init()
    ).schemaVersion(2),
    needs: [.network],
    examples: [
      Example("hw bikes list --near 50.1195,8.6381", "free bikes within a kilometer"),
      Example(
        "hw bikes list --near 50.1195,8.6381 --include-rented --radius 300 --csv",
        "include rented bikes, as CSV"),
      Example(
        "hw bikes list --near 50.1195,8.6381 --limit 1 --json | jq -r '.[0].id'", "the id of the nearest bike"
      ),
      Example(
        "hw serve -- sh -c 'hw bikes list --url gbfs:$HW_URL/gbfs/gbfs.json --where \"available>0\"'",
        "read a GBFS feed"),
    ]
  ) { call, context throws(Failure) in
    let fields = (call[ListOptions.filter].map(\.field) + (call[ListOptions.sort]?.keys.map(\.field) ?? []))
      .map { $0.lowercased() }
    // Without a position there are no distances: the list would be empty, or not sorted.
    guard position(call, near) != nil || !fields.contains("distance") else {
      throw withoutPosition("distance")
    }
    let conditionsForRented = [
      "rented=true", "rented!=false", "rented=rented", "rented!=free", "state=withdrawn", "state=missing",
      "state!=available",
    ]
    let forRented = call[ListOptions.filter].first { conditionsForRented.contains($0.text) }
    if let forRented, !call[includeRented] {
      throw Failure(
        .usage, "'--where \(forRented.text)' requires '--include-rented'",
        hint: "otherwise only free bikes are listed")
    }
    let client = try client(context, language: call[language])
    let bikes = try client.bikes(in: circle(call)).filter { call[includeRented] || $0.isFree }
    if call[includeRented], areAnonymous(bikes) {
      context.messages.report("without a token the server lists only free bikes")
    }
    if areAnonymous(bikes), let field = fields.first(where: FoundBike.withheld.contains) {
      throw Failure(
        .unauthorized, "the server sends '\(field)' only to its users",
        hint: "set HW_TOKEN, or leave out '\(field)'")
    }
    if let circle = try circle(call) {
      context.output.noteIfEmpty = "no free bike"
      context.output.searchedIfEmpty =
        " within \(circle.meters.plain) m; --radius widens the circle, --anywhere lists all"
    }
    try write(FoundBike.sorted(bikes, from: position(call, near)), from: client, context)
  }

  /// A table of a feed has the columns that a feed fills. CSV has those of a server, for scripts.
  static func write(_ found: [FoundBike], from client: BikesClient, _ context: Context) throws(Failure) {
    guard client.readsFeed, context.output.settings.format?.isForPeople != false else {
      return try context.output.write(found)
    }
    try context.output.write(found.lazy.map(OfferedBike.init))
  }

  static let show = Command(
    "show", "Show bikes in detail",
    usage: ["ID...", "-"],
    operands: [ids], options: [near, language, tokenFile], settings: [location],
    output: .rows(
      BikePage.self, text: "A page for each bike; for its owner also the last rentals."
    ).schemaVersion(3),
    needs: [.network],
    examples: [
      Example("hw bikes show 1", "show one bike"),
      Example("hw bikes show 1 2 --json", "two bikes as JSON"),
      Example(
        "hw bikes show 1 --fields name,state,pinReaders", "the state, and how many renters have known the PIN"
      ),
    ]
  ) { call, context throws(Failure) in
    let client = try client(context, language: call[language])
    func found(_ id: String) throws(Failure) -> FoundBike {
      FoundBike(try client.bike(id), from: position(call, near))
    }
    let showsText = context.output.printsText(of: BikePage.self)
    guard showsText || !client.readsFeed || context.output.settings.format?.isForPeople == false else {
      return try writeEach(call[ids], context, client) { id throws(Failure) in
        OfferedBike(found: try found(id))
      }
    }
    try writeEach(call[ids], context, client) { id throws(Failure) in
      var page = BikePage(found: try found(id), time: context.time)
      // Owner and admins receive the number of readers. An embedded backend has one user.
      let isOwn = page.found.bike.pinReaders != nil || client.endpoint.base.isEmbedded
      if showsText, isOwn, !client.readsFeed {
        page.rentals = try client.rentals(of: page.found.bike.id, limit: BikePage.shownRentals)
      }
      return page
    }
  }

  static let history = Command(
    "history", "List rentals and changes of bikes, newest first",
    discussion: """
      Lists rentals, and who added, edited and deleted bikes. On a server with users you see your own entries and \
      those of your bikes; an admin sees all. The original server has no history.
      """,
    operands: [optionalID], options: [allEntries, tokenFile],
    output: .list(RentalRow.self, order: "newest first").schemaVersion(2),
    needs: [.network],
    examples: [
      Example("hw bikes history --limit 5", "the latest five entries"),
      Example("hw bikes history 10 --json", "the history of one bike"),
      Example("hw bikes history --all --where action=rent", "all rentals"),
    ]
  ) { call, context throws(Failure) in
    let readsAll = call[allEntries] || call.isGiven(ListOptions.filter) || call.isGiven(ListOptions.sort)
    let limit = readsAll ? Int.max : call[ListOptions.limit] ?? defaultEntries
    let client = try serverClient(context)
    let (entries, hasMore) =
      if let text = try call[optionalID] {
        try client.resolving(text) { id throws(Failure) in try readEntries(of: id, limit, client) }
      } else { try readEntries(of: nil, limit, client) }
    if hasMore, !call.isGiven(ListOptions.limit), !readsAll {
      context.messages.report("only the newest \(defaultEntries) entries are listed; use --all for all")
    }
    try context.output.write(entries.prefix(limit).map { RentalRow(rental: $0, time: context.time) })
  }

  /// The newest entries, at least `limit` of them if they exist, and whether there are more.
  private static func readEntries(
    of id: String?, _ limit: Int, _ client: BikesClient
  ) throws(Failure) -> (entries: [Rental], hasMore: Bool) {
    var entries: [Rental] = []
    var hasMore = true
    while hasMore, entries.count < limit {
      // One more entry shows whether there are others.
      let size = min(limit - entries.count, mostEntries - 1) + 1
      let page = try client.rentals(of: id, limit: size, before: entries.last?.id)
      hasMore = page.count == size
      entries += page
      if !client.endpoint.base.isEmbedded { try Endpoint.checkRows(entries.count) }
    }
    return (entries, hasMore)
  }

  static let optionalID = Operand(
    optional: "ID", ValueKind<String>.text("ID", .words(bikeIDs)), "The id or the name of the bike")
  static let allEntries = Option("all", "List all entries, not only the newest \(defaultEntries)")
  private static let defaultEntries = 100
  private static let mostEntries = 10_000
}
