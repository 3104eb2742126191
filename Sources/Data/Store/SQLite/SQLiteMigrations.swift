import System

/// A file is marked with its suite (`application_id`) and its version (`user_version`).
extension SQLiteEngine {
  static func inMemory(_ migrations: Migrations, time: any TimeKeeper) throws(Failure) -> SQLiteEngine {
    let engine = try SQLiteEngine(.memory, time: time)
    try engine.migrate(migrations)
    return engine
  }

  /// Runs all missing migrations atomically. Of several processes one runs them while the others wait.
  func migrate(_ migrations: Migrations) throws(Failure) {
    // A table is rebuilt by dropping it, which must not delete the rows that refer to it.
    try execute("PRAGMA foreign_keys = OFF")
    try begin()
    do throws(Failure) {
      // Another process may have been first.
      for step in migrations.missingSteps(from: try version(migrations)) { try executePortable(step.script) }
      let orphan = try text("PRAGMA foreign_key_check")
      if let orphan { throw Failure(.defect, "migrating '\(name)' left orphans in table '\(orphan)'") }
      try execute(
        "PRAGMA application_id = \(migrations.applicationID); PRAGMA user_version = \(migrations.version)"
      )
    } catch {
      rollback()
      throw error
    }
    try commit()
    try execute("PRAGMA foreign_keys = ON")
  }

  /// Checks that a file is complete and belongs to hw, and returns its version. Foreign files, unknown versions and
  /// files without tables are refused: a server without its users would be open to everybody. Everything is read at one
  /// instant, since another process may migrate the file.
  func inspect(_ migrations: Migrations) throws(Failure) -> Int {
    try snapshot { () throws(Failure) in
      let version = try self.version(migrations)
      // A file at rest has whole pages; SQLite would read the missing end of the last one as zeros.
      if File.size("\(name)-wal") ?? 0 == 0, let size = File.size(name),
        !size.isMultiple(of: max(1, try number("PRAGMA page_size")))
      {
        throw .damaged(name, "it is cut short")
      }
      guard version > 0 else {
        throw Failure(
          .storage, "database '\(name)' is damaged: it is empty",
          hint: "put a copy back, or remove the file if it never had data")
      }
      // A foreign trigger, view, index or default could give its author the rights of others.
      let own = try SQLiteEngine.inMemory(migrations.upTo(version), time: time).objects()
      try requireObjects(own, found: objects(), tool: "sqlite3")
      return version
    }
  }

  private func objects() throws(Failure) -> [String: String] {
    let rows = try texts(
      """
      SELECT type || ' ' || replace(name, char(10), ' ') || char(10) || sql FROM sqlite_master
      WHERE NOT (type = 'table' AND name IN ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4'))
      AND sql IS NOT NULL
      """)
    let pairs = rows.map { row in
      let parts = row.split(separator: "\n", maxSplits: 1)
      let words = parts.dropFirst().joined().split { " \n".contains($0) }
      // ALTER TABLE writes a new column behind the line feed after the last one.
      let text = words.joined(separator: " ").replacing(" ,", with: ",").replacing(" )", with: ")")
      return (String(parts[0]), text)
    }
    return Dictionary(pairs) { "\($0); \($1)" }
  }

  /// Version of the database, within a transaction; throws for a foreign database and an unknown version.
  private func version(_ migrations: Migrations) throws(Failure) -> Int {
    let mark = try number("PRAGMA application_id")
    let version = try number("PRAGMA user_version")
    if mark != migrations.applicationID {
      let contents = try number("SELECT count(*) FROM sqlite_master")
      guard mark == 0, version == 0, contents == 0 else {
        throw Failure(
          .storage, "'\(name)' is not a database of 'hw \(migrations.name)'",
          hint: "it was left as it is; move it away")
      }
    }
    try migrations.check(version, of: name)
    return version
  }

  /// Executes a script; sequences, which SQLite lacks, become rows of a table.
  private func executePortable(_ script: String) throws(Failure) {
    guard script.contains("CREATE SEQUENCE") else { return try execute(script) }
    var rest = ""
    for statement in script.split(separator: ";") {
      let words = statement.split { $0 == " " || $0 == "\n" }
      guard words.count == 5, words[0] == "CREATE", words[1] == "SEQUENCE", words[3] == "MINVALUE",
        let first = Int(words[4])
      else {
        rest += "\(statement);"
        continue
      }
      rest += SQLiteSequences.table
      rest += "INSERT INTO sequence VALUES ('\(words[2])', \(first));"
    }
    try execute(rest)
  }
}

extension Migrations {
  /// Mark in the file's header: 'hw' and the first two letters of the name, so that no other database is accepted.
  fileprivate var applicationID: Int { "hw\(name)".utf8.prefix(4).reduce(0) { $0 << 8 | Int($1) } }
}
