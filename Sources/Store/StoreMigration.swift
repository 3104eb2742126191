import System

/// A step that leads a database to the newest version of its schema.
public struct MigrationStep: Equatable, Sendable {
  /// The name of the suite's database.
  public let database: String
  /// The version before the step, and after it.
  public let from: Int
  public let to: Int
  public let script: String
}

extension Store {
  /// The steps that a suite's database lacks: none if it is new enough, or a file that does not exist, which the first
  /// use makes. A failure if the database is newer than this program.
  public func missingSteps(_ migrations: Migrations) throws(Failure) -> [MigrationStep] {
    let version: Int
    switch place {
    case .memory: return []
    case .folder(let folder, _, _):
      try IncompleteCopy.refuse(folder)
      let path = "\(folder)/\(migrations.name).db"
      guard File.exists(path) else { return [] }
      version = try SQLiteEngine(.readOnly(path), time: time).inspect(migrations)
    case .postgreSQL(let address, let environment):
      guard !migrations.isLocal else { return [] }
      version = try PostgreSQLEngine(address, environment: environment, time: time, for: .reading)
        .inspect(migrations)
    }
    return migrations.missingSteps(from: version).map { isShared ? $0.inPostgreSQL : $0 }
  }

  /// Throws if a database server has tables of somebody else where those of the suites belong: before any is made.
  public func requireRoom(for databases: [Migrations]) throws(Failure) {
    guard case .postgreSQL(let address, let environment) = place else { return }
    let engine = try PostgreSQLEngine(address, environment: environment, time: time, for: .reading)
    try engine.requireRoom(for: databases.filter { !$0.isLocal }, time: time)
  }

  /// Takes the missing steps. Of several processes one takes them while the others wait.
  public func migrate(_ migrations: Migrations) throws(Failure) { _ = try open(migrations) }
}

extension MigrationStep {
  /// With the script that a PostgreSQL server runs.
  fileprivate var inPostgreSQL: MigrationStep {
    MigrationStep(database: database, from: from, to: to, script: PostgreSQLText.script(script))
  }
}

extension Migrations {
  fileprivate func missingSteps(from version: Int) -> [MigrationStep] {
    let scripts = scripts(from: version)
    let last = steps.count
    return scripts.enumerated().map { index, script in
      let to = last - (scripts.count - 1 - index)
      return MigrationStep(database: name, from: index == 0 ? version : to - 1, to: to, script: script)
    }
  }
}

extension Store {
  /// Whether there is something to migrate: a database server always has room for a suite.
  public func hasDatabase(_ migrations: Migrations) -> Bool {
    switch place {
    case .memory: false
    case .folder(let folder, _, _): File.exists("\(folder)/\(migrations.name).db")
    case .postgreSQL: !migrations.isLocal
    }
  }
}
