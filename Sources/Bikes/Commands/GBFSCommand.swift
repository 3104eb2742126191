import Command
import Output
import System

extension Bikes {
  static let folder = Operand(
    "DIR", ValueKind<String>.folder, "The folder of the feed; made when it is missing")
  static let gbfs = Command(
    "gbfs", "Write the free bikes as a General Bikeshare Feed",
    discussion: """
      Writes gbfs.json, system_information.json, vehicle_types.json and vehicle_status.json (free_bike_status.json in 2.3) \
      into DIR, each in one step. No PIN is in them, and a bike has another name wherever it stands. 'hw serve' answers \
      the same files below /gbfs/3.0/ and /gbfs/2.3/. --base says where they will be published.
      """,
    operands: [folder], options: [feedVersion, base, tokenFile],
    output: .plain("The files' names, a line each."),
    needs: [.network],
    examples: [Example("hw bikes gbfs feed", "a feed for trip planners")],
    failures: [.connection, .invalidData, .storage]
  ) { call, context throws(Failure) in
    let folder = try call[folder]
    let free = try client(context).bikes().filter { !$0.isRented }
    let feed = GBFS(call[feedVersion], base: call[base], at: context.time.now(), free: free)
    try Folder.make(folder)
    for name in feed.names {
      guard let bytes = feed.file(name) else { continue }
      try File.replace("\(folder)/\(name)", with: bytes, mode: .shared)
      try context.output.outlet.write("\(folder)/\(name)\n")
    }
  }

  static let feedVersion = Option(
    "version", .choice, default: GBFS.Version.three, "Write this version of the format",
    details: "Here --version is this option: 'hw version' prints the version of hw itself."
  ).inPlaceOfStandard
  static let base = Option(
    "base", ValueKind<String>.text("URL"), default: "https://example.org/gbfs/",
    "Where the feed is published, up to the version")
}

extension GBFS.Version: ChoiceValue {
  var meaning: String {
    switch self {
    case .three: "GBFS 3.0, with vehicle_status"
    case .two: "GBFS 2.3, with free_bike_status"
    }
  }
}
