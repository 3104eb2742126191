import Command
import Output
import System

public enum Bikes {
  public static let suite = Suite(
    "bikes", "Shared bikes: find, rent, return and add bikes",
    discussion: """
      A community shares its bikes. Each bike has a padlock with a PIN. A user rents a bike, rides it, and returns \
      it anywhere. A PIN is printed only for the user who rents the bike, never in lists. \
      Commands take the id or the name of a bike. A whole number is always an id.

      The commands use a local backend ('embedded:') unless --url or HW_URL selects a server: 'hw serve' ('hw help \
      server') or the original node server. With --demo or HW_URL=demo: they use sample data. No network is needed \
      for either.

      --url gbfs:URL reads the GBFS feed of any operator, for example that of a city: list, map and show have its \
      stations and vehicles. URL is the address of its gbfs.json. Ids are those of the operator, who can change the id \
      of a vehicle after each ride. No token is sent, and nothing can be changed.

      Positions are LAT,LON in degrees (WGS 84). HW_BIKES_LOCATION is your place.
      """,
    service: service,
    replacements: [
      Replacement("list --all", "use '--include-rented'"), Replacement("map --all", "use '--include-rented'"),
    ],
    backend: { settings, options throws(Failure) in
      try BikesBackend(settings, BikeLimits(options), feed: try FeedSystem(options))
    },
    feed: FeedBackend.translation,
    serverSettings: FeedSystem.settings + BikeLimits.settings,
    databases: [BikeTable.migrations],
    personalData: .bikes,
    checks: checks,
    commands: [
      list, map, show, add, edit, rent, returnBike, rented, importBikes, export, history, delete,
    ]
  )

  static let service = Service(
    "bikes", address: "embedded:",
    credential: Credential(header: "X-Authorization", setting: "token", file: tokenFile),
    reason: "each community has its own server")

  static func client(_ context: Context, language: String? = nil) throws(Failure) -> BikesClient {
    BikesClient(endpoint: try context.endpoint(service), language: language)
  }

  /// A client for commands that cannot use a feed.
  static func serverClient(_ context: Context) throws(Failure) -> BikesClient {
    let client = try client(context)
    try client.requireChangeable()
    return client
  }

  // MARK: Options of several commands

  static let near = Option("near", ValueKind<Place>.place, "Use LAT,LON as your position")
  static let at = Option("at", ValueKind<Place>.place, "The position of the bike")
  static let location = Setting("location", ValueKind<Place>.place, "Your place, LAT,LON")
  static let radius = Option(
    "radius", ValueKind<Double>.meters, default: Circle.defaultMeters, setting: .suites,
    "Search within METERS")
  static let includeRented = Option(
    "include-rented", "Include rented bikes, and yours in any state")
  static let language = Option(
    "lang", ValueKind<String>.text("LANG"), setting: .suites, "Show place names in LANG",
    details: "For the stations of a feed. If it has no names in LANG, its first language is used.")
  static let anywhere = Option("anywhere", "Search everywhere")
  static let tokenFile = Service.tokenFile

  static let bikeIDs = wordSource { _ in true }
  private static func wordSource(_ isIncluded: @escaping @Sendable (Bike) -> Bool) -> WordSource {
    WordSource(of: service) {
      endpoint throws(Failure) in
      try BikesClient(endpoint: endpoint).bikes().filter(isIncluded).map {
        Choice($0.id, $0.isFree ? $0.name : "\($0.name), \($0.condition)")
      }
    }
  }
  static let ids = operands(bikeIDs)
  /// Operands of `rent`, with completion of free bikes, and of `return`, with completion of rented ones.
  static let freeIDs = operands(wordSource(\.isFree))
  static let rentedIDs = operands(wordSource(\.isRented))

  private static func operands(_ source: WordSource) -> Operand<[String]> {
    Operand(
      rest: "ID", ValueKind<String>.text("ID", .words(source)).orInput,
      "The ids or names of bikes; '-' reads one per line")
  }

  static let id = Operand(
    "ID", ValueKind<String>.text("ID", .words(bikeIDs)), "The id or the name of the bike")

  static func position(_ call: Invocation, _ option: Option<Place?>) -> Place? {
    call[option] ?? call[location]
  }

  /// The circle to search; nil for a search everywhere.
  static func circle(_ call: Invocation) throws(Failure) -> Circle? {
    if let place = position(call, near) { return call[anywhere] ? nil : Circle(place, meters: call[radius]) }
    guard !call.isGiven(radius) else { throw withoutPosition("--radius") }
    return nil
  }

  static func withoutPosition(_ name: String) -> Failure {
    Failure(.usage, "'\(name)' requires a position", hint: "use --near LAT,LON, or set HW_BIKES_LOCATION")
  }

  /// Writes the result of `body` for each bike. With several bikes a failure is reported, and the others are processed.
  static func writeEach<R: Row>(
    _ ids: [String], _ context: Context, _ client: BikesClient, _ body: (String) throws(Failure) -> R
  ) throws(Failure) {
    guard !ids.isEmpty else {
      throw Failure(.usage, "missing operand ID", hint: "'hw bikes list --anywhere' shows the ids")
    }
    try context.writeEach(ids) { text throws(Failure) in try client.resolving(text, body) }
  }

  /// Whether these are bikes from a public server without a token: free ones without names.
  static func areAnonymous(_ bikes: [Bike]) -> Bool {
    !bikes.isEmpty && bikes.allSatisfy { $0.name.isEmpty && $0.offer == nil }
  }
}

extension ValueKind where Value == Place {
  static var place: ValueKind {
    ValueKind("LAT,LON", expects: Place.expected, problem: Place.problem) { Place($0) }
  }
}

extension ValueKind where Value == Double {
  static var meters: ValueKind {
    ValueKind("METERS", expects: "a number of meters, 0 or more", show: { $0.plain }) { text in
      let unit = text.hasSuffix("km") ? "km" : text.hasSuffix("m") ? "m" : ""
      return Place.decimal(text.dropLast(unit.count)).flatMap { number in
        let meters = unit == "km" ? number * 1000 : number
        return meters >= 0 && meters.isFinite ? meters : nil
      }
    }
  }
}
