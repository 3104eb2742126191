import System

/// The mark of a directory that `hw store copy` is filling: no server opens its databases. The file has the lock of the
/// process that copies, and remains when that one is interrupted: then its databases are made anew.
struct IncompleteCopy: ~Copyable {
  private static let name = "incomplete-copy"
  private let lock: LockedFile
  private let folder: String
  private let names: [String]
  private var path: String { IncompleteCopy.path(folder) }

  private static func path(_ folder: String) -> String { "\(folder)/\(name)" }

  /// Throws if the databases of the directory are a part of what was to be copied.
  static func refuse(_ folder: String) throws(Failure) {
    guard File.exists(path(folder)) else { return }
    throw Failure(
      .storage, "'\(folder)' is an incomplete copy",
      hint: "run 'hw store copy' again, with the same --from and --to, to complete it")
  }

  /// Takes the directory for the databases of these names. Where it has one that is no part of an incomplete copy, it
  /// is left as it is.
  static func begin(in folder: String, _ names: [String]) throws(Failure) -> IncompleteCopy {
    let path = IncompleteCopy.path(folder)
    func existing() -> String? { names.first { File.exists("\(folder)/\($0).db") } }
    if !File.exists(path), let name = existing() { throw IncompleteCopy.notEmpty(folder, name) }
    try Folder.make(folder)
    let lock = try LockedFile(path)
    // Another process may have completed its copy while this one waited for the lock.
    guard File.exists(path) else { throw IncompleteCopy.notEmpty(folder, existing() ?? "") }
    if try lock.read(atMost: 1).isEmpty {
      if let name = existing() {
        try File.remove(path)
        throw IncompleteCopy.notEmpty(folder, name)
      }
      // From here on the databases in the directory are those of the copy.
      try lock.append(Array("hw store copy\n".utf8))
    }
    let copy = IncompleteCopy(lock: lock, folder: folder, names: names)
    try copy.removeDatabases()
    return copy
  }

  private func removeDatabases() throws(Failure) {
    for name in names {
      for suffix in ["-wal", "-shm", ""] { try File.remove("\(folder)/\(name).db\(suffix)") }
    }
  }

  /// The copy is complete.
  func finish() throws(Failure) { try File.remove(path) }

  /// The directory is empty again.
  func discard() throws(Failure) {
    try removeDatabases()
    try finish()
  }

  private static func notEmpty(_ folder: String, _ name: String) -> Failure {
    .notEmpty(folder, "database '\(name)'")
  }
}

extension Failure {
  static func notEmpty(_ target: String, _ content: String) -> Failure {
    Failure(
      .conflict, "'\(target)' is not empty: it has \(content)",
      hint: "it was left as it is; name a new directory or an empty database with --to")
  }
}
