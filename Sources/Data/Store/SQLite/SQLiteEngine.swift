import System

final class SQLiteEngine: Engine {
  private let connection: SQLiteConnection
  private let sequences: SQLiteSequences
  private let statements: InternalStatements
  private var lastMark: (version: Int, floor: Int)?

  var name: String { connection.name }
  var time: any TimeKeeper { connection.time }

  /// `inspect` examines a file before anything is changed, and may throw. `name` is for failures.
  init(
    _ location: Database.Location, name: String? = nil, time: any TimeKeeper,
    inspect: (SQLiteEngine) throws(Failure) -> Void = { _ in }
  ) throws(Failure) {
    switch location {
    case .file(let path):
      try SQLiteEngine.create(path, name: name ?? path)
      connection = try SQLiteConnection(SQLiteEngine.explicitPath(path), name: name ?? path, time: time)
    case .readOnly(let path):
      connection = try SQLiteConnection(
        SQLiteEngine.explicitPath(path), name: path, isImmutable: SQLiteEngine.isImmutable(path), time: time
      )
    case .memory:
      connection = try SQLiteConnection(":memory:", name: "memory", time: time)
    }
    statements = InternalStatements(connection)
    sequences = SQLiteSequences(connection, statements)
    connection.sequences = sequences
    switch location {
    case .file:
      try inspect(self)
      try connection.executeWaiting("PRAGMA journal_mode = WAL")
      // A checkpoint of the log delays the commits of that moment: 500 pages from all over a large database
      // take some 15 ms, and 4000 take 45.
      try execute("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 500; PRAGMA foreign_keys = ON")
      connection.keptWAL = 0..<0
    case .readOnly:
      try inspect(self)
      // SQLite's own read-only mode would leave -wal and -shm files behind.
      try execute("PRAGMA query_only = ON")
    case .memory:
      try execute("PRAGMA foreign_keys = ON")
    }
  }

  /// Keeps committed changes in the write-ahead log until a checkpoint is worth it, for a process that makes one
  /// change: one wait for the disk instead of four. The next process to open the file reads at most 256 kB more.
  func keepSmallWAL() { connection.keptWAL = 1..<(256 << 10) }

  /// Makes statements fail at once at a lock of another process: a server retries them between other requests.
  func stopWaiting() { connection.waitsForLocks = false }

  /// Creates the file, since SQLite gives its -wal and -shm files the mode and, for root, the owner of the database.
  /// Root creates it for the owner of the directory: a server that is not root could not open it otherwise.
  private static func create(_ path: String, name: String) throws(Failure) {
    do throws(SystemError) {
      let file = try File.open(path, .createNew, mode: .secret)
      defer { file.close() }
      try file.takeOwnerAsRoot(of: Folder.containing(path))
    } catch .fileExists {
      return
    } catch {
      throw error.failure("make database", name)
    }
  }

  /// Creates a database under a temporary name: a file without tables is damaged, not new. Another process may be
  /// first.
  static func make(_ path: String, _ migrations: Migrations, time: any TimeKeeper) throws(Failure) {
    File.removeAbandoned(beside: path)
    let temporary = File.temporaryName(beside: path)
    // Locked until the end: another process removes the files of one that was killed.
    let file = try operation("make database", path) { () throws(SystemError) in
      let file = try File.openTemporary(temporary, mode: .secret)
      try file.takeOwnerAsRoot(of: Folder.containing(path))
      return file
    }
    defer {
      for suffix in File.databaseSuffixes + [""] { _ = try? File.remove(temporary + suffix) }
      file.close()
    }
    do {
      // The engine is closed at the end of this block, and the log that stays behind must be empty.
      let engine = try SQLiteEngine(.file(temporary), name: path, time: time)
      try engine.migrate(migrations)
      guard try engine.number("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
        throw Failure(.storage, "cannot make database '\(path)': its log cannot be locked")
      }
    }
    _ = try operation("make database", path) { () throws(SystemError) in try File.link(temporary, to: path) }
  }

  /// Path with a directory, since SQLite treats names like `:memory:` and `file:x` specially. Refuses a journal that
  /// names a super-journal, as in a transaction of several databases: SQLite would delete the file of that name.
  static func explicitPath(_ path: String) throws(Failure) -> String {
    let journal = "\(File.realPath(path))-journal"
    let mark: ArraySlice<UInt8> = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    guard try (File.isSpecial(journal) ? mark : File.read(journal)?.suffix(mark.count)) != mark else {
      throw Failure(
        .storage, "'\(path)' has a journal that does not belong to it",
        hint: "find out who made '\(journal)', and remove it")
    }
    return path.hasPrefix("/") ? path : "./\(path)"
  }

  /// Whether the database is at rest and cannot be written, as in a backup: SQLite would fail to create its -shm file.
  private static func isImmutable(_ path: String) -> Bool {
    guard !Folder.isWritable(Folder.containing(path)) else { return false }
    let hasLog = File.size("\(path)-wal") ?? 0 > 0
    return !hasLog && !File.exists("\(path)-shm")
  }

  func prepare(_ sql: String) throws(Failure) -> any EngineStatement {
    try SQLiteStatement(sql, on: connection)
  }

  /// Rows and names need no lock, since a writing transaction is alone.
  func lock(named name: String) throws(Failure) {}

  func execute(_ script: String) throws(Failure) { try connection.execute(script) }

  // MARK: Transactions

  func begin() throws(Failure) { try statements.run("BEGIN IMMEDIATE") }

  func commit() throws(Failure) {
    do throws(Failure) {
      try sequences.store()
      try statements.run("COMMIT")
    } catch {
      rollback()
      throw error
    }
    // Changes of this connection do not change `data_version`.
    if let number = sequences.transaction { lastMark?.floor = number + 1 }
    sequences.forget()
  }

  func rollback() {
    sequences.forget()
    // The statement fails if SQLite has undone the transaction by itself.
    _ = try? execute("ROLLBACK")
  }

  /// Does nothing, since readable data is already on the disk.
  func confirmReads() throws(Failure) {}

  func checkTransaction() throws(Failure) {
    guard connection.isInTransaction else {
      throw Failure(.storage, "the transaction on '\(name)' was undone after an error")
    }
  }

  func beginPart() throws(Failure) { try statements.run("SAVEPOINT part") }

  func endPart() throws(Failure) { try statements.run("RELEASE part") }

  func undoPart() {
    // If a part cannot be undone, everything is: a partial change must not be committed.
    do throws(Failure) { try execute("ROLLBACK TO part; RELEASE part") } catch { rollback() }
  }

  func snapshot<Answer>(_ body: () throws(Failure) -> Answer) throws(Failure) -> Answer {
    if connection.isInTransaction { return try body() }
    try execute("BEGIN")
    let answer: Answer
    do throws(Failure) {
      answer = try body()
    } catch {
      rollback()
      throw error
    }
    try execute("COMMIT")
    return answer
  }

  // MARK: Differences from PostgreSQL

  /// Mark with `data_version`, which changes when another connection has committed.
  func changeMark() throws(Failure) -> ChangeMark {
    let version = try statements.first("PRAGMA data_version") ?? 0
    if let lastMark, lastMark.version == version {
      return ChangeMark(floor: sequences.transaction ?? lastMark.floor, version: version)
    }
    let floor = if let number = sequences.transaction { number } else { try sequences.stored("transaction") }
    lastMark = (version, floor)
    return ChangeMark(floor: floor, version: version)
  }

  func raise(_ sequence: String, above number: Int) throws(Failure) {
    try sequences.raise(sequence, above: number)
  }

  func upcoming(_ sequence: String) throws(Failure) -> Int { try sequences.stored(sequence) }

  func hasTable(_ name: String) throws(Failure) -> Bool {
    try number("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = '\(name)'") > 0
  }

  func check() throws(Failure) { try check("quick_check") }

  private func check(_ pragma: String) throws(Failure) {
    let finding = try text("PRAGMA \(pragma)(1)")
    guard finding == "ok" else { throw .damaged(name, finding ?? "no result") }
  }

  func checkThoroughly() throws(Failure) {
    try check("integrity_check")
    if let table = try text("PRAGMA foreign_key_check") {
      throw .damaged(name, "a row of table '\(table)' refers to one that is missing")
    }
  }

  var countsTransactions: Bool { true }

  func nextNumber(in table: TableShape) throws(Failure) -> Int? {
    try hasSequence(table) ? try upcoming("\(table.name)_id_seq") : nil
  }

  func raiseNumbers(in table: TableShape, to next: Int) throws(Failure) {
    if try hasSequence(table) { try raise("\(table.name)_id_seq", above: next - 1) }
  }

  /// Whether a sequence numbers the table's rows; without one, the next number is one more than the largest.
  private func hasSequence(_ table: TableShape) throws(Failure) -> Bool {
    table.identityColumn == "id" ? try hasTable("sequence") : false
  }

  // MARK: Results

  func texts(_ sql: String) throws(Failure) -> [String] {
    let statement = try SQLiteStatement(sql, on: connection)
    try statement.start([], .allRows)
    var texts: [String] = []
    while try statement.step() {
      guard case .text(let text) = try statement.value(0) else { throw .damaged(name, "a name is no text") }
      texts.append(text)
    }
    return texts
  }

  private func value(_ sql: String) throws(Failure) -> SQLValue {
    let statement = try SQLiteStatement(sql, on: connection)
    try statement.start([], .firstRow)
    return try statement.step() ? try statement.value(0) : .null
  }

  func number(_ sql: String) throws(Failure) -> Int {
    guard case .integer(let number) = try value(sql) else { return 0 }
    return number
  }

  func text(_ sql: String) throws(Failure) -> String? {
    guard case .text(let text) = try value(sql) else { return nil }
    return text
  }
}
