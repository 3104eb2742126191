import System

extension Store {
  public var isDurable: Bool {
    if case .memory = place { return false }
    return true
  }

  /// Whether a suite has data here. Unlike `open`, creates nothing, so commands that only read can ask first.
  public func contains(_ migrations: Migrations) throws(Failure) -> Bool {
    switch place {
    case .memory: return false
    case .folder(let folder, _, _):
      try IncompleteCopy.refuse(folder)
      return try ServedDatabases.has(migrations.name, in: folder)
    case .postgreSQL(let address, let environment):
      guard !migrations.isLocal else { return false }
      return try PostgreSQLEngine(address, environment: environment, time: time, for: .reading)
        .inspect(migrations) > 0
    }
  }

  /// Returns this store, or an empty one in memory if the suite has no data: for a command that only reads.
  public func forReading(_ migrations: Migrations) throws(Failure) -> Store {
    try contains(migrations) ? self : .memory(time: time)
  }

  /// Returns the identity of a database's file, nil on a database server. Throws if the file is gone, which an open
  /// connection does not notice, or is not `known`.
  public func file(of migrations: Migrations, known: File.Identity?) throws(Failure) -> File.Identity? {
    guard let folder else { return nil }
    let path = migrations.path(in: folder)
    guard let found = File.identity(path), known == nil || found == known else {
      throw Failure(.storage, "'\(path)' does not exist any more")
    }
    return found
  }

  public var folder: String? {
    guard case .folder(let folder, _, _) = place else { return nil }
    return folder
  }
}
