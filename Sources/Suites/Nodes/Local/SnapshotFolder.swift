import HTTP
import Store
import System

/// The saved snapshots, one file each.
struct SnapshotFolder {
  let path: String

  /// The ranking and the service of a snapshot. Snapshots are compared and expire only within one series.
  struct Series: Hashable {
    var ranking: NodeRanking
    /// The address of the service.
    var source: String
  }

  /// A saved snapshot. The name of its file has all that is known of it.
  struct Entry: Hashable {
    var series: Series
    var taken: Timestamp
    /// The order in which snapshots were saved: a clock may be set back. 0 for those of a former hw.
    var sequence = 0

    /// `connectivity-2026-03-10T140501Z.7-mainnet-https%3A%2F%2Fmempool.space.json`: the time in UTC, so that names sort
    /// by time in every time zone, and the sequence number.
    var name: String {
      let origin = "\(Snapshot.network)-\(PercentEncoding.encode(series.source))"
      let suffix = sequence > 0 ? ".\(sequence)" : ""
      return "\(series.ranking.rawValue)-\(taken.utcForFileNames)\(suffix)-\(origin).json"
    }
  }

  func file(_ entry: Entry) -> String { "\(path)/\(entry.name)" }

  /// The snapshots of a series, or of all, newest first. Other files are ignored.
  func entries(_ series: Series? = nil) throws(Failure) -> [Entry] {
    try Folder.names(path).compactMap { Entry(name: $0) }
      .filter { series == nil || $0.series == series }
      .sorted { ($1.sequence, $1.taken, $0.name) < ($0.sequence, $0.taken, $1.name) }
  }

  /// Waits for the turn of this process to save a snapshot; it ends with the returned value.
  func lock() throws(Failure) -> LockedFile {
    try Folder.make(path)
    return try LockedFile("\(path).lock")
  }

  /// The entry of a snapshot that is saved next.
  func next(_ series: Series, at time: Timestamp) throws(Failure) -> Entry {
    Entry(series: series, taken: time, sequence: (try entries().first?.sequence ?? 0) + 1)
  }

  /// Saves a snapshot atomically. Its sequence number is free while the folder is locked.
  func save(_ snapshot: Snapshot, as entry: Entry) throws(Failure) {
    guard try File.create(file(entry), with: snapshot.bytes, mode: .shared) else {
      throw Failure(.storage, "'\(file(entry))' already exists", hint: "remove it, or move it away")
    }
  }

  /// All snapshots of the service of `series` but the newest `count` of each series; `unsaved` of `series` are still to be
  /// saved.
  func expired(keeping count: Int, like series: Series, unsaved: Int = 0) throws(Failure) -> [Entry] {
    let own = try entries().filter { $0.series.source == series.source }
    return Dictionary(grouping: own, by: \.series)
      .flatMap { $1.dropFirst(count - ($0 == series ? unsaved : 0)) }
      .sorted { $0.name < $1.name }
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

  /// The snapshots of a series that are not damaged, newest first, at most `count`. Damaged ones are reported, and renamed
  /// if `setsAside`.
  func readable(
    _ count: Int, of series: Series, setsAside: Bool, report: (String) -> Void
  ) throws(Failure) -> [Snapshot] {
    var snapshots: [Snapshot] = []
    for entry in try entries(series) where snapshots.count < count {
      let file = file(entry)
      do throws(Failure) {
        if let bytes = try File.read(file) { snapshots.append(try Snapshot(content: bytes, of: file)) }
      } catch {
        guard error.kind == .invalidData else { throw error }
        report("'\(file)' is not a complete snapshot: \(error.message)")
        guard setsAside else { continue }
        let isLinked: Bool
        do throws(SystemError) {
          isLinked = try File.link(file, to: "\(file).damaged")
        } catch {
          throw error.failure("rename", file)
        }
        if isLinked { try File.remove(file) }
      }
    }
    return snapshots
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

extension SnapshotFolder.Series {
  /// The query of the address is left out: it may contain a key, and the name of a file is no secret.
  init(_ ranking: NodeRanking, of service: URL) {
    var service = service.withoutTrailingSlash
    service.query = ""
    self.init(ranking: ranking, source: service.description)
  }
}

extension SnapshotFolder.Entry {
  /// Returns nil if the name is not that of a snapshot.
  init?(name: String) {
    guard name.hasSuffix(".json") else { return nil }
    let parts = name.dropLast(".json".count).split(
      separator: "-", maxSplits: 5, omittingEmptySubsequences: false)
    // The ranking, the three parts of the time, the last with the sequence number, the network, and the service.
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
