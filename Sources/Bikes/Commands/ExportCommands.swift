import Command
import HTTP
import Output
import Store
import System

extension Bikes {
  static let pins = Option(
    "pins", "Include PINs, if the server sends them",
    details: "Keep the file secret: everybody who reads it can open the padlocks.")
  static let geojson = Option("geojson", "Write GeoJSON (RFC 7946)")

  static let export = Command(
    "export", "Export all bikes",
    discussion: """
      Writes all bikes, by default as JSON Lines. With --pins 'hw bikes import' can import the file: an admin receives the \
      PINs of all bikes, others those of their own bikes. An import by an admin keeps ids and owners.
      """,
    options: [pins, geojson, tokenFile],
    exclusions: [Exclusion(geojson, from: StandardOptions.output, StandardOptions.fields)],
    output: .rows(ExportedBike.self, text: "One line of JSON per bike."),
    needs: [.network],
    examples: [
      Example("hw bikes export --csv", "export to CSV"),
      Example("hw bikes export --geojson > bikes.geojson", "export to GeoJSON"),
      Example("(umask 077; hw bikes export --pins > bikes.jsonl)", "export with PINs to a private file"),
    ]
  ) { call, context throws(Failure) in
    let shows = call[pins]
    let client = try client(context)
    let bikes = try shows ? client.bikesWithPins() : client.bikes()
    if areAnonymous(bikes) {
      throw Failure(
        .unauthorized, "the server exports all bikes only to its users",
        hint: "set HW_TOKEN; 'hw bikes list' lists the free bikes")
    }
    guard !call[geojson] else {
      let text = GeoJSON.collection(bikes) { bike, writer in
        GeoJSON.feature(bike, distance: nil, pin: shows ? bike.pin : nil, &writer)
      }
      return try context.output.outlet.write(String(decoding: text, as: UTF8.self))
    }
    try context.output.write(bikes.lazy.map { ExportedBike(bike: $0, pin: shows ? $0.pin : nil) })
  }
}

extension Bikes {
  static let folder = Operand(
    "DIR", ValueKind<String>.folder, "The directory of the feed; created if missing")
  static let gbfs = Command(
    "gbfs", "Write free bikes as a GBFS feed",
    discussion: """
      Writes gbfs.json, system_information.json, vehicle_types.json and vehicle_status.json (free_bike_status.json in 2.3) \
      into DIR, each atomically (General Bikeshare Feed Specification). They contain no PINs. 'hw serve' has the same files \
      below /gbfs/3.0/ and /gbfs/2.3/. --base is the address at which they will be published, without the version: DIR \
      belongs at URL/3.0/ or URL/2.3/.

      The feed contains temporary ids, so that rides cannot be followed. The ids of 'hw serve' change with each rental, those \
      of this command with the position of the bike. They are derived from a secret in the file bikes-feed.secret of the \
      state directory; without that file all ids change.
      """,
    operands: [folder], options: [gbfsVersion, base, tokenFile],
    output: .rows(FeedFile.self, text: "The paths of the files, one per line."),
    needs: [.network],
    examples: [Example("hw bikes gbfs feed", "write a feed for trip planners")]
  ) { call, context throws(Failure) in
    let folder = try call[folder]
    let bikes = try client(context).bikes().filter { !$0.isRented }
    let secret = try FeedSecret.read(in: Folders(context.environment).state)
    // In the order of its neighbors a bike would be known by its place in the list.
    let free = bikes.map { GBFS.Vehicle($0, "\($0.place)", secret: secret) }.sorted { $0.id < $1.id }
    let feed = GBFS(
      version: call[gbfsVersion], base: call[base], system: FeedSystem(), time: context.time.now())
    try Folder.make(folder, mode: .shared)
    try context.output.write(each: FeedFile.self) { rows throws(Failure) in
      for name in feed.names {
        guard let bytes = feed.file(name, vehicles: { free }) else { continue }
        try File.replace("\(folder)/\(name)", with: bytes, mode: .shared)
        try rows.write(FeedFile(path: "\(folder)/\(name)", bytes: bytes.count))
      }
    }
  }

  static let gbfsVersion = Option(
    "gbfs-version", .choice, default: GBFS.Version.three, "Write this version of the format")
  static let base = Option(
    "base", ValueKind<String>.folderAddress, default: "https://example.org/gbfs/",
    "The address of the feed, without the version")

}

extension ValueKind where Value == String {
  /// An address that names of files can stand behind: it ends with a slash, whether that was said or not.
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

/// A file of the feed that was written.
private struct FeedFile: Row {
  let path: String
  let bytes: Int

  static let fields: Fields<FeedFile> = [
    .text("file", "File", "the path of the file") { $0.path },
    .integer("bytes", "Bytes", "the size of the file") { $0.bytes },
  ]

  static let text: (@Sendable (FeedFile, Screen?) -> String)? = { file, screen in file.path.shown(on: screen)
  }
}
