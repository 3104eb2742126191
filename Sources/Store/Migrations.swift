import System

/// The shape of a database, as the steps that lead to it. A step, once released, is never changed: a new shape is a new
/// step at the end. The file's `user_version` says how many steps it has behind it.
public struct Migrations: Sendable {
  /// The suite's: names the file and marks it.
  public let name: String
  /// Each a script of SQL statements.
  public let steps: [String]

  public init(_ name: String, _ steps: [String]) {
    self.name = name
    self.steps = steps
  }

  /// Kept in the file's header: 'hw' and the first two letters of the name, so that neither another program's database
  /// nor another suite's is ever taken for this one.
  var applicationID: Int {
    "hw\(name)".utf8.prefix(4).reduce(0) { $0 << 8 | Int($1) }
  }

  /// Brings the database to the last step: all of the missing ones, or none. Of several processes that start at once
  /// one does it while the others wait.
  func apply(to database: Database, named path: String) throws(Failure) {
    // A table is rebuilt by dropping it, which must not take the rows that refer to it along.
    try database.execute("PRAGMA foreign_keys = OFF")
    try database.transaction { () throws(Failure) in
      // Another process may have been first.
      for step in steps[try version(of: database, path)...] { try database.execute(step) }
      let orphan = try database.first("PRAGMA foreign_key_check") { row throws(Failure) in try row[0].text }
      if let orphan { throw Failure(.defect, "migrating '\(path)' left orphans in table '\(orphan)'") }
      try database.execute(
        "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(steps.count)")
    }
    try database.execute("PRAGMA foreign_keys = ON")
  }

  /// Whether a file is ours and whole; answers how many steps it has behind it. What is not, or is too new, is refused.
  func inspect(_ database: Database, _ path: String) throws(Failure) -> Int {
    let version = try version(of: database, path)
    // A file at rest is whole pages, and SQLite would take a missing end of the last one for zeros.
    if File.size("\(path)-wal") ?? 0 == 0, let size = File.size(path),
      !size.isMultiple(of: max(1, try database.number("PRAGMA page_size")))
    {
      throw .damaged(path, "it is cut short")
    }
    return version
  }

  /// The steps that a database has behind it; a failure when it is not ours, or ahead of us.
  private func version(of database: Database, _ path: String) throws(Failure) -> Int {
    // In this order: mark and version are written as one, so one of ours never looks unmarked.
    var version = try database.number("PRAGMA user_version")
    if try database.number("PRAGMA application_id") != applicationID {
      // Blank, or another's; or being made by another process just now, so everything is read at one instant.
      version = try database.snapshot { () throws(Failure) in
        let mark = try database.number("PRAGMA application_id")
        let version = try database.number("PRAGMA user_version")
        let contents = try database.number("SELECT count(*) FROM sqlite_master")
        guard mark == applicationID || (mark == 0 && version == 0 && contents == 0) else {
          throw Failure(
            .storage, "'\(path)' is not a database of 'hw \(name)'",
            hint: "it was left as it is; move it away, or name another folder with --store")
        }
        return version
      }
    }
    guard (0...steps.count).contains(version) else {
      throw Failure(
        .storage, "'\(path)' is of a newer hw: version \(version), and this one knows \(steps.count)",
        hint: "it was left as it is; update hw, or name another folder with --store")
    }
    return version
  }
}

extension Database {
  fileprivate func number(_ sql: String) throws(Failure) -> Int {
    try first(sql) { row throws(Failure) in try row[0].integer } ?? 0
  }
}
