import Command
import Output
import System
import Terminal

extension Bikes {
  static let interactive = Option("interactive", short: "i", "Browse the map and rent bikes")
  static let open = Option("open", "Open the position in OpenStreetMap")

  static let map = Command(
    "map", "Draw a map of free bikes",
    discussion: """
      A bike is a dot in its color with its id ('×3': three bikes at one spot), a rented bike (--include-rented) a \
      ring, and the cross is your place. A station of a feed is a dot, or a ring without bikes. North is up; the bar at \
      the bottom is the scale.

      With -i: arrows move, + and - zoom, Tab and clicks select, Enter rents, 0 returns to the start, q quits. The \
      profile and distance of the selected bike are shown. Rented bikes are printed with their PINs at the end.
      """,
    options: [near, radius, includeRented, anywhere, interactive, geojson, open, language, tokenFile],
    settings: [location],
    exclusions: [
      Exclusion(radius, anywhere),
      Exclusion(geojson, from: StandardOptions.output, StandardOptions.fields),
      Exclusion(open, from: StandardOptions.output, StandardOptions.fields),
      Exclusion(interactive, geojson, open, hint: "run the command twice"),
    ],
    output: .rows(
      FoundBike.self,
      text:
        "The map, of the terminal's width or 80 columns; GeoJSON with --geojson. Formats and --fields print the bikes."
    ).schemaVersion(2),
    needs: [.network],
    examples: [
      Example("hw bikes map --near 50.1195,8.6381", "the map of a kilometer around a position"),
      Example("hw bikes map --near 50.1195,8.6381 --geojson | jq '.features | length'", "the map as GeoJSON"),
    ]
  ) { call, context throws(Failure) in
    try MapSession(call, context).run()
  }
}

/// A run of `hw bikes map`.
private struct MapSession {
  let call: Invocation
  let context: Context
  private let circle: Circle?
  private let you: Place?

  init(_ call: Invocation, _ context: Context) throws(Failure) {
    self.call = call
    self.context = context
    circle = try Bikes.circle(call)
    you = Bikes.position(call, Bikes.near)
  }

  func run() throws(Failure) {
    if call[Bikes.interactive] { return try interact() }
    let client = try Bikes.reader(context, language: call[Bikes.language])
    let bikes = try client.bikes(in: circle).filter { call[Bikes.includeRented] || $0.isFree }
    let found = FoundBike.sorted(bikes, from: you)
    let outlet = context.output.outlet
    if call[Bikes.geojson] {
      return try outlet.write(String(decoding: GeoJSON.text(of: found), as: UTF8.self))
    }
    if context.output.settings.format != nil || context.output.settings.fields != nil {
      return try Bikes.write(found, from: client, context)
    }
    let size = WindowSize(
      columns: max(20, context.output.settings.screen?.width ?? 80),
      rows: max(8, min(60, (context.host.screenSize?.rows ?? 24) - 1)))
    let view =
      circle.map { MapView(of: $0, on: size) }
      ?? MapView(showing: bikes.map(\.place) + [you].compactMap { $0 }, on: size)
    if call[Bikes.open] { return try show(view.center) }
    var canvas = Canvas(size)
    view.draw(found, you: you, on: &canvas, rows: canvas.rows)
    try outlet.write(canvas.text(color: context.output.settings.screen?.color ?? false))
  }

  private func show(_ place: Place) throws(Failure) {
    let (north, east) = (place.latitude.plain, place.longitude.plain)
    let address = "https://www.openstreetmap.org/?mlat=\(north)&mlon=\(east)#map=16/\(north)/\(east)"
    try context.host.openInBrowser(address)
    try context.output.outlet.write("\(address)\n")
  }

  private func interact() throws(Failure) {
    try context.requireScreen(for: Bikes.interactive, hint: "without it the map is printed")
    let renting = try RentalSession(context)
    let around: Circle
    if let circle {
      around = circle
    } else {
      let view = MapView(
        showing: try renting.client.bikes().map(\.place), on: TerminalDevice(.standardOutput).size)
      around = Circle(view.center, meters: view.scale * 20)
    }
    var screen = MapScreen(around, you: you, showsRented: call[Bikes.includeRented])
    let context = context
    let contextOfThread = context.forOtherThreads
    // Only the thread that sends the requests uses it. A backend in memory would begin anew with each session.
    nonisolated(unsafe) var session: RentalSession?
    do throws(Failure) {
      try context.show(&screen) { request throws(Failure) in
        let renting = if let known = unsafe session { known } else { try RentalSession(contextOfThread()) }
        unsafe session = renting
        switch request {
        case .bikes(let circle): return .bikes(try renting.client.bikes(in: circle))
        case .rent(let id):
          do throws(Failure) {
            return .rented(try renting.rent(id))
          } catch {
            return .refused([error.message, error.hint].compactMap { $0 }.joined(separator: "; "))
          }
        }
      }
    } catch {
      // Interrupted: the rented bikes and their PINs must still be printed.
      if !screen.rented.isEmpty { try context.output.write(screen.rented) }
      if let id = screen.renting {
        context.messages.report("bike \(id) may be rented by you now: the response was not received")
      }
      throw error
    }
    if !screen.rented.isEmpty { try context.output.write(screen.rented) }
  }
}
