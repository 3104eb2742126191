import Command
import HTTP
import Output
import System

extension Bikes {
  static let pins = Option(
    "pins", "Include PINs, if the server sends them",
    details: "Keep the file secret: the PINs open the padlocks.")
  static let geojson = Option("geojson", "Write GeoJSON (RFC 7946)")

  static let gbfs = Option(
    "gbfs", ValueKind<String>.folder, "Write a GBFS feed of the free bikes into DIR",
    details:
      "Withdrawn bikes are disabled in it. DIR is created if it is missing. The paths of the files are printed."
  )
  static let gbfsVersion = Option(
    "gbfs-version", .choice, default: GBFS.Version.three, "Write this version of the feed")
  static let base = Option(
    "base", ValueKind<String>.folderAddress, default: "https://example.org/gbfs/",
    "The address at which the feed is published")

  static let export = Command(
    "export", "Export all bikes, or a feed of the free ones",
    discussion: """
      Writes all bikes, by default as JSON Lines. 'hw bikes import' reads them, with --pins: an admin receives the \
      PINs of all bikes, others those of their own. An import by an admin keeps ids, owners and states.

      --gbfs writes a General Bikeshare Feed: gbfs.json, system_information.json, vehicle_types.json and \
      vehicle_status.json (free_bike_status.json in 2.3), each atomically and without PINs. 'hw serve' has the same \
      files below /gbfs/3.0/ and /gbfs/2.3/. --base is the address of the published feed: DIR belongs at URL/3.0/ or \
      URL/2.3/.

      The feed has temporary ids, so that rides cannot be followed. Those of 'hw serve' change with each rental. \
      Those of this command change with the position of the bike, and depend on the file bikes-feed.secret of the \
      state directory.
      """,
    options: [pins, geojson, gbfs, gbfsVersion, base, tokenFile],
    exclusions: [
      Exclusion(geojson, from: StandardOptions.output, StandardOptions.fields),
      Exclusion(gbfs, from: pins, geojson, StandardOptions.output, StandardOptions.fields),
    ],
    output: .rows(
      ExportedBike.self,
      text: "One line of JSON per bike, without an owner, a renter or a state that is null or available."
    ).schemaVersion(2),
    needs: [.network],
    examples: [
      Example("hw bikes export --csv", "export to CSV"),
      Example("hw bikes export --geojson > bikes.geojson", "export to GeoJSON"),
      Example("(umask 077; hw bikes export --pins > bikes.jsonl)", "export with PINs to a private file"),
      Example("hw bikes export --gbfs feed --base https://bikes.example/", "write a feed for trip planners"),
    ]
  ) { call, context throws(Failure) in
    if let folder = call[gbfs] { return try writeFeed(into: folder, call, context) }
    guard !call.isGiven(gbfsVersion), !call.isGiven(base) else {
      throw Failure(.usage, "'--\(call.isGiven(base) ? "base" : "gbfs-version")' requires '--gbfs DIR'")
    }
    let showsPins = call[pins]
    let client = try serverClient(context)
    let bikes = try showsPins ? client.bikesWithPins() : client.bikes()
    if areAnonymous(bikes) {
      throw Failure(
        .unauthorized, "the server exports all bikes only to its users",
        hint: "set HW_TOKEN; 'hw bikes list' lists the free bikes")
    }
    guard !call[geojson] else {
      let text = GeoJSON.text(of: bikes.map { FoundBike($0, from: nil) }, showsPins: showsPins)
      return try context.output.outlet.write(String(decoding: text, as: UTF8.self))
    }
    try context.output.write(bikes.lazy.map { ExportedBike(bike: $0, pin: showsPins ? $0.pin : nil) })
  }

  private static func writeFeed(into folder: String, _ call: Invocation, _ context: Context) throws(Failure) {
    let bikes = try serverClient(context).bikes().filter { !$0.isRented }
    let secret = try FeedSecret.read(in: UserFolders(context.environment).state)
    // Sorted by temporary ids: in the order of its own id, a bike would be identified by its position.
    let free = bikes.map { GBFS.Vehicle($0, "\($0.place)", secret: secret) }.sorted { $0.id < $1.id }
    if !call.isGiven(base) { context.messages.report("the feed has the address \(call[base]): see --base") }
    let feed = GBFS(
      version: call[gbfsVersion], base: call[base], system: FeedSystem(), time: context.time.now())
    try Folder.make(folder, mode: .shared)
    for name in feed.names {
      let bytes = feed.file(name) ?? feed.status(free.lazy.map(\.json))
      try File.replace("\(folder)/\(name)", with: bytes, mode: .shared)
      try context.output.outlet.write("\("\(folder)/\(name)".shown(on: context.output.settings.screen))\n")
    }
  }
}

extension ValueKind where Value == String {
  /// An address for files, with a slash added at the end.
  fileprivate static var folderAddress: ValueKind {
    ValueKind("URL", expects: "an http or https address without '?' and '#'") { text in
      guard let url = try? URL(text), url.scheme.hasHost, !text.contains("?") else { return nil }
      return url.path.hasSuffix("/") ? "\(url)" : "\(url)/"
    }
  }
}

extension GBFS.Version: ChoiceValue {
  var meaning: String {
    switch self {
    case .three: "GBFS 3.0, with vehicle_status"
    case .two: "GBFS 2.3, with free_bike_status"
    }
  }
}
