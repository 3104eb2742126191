import System

/// Store of the suites' durable data: a directory, memory, or a PostgreSQL database that several servers share. A
/// directory has one database per suite, `<folder>/<suite>.db`: each has its own version, a long import delays no other
/// suite, and a damaged file affects one. Commands and servers may open the files at once; SQLite's locks separate
/// them. The write-ahead log `<suite>.db-wal` beside a database contains the newest changes: copy both or neither.
public struct Store: Sendable {
  let place: Place
  let time: any TimeKeeper
  /// Receives a message when a long wait begins.
  private var report: @Sendable (String) -> Void = { _ in }

  enum Place: Sendable {
    case memory
    case folder(String, isBrief: Bool, waitsForLocks: Bool)
    case postgreSQL(PostgreSQLAddress, Environment)
  }

  /// Store in a directory that is created if it is missing. `isBrief`: a command opens a database for one change, and
  /// leaves that in the log. `waitsForLocks` is false for a server, which does not stop for a lock of another process
  /// after its start.
  public init(folder: String, isBrief: Bool = false, waitsForLocks: Bool = true, time: any TimeKeeper) {
    self.init(.folder(folder, isBrief: isBrief, waitsForLocks: waitsForLocks), time)
  }

  /// Store of one database for all suites, whose tables have different names.
  public init(_ address: PostgreSQLAddress, environment: Environment, time: any TimeKeeper) {
    self.init(.postgreSQL(address, environment), time)
  }

  /// Returns the store with a report for waits while another process migrates a database.
  public func reportingWaits(_ report: @escaping @Sendable (String) -> Void) -> Store {
    var store = self
    store.report = report
    return store
  }

  /// Store for `demo:`, whose databases are empty and end with their owner.
  public static func memory(time: any TimeKeeper) -> Store { Store(.memory, time) }

  /// Whether the store is a database server: a request may wait for it, and several connections serve at once.
  public var isShared: Bool {
    if case .postgreSQL = place { return true }
    return false
  }

  private init(_ place: Place, _ time: any TimeKeeper) {
    self.place = place
    self.time = time
  }

  /// Opens the suite's database at its newest version. An unusable one is refused and left as it is.
  public func open(_ migrations: Migrations) throws(Failure) -> Database {
    try open(migrations, for: .writing)
  }

  /// Opens a database for reading, also of a standby server. Migrates an older version that can be written.
  public func openForReading(_ migrations: Migrations) throws(Failure) -> Database {
    try open(migrations, for: .reading)
  }

  private func open(
    _ migrations: Migrations, for purpose: PostgreSQLAddress.Purpose
  ) throws(Failure) -> Database {
    switch place {
    case .memory: return Database(try SQLiteEngine.inMemory(migrations, time: time), time)
    case .folder(let folder, let isBrief, let waitsForLocks):
      let engine = try open(migrations, in: folder, isBrief: isBrief)
      if !waitsForLocks { engine.stopWaiting() }
      return Database(engine, time)
    case .postgreSQL(let address, let environment):
      let engine = try PostgreSQLEngine(address, environment: environment, time: time, for: purpose)
      try engine.migrate(migrations)
      return Database(engine, time)
    }
  }

  private func open(
    _ migrations: Migrations, in folder: String, isBrief: Bool
  ) throws(Failure) -> SQLiteEngine {
    let path = migrations.path(in: folder)
    try IncompleteCopy.refuse(folder)
    let isNew = try !ServedDatabases.has(migrations.name, in: folder)
    if isNew {
      try Folder.make(folder)
      try SQLiteEngine.make(path, migrations, time: time)
    }
    var version = 0
    // A read-only disk or a directory of another user can still be read.
    let location = Folder.isWritable(folder) ? Database.Location.file(path) : .readOnly(path)
    let engine = try SQLiteEngine(location, time: time) { engine throws(Failure) in
      version = try engine.inspect(migrations)
    }
    if version < migrations.version {
      // A migration is written to the file at once.
      try migrate(engine, migrations)
    } else if isBrief, !isNew {
      engine.keepSmallWAL()
    }
    return engine
  }

  /// Time limit for another process that migrates the same file.
  private static let migrationLimit = Duration.seconds(600)

  /// Migrates, or waits for another process that does. SQLite reports a file system without locks as locked.
  private func migrate(_ engine: SQLiteEngine, _ migrations: Migrations) throws(Failure) {
    let deadline = time.uptime() + Store.migrationLimit
    var isReported = false
    while true {
      do throws(Failure) {
        return try engine.migrate(migrations)
      } catch {
        guard error.retryable, time.uptime() < deadline else { throw error }
        if !isReported {
          try LockedFile.checkSupport(in: Folder.containing(engine.name))
          report("'\(engine.name)' is locked, maybe by a migration: waiting for the other process")
        }
        isReported = true
      }
    }
  }
}
