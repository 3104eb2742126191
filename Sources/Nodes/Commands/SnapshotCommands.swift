import Command
import Output
import System

extension Nodes {
  static let snapshotFile = Option(
    "file", ValueKind<String>.file, "Write to FILE instead; '-' is standard output")
  static let keep = Option(
    "keep", .count(1 ... .max), "Remove all but the newest N of each ranking",
    details: "On a terminal it asks first, if there is something to remove.")

  static let snapshot = Command(
    "snapshot", "Save a snapshot of a ranking",
    discussion: """
      A snapshot is a JSON file in the directory nodes of hw's state directory ($XDG_STATE_HOME/hw), for 'hw nodes diff' \
      and for other programs. It is written atomically, so several commands can run at once. Its member 'version' is the version \
      of the format; a file of a newer version is refused.

      With --dry-run the service is asked, but nothing is written or removed. Standard error lists what --keep would \
      remove.
      """,
    options: [by, snapshotFile, keep, Confirmation.yes, Confirmation.dryRun],
    output: .one(SavedSnapshot.self, text: "The path of the file; nothing with '--file -'."),
    needs: [.network, .store, .loss],
    examples: [
      Example("hw nodes snapshot --keep 30", "once a day, for example with cron"),
      Example("hw nodes snapshot --by liquidity --file today.json", "a file of your choice"),
      Example("hw nodes snapshot --keep 1 --yes", "keep only this snapshot"),
    ],
    failures: [.storage]
  ) { call, context throws(Failure) in
    let ranking = call[by]
    let nodes = try NodesClient(endpoint: context.endpoint(service)).ranking(ranking)
    let taken = Timestamp(seconds: context.time.now().seconds)
    let snapshot = Snapshot(ranking: ranking, taken: taken, nodes: nodes)
    let entry = SnapshotFolder.Entry(ranking: ranking, taken: taken)
    let chosen = call[snapshotFile]
    let expired = try call[keep].map { count throws(Failure) in
      try context.snapshots.expired(keeping: count, adding: chosen == nil ? entry : nil)
    }
    guard !call[Confirmation.dryRun] else {
      for old in expired ?? [] {
        context.messages.report("would remove '\(try context.snapshots.file(old))'")
      }
      let file = if let chosen { chosen } else { try context.snapshots.file(entry) }
      return try context.output.write(
        SavedSnapshot(taken: taken, ranking: ranking, file: file, time: context.time))
    }
    try context.confirmRemoval(of: expired ?? [])
    let file: String
    if let chosen {
      if chosen == "-" {
        try context.output.outlet.write(String(decoding: snapshot.bytes, as: UTF8.self))
      } else {
        try File.replace(chosen, with: snapshot.bytes, mode: .shared)
      }
      file = chosen
    } else {
      let folder = try context.snapshots
      try folder.save(snapshot, as: entry)
      file = folder.file(entry)
    }
    if let expired { try context.snapshots.remove(expired) }
    guard file != "-" else { return }
    try context.output.write(SavedSnapshot(taken: taken, ranking: ranking, file: file, time: context.time))
  }

  static let snapshots = Command(
    "snapshots", "List the saved snapshots",
    discussion:
      "With --keep the remaining snapshots are listed; with --dry-run as well, those that would be removed.",
    options: [keep, Confirmation.yes, Confirmation.dryRun],
    output: .list(ListedSnapshot.self, order: "by time, latest first"),
    needs: [.store, .loss],
    examples: [
      Example(
        "hw nodes snapshot && hw nodes snapshots --keep 10 --yes", "remove old snapshots and list the others"
      )
    ],
    failures: [.storage]
  ) { call, context throws(Failure) in
    let folder = try context.snapshots
    var entries = try folder.entries()
    if let count = call[keep] {
      let expired = try folder.expired(keeping: count)
      if !call[Confirmation.dryRun] {
        try context.confirmRemoval(of: expired)
        try folder.remove(expired)
      }
      entries = call[Confirmation.dryRun] ? expired : entries.filter { !expired.contains($0) }
    } else if call[Confirmation.dryRun] {
      throw Failure(.usage, "'--dry-run' goes with '--keep': nothing else is removed")
    }
    let rows = entries.map {
      SavedSnapshot(taken: $0.taken, ranking: $0.ranking, file: folder.file($0), time: context.time)
    }
    try context.output.write(rows.map(ListedSnapshot.init))
  }
}

extension Context {
  /// Where snapshots are kept.
  var snapshots: SnapshotFolder { get throws(Failure) { try SnapshotFolder(of: environment) } }

  fileprivate func confirmRemoval(of entries: [SnapshotFolder.Entry]) throws(Failure) {
    guard !entries.isEmpty else { return }
    try confirmIfInteractive("Remove \(entries.count) \(entries.count == 1 ? "snapshot" : "snapshots")?")
  }
}
