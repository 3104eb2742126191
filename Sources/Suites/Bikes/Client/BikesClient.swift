import Command
import HTTP
import JSON
import System

/// The API of `hw serve` and of the original server. The original sends empty responses, has no route for one bike, and
/// ignores `Idempotency-Key`: the list of bikes supplies the missing information.
struct BikesClient {
  let endpoint: Endpoint
  /// The language of station names; nil for the default of the feed.
  var language: String?

  var readsFeed: Bool { endpoint.base.scheme == .gbfs }

  /// Fails (`usage`) for a feed, with the operator's link for the bike or the system.
  func requireChangeable(_ id: String? = nil) throws(Failure) {
    guard readsFeed else { return }
    // The backend of a feed refuses every change with this failure.
    _ = try endpoint.send(.delete, id.map { "/bikes/\($0)" } ?? "/bikes")
  }

  /// All bikes or those in a circle, including rented ones.
  func bikes(in circle: Circle? = nil) throws(Failure) -> [Bike] {
    try read(endpoint.send(.get, "/bikes", BikesClient.query(circle), headers: languageHeader), circle)
  }

  /// All bikes. An admin receives the PINs of all, which the server sends only on request.
  func bikesWithPins() throws(Failure) -> [Bike] {
    try read(endpoint.send(.get, "/bikes", ["pins": "all"]), nil)
  }

  private var languageHeader: Headers { language.map { ["Accept-Language": $0] } ?? [:] }

  func bike(_ id: String) throws(Failure) -> Bike { try fetch(id).bike }

  /// A bike, and whether the server supports idempotency keys, with which every change can be retried.
  func fetch(_ id: String, next: String? = nil) throws(Failure) -> (bike: Bike, supportsIdempotency: Bool) {
    var request = endpoint.request(.get, "/bikes/\(id)", headers: BikesClient.acceptJSON)
    request.headers["Accept-Language"] = language
    request.next = next
    let response = try endpoint.send(request)
    let supportsIdempotency = BikesClient.supportsIdempotency(response)
    // The original has no such route and sends an HTML page.
    if response.status == 404, response.mediaType == "text/html" { return (try listed(id), false) }
    if response.status == 404, supportsIdempotency { throw BikesClient.unknown(id) }
    let bike = try read(response, request) { json throws(Failure) in try Bike(json) }
    // The text may be a name, with which a server can find a bike of another id.
    if Int(id) != nil { try BikesClient.require(bike, is: id) }
    return (bike, supportsIdempotency)
  }

  func add(_ profile: BikeProfile) throws(Failure) -> Bike {
    // The original does not send the id: the new bike is found by comparison with this list. The response also shows
    // whether idempotency keys are supported; if not, nothing may be sent twice.
    let spot = Circle(profile.place, meters: 1)
    var request = endpoint.request(.get, "/bikes", BikesClient.query(spot))
    request.next = "POST /bikes with the new bike"
    let list = try endpoint.send(request)
    let before = try read(list, spot)
    let addition = changeRequest(
      .post, "/bikes", body: BikeChange(profile).bytes,
      supportsIdempotency: BikesClient.supportsIdempotency(list))
    let response: ReceivedResponse
    do throws(Failure) {
      response = try sendChange(addition)
    } catch {
      return try findAdded(profile, notIn: before, spot, after: error)
    }
    try BikesClient.checkZero(response, profile.place)
    try BikesClient.check(response, of: addition)
    if let bike = try? Bike(JSON.parse(response.body)) { return bike }
    let bike: Bike?
    do throws(Failure) {
      bike = try findAdded(profile, notIn: before, spot)
    } catch {
      throw error.prefixing(
        "the bike was added, but its id could not be read", hint: "look at 'hw bikes list'")
    }
    if let bike { return bike }
    throw Failure(
      .invalidData, "the service accepted the bike, but it is not in the list",
      hint: "look at 'hw bikes list'")
  }

  func change(_ id: String, to profile: BikeProfile, supportsIdempotency: Bool = false) throws(Failure) {
    let request = changeRequest(
      .put, "/bikes/\(id)", body: BikeChange(profile).bytes, supportsIdempotency: supportsIdempotency)
    let response = try sendChange(request)
    try BikesClient.checkZero(response, profile.place)
    try BikesClient.check(response, of: request)
  }

  func edit(_ id: String, _ change: BikeChange) throws(Failure) -> Bike {
    do throws(Failure) {
      return try sendEdit(id, change)
    } catch {
      guard error.outcomeUnknown else { throw error }
      throw error.prefixing(
        "bike \(id) may be changed", hint: "look with \(ShellWord.command("hw", "bikes", "show", id))")
    }
  }

  private func sendEdit(_ id: String, _ change: BikeChange) throws(Failure) -> Bike {
    let request = endpoint.request(.patch, "/bikes/\(id)", headers: changeHeaders(), body: change.bytes)
    let response = try sendChange(request)
    // The original only replaces bikes as a whole.
    if response.status == 404 || response.status == 405, response.mediaType == "text/html" {
      guard change.state == nil else {
        throw Failure(
          .usage, "'--state' requires 'hw serve': this server rents every bike",
          hint: "delete the bike there, or leave out --state")
      }
      let bike = try listed(id)
      guard let pin = bike.pin else { throw Failure(.unauthorized, "bike \(id) is not yours to change") }
      let profile = change.profile(of: bike, pin: pin)
      try self.change(id, to: profile)
      return bike.applying(BikeChange(profile))
    }
    let bike = try read(response, request) { json throws(Failure) in try Bike(json) }
    try BikesClient.require(bike, is: id)
    guard change.name.map({ $0 == bike.name }) ?? true, change.color.map({ $0 == bike.color }) ?? true,
      change.state.map({ $0 == bike.state }) ?? true
    else {
      throw Failure(.invalidData, "the service accepted the request, but bike '\(id)' is unchanged")
    }
    return bike
  }

  static func require(_ bike: Bike, is id: String) throws(Failure) {
    guard bike.id != id else { return }
    throw Failure(.invalidData, "the response is about another bike: '\(bike.id)'")
  }

  func delete(_ id: String) throws(Failure) {
    let request = endpoint.request(.delete, "/bikes/\(id)", headers: changeHeaders())
    let response: ReceivedResponse
    do throws(Failure) {
      response = try sendChange(request)
    } catch {
      guard error.outcomeUnknown else { throw error }
      switch refetch(id, after: error) {
      case .success(nil): return
      case .success: throw error.appending("bike \(id) is still there", hint: "delete it again")
      case .failure:
        throw error.prefixing(
          "bike \(id) may be deleted", hint: "look with \(ShellWord.command("hw", "bikes", "show", id))")
      }
    }
    guard response.mediaType != "text/html" else {
      throw Failure(.notFound, "this server cannot delete bikes")
    }
    try BikesClient.check(response, of: request)
  }

  func rentals(of bike: String?, limit: Int, before: String? = nil) throws(Failure) -> [Rental] {
    let query: URL.Query = ["bike": bike, "limit": String(limit), "before": before]
    let request = endpoint.request(.get, "/rentals", query, headers: BikesClient.acceptJSON)
    let response = try endpoint.send(request)
    guard response.status != 404 || response.mediaType != "text/html" else {
      throw Failure(.notFound, "this server keeps no history")
    }
    return try read(response, request) { json throws(Failure) in
      try json.array.map { json throws(Failure) in try Rental(json) }
    }
  }

  /// Open rentals of the user, or of all users for an admin; nil if the server has no users.
  func openRentals(ofAll: Bool = false, next: String? = nil) throws(Failure) -> [OpenRental]? {
    let query: URL.Query = ["open": ofAll ? "all" : "on"]
    var request = endpoint.request(.get, "/rentals", query, headers: BikesClient.acceptJSON)
    request.next = next
    let response = try endpoint.send(request)
    // The original has no such route.
    guard response.status != 404 else { return nil }
    return try read(response, request) { json throws(Failure) in
      try json.array.map { json throws(Failure) in try OpenRental(json) }
    }
  }

  var token: String? {
    guard let header = Bikes.service.credential?.header else { return nil }
    return endpoint.request(.get, "/bikes").headers[header]
  }

  // MARK: Requests and responses

  /// Finds a bike in the list, because the original has no route for it.
  func listed(_ id: String) throws(Failure) -> Bike {
    guard let bike = try bikes().first(where: { $0.id == id }) else { throw BikesClient.unknown(id) }
    return bike
  }

  static func unknown(_ id: String) -> Failure {
    Failure(
      .notFound, "there is no bike '\(id)'", hint: "'hw bikes list --anywhere' lists all bikes",
      cause: .unknownObject)
  }

  /// The id of the only bike with a name, ignoring case; nil if there is none.
  func id(named name: String) throws(Failure) -> String? {
    let bikes = try bikes().filter { $0.name.lowercased() == name.lowercased() }
    guard bikes.count > 1 else { return bikes.first?.id }
    let choices = bikes.prefix(5).map { "\($0.id) (\($0.condition), at \($0.place))" }
    throw Failure(
      .conflict, "'\(name)' matches \(bikes.count) bikes",
      hint: "did you mean \(choices.joined(separator: ", "))\(bikes.count > 5 ? ", …" : "")?",
      details: [.init("candidates", .list(bikes.map(\.id)))])
  }

  /// Calls `body` with an id, or with the id of the bike that has this name. A whole number is no name: it can be the id
  /// of another bike, or of one that was deleted.
  func resolving<Value>(
    _ text: String, _ body: (_ id: String) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    do throws(Failure) {
      return try body(text)
    } catch {
      guard error.kind == .notFound, let id = try id(named: text) else { throw error }
      guard Int(text) == nil else {
        throw Failure(
          .notFound, error.message, hint: "a number is an id: that of the bike named '\(text)' is \(id)")
      }
      return try body(id)
    }
  }

  /// The bike of a request whose response was lost. Throws if it was not added.
  private func findAdded(
    _ profile: BikeProfile, notIn before: [Bike], _ spot: Circle, after failure: Failure
  ) throws(Failure) -> Bike {
    guard failure.outcomeUnknown else {
      throw failure.kind == .connection ? failure.prefixing("the bike was not added") : failure
    }
    let bike: Bike?
    do throws(Failure) {
      if failure.kind == .interrupted { throw failure }
      bike = try findAdded(profile, notIn: before, spot)
    } catch {
      throw failure.prefixing(
        "the bike may have been added", hint: "look at 'hw bikes list' before you add it again")
    }
    guard let bike else {
      throw failure.appending("the bike was not added: it is not in the list", hint: "add it again")
    }
    return bike
  }

  private func findAdded(
    _ profile: BikeProfile, notIn before: [Bike], _ spot: Circle
  ) throws(Failure) -> Bike? {
    let known = Set(before.map(\.id))
    return try bikes(in: spot).last { bike in
      !known.contains(bike.id) && bike.name == profile.name && bike.pin == profile.pin
        && bike.place == profile.place
    }
  }

  /// Filters the list again: the original ignores a place with a coordinate of 0.
  private func read(_ response: ReceivedResponse, _ circle: Circle?) throws(Failure) -> [Bike] {
    let request = endpoint.request(.get, "/bikes", BikesClient.query(circle))
    return try read(response, request) { json throws(Failure) in
      var bikes: [Bike] = []
      for json in try json.array {
        let bike = try Bike(json)
        if circle?.contains(bike.place) ?? true { bikes.append(bike) }
      }
      return bikes
    }
  }

  func read<Value>(
    _ response: ReceivedResponse, _ request: Request, _ read: (JSON) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try endpoint.read(response, for: request, { BikesClient.serviceError($0, of: request) }, read)
  }

  /// Widens the circle, because the original measures on a sphere, up to 0.5 % off. The surplus is filtered out.
  static func query(_ circle: Circle?) -> URL.Query {
    guard let circle else { return [:] }
    return [
      "latitude": circle.place.latitude.plain, "longitude": circle.place.longitude.plain,
      "radius": (min(circle.meters, 40_000_000) * 1.006 + 1).rounded(.up).plain,
    ]
  }

  static let acceptJSON: Headers = ["Accept": "application/json, */*;q=0.5"]

  /// The headers of a change, with the given or a new idempotency key. An embedded backend loses no response.
  func changeHeaders(_ key: String? = nil) -> Headers {
    var headers = BikesClient.acceptJSON
    headers["Content-Type"] = "application/json"
    if let key = key ?? (endpoint.base.isEmbedded ? nil : RandomID.make()) {
      headers["Idempotency-Key"] = key
    }
    return headers
  }

  /// Explains the error for a coordinate of 0, which the original treats as missing.
  private static func checkZero(_ response: ReceivedResponse, _ place: Place) throws(Failure) {
    guard response.status == 400, place.hasZero, !supportsIdempotency(response) else { return }
    throw Failure(
      .usage, "this server does not accept a coordinate of exactly 0, as in \(place)",
      hint: "use 0.000001, which is 10 cm away")
  }

  static func supportsIdempotency(_ response: ReceivedResponse) -> Bool {
    response.headers[IdempotencyKey.lifetimeHeader] != nil
  }

  static func check(_ response: ReceivedResponse, of request: Request) throws(Failure) {
    if let failure = serviceError(response, of: request) { throw failure }
  }

  /// The failure with the message of the server, without the bicycle emoji; nil for a success.
  static func serviceError(_ response: ReceivedResponse, of request: Request) -> Failure? {
    guard !response.isSuccess else { return nil }
    var failure = response.failure(for: request)
    if let error = error(in: response), response.status < 500 {
      failure.message = error.message
      if let kind = error.kind { failure.kind = kind }
      failure.hint = failure.kind == .notFound ? "'hw bikes list --anywhere' lists all bikes" : nil
    }
    return failure
  }

  /// The message of an error, and its kind if `hw serve` sent it.
  private static func error(in response: ReceivedResponse) -> (kind: Failure.Kind?, message: String)? {
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

  // MARK: Changes whose response can be lost

  /// A change that is retried only with idempotency keys: otherwise a retry could undo a later change.
  func changeRequest(
    _ method: Method, _ path: URL.Path, body: [UInt8] = [], key: String? = nil, supportsIdempotency: Bool
  ) -> Request {
    var request = endpoint.request(method, path, headers: changeHeaders(key), body: body)
    request.isOnlyOnce = !supportsIdempotency
    return request
  }

  /// The response to a change. Throws server errors, whose outcome is as unknown as that of a lost response.
  func sendChange(_ request: Request) throws(Failure) -> ReceivedResponse {
    let response = try endpoint.send(request)
    if response.status == 408 || response.status >= 500 { throw response.failure(for: request) }
    return response
  }

  /// The bike after a change with unknown outcome; nil if it does not exist. Not read after an interruption.
  func refetch(_ id: String, after failure: Failure? = nil) -> Result<Bike?, Failure> {
    if let failure, failure.kind == .interrupted { return .failure(failure) }
    do throws(Failure) {
      return .success(try bike(id))
    } catch {
      return error.cause == .unknownObject ? .success(nil) : .failure(error)
    }
  }
}
