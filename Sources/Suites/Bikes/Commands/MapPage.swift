import HTTP
import System

/// A map of bikes as one HTML file, without scripts and PINs. Only tiles are loaded from elsewhere.
struct MapPage {
  let html: String
  /// Content-Security-Policy. Allows the style by its hash, so that texts of bikes cannot be styles.
  private let policy: String

  /// `options` are the options of 'hw bikes rent' for this service.
  init(_ bikes: [FoundBike], around circle: Circle?, you: Place?, tiles: TileServer?, options: [String]) {
    let edges = circle.map { circle in
      [(1.0, 0.0), (-1, 0), (0, 1), (0, -1)].map { north, east in
        circle.place.moved(north: north * circle.meters, east: east * circle.meters)
      }
    }
    let view = MercatorView(showing: (edges ?? []) + bikes.map(\.bike.place) + (you.map { [$0] } ?? []))
    policy =
      "default-src 'none'; img-src \(tiles?.origin ?? "'none'"); style-src \(SHA256.source(MapPage.style)); "
      + "base-uri 'none'; form-action 'none'"
    let count = bikes.count == 1 ? "1 bike" : "\(bikes.count) bikes"
    let place = circle.map { circle in
      " within \(Sphere.text(Int(min(circle.meters, Sphere.halfCircumference)))) of \(circle.place)"
    }
    html = """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(count)</title>
      <style>\(MapPage.style)</style>
      <main>
      \(MapPage.drawing(bikes, view, you: you, tiles: tiles))
      \(MapPage.credit(tiles))
      </main>
      <aside>
      <h1>\(count)\(place ?? "")</h1>
      \(bikes.enumerated().map { MapPage.card($1, number: $0, options) }.joined(separator: "\n"))
      </aside>
      </html>

      """
  }

  /// A response that sends the page's origin to the tile server, which openstreetmap.org requires.
  var response: Response {
    Response(
      200,
      headers: [
        "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store",
        "Content-Security-Policy": "\(policy); frame-ancestors 'none'",
        "Referrer-Policy": "strict-origin-when-cross-origin",
      ], body: Array(html.utf8))
  }

  private static func escaped(_ text: String) -> String { text.terminalSafe.markupEscaped }

  // MARK: The map

  private static func drawing(
    _ bikes: [FoundBike], _ view: MercatorView, you: Place?, tiles: TileServer?
  ) -> String {
    let size = "\(MercatorView.width.plain) \(MercatorView.height.plain)"
    var lines = ["<svg viewBox=\"0 0 \(size)\" role=\"img\"><title>Map, north is up</title>"]
    if let tiles {
      let side = MercatorView.tile.plain
      lines += view.tiles.map { tile in
        let address = TileServer.filled(
          tiles.template, zoom: view.zoom, column: tile.column, row: tile.row
        ).markupEscaped
        return """
          <image href="\(address)" x="\(tile.x.fixed(1))" y="\(tile.y.fixed(1))" width="\(side)" height="\(side)"/>
          """
      }
    }
    // The nearest bike is drawn last, on top.
    for (number, found) in bikes.enumerated().reversed() {
      let spot = view.position(of: found.bike.place)
      lines.append(
        """
        <a href="#b\(number)">\(dot(found.bike, x: spot.x, y: spot.y))<title>\(escaped(found.bike.label))</title></a>
        """)
    }
    if let you {
      let spot = view.position(of: you)
      lines.append(
        """
        <path class="you" d="M\(spot.x.fixed(1)) \(spot.y.fixed(1))m-10 0h20m-10-10v20"><title>Your place</title></path>
        """)
    }
    return (lines + ["</svg>"]).joined(separator: "\n")
  }

  /// A dot in the color of the bike, or a ring if it is not free. The dark outline is visible on every map.
  private static func dot(_ bike: Bike, x: Double, y: Double) -> String {
    let fill = bike.frameColor.map { "#\($0.hex)" } ?? "#8c8c8c"
    let opacity = bike.available == 0 ? " fill-opacity=\".2\"" : ""
    return "<circle cx=\"\(x.fixed(1))\" cy=\"\(y.fixed(1))\" r=\"9\" fill=\"\(fill)\"\(opacity)/>"
  }

  private static func credit(_ tiles: TileServer?) -> String {
    guard let tiles else { return "" }
    guard tiles == .openStreetMap else { return "<p>Map: \(escaped(tiles.origin))</p>" }
    return "<p>© <a href=\"https://www.openstreetmap.org/copyright\">OpenStreetMap</a> contributors</p>"
  }

  // MARK: The bikes

  private static func card(_ found: FoundBike, number: Int, _ options: [String]) -> String {
    let bike = found.bike
    let facts = found.facts.map { name, value in "<dt>\(name)<dd>\(escaped(value))" }
    let distance = found.meters.map { " <small>\(Sphere.text($0))</small>" } ?? ""
    return """
      <article id="b\(number)">
      <h2><a href="#b\(number)"><svg viewBox="0 0 22 22">\(dot(bike, x: 11, y: 11))</svg>\(escaped(bike.label))</a>\(distance)</h2>
      <div><dl>\(facts.joined())</dl>\(rental(bike, options))</div>
      </article>
      """
  }

  /// The command that rents the bike, or a link to the operator.
  private static func rental(_ bike: Bike, _ options: [String]) -> String {
    if let page = bike.offer?.rentalURL.flatMap({ try? URL($0) }), page.scheme.hasHost {
      return "<a href=\"\(escaped("\(page)"))\" rel=\"noreferrer\">Rent it at \(escaped(page.host))</a>"
    }
    guard bike.offer == nil, bike.isFree else { return "" }
    let words = ["hw", "bikes", "rent", bike.id] + options
    return "<code>\(escaped(words.map { ShellWord($0).quoted }.joined(separator: " ")))</code>"
  }

  private static let style = """
    :root { color-scheme: light dark; font: 16px/1.4 system-ui, sans-serif }
    body { margin: 0; display: grid; grid-template-columns: minmax(0, 1fr) 22rem; height: 100vh }
    main { position: relative; overflow: hidden; background: #eef1e8 }
    main svg { width: 100%; height: 100% }
    main p { position: absolute; right: 0; bottom: 0; margin: 0; padding: 0 .5rem; font-size: .8rem }
    main p, main p a { color: #1f2328; background: #ffffffc0 }
    circle { stroke: #1f2328; stroke-width: 2; pointer-events: all }
    main a:hover circle, main a:focus circle { stroke-width: 5 }
    .you { fill: none; stroke: #b00020; stroke-width: 3; pointer-events: none }
    aside { overflow: auto; padding: 0 1rem }
    h1, h2 { font-size: 1.1rem; overflow-wrap: anywhere }
    h2 { margin: 0; font-weight: normal }
    h2 a { color: inherit; text-decoration: none }
    h2 svg { width: 1.2rem; vertical-align: middle; margin-right: .5rem }
    small { opacity: .7 }
    article { padding: .4rem; border-bottom: 1px solid #8884 }
    article div { display: none }
    article:target { background: #8882 }
    article:target div { display: block }
    dl { display: grid; grid-template-columns: auto 1fr; gap: 0 1rem; margin: .5rem 0 }
    dd { margin: 0; overflow-wrap: anywhere }
    code { display: block; padding: .4rem; background: #8883; user-select: all; overflow-wrap: anywhere }
    h2 circle { stroke: currentColor }
    @media (max-width: 50rem) {
      body { display: block }
      main { position: sticky; z-index: 1; top: 0; height: 50vh }
      aside { overflow: visible }
      article { scroll-margin-top: 50vh }
    }
    """
}

struct TileServer: Equatable, Sendable {
  let template: String
  let origin: String

  private static let placeholders = ["{z}", "{x}", "{y}"]
  static let openStreetMap = TileServer("https://tile.openstreetmap.org/{z}/{x}/{y}.png")

  /// Returns nil unless the template is an http or https address with exactly the three placeholders.
  init?(_ template: String) {
    self.template = template
    guard TileServer.placeholders.allSatisfy(template.contains),
      case let address = TileServer.filled(template, zoom: 0, column: 0, row: 0), !address.contains("{"),
      let url = try? URL(address), url.scheme.hasHost
    else { return nil }
    origin = "\(url.scheme)://\(url.authority)"
  }

  static func filled(_ template: String, zoom: Int, column: Int, row: Int) -> String {
    zip(placeholders, [zoom, column, row]).reduce(template) { $0.replacing($1.0, with: "\($1.1)") }
  }
}
