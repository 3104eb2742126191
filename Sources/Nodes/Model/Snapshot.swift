import JSON
import Store
import System

/// A ranking as it was at one moment.
struct Snapshot {
  /// Nil where it is not known: a list of nodes as the service sends it says nothing of its ranking.
  var ranking: Ranking?
  var taken: Timestamp?
  var nodes: [Node]
}

extension Snapshot {
  private static let format = "hw-nodes-snapshot"

  /// As a file holds it: a member a line, a node a line.
  var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("format", Snapshot.format)
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

  /// Reads a snapshot, or a bare list of nodes. Anything else, half a file included, is a file that cannot be used.
  init(_ bytes: [UInt8], from name: String) throws(Failure) {
    do throws(Failure) {
      let json = try JSON.parse(bytes)
      if json.kind == .array {
        self.init(ranking: nil, taken: nil, nodes: try Node.list(json))
        return
      }
      let format = try json["format"].string
      guard format == Snapshot.format else {
        throw json["format"].invalid("expected '\(Snapshot.format)', found '\(format)'")
      }
      let ranking = json["ranking"]
      self.init(ranking: nil, taken: try json["taken"].timestamp, nodes: try Node.list(json["nodes"]))
      self.ranking = Ranking(rawValue: try ranking.string)
      guard self.ranking != nil else { throw ranking.invalid("no such ranking: '\(try ranking.string)'") }
    } catch {
      throw Failure(
        .storage, "'\(name)' is no whole snapshot: \(error.message)",
        hint: "take another with 'hw nodes snapshot'")
    }
  }
}

/// The snapshots that are kept, a file each.
struct SnapshotFolder {
  let path: String

  init(path: String) {
    self.path = path
  }

  init(of environment: Environment) throws(Failure) {
    path = "\(try Folders(environment).state)/nodes"
  }

  /// A kept snapshot, known by its file's name alone.
  struct Entry: Equatable {
    var ranking: Ranking
    var taken: Timestamp

    /// `connectivity-2026-03-10T140501Z.json`: in UTC, so that names sort by time everywhere.
    var name: String {
      let time = WallTime(taken)
      let digits = time.seconds.split(separator: " ")[1].filter { $0 != ":" }
      return "\(ranking.rawValue)-\(time.day)T\(digits)Z.json"
    }
  }

  func file(_ entry: Entry) -> String { "\(path)/\(entry.name)" }

  /// Those of a ranking, or of all, the newest first. Other files are no matter.
  func entries(_ ranking: Ranking? = nil) throws(Failure) -> [Entry] {
    try Folder.names(path).compactMap { Entry(name: $0) }
      .filter { ranking == nil || $0.ranking == ranking }
      .sorted { ($1.taken, $0.ranking.rawValue) < ($0.taken, $1.ranking.rawValue) }
  }

  /// Keeps a snapshot. Two that are taken in the same second are one file, whole in every case.
  func save(_ snapshot: Snapshot, as entry: Entry) throws(Failure) {
    try Folder.make(path)
    try File.replace(file(entry), with: snapshot.bytes, mode: .shared)
  }

  /// All but the newest `count` of each ranking, once `new` is there as well.
  func surplus(beyond count: Int, after new: Entry? = nil) throws(Failure) -> [Entry] {
    let kept = try entries()
    return Ranking.allCases.flatMap { ranking in
      let own = kept.filter { $0.ranking == ranking && $0 != new }
      return own.dropFirst(new?.ranking == ranking ? count - 1 : count)
    }
  }

  /// What others remove meanwhile is gone, which is all that was wanted.
  func remove(_ entries: [Entry]) throws(Failure) {
    for entry in entries { try File.remove(file(entry)) }
  }
}

extension SnapshotFolder.Entry {
  /// Nil for a name that is none of a snapshot.
  init?(name: String) {
    let parts = name.split(separator: "-", maxSplits: 1)
    guard parts.count == 2, let ranking = Ranking(rawValue: String(parts[0])), parts[1].hasSuffix("Z.json"),
      let split = parts[1].firstIndex(of: "T"), let day = CalendarDay(parts[1][..<split])
    else { return nil }
    let digits = parts[1][parts[1].index(after: split)...].dropLast("Z.json".count)
    guard digits.count == 6, digits.utf8.allSatisfy(\.isASCIIDigit),
      let number = Int(digits), number / 10_000 < 24, number / 100 % 100 < 60, number % 100 < 60
    else { return nil }
    let seconds = number / 10_000 * 3600 + number / 100 % 100 * 60 + number % 100
    self.init(
      ranking: ranking, taken: Timestamp(seconds: Int64(day.daysSinceEpoch * 86_400 + seconds)))
  }
}
