import HTTP
import JSON
import System

/// The service's contract, as calls: our backend's and the original server's alike. The original answers a success with
/// nothing, has no route for one bike, and knows no `Idempotency-Key`: what its answer does not say is looked up.
struct BikesClient {
  let endpoint: Endpoint

  /// Those around a place, or all there are, rented ones included.
  func bikes(in circle: Circle? = nil) throws(Failure) -> [Bike] {
    try read(endpoint.send(.get, "/bikes", BikesClient.query(circle)), .get, "/bikes", circle)
  }

  /// The same with the mark of the answer, for who asks again and again; nil when nothing has changed since `mark`.
  func bikes(in circle: Circle?, since mark: String?) throws(Failure) -> (bikes: [Bike], mark: String?)? {
    let headers: Headers = if let mark { ["If-None-Match": mark] } else { [:] }
    let response = try endpoint.send(.get, "/bikes", BikesClient.query(circle), headers: headers)
    if response.status == 304, mark != nil { return nil }
    return (try read(response, .get, "/bikes", circle), response.headers["ETag"])
  }

  func bike(_ id: String) throws(Failure) -> Bike {
    let path: URL.Path = "/bikes/\(id)"
    let response = try endpoint.send(.get, path, headers: BikesClient.accepting)
    // The original knows no such route, and says so with a page.
    if response.status == 404, response.mediaType == "text/html" { return try listed(id) }
    return try BikesClient.reading(endpoint.request(.get, path)) { () throws(Failure) in
      try Bike(JSON.parse(success(response, .get, path).body))
    }
  }

  /// Brings a bike, and says which one it became.
  func add(_ profile: BikeProfile) throws(Failure) -> Bike {
    // Before, because the original does not tell the id: it is found by what is new. This also tells whether a key
    // would be understood; where it is not, nothing may be sent twice.
    let spot = Circle(profile.place, metres: 1)
    let answer = try endpoint.send(.get, "/bikes", BikesClient.query(spot))
    let before = try read(answer, .get, "/bikes", spot)
    let headers = BikesClient.keepsAnswers(answer) ? BikesClient.keyed() : BikesClient.sending
    let sent: Response
    do throws(Failure) {
      sent = try endpoint.send(.post, "/bikes", headers: headers, body: profile.bytes)
    } catch {
      guard error.kind == .connection else { throw error }
      if let bike = try? found(profile, notIn: before, spot) { return bike }
      throw error
    }
    if sent.status == 400, profile.place.hasZero, !BikesClient.keepsAnswers(sent) {
      throw Failure(
        .usage, "this server takes a coordinate of exactly 0 for a missing one, and refused \(profile.place)",
        hint: "move the bike by a hand's breadth: 0.000001")
    }
    let response = try success(sent, .post, "/bikes")
    if !response.body.isEmpty { return try Bike(JSON.parse(response.body)) }
    if let bike = try found(profile, notIn: before, spot) { return bike }
    throw Failure(
      .invalidData, "the bike was taken, but it is not in the list", hint: "look at 'hw bikes list'")
  }

  /// Puts new values in the place of a bike's.
  func change(_ id: String, to profile: BikeProfile) throws(Failure) {
    let path: URL.Path = "/bikes/\(id)"
    _ = try success(
      endpoint.send(.put, path, headers: BikesClient.keyed(), body: profile.bytes), .put, path)
  }

  func delete(_ id: String) throws(Failure) {
    let path: URL.Path = "/bikes/\(id)"
    let response = try endpoint.send(.delete, path, headers: BikesClient.keyed())
    guard response.mediaType != "text/html" else {
      throw Failure(.notFound, "this server has no way to delete a bike")
    }
    _ = try success(response, .delete, path)
  }

  func rentals(of bike: String?, limit: Int) throws(Failure) -> [Rental] {
    let query: URL.Query = ["bike": bike, "limit": String(limit)]
    let response = try endpoint.send(.get, "/rentals", query, headers: BikesClient.accepting)
    guard response.status != 404 || response.mediaType != "text/html" else {
      throw Failure(.notFound, "this server keeps no history")
    }
    return try BikesClient.reading(endpoint.request(.get, "/rentals", query)) { () throws(Failure) in
      var rentals: [Rental] = []
      for json in try JSON.parse(success(response, .get, "/rentals").body).array {
        rentals.append(try Rental(json))
      }
      return rentals
    }
  }
}

// MARK: Asking and understanding

extension BikesClient {
  /// The bike of that id among all: the original has no other way.
  func listed(_ id: String) throws(Failure) -> Bike {
    guard let bike = try bikes().first(where: { $0.id == id }) else { throw BikesClient.unknown(id) }
    return bike
  }

  static func unknown(_ id: String) -> Failure {
    Failure(.notFound, "bike '\(id)' doesn't exist", hint: "'hw bikes list --anywhere' shows all there are")
  }

  private func found(
    _ profile: BikeProfile, notIn before: [Bike], _ spot: Circle
  ) throws(Failure) -> Bike? {
    let known = Set(before.map(\.id))
    return try bikes(in: spot).last { bike in
      !known.contains(bike.id) && bike.name == profile.name && bike.pin == profile.pin
        && bike.place == profile.place
    }
  }

  /// Reads a list, and chooses again: the original takes no notice of a place that has a 0 in it.
  private func read(
    _ response: Response, _ method: Method, _ path: URL.Path, _ circle: Circle?
  ) throws(Failure) -> [Bike] {
    let request = endpoint.request(method, path, BikesClient.query(circle))
    let body = try success(response, method, path).json(answering: request)
    return try BikesClient.reading(request) { () throws(Failure) in
      var bikes: [Bike] = []
      for json in try JSON.parse(body).array {
        let bike = try Bike(json)
        if circle?.contains(bike.place) ?? true { bikes.append(bike) }
      }
      return bikes
    }
  }

  /// Puts the blame for what is not the contract's on the request.
  private static func reading<Answer>(
    _ request: Request, _ read: () throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    do throws(Failure) {
      return try read()
    } catch {
      guard error.kind == .invalidData else { throw error }
      var failure = error
      failure.message = "'\(request.method.rawValue) \(request.url.path)': \(error.message)"
      failure.hint = error.hint ?? "check that the address is that of a bikes server; '-vv' shows what came"
      throw failure
    }
  }

  private static func query(_ circle: Circle?) -> URL.Query {
    guard let circle else { return [:] }
    return [
      "latitude": circle.place.latitude.plain, "longitude": circle.place.longitude.plain,
      "radius": circle.metres.plain,
    ]
  }

  static let accepting: Headers = ["Accept": "application/json, */*;q=0.5"]
  static let sending: Headers = [
    "Accept": "application/json, */*;q=0.5", "Content-Type": "application/json",
  ]

  /// A new key: the same request sent again is answered and not done again.
  static func keyed() -> Headers {
    var headers = sending
    headers["Idempotency-Key"] = "\(randomDigits())\(randomDigits())"
    return headers
  }

  static func randomDigits() -> String {
    let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  static func keepsAnswers(_ response: Response) -> Bool { response.headers[AnsweredTable.header] != nil }

  /// The response, if it is a success; else the failure in the server's own words, without its bicycle.
  func success(_ response: Response, _ method: Method, _ path: URL.Path) throws(Failure) -> Response {
    guard !response.isSuccess else { return response }
    var failure = response.failure(answering: endpoint.request(method, path))
    if let said = BikesClient.words(of: response), response.status < 500 {
      failure.message = said.message
      if let kind = said.kind { failure.kind = kind }
      failure.hint = BikesClient.hint(failure.kind)
    }
    throw failure
  }

  /// What an error says, and its kind where the server is ours.
  private static func words(of response: Response) -> (kind: Failure.Kind?, message: String)? {
    switch response.mediaType {
    case "text/plain":
      let text = response.text.unicodeScalars.drop { $0 == "🚲" || $0.properties.isWhitespace }
      let line = String(String.UnicodeScalarView(text.prefix { $0 != "\n" }).prefix(300))
      return line.isEmpty ? nil : (nil, line)
    case "application/json":
      guard let error = try? JSON.parse(response.body)["error"], let message = try? error["message"].string
      else { return nil }
      return ((try? error["kind"].string).flatMap(Failure.Kind.init(rawValue:)), message)
    default: return nil
    }
  }

  private static func hint(_ kind: Failure.Kind) -> String? {
    switch kind {
    case .unauthorized: "set HW_BIKES_TOKEN, or --token-file, to a token that this server knows"
    case .notFound: "'hw bikes list --anywhere' shows all there are"
    default: nil
    }
  }
}
