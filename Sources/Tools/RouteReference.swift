import Command

/// The routes of every suite, for other clients. A test compares them with the routes that the server has.
enum RouteReference {
  static var sections: [Block] {
    suites.map { suite in
      .subsection(
        title: "Routes of \(suite.name)", [.items(suite.routes.map { Item($0.route, $0.meaning) })])
    }
  }

  typealias Route = (route: String, meaning: String)

  static let suites: [(name: String, routes: [Route])] = [
    ("bikes", bikes), ("wordle", wordle), ("race", race), ("nodes", nodes), ("nba", nba),
  ]

  private static let bikes: [Route] = [
    (
      "GET /bikes",
      """
      an array of bikes: id, name, color, location {latitude, longitude}, rented, and pin for owner and renter; \
      ?pins shows an admin all of them. Without a token: the free bikes, with temporary ids, without names and colors. ?latitude=&longitude=&radius= selects those within radius meters (1000)
      """
    ),
    (
      "POST /bikes",
      """
      adds a bike: name, color, pin (four digits), location. Returns the bike. An array of up to 250 bikes is added \
      atomically, and the response is {"added": N, "present": N}: a bike that the user has sent in an array before is not \
      added again, except as another "copy" (1, 2, ...). An admin can give each an id and an owner
      """
    ),
    ("GET /bikes/:id", "one bike; always needs the token of a user"),
    ("PUT /bikes/:id", "replaces name, color, pin and location of a bike; owner and admin"),
    ("PATCH /bikes/:id", "changes some of them; the renter may change the location"),
    ("DELETE /bikes/:id", "deletes a bike; owner and admin"),
    ("PUT /bikes/:id/rented", "rents a bike and returns it with its PIN; 400 if it is rented already"),
    ("DELETE /bikes/:id/rented", "returns a bike; renter, owner and admin; 400 if it is not rented"),
    ("GET /rentals", "the history, newest first; ?open lists the rentals of the user, with PINs"),
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
    ("GET /api/v1/lightning/statistics/latest", "statistics of the network, and those of a week before"),
  ]

  private static let nba: [Route] = [
    ("GET /teams", "all teams: {\"data\": [...]}"), ("GET /teams/:id", "one team"),
    ("GET /games", "games in pages: {\"data\": [...], \"meta\": {\"next_cursor\": ...}}"),
    ("GET /games/:id", "one game"), ("GET /players", "players in pages, ?search= by name"),
    ("GET /players/:id", "one player"),
  ]
}
