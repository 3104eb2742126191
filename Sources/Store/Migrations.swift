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
    guard try check(Header(of: database), path) < steps.count else { return }
    // A table is rebuilt by dropping it, which must not take the rows that refer to it along.
    try database.execute("PRAGMA foreign_keys = OFF")
    try database.transaction { () throws(Failure) in
      let version = try check(Header(of: database), path)
      guard version < steps.count else { return }
      for step in steps[version...] { try database.execute(step) }
      let orphan = try database.first("PRAGMA foreign_key_check") { row throws(Failure) in try row[0].text }
      if let orphan { throw Failure(.defect, "migrating '\(path)' left orphans in table '\(orphan)'") }
      try database.execute(
        "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(steps.count)")
    }
    try database.execute("PRAGMA foreign_keys = ON")
  }

  /// Looks at a file before it is opened for good, and refuses what is not ours or is too new without leaving a trace:
  /// opening alone would make a -wal file beside it. What this cannot read, opening it will report.
  func inspect(_ path: String, time: any TimeKeeper) throws(Failure) {
    // While somebody has the database open, the newest header may stand in the -wal file.
    let quiet = File.exists("\(path)-wal") ? "mode=ro" : "immutable=1"
    let address = "file:\(Migrations.escaped(Database.unmistakable(path)))?\(quiet)"
    guard
      let connection = try? Connection(address, name: path, [.readOnly, .address], time: time),
      let header = try? Header(of: Database(connection))
    else { return }
    try check(header, path)
  }

  /// The steps that a database has behind it.
  @discardableResult
  private func check(_ header: Header, _ path: String) throws(Failure) -> Int {
    guard header.applicationID == applicationID || header.isBlank else {
      throw Failure(
        .storage, "'\(path)' is not a database of 'hw \(name)'",
        hint: "it was left as it is; move it away, or name another folder with --store")
    }
    guard (0...steps.count).contains(header.version) else {
      throw Failure(
        .storage,
        "'\(path)' is of a newer hw: version \(header.version), and this one knows \(steps.count)",
        hint: "it was left as it is; update hw, or name another folder with --store")
    }
    return header.version
  }

  private static func escaped(_ path: String) -> String {
    path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
  }
}

/// What a database says of itself.
private struct Header {
  let applicationID: Int
  let version: Int
  /// Nothing in it yet: made by nobody, so anybody's.
  let isBlank: Bool

  init(of database: Database) throws(Failure) {
    func number(_ sql: String) throws(Failure) -> Int {
      try database.first(sql) { row throws(Failure) in try row[0].integer } ?? 0
    }
    applicationID = try number("PRAGMA application_id")
    version = try number("PRAGMA user_version")
    let contents = try number("SELECT count(*) FROM sqlite_master")
    isBlank = applicationID == 0 && version == 0 && contents == 0
  }
}
