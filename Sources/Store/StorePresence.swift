import System

extension Store {
  /// False for one that ends with the process.
  public var isDurable: Bool {
    if case .memory = place { return false }
    return true
  }

  /// Throws if the file of a database is gone, which an open connection to it does not notice.
  public func requireDatabase(_ migrations: Migrations) throws(Failure) {
    guard case .folder(let folder, _, _) = place else { return }
    let path = "\(folder)/\(migrations.name).db"
    guard File.exists(path) else { throw Failure(.storage, "'\(path)' does not exist any more") }
  }

  /// The bytes that all databases take, with their logs; nil in memory. `database` is one of them.
  public func size(_ database: Database) throws(Failure) -> Int? {
    switch place {
    case .memory: return nil
    case .folder(let folder, _, _):
      return try Folder.names(folder).filter { $0.contains(".db") }
        .reduce(0) { $0 + (File.size("\(folder)/\($1)") ?? 0) }
    case .postgreSQL:
      return try database.first("SELECT pg_database_size(current_database())") { row throws(Failure) in
        try row[0].integer
      }
    }
  }
}
