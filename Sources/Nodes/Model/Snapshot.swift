import JSON
import System

/// A ranking at one time.
struct Snapshot {
  /// Nil if unknown: a response of the service does not contain the name of its ranking.
  var ranking: Ranking?
  var taken: Timestamp?
  var nodes: [Node]
}

extension Snapshot {
  private static let name = "hw-nodes-snapshot"
  private static let format = FileFormat("nodes-snapshot")

  /// The content of a file, with one node per line.
  var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("format", Snapshot.name)
      Snapshot.format.write(to: &writer)
      if let ranking {
        writer.member("ranking", ranking.rawValue)
      }
      if let taken {
        writer.member("taken", taken.seconds)
      }
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

  /// Reads a snapshot, or a list of nodes as the service sends it. Fails (`storage`) for everything else, such as a
  /// truncated file.
  init(_ bytes: [UInt8], from name: String) throws(Failure) {
    do throws(Failure) {
      let json = try JSON.parse(bytes)
      if json.kind == .array {
        self.init(ranking: nil, taken: nil, nodes: try Node.list(json))
        return
      }
      let format = try json["format"].string
      guard format == Snapshot.name else {
        throw json["format"].invalid("expected '\(Snapshot.name)', found '\(format)'")
      }
      try Snapshot.format.check(json, of: name)
      let ranking = json["ranking"]
      self.init(ranking: nil, taken: try json["taken"].timestamp, nodes: try Node.list(json["nodes"]))
      self.ranking = Ranking(rawValue: try ranking.string)
      guard self.ranking != nil else { throw ranking.invalid("no such ranking: '\(try ranking.string)'") }
    } catch {
      guard error.kind == .invalidData else { throw error }
      throw Failure(
        .storage, "'\(name)' is no whole snapshot: \(error.message)",
        hint: "take another with 'hw nodes snapshot'")
    }
  }
}
