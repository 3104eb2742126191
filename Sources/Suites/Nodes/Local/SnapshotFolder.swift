import HTTP
import System

struct SnapshotFolder {
  let path: String

  /// A ranking of a service. Snapshots are compared and expire only within one series.
  struct Series: Hashable {
    var ranking: NodeRanking
    var source: String
  }

  struct Entry: Hashable {
    var series: Series
    var taken: Timestamp
    /// The order in which snapshots were saved, independent of the clock; 0 for snapshots of earlier versions.
    var sequence = 0

    /// `connectivity-2026-03-10T140501Z.7-mainnet-https%3A%2F%2Fmempool.space.json`. The time is in UTC, so that names
    /// sort by time in every time zone; the sequence number follows it.
    var name: String {
      let origin = "\(Snapshot.network)-\(PercentEncoding.encode(series.source))"
      let suffix = sequence > 0 ? ".\(sequence)" : ""
      return "\(series.ranking.rawValue)-\(taken.utcForFileNames)\(suffix)-\(origin).json"
    }
  }

  func file(_ entry: Entry) -> String { "\(path)/\(entry.name)" }

  /// The snapshots of a series, or of all, newest first. Ignores other files.
  func entries(_ series: Series? = nil) throws(Failure) -> [Entry] {
    try Folder.names(path).compactMap { Entry(name: $0) }
      .filter { series == nil || $0.series == series }
      .sorted { ($1.sequence, $1.taken, $0.name) < ($0.sequence, $0.taken, $1.name) }
  }

  /// Locks the folder until the returned value is released.
  func lock() throws(Failure) -> LockedFile {
    try Folder.make(path)
    return try LockedFile("\(path).lock")
  }

  func next(_ series: Series, at time: Timestamp) throws(Failure) -> Entry {
    Entry(series: series, taken: time, sequence: (try entries().first?.sequence ?? 0) + 1)
  }

  /// Saves a snapshot atomically. The lock of the folder keeps its sequence number unique.
  func save(_ snapshot: Snapshot, as entry: Entry) throws(Failure) {
    File.removeAbandoned(in: path)
    guard try File.create(file(entry), with: snapshot.bytes, mode: .shared) else {
      throw Failure(.storage, "'\(file(entry))' already exists", hint: "remove it, or move it away")
    }
  }

  /// All but the newest `count` snapshots of each series of this service. `unsaved` ones will be added to `series`.
  func expired(keeping count: Int, like series: Series, unsaved: Int = 0) throws(Failure) -> [Entry] {
    let own = try entries().filter { $0.series.source == series.source }
    return Dictionary(grouping: own, by: \.series)
      .flatMap { $1.dropFirst(count - ($0 == series ? unsaved : 0)) }.sorted { $0.name < $1.name }
  }

  /// Deletes snapshots. A file that another process has deleted is no error.
  func delete(_ entries: [Entry]) throws(Failure) {
    for entry in entries { try File.remove(file(entry)) }
  }

  /// The newest undamaged snapshots of a series, newest first. Reports damaged ones.
  func readable(
    _ count: Int, of series: Series, on isWanted: (Entry) -> Bool = { _ in true }, renamesDamaged: Bool,
    report: (String) -> Void
  ) throws(Failure) -> [Snapshot] {
    var snapshots: [Snapshot] = []
    for entry in try entries(series) where snapshots.count < count && isWanted(entry) {
      let file = file(entry)
      do throws(Failure) {
        if let bytes = try File.read(file) { snapshots.append(try Snapshot(content: bytes, of: file)) }
      } catch {
        guard error.kind == .invalidData else { throw error }
        report("'\(file)' is not a complete snapshot: \(error.message)")
        guard renamesDamaged else { continue }
        let isLinked = try operation("rename", file) { () throws(SystemError) in
          try File.link(file, to: "\(file).damaged")
        }
        if isLinked { try File.remove(file) }
      }
    }
    return snapshots
  }

  static func load(_ file: String) throws(Failure) -> Snapshot {
    guard let bytes = try File.read(file) else {
      throw Failure(
        .storage, "there is no file '\(file)'",
        hint: "a snapshot is 'latest', 'latest~1', a day (2026-03-10, yesterday, 7d), a file or '-'")
    }
    return try Snapshot(bytes, from: file)
  }
}

extension SnapshotFolder.Series {
  /// Omits secret items of the query: names of files are not secret.
  init(_ ranking: NodeRanking, of service: URL) {
    var service = service.withoutTrailingSlash
    service.query = service.query.split(separator: "&").filter { item in
      item.queryItem.map { !Secrets.isSecret($0.name) } ?? true
    }.joined(separator: "&")
    self.init(ranking: ranking, source: service.description)
  }
}

extension SnapshotFolder.Entry {
  init?(name: String) {
    guard name.hasSuffix(".json") else { return nil }
    let parts = name.dropLast(".json".count).split(
      separator: "-", maxSplits: 5, omittingEmptySubsequences: false)
    // The ranking, the three parts of the time (the last with the sequence number), the network, and the service.
    guard parts.count == 6, let ranking = NodeRanking(rawValue: String(parts[0])) else { return nil }
    let last = parts[3].split(separator: ".", omittingEmptySubsequences: false)
    let sequence = last.count == 1 ? 0 : Int(last[1]) ?? -1
    guard last.count <= 2, (0...1_000_000_000_000).contains(sequence),
      let taken = Timestamp(utcInFileName: "\(parts[1])-\(parts[2])-\(last[0])"),
      let source = PercentEncoding.decode(parts[5]), PercentEncoding.encode(source) == parts[5]
    else { return nil }
    self.init(series: .init(ranking: ranking, source: source), taken: taken, sequence: sequence)
    guard self.name == name else { return nil }
  }
}
