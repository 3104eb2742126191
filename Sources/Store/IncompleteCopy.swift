import System

/// The mark of a directory that `hw store copy` is filling: no server opens its databases. The file has the lock of the
/// process that copies, and remains when that one is interrupted: then the next one continues after the last table that
/// is noted in it.
struct IncompleteCopy: ~Copyable {
  private static let name = "incomplete-copy"
  private static let format = FileFormat(name)
  private let lock: LockedFile
  private let folder: String
  private let names: [String]
  /// The tables that an interrupted copy has copied in full.
  let finished: [FinishedTable]
  private var path: String { IncompleteCopy.path(folder) }

  private static func path(_ folder: String) -> String { "\(folder)/\(name)" }

  /// Throws if the databases of the directory are a part of what was to be copied.
  static func refuse(_ folder: String) throws(Failure) {
    if File.exists(path(folder)) { throw .incompleteCopy(folder) }
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
    let text = try lock.read(atMost: 1 << 20)
    try format.check(headerOf: text, in: path)
    if text.isEmpty, let name = existing() {
      try File.remove(path)
      throw IncompleteCopy.notEmpty(folder, name)
    }
    // From here on the databases in the directory are those of the copy.
    let copy = IncompleteCopy(lock: lock, folder: folder, names: names, finished: finished(in: text))
    if copy.finished.isEmpty { try copy.startOver() }
    return copy
  }

  /// Each beginning is a header, and each line after the last one a table. The last line may have been cut short. After
  /// damage nothing is certain until the next beginning.
  private static func finished(in text: [UInt8]) -> [FinishedTable] {
    var finished: [FinishedTable] = []
    var isDamaged = false
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for line in lines.dropLast() {
      let line = String(decoding: line, as: UTF8.self)
      if line == format.header {
        (finished, isDamaged) = ([], false)
      } else if let table = FinishedTable(line: line) {
        finished.append(table)
      } else {
        isDamaged = true
      }
    }
    return isDamaged ? [] : finished
  }

  /// Removes what was copied.
  func startOver() throws(Failure) {
    // The line before may have been cut short.
    let before = File.size(path) == 0 ? "" : "\n"
    try lock.append(Array("\(before)\(IncompleteCopy.format.header)\n".utf8))
    try removeDatabases()
  }

  func note(_ table: FinishedTable) throws(Failure) { try lock.append(Array("\(table.line)\n".utf8)) }

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

/// A table that an incomplete copy contains in full, and what its source contained then.
struct FinishedTable: Equatable {
  let database: String
  /// Of the schema.
  let version: Int
  let table: String
  /// Of the source, numbers of transactions included.
  let checksum: String

  init(_ source: StoredDatabase, _ table: TableShape, _ checksum: TableChecksum) {
    database = source.migrations.name
    version = source.version
    self.table = table.name
    self.checksum = "\(checksum.rows):\(checksum.text)"
  }

  init?(line: String) {
    let words = line.split(separator: " ")
    guard words.count == 4, let version = Int(words[1]) else { return nil }
    (database, self.version) = (String(words[0]), version)
    (table, checksum) = (String(words[2]), String(words[3]))
  }

  /// Four words: the names of tables have no space.
  var line: String { "\(database) \(version) \(table) \(checksum)" }
}

extension Failure {
  static func notEmpty(_ target: String, _ content: String) -> Failure {
    Failure(
      .conflict, "'\(target)' is not empty: it has \(content)",
      hint: "it was left as it is; name a new directory or an empty database with --to")
  }

  static func incompleteCopy(_ target: String) -> Failure {
    Failure(
      .storage, "'\(target)' is an incomplete copy",
      hint: "run 'hw store copy' again, with the same --from and --to, to complete it")
  }
}
