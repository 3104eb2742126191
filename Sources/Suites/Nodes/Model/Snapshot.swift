import JSON
import System

struct Snapshot {
  /// The address of the service; nil for a plain list of nodes.
  var source: String?
  var ranking: NodeRanking?
  var taken: Timestamp?
  var nodes: [Node]
}

extension Snapshot {
  /// The main network of Bitcoin. File names contain it for every network: the address behind it has the actual one.
  static let network = "mainnet"

  /// The network of a service, which is the end of its address: `https://mempool.space/testnet4`.
  private static func network(of source: String?) -> String {
    ["testnet", "testnet4", "signet"].first { source?.hasSuffix("/\($0)") == true } ?? network
  }

  private static let name = "hw-nodes-snapshot"
  private static let format = FileFormat("nodes-snapshot", version: 2)

  /// The content of the file, with one node per line.
  var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("format", Snapshot.name)
      Snapshot.format.write(to: &writer)
      writer.member("source", source)
      writer.member("network", Snapshot.network(of: source))
      writer.member("ranking", ranking?.rawValue)
      writer.member("taken", taken?.seconds)
      writer.array("nodes") { writer in
        for node in nodes {
          writer.newline()
          node.write(to: &writer)
        }
        writer.newline()
      }
    }
    writer.newline()
    return writer.bytes
  }

  /// Reads a snapshot or a plain list of nodes. Fails (`storage`) for all else, such as a truncated file.
  init(_ bytes: [UInt8], from name: String) throws(Failure) {
    do throws(Failure) {
      try self.init(content: bytes, of: name)
    } catch {
      guard error.kind == .invalidData else { throw error }
      throw Failure(
        .storage, "'\(name)' is not a complete snapshot: \(error.message)",
        hint: "compare another one: 'hw nodes snapshots' lists them")
    }
  }

  /// Fails with `invalidData` for a damaged snapshot, and with `storage` for another version.
  init(content bytes: [UInt8], of name: String) throws(Failure) {
    let json = try JSON.parse(bytes)
    if json.kind == .array {
      self.init(nodes: try Node.list(json))
      return
    }
    let format = try json["format"].string
    guard format == Snapshot.name else {
      throw json["format"].invalid("expected '\(Snapshot.name)', found '\(format)'")
    }
    try Snapshot.format.check(json, of: name)
    let (network, ranking) = (json["network"], json["ranking"])
    self.init(
      source: try json["source"].string, ranking: NodeRanking(rawValue: try ranking.string),
      taken: try json["taken"].timestamp,
      nodes: try Node.list(json["nodes"]))
    guard try [Snapshot.network, Snapshot.network(of: source)].contains(network.string) else {
      throw network.invalid("expected '\(Snapshot.network)', found '\(try network.string)'")
    }
    guard self.ranking != nil else { throw ranking.invalid("no such ranking: '\(try ranking.string)'") }
  }

  /// Fails (`invalidData`) for an empty ranking if there were nodes before: not all of them have left.
  func requireNodes(after old: Snapshot) throws(Failure) {
    guard nodes.isEmpty, !old.nodes.isEmpty else { return }
    throw Failure(
      .invalidData, "the ranking is empty, and the snapshot before it has \(old.nodes.count) nodes",
      hint: "the service is probably starting: retry later", retryable: true)
  }

  /// The changes from an older snapshot to this one. Fails (`usage`) if their sources or rankings differ.
  func changes(since old: Snapshot) throws(Failure) -> [NodeChange] {
    if let before = old.ranking, let after = ranking, before != after {
      throw Failure(
        .usage, "the snapshots have different rankings: \(before.rawValue) and \(after.rawValue)",
        hint: "compare snapshots of one ranking; 'hw nodes snapshots' lists them")
    }
    if let before = old.source, let after = source, before != after {
      throw Failure(
        .usage, "the snapshots have different sources: '\(before)' and '\(after)'",
        hint: "compare snapshots of one source; --url chooses that of the service")
    }
    return NodeChange.between(old.nodes, nodes)
  }
}
