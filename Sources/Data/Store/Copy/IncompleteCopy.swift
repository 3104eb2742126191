import System

/// Mark of a directory that `hw store copy` is filling: no command opens its databases. A failed copy removes the
/// mark and what it has copied; after the end of the process both remain.
struct IncompleteCopy {
  private let folder: String
  private let names: [String]

  private static func path(_ folder: String) -> String { "\(folder)/incomplete-copy" }

  static func refuse(_ folder: String) throws(Failure) {
    if File.exists(path(folder)) { throw incomplete(folder) }
  }

  /// Marks the directory, which must have none of the databases.
  static func begin(in folder: String, _ names: [String]) throws(Failure) -> IncompleteCopy {
    try refuse(folder)
    guard !Folder.isForeign(folder) else {
      throw Failure(.storage, "'\(folder)' belongs to another user", hint: "name a new directory with --to")
    }
    let copy = IncompleteCopy(folder: folder, names: names)
    try copy.requireEmpty()
    try Folder.make(folder)
    guard try File.create(path(folder), with: []) else { throw incomplete(folder) }
    do throws(Failure) {
      // Another process may have created one before the mark was visible.
      try copy.requireEmpty()
    } catch {
      try copy.finish()
      throw error
    }
    return copy
  }

  private func requireEmpty() throws(Failure) {
    for name in names where File.exists("\(folder)/\(name).db") {
      throw .notEmpty(folder, "database '\(name)'")
    }
  }

  func finish() throws(Failure) { try File.remove(IncompleteCopy.path(folder)) }

  func discard() throws(Failure) {
    for name in names {
      for suffix in File.databaseSuffixes + [""] { try File.remove("\(folder)/\(name).db\(suffix)") }
    }
    try finish()
  }

  private static func incomplete(_ folder: String) -> Failure {
    Failure(
      .storage, "'\(folder)' is an incomplete copy",
      hint:
        "if no 'hw store copy' is filling it, delete its databases and '\(IncompleteCopy.path(folder))', and copy again"
    )
  }
}

extension Failure {
  static func notEmpty(_ target: String, _ content: String) -> Failure {
    Failure(
      .conflict, "'\(target)' is not empty: it has \(content)",
      hint: "it was left as it is; name a new directory or an empty database with --to")
  }
}
