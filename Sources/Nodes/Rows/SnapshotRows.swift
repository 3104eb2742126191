import Output
import System

/// A saved snapshot, as `hw nodes snapshot` prints it.
struct SavedSnapshot: Row {
  let taken: Timestamp
  let ranking: Ranking
  let file: String
  let time: any TimeKeeper

  static let fields: Fields<SavedSnapshot> = [
    .time("taken", "Taken", "when it was taken") { $0.taken }.shown {
      TableCell($0.time.local($0.taken).seconds)
    },
    .text("ranking", "Ranking", "its ranking") { $0.ranking.rawValue },
    .text("file", "File", "its path") { $0.file },
  ]

  static let text: (@Sendable (SavedSnapshot, Screen?) -> String)? = { snapshot, _ in
    snapshot.file.terminalSafe
  }
}

/// A saved snapshot in a list, where it has no text of its own.
struct ListedSnapshot: Row {
  let snapshot: SavedSnapshot

  static let fields: Fields<ListedSnapshot> = SavedSnapshot.fields.map { field in field.of { $0.snapshot } }
}
