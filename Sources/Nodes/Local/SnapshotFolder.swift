import Store
import System

/// The saved snapshots, one file each.
struct SnapshotFolder {
  let path: String

  /// A saved snapshot. The name of its file has all that is known of it.
  struct Entry: Equatable {
    var ranking: Ranking
    var taken: Timestamp

    /// `connectivity-2026-03-10T140501Z.json`: in UTC, so that names sort by time in every time zone.
    var name: String {
      let time = WallTime(taken)
      let digits = time.seconds.split(separator: " ")[1].filter { $0 != ":" }
      return "\(ranking.rawValue)-\(time.day)T\(digits)Z.json"
    }
  }

  func file(_ entry: Entry) -> String { "\(path)/\(entry.name)" }

  /// The snapshots of a ranking, or of all, newest first. Other files are ignored.
  func entries(_ ranking: Ranking? = nil) throws(Failure) -> [Entry] {
    try Folder.names(path).compactMap { Entry(name: $0) }
      .filter { ranking == nil || $0.ranking == ranking }
      .sorted { ($1.taken, $0.ranking.rawValue) < ($0.taken, $1.ranking.rawValue) }
  }

  /// Saves a snapshot atomically. Two that are taken in the same second are one file.
  func save(_ snapshot: Snapshot, as entry: Entry) throws(Failure) {
    try Folder.make(path)
    try File.replace(file(entry), with: snapshot.bytes, mode: .shared)
  }

  /// All snapshots but the newest `count` of each ranking, if `new` were saved as well. `new` itself is never expired.
  func expired(keeping count: Int, adding new: Entry? = nil) throws(Failure) -> [Entry] {
    let saved = try entries().filter { $0 != new }
    return Ranking.allCases.flatMap { ranking in
      var own = saved.filter { $0.ranking == ranking }
      // Another process may have saved a later one since `new` was taken: then `new` does not count as the newest.
      if let new, new.ranking == ranking {
        own.insert(new, at: own.firstIndex { $0.taken < new.taken } ?? own.endIndex)
      }
      return own.dropFirst(count).filter { $0 != new }
    }
  }

  /// A file that another process has removed meanwhile is no error.
  func remove(_ entries: [Entry]) throws(Failure) {
    for entry in entries { try File.remove(file(entry)) }
  }
}

extension SnapshotFolder {
  init(of environment: Environment) throws(Failure) {
    path = "\(try Folders(environment).state)/nodes"
  }
}

extension SnapshotFolder.Entry {
  /// Nil if the name is not that of a snapshot.
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
