import CLibraries
import System

/// Store of the suites' lasting data: a folder, memory, or a PostgreSQL database that several servers share.
///
/// In a folder is one database a suite, `<folder>/<suite>.db`: each suite has its own steps and version, a long import into one holds
/// up no other, and a damaged file costs one suite. Commands on `embedded:` and any number of `hw serve` may have the
/// same files open at once; SQLite's locks keep them apart. `--store` names the folder. Beside a database may be its
/// log, `<suite>.db-wal`, with the newest changes: copy both or neither.
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

  /// Durable, in a folder that is made when it is first needed: `--store`'s, or `Folders.data`. Brief is a command that
  /// opens a database for one change: it leaves that in the log.
  /// `waitsForLocks` is false for a server, which does not stop for a lock of another process once it has started.
  public init(folder: String, isBrief: Bool = false, waitsForLocks: Bool = true, time: any TimeKeeper) {
    self.init(.folder(folder, isBrief: isBrief, waitsForLocks: waitsForLocks), time)
  }

  /// Creates a store of one database for all suites, whose tables have different names.
  public init(_ address: PostgreSQLAddress, environment: Environment, time: any TimeKeeper) {
    self.init(.postgreSQL(address, environment), time)
  }

  /// Returns the store with a report for waits while another process migrates a database.
  public func reportingWaits(_ report: @escaping @Sendable (String) -> Void) -> Store {
    var store = self
    store.report = report
    return store
  }

  /// For `demo:`: every database is born empty and gone with its owner.
  public static func memory(time: any TimeKeeper) -> Store { Store(.memory, time) }

  /// On a database server: a request may wait for it, and several connections serve at once.
  public var isShared: Bool {
    if case .postgreSQL = place { return true }
    return false
  }

  private init(_ place: Place, _ time: any TimeKeeper) {
    self.place = place
    self.time = time
  }

  /// The suite's database, at its newest version. One that cannot be used is refused and left as it is.
  public func open(_ migrations: Migrations) throws(Failure) -> Database {
    switch place {
    case .memory:
      let engine = try SQLiteEngine(.memory, time: time)
      try engine.migrate(migrations)
      return Database(engine, time)
    case .folder(let folder, let isBrief, let waitsForLocks):
      let engine = try open(migrations, in: folder, isBrief: isBrief)
      if !waitsForLocks { engine.stopWaiting() }
      return Database(engine, time)
    case .postgreSQL(let address, let environment):
      let engine = try PostgreSQLEngine(address, environment: environment, time: time)
      try engine.migrate(migrations)
      return Database(engine, time)
    }
  }

  /// Opens a database for a command that only reads: its server may be a standby. An older version is
  /// migrated where it can be written.
  public func openForReading(_ migrations: Migrations) throws(Failure) -> Database {
    guard case .postgreSQL(let address, let environment) = place else { return try open(migrations) }
    let engine = try PostgreSQLEngine(address, environment: environment, time: time, for: .reading)
    try engine.migrate(migrations)
    return Database(engine, time)
  }

  private func open(
    _ migrations: Migrations, in folder: String, isBrief: Bool
  ) throws(Failure) -> SQLiteEngine {
    let path = "\(folder)/\(migrations.name).db"
    try IncompleteCopy.refuse(folder)
    let isNew = try !File.certainlyExists(path)
    if isNew {
      try ServedDatabases.refuse(migrations.name, in: folder)
      try Folder.make(folder)
      try SQLiteEngine.make(path, migrations, time: time)
    }
    var version = 0
    // On a read-only disk, and in a directory of somebody else, it can still be read.
    let location = Folder.isWritable(folder) ? Database.Location.file(path) : .readOnly(path)
    let engine = try SQLiteEngine(location, time: time) { engine throws(Failure) in
      version = try engine.inspect(migrations)
    }
    if version < migrations.version {
      // A new shape goes into the file at once.
      try migrate(engine, migrations)
    } else if isBrief, !isNew {
      engine.keepSmallWAL()
    }
    return engine
  }

  /// How long a process waits for another that migrates the same file.
  private static let migrationLimit = Duration.seconds(600)

  /// Takes the missing steps. Of several processes one takes them while the others wait. SQLite reports a file system
  /// without locks like a lock of another process.
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

/// hw's folders, by the XDG Base Directory Specification. They are named here and created, private, by the code that first
/// writes in them (`Folder.make`, mode 0700).
public struct Folders: Sendable {
  private let environment: Environment

  public init(_ environment: Environment) {
    self.environment = environment
  }

  /// Folder of the configuration, which people write and may keep under version control.
  public var config: String { get throws(Failure) { try path("XDG_CONFIG_HOME", ".config") } }
  /// Folder of the databases, which must last.
  public var data: String { get throws(Failure) { try path("XDG_DATA_HOME", ".local/share") } }
  /// Folder of state that is no loss: rate limits, snapshots.
  public var state: String { get throws(Failure) { try path("XDG_STATE_HOME", ".local/state") } }
  /// Folder of the cache, which may be deleted at any time.
  public var cache: String { get throws(Failure) { try path("XDG_CACHE_HOME", ".cache") } }

  private func path(_ variable: String, _ usual: String) throws(Failure) -> String {
    // The specification: "all paths must be absolute; a relative one is invalid and should be ignored".
    if let base = environment[variable], base.hasPrefix("/") { return "\(base)/hw" }
    guard let home = environment["HOME"], home.hasPrefix("/") else {
      throw Failure(
        .storage, "no home folder to keep files in: HOME is not set to an absolute path",
        hint: "set HOME or \(variable)")
    }
    // Root could make any directory: a home such as /nonexistent stays as it is. One that cannot be examined may exist, and
    // what is in it is not ignored.
    let parent = Folder.containing(home)
    let isMissing = (try? File.certainlyExists(home)) == false
    guard geteuid() != 0 || !isMissing || parent != "/" && File.isFolder(parent) else {
      throw Failure(
        .storage, "no home folder to keep files in: '\(home)' does not exist", hint: "set HOME or \(variable)"
      )
    }
    return "\(home)/\(usual)/hw"
  }
}
