import HTTP
import Store
import System

/// The saved snapshots, one file each.
struct SnapshotFolder {
  let path: String

  /// What a snapshot shows. Snapshots are compared with one another and expire only within one series.
  struct Series: Hashable {
    var ranking: Ranking
    var origin: Origin
  }

  /// Where a snapshot was taken.
  struct Origin: Hashable {
    /// The address of the service.
    var source: String
    var network: Network
  }

  /// A saved snapshot. The name of its file has all that is known of it.
  struct Entry: Hashable {
    var series: Series
    var taken: Timestamp

    /// `connectivity-2026-03-10T140501Z-mainnet-https%3A%2F%2Fmempool.space.json`: in UTC, so that names sort by time in
    /// every time zone.
    var name: String {
      let origin = "\(series.origin.network.rawValue)-\(PercentEncoding.encode(series.origin.source))"
      return "\(series.ranking.rawValue)-\(taken.utcForFileNames)-\(origin).json"
    }
  }

  func file(_ entry: Entry) -> String { "\(path)/\(entry.name)" }

  /// The snapshots of a series, or of all, newest first. Other files are ignored.
  func entries(_ series: Series? = nil) throws(Failure) -> [Entry] {
    try Folder.names(path).compactMap { Entry(name: $0) }
      .filter { series == nil || $0.series == series }
      .sorted { ($1.taken, $0.name) < ($0.taken, $1.name) }
  }

  /// The entry, a second after the newest of its series if it is not later than that: what was saved last is the newest,
  /// also within a second and after a clock was set back.
  func free(_ entry: Entry) throws(Failure) -> Entry {
    var entry = entry
    if let newest = try entries(entry.series).first, newest.taken >= entry.taken {
      entry.taken = Timestamp(seconds: newest.taken.seconds + 1)
    }
    return entry
  }

  /// Saves a snapshot atomically. If another process was first, it is a second later than that one's.
  func save(_ snapshot: Snapshot, as entry: Entry) throws(Failure) -> Entry {
    try Folder.make(path)
    var (snapshot, entry) = (snapshot, entry)
    while try !File.create(file(entry), with: snapshot.bytes, mode: .shared) {
      entry.taken = Timestamp(seconds: entry.taken.seconds + 1)
      entry = try free(entry)
      snapshot.taken = entry.taken
    }
    return entry
  }

  /// All snapshots of the origin of `new` but the newest `count` of each series. `new` is counted as if it were saved and
  /// is never expired.
  func expired(keeping count: Int, adding new: Entry) throws(Failure) -> [Entry] {
    let own = try entries().filter { $0.series.origin == new.series.origin && $0 != new }
    return Dictionary(grouping: own, by: \.series).flatMap { series, saved in
      var own = saved
      // Another process may have saved a later one since `new` was taken: then `new` does not count as the newest.
      if new.series == series {
        own.insert(new, at: own.firstIndex { $0.taken < new.taken } ?? own.endIndex)
      }
      return own.dropFirst(count).filter { $0 != new }
    }.sorted { $0.name < $1.name }
  }

  /// A file that another process has deleted meanwhile is no error.
  func delete(_ entries: [Entry]) throws(Failure) {
    for entry in entries { try File.remove(file(entry)) }
  }
}

extension SnapshotFolder {
  init(of environment: Environment) throws(Failure) {
    path = "\(try Folders(environment).state)/nodes"
  }

  /// The newest snapshot of a series; nil if there is none.
  func newest(of series: Series) throws(Failure) -> Snapshot? {
    try entries(series).first.map { entry throws(Failure) in try SnapshotFolder.load(file(entry)) }
  }

  /// Reads the file of a snapshot.
  static func load(_ file: String) throws(Failure) -> Snapshot {
    guard let bytes = try File.read(file) else {
      throw Failure(
        .storage, "there is no file '\(file)'", hint: "'hw nodes snapshots' lists the saved snapshots")
    }
    return try Snapshot(bytes, from: file)
  }
}

extension SnapshotFolder.Origin {
  /// The query of the address is left out: it may contain a key, and the name of a file is no secret.
  init(_ service: URL, _ network: Network) {
    var service = service.withoutTrailingSlash
    service.query = ""
    self.init(source: service.description, network: network)
  }
}

extension SnapshotFolder.Entry {
  /// Nil if the name is not that of a snapshot.
  init?(name: String) {
    guard name.hasSuffix(".json") else { return nil }
    let parts = name.dropLast(".json".count).split(
      separator: "-", maxSplits: 5, omittingEmptySubsequences: false)
    // The ranking, the three parts of the time, and the two of the origin.
    guard parts.count == 6, let ranking = Ranking(rawValue: String(parts[0])),
      let taken = Timestamp(utcInFileName: parts[1...3].joined(separator: "-")),
      let network = Network(rawValue: String(parts[4])),
      let source = PercentEncoding.decode(parts[5]), PercentEncoding.encode(source) == parts[5]
    else { return nil }
    let origin = SnapshotFolder.Origin(source: source, network: network)
    self.init(series: .init(ranking: ranking, origin: origin), taken: taken)
  }
}
