import Output
import System
import Terminal

/// A snapshot as it is told of.
struct KeptSnapshot: Row {
  let taken: Timestamp
  let ranking: Ranking
  let file: String
  let time: any TimeKeeper

  static let fields: Fields<KeptSnapshot> = [
    .time("taken", "Taken", "when it was taken") { $0.taken }.shown {
      TableCell($0.time.local($0.taken).seconds)
    },
    .text("ranking", "Ranking", "what it is ranked by") { $0.ranking.rawValue },
    .text("file", "File", "where it is") { $0.file },
  ]

  static let text: (@Sendable (KeptSnapshot, Screen?) -> String)? = { snapshot, _ in snapshot.file }
}

/// The same in a list.
struct ListedSnapshot: Row {
  let snapshot: KeptSnapshot

  static let fields: Fields<ListedSnapshot> = KeptSnapshot.fields.map { field in field.of { $0.snapshot } }
}
