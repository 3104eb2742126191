import Command
import HTTP
import Output
import Server
import System
import Terminal

extension Bikes {
  static let delete = Command(
    "delete", "Take a bike out of the system",
    discussion: "Its owner may, while it is free. The original server has no way to do it.",
    operands: [id], options: [tokenFile],
    output: .plain("A line that says so."),
    needs: [.network, .writes],
    examples: [
      Example("hw bikes delete 1", "Hans goes home"),
      Example("hw bikes delete 5", "it is out", exits: 4),
    ],
    failures: [.connection, .conflict, .notFound, .unauthorized]
  ) { call, context throws(Failure) in
    let id = try call[id]
    try client(context).delete(id)
    try context.output.outlet.write("bike \(id.neutralised) is deleted\n")
  }

  static let usersFile = Operand("FILE", ValueKind<String>.file, "The file that 'hw serve' reads")
  static let userName = Operand("NAME", ValueKind<String>.text("NAME"), "What the person is called")

  static let userAdd = Command(
    "user-add", "Add a person to the file of 'hw serve --users'",
    discussion: """
      Makes a token, prints it, once, and adds NAME and its hash to FILE: the token itself is nowhere then but with who \
      got it, as HW_BIKES_TOKEN. With --token-file the token is one that you chose. The server reads the file when it \
      starts.
      """,
    operands: [usersFile, userName], options: [tokenFile],
    output: .plain("The token, as a line; nothing with --token-file."),
    needs: [.store],
    examples: [
      Example("hw bikes user-add people carla", "a token for Carla"),
      Example("hw bikes user-add people 'carla!'", "a name has letters and digits", exits: 2),
    ],
    failures: [.conflict, .storage]
  ) { call, context throws(Failure) in
    let (file, name) = (try call[usersFile], try call[userName])
    let chosen = try call[tokenFile].map { file throws(Failure) in
      try context.secret(in: file, called: "token")
    }
    let token = chosen ?? "\(BikesClient.randomDigits())\(BikesClient.randomDigits())"
    guard let line = UserRegister.line(name: name, token: token) else {
      throw Failure(.usage, "'\(name)' is no name: letters, digits, '-', '_' and '.', 64 at most")
    }
    // Locked, and written over itself: it only ever grows.
    let users = try LockedFile(file)
    var text = String(decoding: try users.read(atMost: 1 << 20), as: UTF8.self)
    if !text.isEmpty, !text.hasSuffix("\n") { text += "\n" }
    guard !(try UserRegister(text, from: file)).all.contains(name) else {
      throw Failure(.conflict, "'\(name)' is in '\(file)' already")
    }
    try users.write(Array((text + line).utf8))
    if chosen == nil { try context.output.outlet.write("\(token)\n") }
  }

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
    "version", .choice, default: GBFS.Version.three, "Write this version of the format"
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
