import Foundation
import TestSupport
import Testing

/// The map as a page, in a real browser and with a tile server of the test.
@Suite(.ownThread, .needs(.chromium), .serialized) struct MapPageInChromium {
  private let home: Home
  private let tiles: LoopbackServer

  init() throws {
    home = try Home()
    tiles = try LoopbackServer { _ in
      .response(
        headers: ["Content-Type: image/svg+xml"],
        body:
          "<svg xmlns='http://www.w3.org/2000/svg' width='256' height='256'><rect width='256' height='256'/></svg>"
      )
    }
    // Tests may run as root, where Chromium requires the option.
    try home.install(
      "browser",
      """
      #!/bin/sh
      chromium --headless --no-sandbox --user-data-dir=profile --enable-logging=stderr --virtual-time-budget=5000 \
        --dump-dom "$1" >dom.html 2>browser.log
      mv dom.html page.html
      """)
  }

  private var template: String { "\(tiles.url)/{z}/{x}/{y}.svg" }

  /// The browser has loaded tiles and nothing else, and has refused nothing.
  private func expectOnlyTiles(referer: String?) {
    let requests = tiles.requests
    #expect(requests.count >= 12)
    for request in requests {
      #expect(request.target.wholeMatch(of: /\/\d+\/\d+\/\d+\.svg/) != nil, "\(request.target)")
      #expect(request.field("Referer") == referer)
    }
    #expect(!home.text("browser.log").contains("Content Security Policy"), "\(home.text("browser.log"))")
  }

  @Test func servedPageLoadsTilesWithReferer() throws {
    let started = try Started(
      ["hw", "bikes", "map", "--open", "--near", "50.1195,8.6382", "--tiles", template], in: home,
      environment: ["BROWSER": "\(home.path)/.bin/browser"])
    let page = try home.wait(for: "page.html")
    let address = home.text(".1").trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(address.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}/) != nil)
    #expect(page.contains("<code>hw bikes rent 17</code>") && page.contains("Otto</a>"))
    expectOnlyTiles(referer: "\(address.dropLast(32))")
    kill(started.id, SIGINT)
    #expect(started.end().status == 0)
  }

  /// A name with markup stays a text: the browser requests no picture of it.
  @Test func filedPageShowsNamesAsTexts() throws {
    let evil = "<img src=\(tiles.url)/evil>"
    let ending = try shell(
      """
      export HW_URL=embedded:
      hw bikes add --name '\(evil)' --frame-color black --pin 1234 --at 50.1,8.6 >/dev/null &&
      hw bikes map --html map.html --tiles '\(template)' && .bin/browser "file://$PWD/map.html#b0"
      """, in: home)
    #expect(ending.output == "map.html\n" && ending.errors.isEmpty)
    #expect(home.text("page.html").contains("&lt;img src="))
    expectOnlyTiles(referer: nil)
  }
}
