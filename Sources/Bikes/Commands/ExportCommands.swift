import Command
import HTTP
import Output
import Store
import System

extension Bikes {
  static let pins = Option(
    "pins", "Write the PINs as well, as far as the server shows them",
    details: "Whoever reads them can open the padlocks: keep such a file to yourself.")
  static let geojson = Option("geojson", "Write GeoJSON (RFC 7946)")

  static let export = Command(
    "export", "Write all bikes, for another program or to bring them back",
    discussion: """
      Every bike there is, as JSON lines unless another format is asked for. 'hw bikes import' reads every one of them \
      back, if they were written with --pins: without a PIN a bike cannot be rented.
      """,
    options: [pins, geojson, tokenFile],
    output: .rows(ExportedBike.self, text: "A line of JSON a bike."),
    needs: [.network],
    examples: [
      Example("hw bikes export --csv", "for a spreadsheet"),
      Example("hw bikes export --geojson > bikes.geojson", "for a map"),
      Example("(umask 077; hw bikes export --pins > bikes.jsonl)", "a copy, for yourself alone"),
    ],
    failures: [.connection, .invalidData, .unauthorized]
  ) { call, context throws(Failure) in
    let bikes = try client(context).bikes()
    let shows = call[pins]
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
    "DIR", ValueKind<String>.folder, "The folder of the feed; made when it is missing")
  static let gbfs = Command(
    "gbfs", "Write the free bikes as a General Bikeshare Feed",
    discussion: """
      Writes gbfs.json, system_information.json, vehicle_types.json and vehicle_status.json (free_bike_status.json in 2.3) \
      into DIR, each in one step. No PIN is in them. 'hw serve' answers the same files below /gbfs/3.0/ and /gbfs/2.3/. \
      --base says where they will be published.

      A bike has no id there but a passing name, so that nobody can follow a ride: one that changes with each rent in what \
      'hw serve' answers, and wherever the bike stands in what this command writes. It is made with a secret that is kept in \
      the state folder, in bikes-feed.secret: without that file all bikes get new names.
      """,
    operands: [folder], options: [gbfsVersion, base, tokenFile],
    output: .rows(FeedFile.self, text: "The files' names, a line each."),
    needs: [.network],
    examples: [Example("hw bikes gbfs feed", "a feed for trip planners")],
    failures: [.connection, .invalidData, .storage]
  ) { call, context throws(Failure) in
    let folder = try call[folder]
    let bikes = try client(context).bikes().filter { !$0.isRented }
    let secret = try FeedSecret.read(in: Folders(context.environment).state)
    let free = bikes.map { GBFS.Vehicle($0, "\($0.place)", secret: secret) }
    let feed = GBFS(version: call[gbfsVersion], base: call[base], time: context.time.now(), free: free)
    try Folder.make(folder)
    try context.output.write(each: FeedFile.self) { rows throws(Failure) in
      for name in feed.names {
        guard let bytes = feed.file(name) else { continue }
        try File.replace("\(folder)/\(name)", with: bytes, mode: .shared)
        try rows.write(FeedFile(path: "\(folder)/\(name)", bytes: bytes.count))
      }
    }
  }

  static let gbfsVersion = Option(
    "gbfs-version", .choice, default: GBFS.Version.three, "Write this version of the format")
  static let base = Option(
    "base", ValueKind<String>.folderAddress, default: "https://example.org/gbfs/",
    "Where the feed is published, up to the version")

}

extension ValueKind where Value == String {
  /// An address that names of files can stand behind: it ends with a slash, whether that was said or not.
  fileprivate static var folderAddress: ValueKind {
    ValueKind("URL", wants: "an http or https address without '?' and '#'", show: { $0 }) { text in
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
    .text("file", "File", "its path") { $0.path },
    .integer("bytes", "Bytes", "its size") { $0.bytes },
  ]

  static let text: (@Sendable (FeedFile, Screen?) -> String)? = { file, screen in file.path.shown(on: screen)
  }
}
