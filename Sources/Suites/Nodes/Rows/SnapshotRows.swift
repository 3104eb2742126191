import Output
import System

struct SavedSnapshot: Row {
  var taken: Timestamp
  let series: SnapshotFolder.Series
  var file: String
  let time: any TimeKeeper
  /// Differences from the previous snapshot; nil without one and without `--diff`.
  var changes: [NodeChange]?

  static let fields: Fields<SavedSnapshot> =
    listed + [
      Field.rowsOrNull(
        "changes", "Changes",
        "with --diff: the rows of 'hw nodes diff'; null if there is no earlier snapshot",
        of: NodeChange.fields
      ) { $0.changes }.hiddenByDefault
    ]

  fileprivate static let listed: Fields<SavedSnapshot> = [
    .time("taken", "Taken", "the time of the snapshot") { $0.taken }.shown {
      TableCell(WallTime($0.taken, offset: $0.time.offset(at: $0.taken)).seconds)
    },
    Field.text("ranking", "Ranking", "the ranking") { $0.series.ranking.rawValue }
      .among(NodeRanking.allCases.map(\.rawValue)),
    .text("source", "Source", "the address of the service") { $0.series.source },
    Field.text("file", "File", "the path of the file") { $0.file }.hiddenByDefault,
  ]

  static let text: (@Sendable (SavedSnapshot, Screen?) -> String)? = { snapshot, screen in
    ([snapshot.file.shown(on: screen)] + (snapshot.changes ?? []).map(\.line)).joined(separator: "\n")
  }
}

/// A saved snapshot in a list. Unlike `SavedSnapshot`, this row has no text form.
struct ListedSnapshot: Row {
  let snapshot: SavedSnapshot

  static let fields: Fields<ListedSnapshot> = SavedSnapshot.listed.map { field in field.of { $0.snapshot } }
}
