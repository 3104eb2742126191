import Command
import Server
import System

/// The bikes suite.
public enum Bikes {
  public static let suite = Suite(
    "bikes", "Shared bikes: find, rent and return them, bring your own",
    discussion: """
      A community shares its bikes: each has a padlock with a PIN, stands anywhere, and belongs to whoever needs it until \
      it is returned, anywhere again. 'hw serve' is the backend of a whole town; its routes are those of the original \
      node server, and the commands work with both.

      Places are LAT,LON in degrees of WGS 84. HW_LOCATION is where you are, unless a command is told. A PIN is shown \
      to who rents the bike, and never stands in a list.
      """,
    service: service,
    backend: { settings, options throws(Failure) in
      try BikesBackend(settings, BikeLimits(options), feed: FeedSystem(options)).backend
    },
    serverOptions: FeedSystem.options + BikeLimits.options,
    databases: [BikeTable.migrations],
    checks: checks,
    commands: [
      list, map, show, add, edit, rent, returnBike, rented, importBikes, export, gbfs, history, delete,
    ]
  )

  static let service = Service(
    "bikes", address: "embedded:",
    credential: Credential(header: "X-Authorization", setting: "token", file: tokenFile))

  static func client(_ context: Context) throws(Failure) -> BikesClient {
    BikesClient(endpoint: try context.endpoint(service))
  }
}

/// The options that several commands share.
extension Bikes {
  static let near = Option("near", ValueKind<Place>.place, "Look around LAT,LON")
  static let at = Option("at", ValueKind<Place>.place, "Where the bike is")
  static let location = Option(
    "location", ValueKind<Place>.place, setting: true, "Where you are, for want of another place",
    details: "Set HW_LOCATION, and no command has to be told.")
  static let radius = Option(
    "radius", ValueKind<Double>.metres, default: Circle.usualMetres, setting: true,
    "Look no farther than METRES")
  static let all = Option("all", "Show rented bikes as well")
  static let anywhere = Option("anywhere", "Show the bikes of the whole world")
  static let tokenFile = Service.tokenFile

  static let bikeIDs = WordSource("bike-ids", "the ids of the bikes", of: service) {
    endpoint throws(Failure) in
    try BikesClient(endpoint: endpoint).bikes().map {
      Choice($0.id, $0.isRented ? "\($0.name), rented" : $0.name)
    }
  }
  static let id = Operand(
    "ID", ValueKind<String>.text("ID", .words(bikeIDs)), "The bike's id, as the list shows it")

  /// Where one stands: what was said here, or what is set.
  static func position(_ call: Invocation, _ option: Option<Place?>) -> Place? {
    call[option] ?? call[location]
  }

  /// What to look at: a circle, or everything where no place is known or all is asked for.
  static func circle(_ call: Invocation) -> Circle? {
    guard !call[anywhere], let place = position(call, near) else { return nil }
    return Circle(place, metres: call[radius])
  }
}

extension ValueKind where Value == Place {
  static var place: ValueKind {
    ValueKind("LAT,LON", wants: Place.wanted, show: { $0.description }) { Place($0) }
  }
}

extension ValueKind where Value == Double {
  static var metres: ValueKind {
    ValueKind(
      "METRES", wants: "a number of metres, 0 or more", type: .number(atLeast: 0), show: { $0.plain }
    ) { text in
      Place.degrees(text).flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
    }
  }
}

extension ValueKind where Value == FrameColor {
  static var frameColor: ValueKind {
    ValueKind(
      "COLOUR", wants: FrameColor.wanted, choices: FrameColor.palette.map { Choice($0.name, "#\($0.hex)") },
      show: { $0.name }
    ) { FrameColor($0) }
  }
}

extension ValueKind where Value == Pin {
  static var pin: ValueKind {
    ValueKind("PIN", wants: Pin.wanted, isSecret: true) { Pin($0) }
  }
}
