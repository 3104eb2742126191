import System

/// The shape of a database, as the steps that lead to it. A step, once released, is never changed: a new shape is a new
/// step at the end. The database knows how many steps it has behind it: its version.
public struct Migrations: Sendable {
  /// The suite's: names the database and marks it.
  public let name: String
  /// Each a script of SQL statements. Those before the base are for SQLite alone.
  public let steps: [String]
  let base: Base
  /// The columns with numbers of transactions, in which each database counts for itself.
  let transactionColumns: [String]
  /// A database of the commands on this machine: it is in a directory, and never on a database server.
  public let isLocal: Bool

  /// Where a new database begins.
  public struct Base: Sendable {
    /// The number of steps that lead an older database to the same shape.
    let version: Int
    let script: String

    public init(version: Int, _ script: String) {
      self.version = version
      self.script = script
    }
  }

  /// A new database begins with the base, an older one takes the steps that it lacks. The base and the steps after it
  /// are SQL for both engines; `CREATE SEQUENCE name MINVALUE n` makes a sequence, and a table that is stored in its
  /// primary key is `WITHOUT ROWID`.
  public init(
    _ name: String, _ steps: [String], base: Base = Base(version: 0, ""), transactionColumns: [String] = [],
    isLocal: Bool = false
  ) {
    self.name = name
    self.steps = steps
    self.base = base
    self.transactionColumns = transactionColumns
    self.isLocal = isLocal
  }

  /// The shape that an earlier hw knew as the last one.
  public func upTo(_ version: Int) -> Migrations {
    Migrations(
      name, Array(steps.prefix(version)), base: version < base.version ? Base(version: 0, "") : base,
      transactionColumns: transactionColumns, isLocal: isLocal)
  }

  /// Fails unless this hw knows the version of a database; 0 is that of a blank one.
  func check(_ version: Int, of database: String) throws(Failure) {
    guard version != 0 else { return }
    try FileFormat(name, version: steps.count).check(version, of: database)
  }

  /// The scripts that lead from a version to the last one.
  func scripts(from version: Int) -> [String] {
    if version == 0, base.version > 0 { return [base.script] + steps[base.version...] }
    return Array(steps[version...])
  }
}
