import System

/// The shape of a database, as the steps that lead to it. A step, once released, is never changed: a new shape is a new
/// step at the end. The database knows its version.
public struct Migrations: Sendable {
  /// The suite's: names the database and marks it.
  public let name: String
  /// Each a script of SQL statements. The first makes the oldest version that this hw knows, and each further one the
  /// next version.
  public let steps: [String]
  /// The version that the first step makes.
  private let base: Int
  /// The columns with numbers of transactions, in which each database counts for itself.
  let transactionColumns: [String]
  /// A database of the commands on this machine: it is in a directory, and never on a database server.
  public let isLocal: Bool

  /// A new database takes all steps, an older one those that it lacks. They are SQL for both engines;
  /// `CREATE SEQUENCE name MINVALUE n` makes a sequence, and a table that is stored in its primary key is
  /// `WITHOUT ROWID`.
  public init(
    _ name: String, base: Int = 1, _ steps: [String], transactionColumns: [String] = [], isLocal: Bool = false
  ) {
    self.name = name
    self.base = base
    self.steps = steps
    self.transactionColumns = transactionColumns
    self.isLocal = isLocal
  }

  /// The version of the last step.
  var version: Int { base + steps.count - 1 }

  /// The names of all tables and indexes that the steps make.
  var objects: Set<String> {
    var names: Set<String> = []
    for step in steps {
      let words = step.split { " \n(;".contains($0) }
      for (kind, name) in zip(words, words.dropFirst()) where kind == "TABLE" || kind == "INDEX" {
        names.insert(String(name))
      }
      // The name that a rebuilt table ends with.
      for (word, name) in zip(words, words.dropFirst()) where word == "TO" { names.insert(String(name)) }
    }
    return names
  }

  /// The shape of an older version, which this hw knows.
  public func upTo(_ version: Int) -> Migrations {
    Migrations(
      name, base: base, Array(steps.prefix(version - base + 1)), transactionColumns: transactionColumns,
      isLocal: isLocal)
  }

  /// Fails unless this hw knows the version of a database; 0 is that of a blank one.
  func check(_ version: Int, of database: String) throws(Failure) {
    guard version != 0 else { return }
    try FileFormat(name, version: self.version, oldest: base).check(version, of: database)
  }

  /// The steps that a database of a version lacks.
  func missingSteps(from version: Int) -> [MigrationStep] {
    steps.enumerated().compactMap { index, script in
      let to = base + index
      guard to > version else { return nil }
      return MigrationStep(database: name, from: index == 0 ? 0 : to - 1, to: to, script: script)
    }
  }
}

/// A step that leads a database to the next version of its schema.
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
  /// use makes. A failure if this program does not know its version.
  public func missingSteps(_ migrations: Migrations) throws(Failure) -> [MigrationStep] {
    let stored = try stored([migrations]).first
    guard stored != nil || (isShared && !migrations.isLocal) else { return [] }
    let steps = migrations.missingSteps(from: stored?.version ?? 0)
    return isShared ? steps.map(\.inPostgreSQL) : steps
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
