import Command
import HTTP
import Output
import System

extension Nodes {
  static let keep = Option(
    "keep", .count(1 ... .max), "Delete all but the newest N snapshots",
    details: "N per ranking and service. On a terminal the command asks for confirmation.")

  static let showsChanges = Option(
    "diff", "Print changes since the previous snapshot",
    details:
      "The status is 1 if something changed. Snapshots of the same ranking and service are compared.")

  static let snapshot = Command(
    "snapshot", "Save a snapshot of a ranking",
    discussion: """
      A snapshot is a JSON file in $XDG_STATE_HOME/hw/nodes, for 'hw nodes diff' and other programs. It contains the \
      address of the service. It is written atomically, so several commands can run at once. 'version' is the \
      version of the format; other versions are refused. No cached or recorded response is used.

      With --diff the changes follow the path. The snapshot is saved after they are printed, so each change is \
      reported at least once. If the service cannot be reached, nothing is saved (status 5). An empty ranking after \
      a full one is invalid data (status 6). A damaged snapshot is renamed to NAME.damaged, and the one before it is \
      used.

      With --dry-run nothing is saved or deleted. Standard error lists what --keep would delete.
      """,
    options: [by, keep, showsChanges, Service.tokenFile, Confirmation.yes, Confirmation.dryRun],
    output: .one(SavedSnapshot.self, text: "The path of the file, then one line per change.")
      .schemaVersion(3),
    needs: [.network, .store, .loss],
    examples: [
      Example("hw nodes snapshot --keep 30", "daily, for example with cron"),
      Example("hw nodes snapshot && hw nodes snapshot --diff", "the changes since the snapshot before"),
      Example(
        "hw nodes snapshot --by liquidity | xargs -I{} cp {} today.json", "save a snapshot and copy it"),
      Example("hw nodes snapshot --keep 1 --yes", "keep only this snapshot"),
    ]
  ) { call, context throws(Failure) -> ExitStatus in
    guard !context.isReplaying else {
      throw Failure(
        .usage, "'--replay' cannot be used with 'snapshot'",
        hint: "'hw nodes top --replay DIR --json' prints the ranking")
    }
    let endpoint = try context.endpoint(service)
    let series = SnapshotFolder.Series(call[by], of: endpoint.base)
    let nodes = try NodesClient(endpoint: endpoint).ranking(call[by], maxAge: .zero)
    let isDry = call[Confirmation.dryRun]
    let folder = try context.snapshots
    let expired = try call[keep].map { count throws(Failure) in
      try folder.expired(keeping: count, like: series, unsaved: 1)
    }
    if let count = expired?.count, count > 0, !isDry {
      try context.confirmIfInteractive("Delete \(count == 1 ? "1 snapshot" : "\(count) snapshots")?")
    }
    // Until `save` has ended, other runs wait here, so that each compares with the snapshot before it.
    let lock = isDry ? nil : try folder.lock()
    let entry = try folder.next(series, at: Timestamp(seconds: context.time.now().seconds))
    let snapshot = Snapshot(source: series.source, ranking: call[by], taken: entry.taken, nodes: nodes)
    let before =
      call[showsChanges] || nodes.isEmpty
      ? try folder.readable(1, of: series, renamesDamaged: !isDry) { context.messages.report($0) }.first : nil
    try before.map(snapshot.requireNodes(after:))
    var row = SavedSnapshot(taken: entry.taken, series: series, file: folder.file(entry), time: context.time)
    if call[showsChanges] {
      row.changes = try before.map(snapshot.changes(since:))
      if before == nil { context.messages.report("there is no earlier snapshot to compare with") }
    }
    let save = { () throws(Failure) in
      try folder.save(snapshot, as: entry)
      if let count = call[keep] { try folder.delete(folder.expired(keeping: count, like: series)) }
      withExtendedLifetime(lock) {}
    }
    if isDry {
      for old in expired ?? [] { context.messages.report("would delete '\(folder.file(old))'") }
    } else if call[showsChanges] {
      context.deferredWork.add(save)
    } else {
      // Before the path is printed, so that its reader finds the file.
      try save()
    }
    try context.output.write(row)
    let settings = context.output.settings
    if let format = settings.format, ![.json, .jsonl].contains(format), settings.fields == nil {
      for change in row.changes ?? [] { context.messages.report(change.line) }
    }
    return row.changes?.isEmpty ?? true ? .success : .no
  }

  static let snapshots = Command(
    "snapshots", "List the saved snapshots",
    discussion: "'hw nodes snapshot --keep N' deletes old ones.",
    output: .list(ListedSnapshot.self, order: "in the order they were saved, latest first").schemaVersion(4),
    needs: [.store],
    examples: [
      Example("hw nodes snapshot && hw nodes snapshots", "save a snapshot and list all")
    ]
  ) { _, context throws(Failure) in
    let folder = try context.snapshots
    let rows = try folder.entries().map {
      SavedSnapshot(taken: $0.taken, series: $0.series, file: folder.file($0), time: context.time)
    }
    try context.output.write(rows.map(ListedSnapshot.init))
  }
}

extension Context {
  var snapshots: SnapshotFolder {
    get throws(Failure) { SnapshotFolder(path: "\(try UserFolders(environment).state)/nodes") }
  }
}
