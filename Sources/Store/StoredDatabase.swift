import System

/// A suite's database that a store has, opened to be read as it is: nothing of it is migrated.
struct StoredDatabase {
  let migrations: Migrations
  /// The steps that it has behind it.
  let version: Int
  let engine: any Engine
  let database: Database
  /// What it contains, by its version.
  let shapes: TableShape.Shapes

  var isNewest: Bool { version == migrations.steps.count }

  /// The tables that it has. An earlier version may lack those that only its conversion needed.
  func tables() throws(Failure) -> [TableShape] {
    var tables: [TableShape] = []
    for shape in shapes.tables {
      if try engine.hasTable(shape.name) {
        tables.append(shape)
      } else if isNewest {
        throw .damaged(engine.name, "table '\(shape.name)' is missing")
      }
    }
    return tables
  }

  /// Reads a table row by row, and returns the checksum.
  func read(
    _ table: TableShape, _ body: ([SQLValue]) throws(Failure) -> Void
  ) throws(Failure) -> TableChecksum {
    var checksum = TableChecksum()
    // Where the numbers of transactions belong to another database, they count as nothing.
    let compared = table.columns.map { !shapes.transactionColumns.contains($0) }
    let columns = table.columns.map { "\"\($0)\"" }.joined(separator: ", ")
    try database.each("SELECT \(columns) FROM \"\(table.name)\"") { row throws(Failure) in
      if checksum.rows.isMultiple(of: 1024) { try Interruption.check() }
      var values: [SQLValue] = []
      values.reserveCapacity(table.columns.count)
      for column in table.columns.indices { values.append(try row[column].value) }
      checksum.add(zip(values, compared).map { $1 ? $0 : .null })
      try body(values)
    }
    return checksum
  }
}

extension Store {
  /// Those of the databases that the store has, in that order.
  func stored(_ databases: [Migrations]) throws(Failure) -> [StoredDatabase] {
    switch place {
    case .memory: return []
    case .folder(let folder, _, _):
      try IncompleteCopy.refuse(folder)
      var stored: [StoredDatabase] = []
      for migrations in databases {
        if let one = try StoredDatabase.file(migrations, in: folder, time: time) { stored.append(one) }
      }
      return stored
    case .postgreSQL(let address, let environment):
      let engine = try PostgreSQLEngine(address, environment: environment, time: time, for: .reading)
      let database = Database(engine)
      var stored: [StoredDatabase] = []
      for migrations in databases where !migrations.isLocal {
        let version = try engine.inspect(migrations)
        guard version > 0 else { continue }
        stored.append(
          try StoredDatabase(migrations, version: version, engine: engine, database: database, time: time))
      }
      return stored
    }
  }
}

extension StoredDatabase {
  init(
    _ migrations: Migrations, version: Int, engine: any Engine, database: Database, time: any TimeKeeper
  ) throws(Failure) {
    self.migrations = migrations
    self.version = version
    self.engine = engine
    self.database = database
    shapes = try TableShape.all(migrations.upTo(version), time: time)
  }

  /// Nil if there is no such file.
  static func file(
    _ migrations: Migrations, in folder: String, time: any TimeKeeper
  ) throws(Failure) -> StoredDatabase? {
    let path = "\(folder)/\(migrations.name).db"
    guard File.exists(path) else { return nil }
    let engine = try SQLiteEngine(.readOnly(path), time: time)
    let version = try engine.inspect(migrations)
    return try StoredDatabase(
      migrations, version: version, engine: engine, database: Database(engine), time: time)
  }
}
