import System

/// Where the suites keep what must last.
///
/// One database a suite, `<folder>/<suite>.db`: each suite has its own steps and version, a long import into one holds
/// up no other, and a damaged file costs one suite. Commands on `embedded:` and any number of `hw serve` may have the
/// same files open at once; SQLite's locks keep them apart. `--store` names the folder. Beside a database may stand its
/// log, `<suite>.db-wal`, with the newest changes: whoever copies one copies both.
public struct Store: Sendable {
  private let folder: String?
  private let isBrief: Bool
  private let time: any TimeKeeper

  /// Durable, in a folder that is made when it is first needed: `--store`'s, or `Folders.data`. Brief is a command that
  /// opens a database for one change: it leaves that in the log.
  public init(folder: String, isBrief: Bool = false, time: any TimeKeeper) {
    self.folder = folder
    self.isBrief = isBrief
    self.time = time
  }

  /// For `demo:`: every database is born empty and gone with its owner.
  public static func memory(time: any TimeKeeper) -> Store { Store(folder: nil, time: time) }

  private init(folder: String?, time: any TimeKeeper) {
    self.folder = folder
    isBrief = false
    self.time = time
  }

  /// The suite's database, at its newest version. One that cannot be used is refused and left as it is.
  public func open(_ migrations: Migrations) throws(Failure) -> Database {
    guard let folder else {
      let database = try Database(.memory, time: time)
      try migrations.apply(to: database, named: "memory")
      return database
    }
    let path = "\(folder)/\(migrations.name).db"
    if !File.exists(path) { try Folder.make(folder) }
    var version = 0
    let database = try Database(.file(path), time: time) { database throws(Failure) in
      version = try migrations.inspect(database, path)
    }
    if version < migrations.steps.count {
      // A new shape goes into the file at once.
      try migrations.apply(to: database, named: path)
    } else if isBrief {
      database.leavesShortLog()
    }
    return database
  }
}
