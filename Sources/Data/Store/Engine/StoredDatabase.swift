import System

public struct TableSummary: Equatable, Sendable {
  public let database: String
  public let version: Int
  public let table: String
  public let rows: Int
  public let checksum: String

  init(_ stored: StoredDatabase, _ table: TableShape, _ checksum: TableChecksum) {
    database = stored.migrations.name
    version = stored.version
    self.table = table.name
    rows = checksum.rows
    self.checksum = checksum.text
  }
}

/// Suite's database in a store, opened to be read without migration.
struct StoredDatabase {
  let migrations: Migrations
  let version: Int
  let engine: any Engine
  let database: Database
  let shapes: TableShape.Shapes

  init(
    _ migrations: Migrations, version: Int, _ engine: any Engine, _ database: Database, time: any TimeKeeper
  ) throws(Failure) {
    self.migrations = migrations
    self.version = version
    self.engine = engine
    self.database = database
    shapes = try TableShape.all(migrations.upTo(version), time: time)
  }

  /// Passes the values of each row to `body`, and returns their checksum.
  func read(
    _ table: TableShape, _ body: ([SQLValue]) throws(Failure) -> Void
  ) throws(Failure) -> TableChecksum {
    guard try engine.hasTable(table.name) else {
      throw .damaged(engine.name, "table '\(table.name)' is missing")
    }
    var checksum = TableChecksum()
    // The checksum leaves out transaction numbers, which each database counts for itself.
    let compared = table.columns.map { !migrations.transactionColumns.contains($0) }
    try database.each("SELECT \(table.columnList) FROM \"\(table.name)\"") { row throws(Failure) in
      if checksum.rows.isMultiple(of: 1024) { try Interruption.check() }
      var values: [SQLValue] = []
      values.reserveCapacity(table.columns.count)
      for column in table.columns.indices { values.append(try row[column].value) }
      checksum.add(zip(values, compared).map { $1 ? $0 : .null })
      try body(values)
    }
    return checksum
  }

  func summaries() throws(Failure) -> [TableSummary] {
    try shapes.tables.map { table throws(Failure) in TableSummary(self, table, try read(table) { _ in }) }
  }
}

extension Store {
  /// Returns those of the databases that the store has, in the given order. Throws if one is lost.
  func stored(_ databases: [Migrations]) throws(Failure) -> [StoredDatabase] {
    var stored: [StoredDatabase] = []
    switch place {
    case .memory: break
    case .folder(let folder, _, _):
      try IncompleteCopy.refuse(folder)
      for migrations in databases where try ServedDatabases.has(migrations.name, in: folder) {
        let engine = try SQLiteEngine(.readOnly(migrations.path(in: folder)), time: time)
        let version = try engine.inspect(migrations)
        stored.append(
          try StoredDatabase(migrations, version: version, engine, Database(engine, time), time: time))
      }
    case .postgreSQL(let address, let environment):
      let databases = databases.filter { !$0.isLocal }
      guard !databases.isEmpty else { break }
      let engine = try PostgreSQLEngine(address, environment: environment, time: time, for: .reading)
      let database = Database(engine, time)
      for migrations in databases {
        let version = try engine.inspect(migrations)
        guard version > 0 else { continue }
        stored.append(try StoredDatabase(migrations, version: version, engine, database, time: time))
      }
    }
    return stored
  }

  /// Reads a suite's database in full, on one state; nil if the store has none. Throws if it is damaged.
  public func verify(_ migrations: Migrations) throws(Failure) -> [TableSummary]? {
    guard let stored = try stored([migrations]).first else { return nil }
    return try stored.engine.snapshot { () throws(Failure) in
      try stored.engine.checkThoroughly()
      return try stored.summaries()
    }
  }
}
