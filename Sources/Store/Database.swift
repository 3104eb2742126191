import System

/// A SQLite database: what was acknowledged survives a kill and a loss of power, what was not leaves no trace.
///
/// Several processes may have one file open: readers never wait, writers wait for each other, 5 seconds at most. A
/// database belongs to one thread.
public final class Database {
  public enum Location: Sendable {
    /// Made when it is missing (its folder is not), readable by its owner alone.
    case file(String)
    /// Must exist, and no statement may change it.
    case readOnly(String)
    case memory
  }

  private let connection: Connection
  /// Prepared, by their text.
  private var statements: [String: Statement] = [:]
  private var depth = 0
  /// A transaction is open for `GroupCommit`.
  fileprivate var isInGroup = false

  /// `inspect` looks at a file before anything of it is changed: when it throws, the file is left as it was.
  public init(
    _ location: Location, time: any TimeKeeper, inspect: (Database) throws(Failure) -> Void = { _ in }
  ) throws(Failure) {
    switch location {
    case .file(let path):
      try Database.create(path)
      connection = try Connection(Database.explicitPath(path), name: path, time: time)
      try inspect(self)
      try connection.executeWaiting("PRAGMA journal_mode = WAL")
      // Folding the log back into the file delays the commits of that moment. Little and often: 500 pages from all over
      // a large database keep the others waiting for some 15 ms, and 4000 for 45.
      try connection.execute(
        "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 500; PRAGMA foreign_keys = ON")
      connection.keptWAL = 0..<0
    case .readOnly(let path):
      // Not SQLite's own read-only mode: a reader like that leaves its -wal and -shm files behind.
      connection = try Connection(Database.explicitPath(path), name: path, time: time)
      try connection.execute("PRAGMA query_only = ON")
    case .memory:
      connection = try Connection(":memory:", name: "memory", time: time)
      try connection.execute("PRAGMA foreign_keys = ON")
    }
  }

  /// For a process that opens the database for one change: what is committed stays in the write-ahead log until that
  /// is large enough to fold in. One wait for the disk is left of four; the next process to open the file reads at
  /// most 256 kB more.
  func keepSmallWAL() { connection.keptWAL = 1..<(256 << 10) }

  /// False where no SQLite is installed: tests that need it skip.
  public static var isAvailable: Bool { (try? SQLite.load()) != nil }

  /// SQLite gives its -wal and -shm files the mode of the database, so it is enough to be first with that one.
  private static func create(_ path: String) throws(Failure) {
    do throws(SystemError) {
      try File.open(path, .createNew, mode: .secret).close()
    } catch .fileExists {
      return
    } catch {
      throw error.failure("make database", path)
    }
  }

  /// SQLite reads a meaning into names like `:memory:` and `file:x`, but into no path with a folder.
  static func explicitPath(_ path: String) -> String { path.hasPrefix("/") ? path : "./\(path)" }

  /// Runs a statement; answers how many rows an INSERT, UPDATE or DELETE changed.
  @discardableResult
  public func run(_ sql: String, _ values: [SQLValue] = []) throws(Failure) -> Int {
    try use(sql, values) { statement throws(Failure) in
      while try statement.step() {}
      return connection.changes
    }
  }

  /// Hands over every row of the answer, one at a time.
  public func each(
    _ sql: String, _ values: [SQLValue] = [], _ body: (ResultRow) throws(Failure) -> Void
  ) throws(Failure) {
    try use(sql, values) { statement throws(Failure) in
      while try statement.step() { try body(ResultRow(statement: statement)) }
    }
  }

  /// What `read` makes of every row.
  public func rows<Answer>(
    _ sql: String, _ values: [SQLValue] = [], _ read: (ResultRow) throws(Failure) -> Answer
  ) throws(Failure) -> [Answer] {
    var answers: [Answer] = []
    try each(sql, values) { row throws(Failure) in answers.append(try read(row)) }
    return answers
  }

  /// What `read` makes of the first row; nil when there is none. Rows after it are not looked for.
  public func first<Answer>(
    _ sql: String, _ values: [SQLValue] = [], _ read: (ResultRow) throws(Failure) -> Answer
  ) throws(Failure) -> Answer? {
    try use(sql, values) { statement throws(Failure) in
      try statement.step() ? try read(ResultRow(statement: statement)) : nil
    }
  }

  /// The key of the row that was inserted last.
  public var lastInsertedRow: Int { Int(truncatingIfNeeded: connection.lastInsertedRow) }

  /// A number that changes when another connection has committed; what this one writes does not change it.
  public func dataVersion() throws(Failure) -> Int {
    try first("PRAGMA data_version") { row throws(Failure) in try row[0].integer } ?? 0
  }

  /// Runs a script of statements that take no values: the steps of a migration.
  func execute(_ script: String) throws(Failure) {
    try guardTransaction()
    try connection.execute(script)
  }

  private func use<Answer>(
    _ sql: String, _ values: [SQLValue], _ body: (Statement) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    try guardTransaction()
    let statement = try statement(sql)
    statement.isRunning = true
    defer { statement.isRunning = false }
    do throws(Failure) {
      try statement.bind(values)
      let answer = try body(statement)
      try statement.reset()
      return answer
    } catch {
      // The reset of a failed run says the same failure again.
      _ = try? statement.reset()
      throw error
    }
  }

  /// The statement of that text, prepared once; while it runs, another call with the same text gets its own.
  private func statement(_ sql: String) throws(Failure) -> Statement {
    if let ready = statements[sql], !ready.isRunning { return ready }
    let statement = try Statement(sql, on: connection)
    // Texts made at run time (lists of varying length) would fill the memory of a server.
    if statements.count >= 64 { statements.removeAll() }
    statements[sql] = statement
    return statement
  }
}

extension Database {
  /// Runs `body` as one change: all of it is done when this returns, nothing of it when this throws.
  ///
  /// The outermost call takes the write lock at once and commits at its end. A call inside another undoes its own
  /// part alone when it throws, and is durable when the outermost is: so many changes can share one commit.
  public func transaction<Answer>(
    _ body: () throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    try transaction("BEGIN IMMEDIATE", body)
  }

  /// Opens a transaction that outlasts the call: those made until `endGroup` are parts of it.
  fileprivate func beginGroup() throws(Failure) {
    try run("BEGIN IMMEDIATE")
    depth += 1
    isInGroup = true
  }

  fileprivate func endGroup() throws(Failure) {
    do throws(Failure) {
      try run("COMMIT")
      leaveGroup()
    } catch {
      dropGroup()
      throw error
    }
  }

  /// Ends it with nothing changed.
  fileprivate func dropGroup() {
    undo("ROLLBACK")
    leaveGroup()
  }

  private func leaveGroup() {
    depth -= 1
    isInGroup = false
  }

  /// Runs `body` on one state of the database, whatever others write meanwhile.
  func snapshot<Answer>(_ body: () throws(Failure) -> Answer) throws(Failure) -> Answer {
    try transaction("BEGIN", body)
  }

  private func transaction<Answer>(
    _ begin: String, _ body: () throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    let nested = depth > 0
    try run(nested ? "SAVEPOINT part" : begin)
    depth += 1
    defer { depth -= 1 }
    do throws(Failure) {
      let answer = try body()
      try run(nested ? "RELEASE part" : "COMMIT")
      return answer
    } catch {
      undo(nested ? "ROLLBACK TO part; RELEASE part" : "ROLLBACK")
      throw error
    }
  }

  private func undo(_ script: String) {
    guard connection.isInTransaction else { return }
    // If a part cannot be undone, then everything is: a half-done part must not be committed by those around it.
    do throws(Failure) { try connection.execute(script) } catch { _ = try? connection.execute("ROLLBACK") }
  }

  /// SQLite undoes the whole transaction by itself when, say, the disk is full. If the body then went on, its further
  /// statements would each commit on their own.
  private func guardTransaction() throws(Failure) {
    guard depth > 0, !connection.isInTransaction else { return }
    throw Failure(.storage, "the transaction on '\(connection.name)' was undone after an error")
  }

  /// Reads the whole file, and throws when it contradicts itself. Takes a while on a large one.
  public func check() throws(Failure) {
    let finding = try first("PRAGMA quick_check(1)") { row throws(Failure) in try row[0].text }
    guard finding == "ok" else { throw .damaged(connection.name, finding ?? "no answer") }
  }
}

/// Changes that share one commit: the first opens a transaction, and all are durable when `commit` returns. So a server
/// pays for the disk once a turn, however many requests it brought.
///
/// A change that throws undoes its own part alone. Nobody may be told of a change before the commit; when that fails,
/// none of them was made.
public final class GroupCommit {
  private let database: Database

  public init(_ database: Database) {
    self.database = database
  }

  @discardableResult
  public func change<Answer>(_ body: () throws(Failure) -> Answer) throws(Failure) -> Answer {
    if database.isInGroup { return try database.transaction(body) }
    // The first has nobody before it whose change it could undo, and so needs no part of its own.
    try database.beginGroup()
    do throws(Failure) {
      return try body()
    } catch {
      database.dropGroup()
      throw error
    }
  }

  /// Makes the changes since the last commit durable; nothing to do when there are none.
  public func commit() throws(Failure) {
    if database.isInGroup { try database.endGroup() }
  }
}
