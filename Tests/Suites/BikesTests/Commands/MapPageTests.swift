import HTTP
import System
import Testing

@testable import Bikes

@Suite struct MapPageTests {
  private func bike(_ id: String, _ name: String, rented: Bool = false, offer: Offer? = nil) -> FoundBike {
    var bike = Bike(
      id: id, name: name, color: "00C8E6", pin: Pin("4711"), place: you, isRented: rented, owner: "<ada>")
    bike.offer = offer
    return FoundBike(bike, from: you)
  }

  private func page(_ bikes: FoundBike..., tiles: TileServer? = nil, options: [String] = []) -> MapPage {
    MapPage(bikes, around: Circle(you, meters: 500), you: you, tiles: tiles, options: options)
  }

  @Test func textsOfBikesAreEscapedAndPinIsAbsent() {
    let html = page(bike("1", "<script>alert('&')</script>\"\u{202E}\u{1B}[2J")).html
    #expect(html.contains("&lt;script&gt;alert('&amp;')&lt;/script&gt;&quot;"))
    #expect(html.contains("<dd>&lt;ada&gt;"))
    for part in ["<script", "\u{1B}", "\u{202E}", "4711"] { #expect(!html.contains(part), "\(part)") }
  }

  /// The page and the response allow the pictures of the tile server, their own styles by the hash, and nothing else.
  @Test(
    arguments: [
      (nil, "img-src 'none'; ", ""),
      ("https://tiles.example:8443/a/{z}/{x}/{y}.png?k=1", "img-src https://tiles.example:8443; ", "<image "),
    ] as [(String?, String, String)])
  func policyAllowsPicturesOfTileServerAlone(template: String?, images: String, element: String) throws {
    let page = page(bike("1", "A"), tiles: template.flatMap { TileServer($0) })
    let response = page.response
    let policy = try #require(response.headers["Content-Security-Policy"])
    let style = try #require(page.html.firstMatch(of: /(?s)<style>(.*)<\/style>/)?.1)
    let hash = Base64.encode(SHA256.hash(Array(style.utf8)))
    #expect(
      policy
        == "default-src 'none'; \(images)style-src 'sha256-\(hash)'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'")
    #expect(page.html.contains("content=\"\(policy.split(separator: "; frame")[0])\""))
    #expect(page.html.contains("<image ") == !element.isEmpty)
    #expect(response.headers["Referrer-Policy"] == "strict-origin-when-cross-origin")
    #expect(!page.html.contains("style=") && !page.html.contains("onclick"))
  }

  @Test(
    arguments: [
      ("1", false, nil, [], "<code>hw bikes rent 1</code>"),
      (
        "it's", false, nil, ["--url", "http://h/?"],
        #"<code>hw bikes rent 'it'\''s' --url 'http://h/?'</code>"#
      ),
      ("1", true, nil, [], nil),
      ("1", false, "https://rent.example/1?a=b&c=d", [], "<a href=\"https://rent.example/1?a=b&amp;c=d\" "),
      ("1", false, "javascript:alert(1)", [], nil),
    ] as [(String, Bool, String?, [String], String?)])
  func cardSaysHowToRent(id: String, rented: Bool, link: String?, options: [String], text: String?) {
    let offer = link.map { Offer(kind: .bike, available: 1, docks: nil, rentalURL: $0) }
    let html = page(bike(id, "A", rented: rented, offer: offer), options: options).html
    #expect(
      text.map(html.contains) ?? (!html.contains("<code>") && !html.contains("href=\"javascript")), "\(html)")
  }

  @Test(
    arguments: [
      ("https://tile.openstreetmap.org/{z}/{x}/{y}.png", "https://tile.openstreetmap.org"),
      ("http://127.0.0.1:80/{z}-{x}-{y}", "http://127.0.0.1"), ("http://t.example/{z}/{x}", nil),
      ("http://{s}.t.example/{z}/{x}/{y}", nil), ("file:///{z}/{x}/{y}", nil), ("demo:/{z}/{x}/{y}", nil),
      ("http://t.example/{z}/{x}/{y}{r}", nil), ("{z}{x}{y}", nil),
    ] as [(String, String?)])
  func templateHasAllPlaceholdersAndNoOther(template: String, origin: String?) {
    #expect(TileServer(template)?.origin == origin)
  }
}

/// Sections of the map, held against the numbers of tiles that others calculate.
@Suite struct MercatorViewTests {
  @Test(arguments: [
    (50.1195, 8.6381, 8585.129529, 5548.076524), (0, 0, 8192, 8192),
    (-33.8568, 151.2153, 15073.97632, 9831.253752),
  ])
  func placeLiesInItsTile(latitude: Double, longitude: Double, column: Double, row: Double) {
    let spot = MercatorView.spot(place(latitude, longitude))
    #expect(abs(spot.x * 16384 - column) < 1e-5 && abs(spot.y * 16384 - row) < 1e-5)
  }

  @Test func sectionShowsAllPlacesAndIsCoveredByTiles() {
    let places = [place(50.1195, 8.6381), place(50.13, 8.66), place(50.11, 8.62)]
    let view = MercatorView(showing: places)
    #expect(view.zoom == 14)
    for place in places {
      let spot = view.position(of: place)
      #expect((40...920).contains(spot.x) && (40...680).contains(spot.y))
    }
    let tiles = view.tiles
    #expect(tiles.map(\.x).min() ?? 1 <= 0 && (tiles.map(\.x).max() ?? 0) + 256 >= 960)
    #expect(tiles.map(\.y).min() ?? 1 <= 0 && (tiles.map(\.y).max() ?? 0) + 256 >= 720)
    // The tile of a place is drawn where the place is.
    let spot = view.position(of: places[0])
    let tile = tiles.first { $0.column == 8585 && $0.row == 5548 }
    #expect(
      tile.map { abs($0.x + 0.129529 * 256 - spot.x) < 0.01 && abs($0.y + 0.076524 * 256 - spot.y) < 0.01 }
        == true)
  }

  @Test func dateLineIsNoEdge() {
    let (west, east) = (place(10, 179.99), place(10, -179.99))
    let view = MercatorView(showing: [west, east])
    #expect(view.zoom == 15 && view.position(of: west).x < view.position(of: east).x)
    #expect(Set(view.tiles.map(\.column)).isSuperset(of: [32767, 0]))
  }

  @Test(arguments: [90.0, -90])
  func poleHasTilesOfItsSideAlone(latitude: Double) {
    let view = MercatorView(showing: [place(latitude, 0)])
    #expect(
      view.zoom == 18 && view.tiles.allSatisfy { (0..<1 << 18).contains($0.row) } && !view.tiles.isEmpty)
    #expect(MercatorView(showing: []).zoom == 18)
    #expect(MercatorView(showing: [place(85, -170), place(-85, 0)]).zoom == 1)
  }
}
