import System

/// Schema of a database, as the steps that lead to it. A released step never changes: a new schema is a new step.
public struct Migrations: Sendable {
  public let name: String
  /// SQL scripts. The first makes the oldest version that this hw knows, each further one the next version.
  public let steps: [String]
  private let base: Int
  /// Columns with transaction numbers, which each database counts for itself.
  let transactionColumns: [String]
  /// The database belongs to commands of this machine: it is in a directory, never on a database server.
  public let isLocal: Bool

  /// A new database takes all steps, an older one the missing ones. They are SQL for both engines; `CREATE SEQUENCE
  /// name MINVALUE n` makes a sequence, and a table that is stored in its primary key is `WITHOUT ROWID`.
  public init(
    _ name: String, base: Int = 1, _ steps: [String], transactionColumns: [String] = [], isLocal: Bool = false
  ) {
    self.name = name
    self.base = base
    self.steps = steps
    self.transactionColumns = transactionColumns
    self.isLocal = isLocal
  }

  var version: Int { base + steps.count - 1 }

  public func path(in folder: String) -> String { "\(folder)/\(name).db" }

  /// Names of the tables and indexes that the steps make.
  var objectNames: Set<String> {
    var names: Set<String> = []
    for step in steps {
      let words = step.split { " \n(;".contains($0) }
      // TO precedes the final name of a rebuilt table.
      for (word, name) in zip(words, words.dropFirst()) where ["TABLE", "INDEX", "TO"].contains(word) {
        names.insert(String(name))
      }
    }
    return names
  }

  public func upTo(_ version: Int) -> Migrations {
    Migrations(
      name, base: base, Array(steps.prefix(version - base + 1)), transactionColumns: transactionColumns,
      isLocal: isLocal)
  }

  /// Fails unless this hw knows the version of a database; 0 is a blank one.
  func check(_ version: Int, of database: String) throws(Failure) {
    guard version != 0 else { return }
    try FileFormat(name, version: self.version, oldest: base).check(version, of: database)
  }

  func missingSteps(from version: Int) -> [MigrationStep] {
    steps.enumerated().compactMap { index, script in
      let to = base + index
      guard to > version else { return nil }
      return MigrationStep(database: name, from: index == 0 ? 0 : to - 1, to: to, script: script)
    }
  }
}

public struct MigrationStep: Equatable, Sendable {
  public let database: String
  public let from: Int
  public let to: Int
  public fileprivate(set) var script: String
}

extension Store {
  /// Steps that a suite's database lacks; none for a missing database. Throws for an unknown version.
  public func missingSteps(_ migrations: Migrations) throws(Failure) -> [MigrationStep] {
    guard let stored = try stored([migrations]).first else { return [] }
    var steps = migrations.missingSteps(from: stored.version)
    guard isShared else { return steps }
    for index in steps.indices { steps[index].script = PostgreSQLText.script(steps[index].script) }
    return steps
  }

  /// Throws if other programs have tables with names of the suites' tables on a database server, before any is made.
  public func requireRoom(for databases: [Migrations]) throws(Failure) {
    guard case .postgreSQL(let address, let environment) = place else { return }
    let engine = try PostgreSQLEngine(address, environment: environment, time: time, for: .reading)
    try engine.requireRoom(for: databases.filter { !$0.isLocal }, time: time)
  }

  /// Runs the missing steps. Of several processes one runs them while the others wait.
  public func migrate(_ migrations: Migrations) throws(Failure) { _ = try open(migrations) }
}

extension Engine {
  /// Throws unless the database has exactly hw's own objects. The keys are kinds and names, the values definitions.
  func requireObjects(
    _ own: [String: String], found: [String: String], tool: String
  ) throws(Failure) {
    let others = found.filter { own[$0.key] != $0.value }.keys.sorted()
    guard others.isEmpty else {
      throw Failure(
        .storage, "'\(name)' has objects that do not belong to it: \(others.joined(separator: ", "))",
        hint: "find out who made them, and drop them with \(tool)")
    }
    guard let missing = own.keys.filter({ found[$0] == nil }).min() else { return }
    throw .damaged(name, "\(missing) is missing")
  }
}
