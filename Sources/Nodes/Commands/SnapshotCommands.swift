import Command
import Output
import System

extension Nodes {
  static let snapshotFile = Option(
    "file", ValueKind<String>.file, "Write to FILE instead; '-' is standard output")
  static let keep = Option(
    "keep", .count(1 ... .max), "Remove all but the newest N of each ranking",
    details: "On a terminal it asks before, where there is something to remove.")

  static let snapshot = Command(
    "snapshot", "Keep a dated copy of a ranking",
    discussion: """
      The copy is a JSON file in the folder nodes of hw's state folder ($XDG_STATE_HOME/hw), for 'hw nodes diff' and \
      for whatever reads JSON. It is there whole or not at all, so cron may take many at once.

      With --dry-run it asks the service, keeps and removes nothing, and tells on standard error what --keep would remove.
      """,
    options: [by, snapshotFile, keep, Confirmation.yes, Confirmation.dryRun],
    output: .one(SavedSnapshot.self, text: "The path of the file; nothing where that is standard output."),
    needs: [.network, .store, .loss],
    examples: [
      Example("hw nodes snapshot --keep 30", "what cron runs once a day"),
      Example("hw nodes snapshot --by liquidity --file today.json", "a file of your own"),
      Example("hw nodes snapshot --keep 1 --yes", "nothing but today's"),
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
    "snapshots", "List the copies that are kept",
    discussion: "With --keep it lists those that are left, and under --dry-run those that would go.",
    options: [keep, Confirmation.yes, Confirmation.dryRun],
    output: .list(ListedSnapshot.self, order: "by time, latest first"),
    needs: [.store, .loss],
    examples: [
      Example(
        "hw nodes snapshot && hw nodes snapshots --keep 10 --yes", "clear away what is old, list what is left"
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
    try confirmWhereAttended("Remove \(entries.count) \(entries.count == 1 ? "copy" : "copies")?")
  }
}
