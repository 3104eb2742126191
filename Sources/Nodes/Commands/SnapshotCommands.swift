import Command
import HTTP
import Output
import System

extension Nodes {
  static let snapshotFile = Option(
    "file", ValueKind<String>.file, "Write the snapshot to FILE; '-' is standard output")
  static let keep = Option(
    "keep", .count(1 ... .max), "Remove all but the newest N snapshots",
    details: """
      Snapshots of each ranking, source and network are counted separately; 'hw nodes snapshot' removes only those of \
      its own source and network. On a terminal the command asks for confirmation.
      """)

  static let compared = Option(
    "diff", "Print changes since the previous snapshot",
    details: """
      The exit status is 1 if something changed. The previous snapshot is the newest one of the same ranking and source \
      or, with --file, the file that is replaced.
      """)

  static let snapshot = Command(
    withStatus: "snapshot", "Save a snapshot of a ranking",
    discussion: """
      A snapshot is a JSON file in the directory nodes of hw's state directory ($XDG_STATE_HOME/hw), for 'hw nodes diff' \
      and for other programs. It is written atomically, so several commands can run at once. Its member 'version' is the version \
      of the format; a file of another version is refused. It contains the address of the service and the \
      network. Snapshots of different services or networks are not compared, and --keep counts each separately.

      With --diff the changes since the snapshot before are printed after the path. The new snapshot is saved first, so \
      each change is reported once. The status is 1 if something changed and 0 if nothing did, or if there was no \
      snapshot before. If the service cannot be reached, the status is 5 and nothing is saved.

      With --dry-run the ranking is requested, but nothing is written or removed. Standard error lists what --keep would \
      remove.
      """,
    options: [
      by, network, snapshotFile, keep, compared, Service.tokenFile, Confirmation.yes, Confirmation.dryRun,
    ],
    output: .one(
      SavedSnapshot.self, text: "The path of the file, then one line per change; nothing with '--file -'."
    ).schemaVersion(2),
    needs: [.network, .store, .loss],
    examples: [
      Example("hw nodes snapshot --keep 30", "daily, for example with cron"),
      Example("hw nodes snapshot && hw nodes snapshot --diff", "the changes since the snapshot before"),
      Example("hw nodes snapshot --by liquidity --file today.json", "write to a file"),
      Example("hw nodes snapshot --keep 1 --yes", "keep only this snapshot"),
    ]
  ) { call, context throws(Failure) in
    let endpoint = try context.endpoint(service)
    let origin = SnapshotFolder.Origin(endpoint.base, call[network])
    let series = SnapshotFolder.Series(ranking: call[by], origin: origin)
    let chosen = call[snapshotFile]
    guard !call[compared] || chosen != "-" else {
      throw Failure(
        .usage, "'--diff' and '--file -' exclude each other", hint: "pipe into 'hw nodes diff latest -'")
    }
    let nodes = try NodesClient(endpoint: endpoint, network: call[network]).ranking(call[by])
    let now = SnapshotFolder.Entry(
      series: series, taken: Timestamp(seconds: context.time.now().seconds))
    let entry = chosen == nil ? try context.snapshots.free(now) : now
    let taken = entry.taken
    let snapshot = Snapshot(
      source: origin.source, network: origin.network, ranking: call[by], taken: taken, nodes: nodes)
    let expired = try call[keep].map { count throws(Failure) in
      chosen == nil
        ? try context.snapshots.expired(keeping: count, adding: entry)
        : try context.snapshots.expired(keeping: count, of: origin)
    }
    let file = if let chosen { chosen } else { try context.snapshots.file(entry) }
    var row = SavedSnapshot(taken: taken, series: series, file: file, time: context.time)
    let before: Result<Snapshot?, Failure>
    do throws(Failure) {
      before = .success(call[compared] ? try context.snapshotBefore(series, replacing: chosen) : nil)
    } catch {
      // Only a snapshot is replaced.
      guard chosen == nil else {
        var failure = error
        failure.hint = "remove the file, or choose another one"
        throw failure
      }
      before = .failure(error)
    }
    if case .success(let old?) = before { row.changes = try snapshot.changes(since: old) }
    if call[Confirmation.dryRun] {
      for old in expired ?? [] {
        context.messages.report("would remove '\(try context.snapshots.file(old))'")
      }
    } else {
      try context.confirmRemoval(of: expired ?? [])
      switch chosen {
      case "-"?: try context.output.outlet.write(String(decoding: snapshot.bytes, as: UTF8.self))
      case let file?: try File.replace(file, with: snapshot.bytes, mode: .shared)
      case nil:
        row.taken = try context.snapshots.save(snapshot, as: entry).taken
        row.file = try context.snapshots.file(.init(series: series, taken: row.taken))
      }
      if let expired { try context.snapshots.remove(expired) }
    }
    if case .success = before, call[compared], row.changes == nil {
      context.messages.report("there is no earlier snapshot to compare with")
    }
    if row.file != "-" || call[Confirmation.dryRun] { try context.output.write(row) }
    // A damaged file is an error of this run alone: the next one compares with the snapshot that is saved now.
    if case .failure(var failure) = before {
      if !call[Confirmation.dryRun] {
        failure.hint = "the new snapshot is saved, and the next '--diff' compares with it"
      }
      throw failure
    }
    return row.changes?.isEmpty ?? true ? .success : .no
  }

  static let snapshots = Command(
    "snapshots", "List the saved snapshots",
    discussion:
      "With --keep the remaining snapshots are listed; with --dry-run as well, those that would be removed.",
    options: [keep, Confirmation.yes, Confirmation.dryRun],
    exclusions: [
      Exclusion(
        keep, ListOptions.filter,
        hint: "--keep counts the snapshots of each ranking; list them in a second command")
    ],
    output: .list(ListedSnapshot.self, order: "by time, latest first").schemaVersion(2),
    needs: [.store, .loss],
    examples: [
      Example(
        "hw nodes snapshot && hw nodes snapshots --keep 10 --yes", "remove old snapshots and list the others"
      )
    ]
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
      throw Failure(.usage, "'--dry-run' requires '--keep'")
    }
    let rows = entries.map {
      SavedSnapshot(taken: $0.taken, series: $0.series, file: folder.file($0), time: context.time)
    }
    try context.output.write(rows.map(ListedSnapshot.init))
  }
}

extension Context {
  /// Where snapshots are kept.
  var snapshots: SnapshotFolder { get throws(Failure) { try SnapshotFolder(of: environment) } }

  /// The content of the file that is replaced or, without one, the newest snapshot of the series. Nil if there is none.
  fileprivate func snapshotBefore(
    _ series: SnapshotFolder.Series, replacing file: String?
  ) throws(Failure) -> Snapshot? {
    // An empty file is a new one; a device or a pipe has no size either.
    if let file { return (File.size(file) ?? 0) > 0 ? try SnapshotFolder.load(file) : nil }
    let folder = try snapshots
    return try folder.entries(series).first.map { entry throws(Failure) in
      try SnapshotFolder.load(folder.file(entry))
    }
  }

  fileprivate func confirmRemoval(of entries: [SnapshotFolder.Entry]) throws(Failure) {
    guard !entries.isEmpty else { return }
    try confirmIfInteractive("Remove \(entries.count) \(entries.count == 1 ? "snapshot" : "snapshots")?")
  }
}
