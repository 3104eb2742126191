import Command
import HTTP
import Output
import Server
import System
import Terminal

extension Bikes {
  static let interactive = Option("interactive", short: "i", "Browse the map and rent bikes")
  static let open = Option(
    "open", "Show the map in your browser",
    details:
      "The page is served on 127.0.0.1 until Ctrl-C, with streets from openstreetmap.org, or from --tiles.")
  static let html = Option(
    "html", ValueKind<String>.file, "Write the map to FILE, as a page",
    details:
      "'-' is standard output. A click on a bike shows its profile and how to rent it. The page has no scripts and no PINs."
  )
  static let tiles = Option(
    "tiles",
    ValueKind("URL", expects: "an http or https address with {z}, {x} and {y}", show: \.template) {
      TileServer($0)
    }, "Draw streets from the tile server URL, with --html or --open",
    details: "URL contains {z}, {x} and {y}. The browser requests the pictures of the place from that server."
  )

  static let map = Command(
    "map", "Draw a map of free bikes",
    discussion: """
      A bike is a dot in its color with its id ('×3': three bikes at one spot), a rented bike (--include-rented) a \
      ring, and the cross is your place. A station of a feed is a dot, or a ring without bikes. North is up; the bar \
      at the bottom is the scale.

      With -i: arrows move, + and - zoom, Tab and clicks select a bike, Enter rents it, r returns one of yours, ? \
      shows all keys. A number counts the bikes at one spot. Rented bikes are printed with their PINs at the end.
      """,
    options: [
      near, radius, includeRented, anywhere, interactive, open, html, tiles, geojson, language, tokenFile,
    ],
    settings: [location],
    exclusions: [
      Exclusion(radius, anywhere),
      Exclusion(geojson, from: StandardOptions.output, StandardOptions.fields),
      Exclusion(open, from: StandardOptions.output, StandardOptions.fields),
      Exclusion(html, from: StandardOptions.output, StandardOptions.fields),
      Exclusion(interactive, geojson, open, html, hint: "run the command twice"),
    ],
    output: .rows(
      FoundBike.self,
      text:
        "The map, of the terminal's width or 80 columns; GeoJSON with --geojson. Formats and --fields print the bikes."
    ).schemaVersion(2),
    needs: [.network],
    examples: [
      Example("hw bikes map --near 50.1195,8.6381", "the map of a kilometer around a position"),
      Example("hw bikes map --near 50.1195,8.6381 --html map.html", "the map as a page"),
      Example("hw bikes map --near 50.1195,8.6381 --geojson | jq '.features | length'", "the map as GeoJSON"),
    ]
  ) { call, context throws(Failure) in
    try MapSession(call, context).run()
  }
}

private struct PageServer: Backend {
  let suite = "map"
  let page: MapPage
  /// A random path, because other users of the machine can connect. They can read it in the browser's arguments only.
  let path = "/\(RandomID.make())"

  var routes: [Route] { [Route(.get, path) { _ in page.response }] }
}

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
    guard !call.isGiven(Bikes.tiles) || call[Bikes.open] || call.isGiven(Bikes.html) else {
      throw Failure(.usage, "'--tiles' requires '--html FILE' or '--open'")
    }
    if call[Bikes.interactive] { return try interact() }
    let client = try Bikes.client(context, language: call[Bikes.language])
    let bikes = try client.bikes(in: circle).filter { call[Bikes.includeRented] || $0.isFree }
    let found = FoundBike.sorted(bikes, from: you)
    let outlet = context.output.outlet
    if call[Bikes.geojson] {
      return try outlet.write(String(decoding: GeoJSON.text(of: found), as: UTF8.self))
    }
    if let file = call[Bikes.html] {
      let html = page(found, call[Bikes.tiles]).html
      guard file != "-" else { return try outlet.write(html) }
      try File.replace(file, with: Array(html.utf8), mode: .secret)
      return try outlet.write("\(file.shown(on: context.output.settings.screen))\n")
    }
    if call[Bikes.open] { return try serve(page(found, call[Bikes.tiles] ?? .openStreetMap)) }
    if context.output.settings.format != nil || context.output.settings.fields != nil {
      return try Bikes.write(found, from: client, context)
    }
    let size = WindowSize(
      columns: max(20, context.output.settings.screen?.width ?? 80),
      rows: max(8, min(60, (context.host.output.size()?.rows ?? 24) - 1)))
    let view =
      circle.map { MapView(of: $0, on: size) }
      ?? MapView(showing: bikes.map(\.place) + [you].compactMap { $0 }, on: size)
    var canvas = Canvas(size)
    view.draw(found, you: you, on: &canvas, rows: canvas.rows)
    try outlet.write(canvas.text(color: context.output.settings.screen?.color ?? false))
  }

  private func page(_ found: [FoundBike], _ tiles: TileServer?) -> MapPage {
    let url = call.isGiven(StandardOptions.url) ? call[StandardOptions.url] : nil
    return MapPage(
      found, around: circle, you: you, tiles: tiles,
      options: url.map { ["--url", Secrets.shown(address: $0)] } ?? [])
  }

  /// Serves the page on a free local port until a signal ends the command.
  private func serve(_ page: MapPage) throws(Failure) {
    let listener = try Listener(SocketAddress(listening: "127.0.0.1:0"))
    let pages = PageServer(page: page)
    let server = try Server(
      Router([pages]), on: ServerSockets([listener]), ServerConfiguration(time: context.time))
    let address = "\(server.url)\(pages.path)"
    try context.output.outlet.write("\(address)\n")
    try context.output.outlet.flush()
    if let problem = Browser.open(address, context.environment) { context.messages.report(problem) }
    try server.run()
  }

  private func interact() throws(Failure) {
    try context.requireScreen(for: Bikes.interactive, hint: "without it the map is printed")
    let session = try RentalSession(context)
    let around: Circle
    if let circle {
      around = circle
    } else {
      let view = MapView(
        showing: try session.client.bikes().map(\.place), on: TerminalDevice(.standardOutput).size)
      around = Circle(view.center, meters: view.scale * 20)
    }
    var screen = MapScreen(around, you: you, showsRented: call[Bikes.includeRented])
    let context = context
    let makeContext = context.makeForOtherThreads
    // Used only by the thread that sends the requests. A second session would lose a backend in memory.
    nonisolated(unsafe) var known: RentalSession?
    do throws(Failure) {
      try context.show(&screen) { request throws(Failure) in
        let session = if let known = unsafe known { known } else { try RentalSession(makeContext()) }
        unsafe known = session
        do throws(Failure) {
          switch request {
          case .bikes(let circle): return .bikes(try session.client.bikes(in: circle))
          case .ownBikes: return .ownBikes(try session.rented())
          case .rent(let id): return .rented(try session.rent(id))
          case .giveBack(let id, let place): return .returned(try session.returnBike(id, at: place))
          }
        } catch {
          if case .bikes = request { throw error }
          return .refused([error.message, error.hint].compactMap { $0 }.joined(separator: "; "))
        }
      }
    } catch {
      // After an interruption the rented bikes and their PINs must be printed.
      if !screen.rented.isEmpty { try context.output.write(screen.rented) }
      if screen.change != nil {
        context.messages.report("the response to a change was not received: see 'hw bikes rented'")
      }
      throw error
    }
    if !screen.rented.isEmpty { try context.output.write(screen.rented) }
  }
}
