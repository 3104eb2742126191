import Command
import HTTP
import JSON
import Server
import System

/// The feed of another operator behind the routes of the service. Read-only.
final class FeedBackend: Backend {
  let suite = "bikes"
  /// With status 500 the embedded transport throws the failure itself, so that the command receives its hint and cause.
  let errors = ErrorStyle { _, failure, _ in .jsonError(500, failure.message) }
  private let source: FeedSource
  private var known: Known?
  /// Reports about the feed since the last response.
  private var warnings: [String] = []

  private struct Known {
    let feed: Feed
    let language: String?
    let end: Timestamp
  }

  /// The shortest lifetime of a feed within a command, in seconds.
  private static let shortestLifetime: Int64 = 5

  static let translation = FeedTranslation(
    checks: Bikes.feedChecks,
    lifetime: { response, now in (try? FeedFile(JSON.parse(response.body)))?.lifetime(now) },
    backend: { FeedBackend($0) })

  init(_ source: FeedSource) { self.source = source }

  private var shownAddress: String { Secrets.shown(address: "gbfs:\(source.address)") }

  var routes: [Route] {
    let changes: [(Method, String)] = [
      (.post, "/bikes"), (.delete, "/bikes"), (.put, "/bikes/:id"), (.patch, "/bikes/:id"),
      (.delete, "/bikes/:id"), (.put, "/bikes/:id/rented"), (.delete, "/bikes/:id/rented"),
    ]
    return [
      Route(.get, "/bikes", handler: list), Route(.get, "/bikes/:id", handler: show),
      Route(.get, "/gbfs/:file", handler: file),
    ] + changes.map { Route($0.0, $0.1, handler: refuse) }
  }

  private func list(_ call: Call) throws(Failure) -> Response {
    let circle = try Circle(call.query)
    let bikes = try feed(call).bikes
    // Frees memory: the command has a copy, and rarely requests the list again.
    known = nil
    return response { writer in
      writer.array { writer in
        for bike in bikes where circle?.contains(bike.place) ?? true { bike.write(to: &writer, pin: nil) }
      }
    }
  }

  private func show(_ call: Call) throws(Failure) -> Response {
    guard let bike = try bike(call, call["id"]) else {
      throw Failure(
        .notFound, "the feed has no bike or station '\(call["id"])'",
        hint: "ids of vehicles change: 'hw bikes list --anywhere' shows all there are", cause: .unknownObject)
    }
    return response { bike.write(to: &$0, pin: nil) }
  }

  /// A response with the warnings, which a replay reports.
  private func response(_ body: (inout JSONWriter) -> Void) -> Response {
    var response = Response.json { body(&$0) }
    for warning in warnings { response.headers.append(FeedTranslation.warning, warning) }
    warnings = []
    return response
  }

  private func report(_ warning: String) {
    source.report(warning)
    warnings.append(warning)
  }

  private func bike(_ call: Call, _ id: String) throws(Failure) -> Bike? {
    try feed(call).bikes.first { $0.id == id }
  }

  /// Sends a file as the operator sends it now, for `hw check`; null if the feed does not have it.
  private func file(_ call: Call) throws(Failure) -> Response {
    var url: URL? = source.address
    if call["file"] != "gbfs" { url = try address(of: call["file"], directory(nil)) }
    var bytes: [UInt8] = []
    if let url {
      try get(url, maxAge: .zero) { json throws(Failure) in json }.appendRaw(to: &bytes)
    } else {
      JSONWriter.appendNull(to: &bytes)
    }
    return Response(200, headers: ["Content-Type": "application/json"], body: bytes)
  }

  private func refuse(_ call: Call) throws(Failure) -> Response {
    var hint = "its operator rents, returns and adds the bikes"
    do throws(Failure) {
      if let link = try rentalLink(call) { hint += ": \(link)" }
    } catch {
      if error.kind == .interrupted { throw error }
      hint += "; the link could not be read: \(error.message)"
    }
    throw Failure(.usage, "'\(shownAddress)' is read-only", hint: hint)
  }

  private func rentalLink(_ call: Call) throws(Failure) -> String? {
    if let id = call.value(of: "id"), let link = try bike(call, id)?.offer?.rentalURL { return link }
    // Either the feed does not have the file, or the file has no link.
    return try read("system_information", directory(nil)) { file throws(Failure) in
      FeedValue.link(["purchase_url", "url"], of: file.data)
    } ?? nil
  }

  // MARK: Reading

  private func feed(_ call: Call) throws(Failure) -> Feed {
    let (language, now) = (call.header("Accept-Language"), source.time.now())
    if let known, known.language == language, now < known.end { return known.feed }
    let files = try directory(language)
    let stations = try read("station_information", files) { file throws(Failure) in
      try Feed().addingStations(file.data, language)
    }
    var feed = stations ?? Feed()
    let status = try read("station_status", files) { [feed] file throws(Failure) in
      (feed: try feed.addingStatus(file.data), lifetime: file.lifetime(now))
    }
    feed = status?.feed ?? feed
    let vehicles = try read(files.vehicles, files) { [feed] file throws(Failure) in
      (feed: try feed.addingVehicles(file.data), lifetime: file.lifetime(now))
    }
    feed = vehicles?.feed ?? feed
    guard stations != nil || vehicles != nil else {
      throw Failure(
        .invalidData, "'\(shownAddress)' has neither stations nor vehicles",
        hint: "check that the address is that of gbfs.json")
    }
    if feed.withoutPlace > 0 {
      report("left out, without a position: \(feed.withoutPlace) of the feed's stations and vehicles")
    }
    let lifetime = min(status?.lifetime ?? .max, vehicles?.lifetime ?? .max, 3600)
    let end = Timestamp(seconds: now.seconds + max(FeedBackend.shortestLifetime, lifetime))
    known = Known(feed: feed, language: language, end: end)
    return feed
  }

  private func directory(_ language: String?) throws(Failure) -> FeedDirectory {
    let next = "GET station_information, station_status and vehicle_status, where it lists them"
    return try get(source.address, next: next) { json throws(Failure) in
      try FeedDirectory(FeedFile(json).data, language)
    }
  }

  /// Returns nil if the feed does not have the file.
  private func read<Value>(
    _ name: String, _ files: FeedDirectory, _ body: (FeedFile) throws(Failure) -> Value
  ) throws(Failure) -> Value? {
    guard let url = try address(of: name, files) else { return nil }
    let now = source.time.now()
    do throws(Failure) {
      let (value, outdated) = try get(url) { json throws(Failure) in
        let file = try FeedFile(json)
        return (try body(file), name.hasSuffix("_status") && file.isOutdated(now) ? file.updated : nil)
      }
      if let outdated {
        let minutes = source.time.local(outdated).minutes
        report("\(name) is of \(minutes): the operator has not updated it since")
      }
      return value
    } catch {
      guard error.kind == .notFound else { throw error }
      report("the feed lists \(name), but its operator has no such file: \(error.message)")
      return nil
    }
  }

  private func address(of name: String, _ files: FeedDirectory) throws(Failure) -> URL? {
    guard let text = files[name] else { return nil }
    let url: URL
    do throws(Failure) { url = try URL(text) } catch {
      throw Failure(.invalidData, "the feed has \(name) at an invalid address: \(error.message)")
    }
    guard url.scheme.hasHost else {
      throw Failure(
        .invalidData,
        "the feed has \(name) at '\(Secrets.shown(address: text))', which is not an address on a network")
    }
    return url
  }

  private func get<Value>(
    _ url: URL, maxAge: Duration? = nil, next: String? = nil, _ body: (JSON) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try Endpoint(url, source.transport).get("", maxAge: maxAge, next: next, body)
  }
}
