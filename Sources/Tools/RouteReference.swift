import Command

/// `hw-routes(7)`. A test compares it with the routes of the server.
enum RouteReference {
  static let topic = Topic(
    name: "routes", title: "Routes", summary: "The routes of 'hw serve', for other clients",
    related: ["serve"],
    blocks: [
      .paragraph(
        """
        Every route also exists below the name of its suite: /bikes/bikes, /wordle/scores. A request with a body \
        needs the header field 'Content-Type: application/json'. On a server with users every change requires the \
        token of a user, and reading too unless --public names the suite. GET / names the service; /healthz and \
        /readyz need no token.
        """),
      .subsection(title: "Header fields", fields), .subsection(title: "Statuses", statuses),
    ]
      + suites.map { suite in
        .subsection(
          title: "Routes of \(suite.name)", [.items(suite.routes.map { Item($0.route, $0.meaning) })])
      } + [
        .subsection(
          title: "Differences from the original server of bikes",
          [
            .paragraph(
              "A client of the original works unchanged if its requests are valid and the server has no users. For each, why hw differs:"
            ), .items(differences.map { Item($0.name, $0.meaning) }),
          ])
      ])

  private static let fields: [Block] = [
    .items([
      Item("Authorization: Bearer TOKEN", "the token of a user; 'X-Authorization: TOKEN' means the same"),
      Item(
        "Idempotency-Key: KEY",
        "for changes of bikes: a repeated request with this key is not executed again; keys expire after a day"
      ),
      Item(
        "Idempotency-Cancel: true",
        "with a key: executes nothing, and responds as to the request that was executed with it; 412 if there was none"
      ),
      Item(
        "X-Request-Id: ID", "appears in the log and in the response; the server makes one if it is missing"),
    ])
  ]

  private static let statuses: [Block] = [
    .paragraph("An error has a text that describes it, or JSON if Accept prefers that:"),
    .items([
      Item("400", "the request is invalid, or the bike is rented already or not rented"),
      Item("401", "the token is missing or unknown"),
      Item("403", "the user may not do this, or the page's origin"),
      Item("404", "there is no such route, bike or score"),
      Item("405", "the route has other methods; Allow lists them"),
      Item("409", "the request conflicts with another, or the bike is withdrawn or missing"),
      Item("412", "no request with the Idempotency-Key was executed, and none will be"),
      Item("413", "the body is too large"), Item("415", "the body has another content type"),
      Item("414, 431", "the target or the header is too long"),
      Item("422", "the Idempotency-Key belongs to another request"),
      Item("429", "a limit is exceeded; Retry-After has the seconds to wait"),
      Item("501, 505", "the method or the version of HTTP is unknown"),
      Item("507", "the disk is full, and nothing was changed"),
      Item("503", "the store cannot be reached, or the server is busy; Retry-After has the seconds to wait"),
    ]),
  ]

  /// Differences from the original server of bikes, for Node.js. A test compares the names with recorded exchanges.
  static let differences: [(name: String, meaning: String)] = [
    ("successful changes", "return the bike, the original an empty body: so its id and PIN are known"),
    (
      "queries",
      "400 for a place or radius that is no number or out of range, where the original ignores it: a typo is no city"
    ),
    ("zeros", "a coordinate or radius of 0 is valid; the original takes it for a missing one"),
    (
      "a bike",
      """
      has a PIN of four digits as a text, a name of 1 to 100 bytes, a color and a place on earth: else 400; the \
      original checks only the PIN
      """
    ),
    ("a body", "is JSON with its Content-Type, else 415, so that no form of a web page can send it"),
    ("ids", "are texts; the original has numbers for new bikes"),
    ("paths", "are compared exactly; the original ignores case"),
    ("error texts", "name the reason; the original has one text for each status, or a page"),
    ("the distance", "is measured on the ellipsoid, up to 0.5 % from the original's sphere"),
    (
      "more routes",
      "arrays for POST /bikes; GET, PATCH and DELETE /bikes/:id, /rentals, /gbfs: the original has none of them"
    ),
  ]

  typealias Route = (route: String, meaning: String)

  static let suites: [(name: String, routes: [Route])] = [
    ("bikes", bikes), ("wordle", wordle), ("race", race), ("nodes", nodes), ("nba", nba),
  ]

  private static let bikes: [Route] = [
    (
      "GET /bikes",
      """
      an array of bikes: id, name, color, location {latitude, longitude}, rented, and pin and renter for owner and \
      renter; ?pins shows an admin those of all. Its managers also get bikes whose state is withdrawn or missing. \
      Without a token: the free bikes, with temporary ids, without names and colors. ?latitude=&longitude=&radius= \
      selects those within radius meters (1000)
      """
    ),
    (
      "POST /bikes",
      """
      adds a bike: name, color, pin (four digits), location. Returns the bike. An array of up to 250 bikes is added \
      atomically, and the response is {"added": N, "present": N}: a bike that the user has sent in an array before \
      is not added again, except as another "copy" (1, 2, ...). An admin can give each an id, an owner and a state; \
      "conflicts" has the ids that belong to other bikes. With ?above=N an admin makes new ids larger than N
      """
    ),
    (
      "GET /bikes/:id",
      "one bike, with pinReaders for owner and admin; without a token the bike with a temporary id of the list"
    ),
    ("PUT /bikes/:id", "replaces name, color, pin and location of a bike; owner and admin"),
    ("PATCH /bikes/:id", "changes some of them, or the state; the renter may change the location"),
    ("DELETE /bikes/:id", "deletes a bike that is not rented, or missing; owner and admin"),
    (
      "PUT /bikes/:id/rented",
      "rents a bike and returns it with its PIN; 400 if it is rented, 409 if it is not available"
    ),
    ("DELETE /bikes/:id/rented", "returns a bike; renter, owner and admin; 400 if it is not rented"),
    (
      "GET /rentals",
      "the history, newest first; ?open lists the rentals of the user, with PINs; ?open=all those of all users, for an admin"
    ),
    ("GET /gbfs/gbfs.json", "the feed for trip planners (GBFS 3.0); needs no token if bikes are public"),
    ("GET /gbfs/:version/:file", "a file of the feed, of version 3.0 or 2.3"),
  ]

  private static let wordle: [Route] = [
    (
      "GET /scores",
      "the scores of the user, newest first: {\"scores\": [{id, date, word, tries}]}, an object as the live service sends it, and not the array of its documentation"
    ),
    ("POST /scores", "adds a score; 400 with the reason if it is invalid"),
    ("DELETE /scores", "deletes all scores and restores the three initial ones"),
    ("GET /scores/:id", "one score; the id is Wordle's number of the game"),
    ("DELETE /scores/:id", "deletes a score"),
  ]

  private static let race: [Route] = [
    ("GET /bees/race/duration", "the length of the race: {\"timeInSeconds\": 26}"),
    ("GET /bees/race/status", "the standings, leader first: {\"beeList\": [{name, color}]}"),
    ("GET /captchaTest", "403 with the address of a CAPTCHA: {\"captchaUrl\": ...}"),
    ("GET /recaptcha/api2/demo", "the page of the CAPTCHA"),
    ("POST /recaptcha/api2/userverify", "an attempt to solve the CAPTCHA, sent by its page"),
  ]

  private static let nodes: [Route] = [
    (
      "GET /api/v1/lightning/nodes/rankings/:ranking",
      "up to 100 nodes; the ranking is connectivity, liquidity or age"
    ),
    ("GET /api/v1/lightning/nodes/:key", "one node by its public key; an unknown key is status 500"),
    ("GET /api/v1/lightning/search", "nodes whose alias contains ?searchText=, or whose key begins with it"),
  ]

  private static let nba: [Route] = [
    ("GET /teams", "all teams: {\"data\": [...]}"), ("GET /teams/:id", "one team"),
    ("GET /games", "games in pages: {\"data\": [...], \"meta\": {\"next_cursor\": ...}}"),
    ("GET /games/:id", "one game"), ("GET /players", "players in pages, ?search= by name"),
    ("GET /players/:id", "one player"),
  ]
}
