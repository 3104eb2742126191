import System

/// Copies the databases of a store to another, which must have none: between a directory and a PostgreSQL database, in
/// every direction. The source is read in one snapshot of each database, while others write to it.
///
/// What is in the target is the copy in full or marked as incomplete: a directory by `IncompleteCopy`, a PostgreSQL
/// database by the transaction that nobody sees before its end. An interrupted copy begins anew.
public struct StoreCopy {
  private let source: Store
  private let target: Store
  private let databases: [Migrations]
  /// Called with a table and the number of its rows that were copied.
  private let progress: (_ table: String, _ rows: Int) -> Void

  public init(
    _ databases: [Migrations], from source: Store, to target: Store,
    progress: @escaping (_ table: String, _ rows: Int) -> Void
  ) {
    self.source = source
    self.target = target
    self.databases = databases
    self.progress = progress
  }

  /// Copies, then reads the copy and compares. Returns what was copied.
  public func run() throws(Failure) -> [TableSummary] {
    let stored = try source.stored(databases).filter { !target.isShared || !$0.migrations.isLocal }
    guard !stored.isEmpty else {
      throw Failure(.notFound, "there is no database to copy", hint: "--from names a directory or a database")
    }
    for one in stored { try refuseUnfinished(one) }
    return try withSnapshots(of: stored[...]) { () throws(Failure) in
      for one in stored { try one.engine.check() }
      switch target.place {
      case .memory: throw Failure(.defect, "a copy in memory is of no use")
      case .folder(let folder, _, _): return try copy(stored, into: folder)
      case .postgreSQL(let address, let environment):
        let engine = try PostgreSQLEngine(address, environment: environment, time: target.time)
        return try copy(stored, into: engine)
      }
    }
  }

  /// The tables that a conversion has left are known to the migrate command alone.
  private func refuseUnfinished(_ stored: StoredDatabase) throws(Failure) {
    if target.isShared, stored.version < stored.migrations.base.version {
      throw Failure(
        .storage,
        "'\(stored.engine.name)' has version \(stored.version), which PostgreSQL cannot store",
        hint: "copy the directory with 'hw store copy', and bring the copy up to date with 'hw store migrate'"
      )
    }
    guard let file = stored.engine as? SQLiteEngine else { return }
    for table in try file.tableShapes() {
      guard let shape = stored.shapes.tables.first(where: { $0.name == table.name }) else {
        throw Failure(
          .storage, "'\(file.name)' has a table that does not belong to it: '\(table.name)'",
          hint: "if a conversion was interrupted, run 'hw store migrate'; else drop the table with sqlite3")
      }
      guard shape.columns == table.columns else {
        throw .damaged(file.name, "table '\(table.name)' has other columns than its version")
      }
    }
  }

  /// Databases on one server share one snapshot.
  private func withSnapshots<Answer>(
    of stored: ArraySlice<StoredDatabase>, _ body: () throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    guard let first = stored.first else { return try body() }
    let others = stored.filter { $0.engine !== first.engine }
    return try first.engine.snapshot { () throws(Failure) in
      try withSnapshots(of: others[...], body)
    }
  }

  // MARK: Into a directory

  private func copy(_ stored: [StoredDatabase], into folder: String) throws(Failure) -> [TableSummary] {
    let claim = try IncompleteCopy.begin(in: folder, databases.map(\.name))
    var summaries: [TableSummary] = []
    do throws(Failure) {
      for one in stored { summaries += try copy(one, intoNewFileIn: folder) }
      try claim.finish()
    } catch {
      // What cannot be removed now is marked, and removed by the next copy.
      _ = try? claim.discard()
      throw error
    }
    return summaries
  }

  private func copy(
    _ source: StoredDatabase, intoNewFileIn folder: String
  ) throws(Failure) -> [TableSummary] {
    let path = "\(folder)/\(source.migrations.name).db"
    guard !File.exists(path) else { throw .notEmpty(folder, "database '\(source.migrations.name)'") }
    let engine = try SQLiteEngine(.file(path), time: target.time)
    let migrations = source.migrations.upTo(source.version)
    try engine.migrate(migrations)
    // References are checked at the end, and triggers have done their work in the source.
    try engine.execute("PRAGMA foreign_keys = OFF")
    let triggers = try engine.texts("SELECT sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid")
    for name in try engine.texts("SELECT name FROM sqlite_master WHERE type = 'trigger'") {
      try engine.execute("DROP TRIGGER \"\(name)\"")
    }
    let tables = try source.tables()
    for table in source.shapes.tables.reversed() where !tables.contains(table) {
      try engine.execute("DROP TABLE \"\(table.name)\"")
    }
    let copy = try StoredDatabase(
      source.migrations, version: source.version, engine: engine, database: Database(engine),
      time: target.time)
    let summaries = try fill(copy, from: source, tables)
    for trigger in triggers { try engine.execute(trigger) }
    try engine.checkThoroughly()
    try compare(copy, summaries)
    // The copy reaches the disk before the mark of incompleteness goes.
    _ = try engine.number("PRAGMA wal_checkpoint(TRUNCATE)")
    return summaries
  }

  // MARK: Into PostgreSQL

  private func copy(_ stored: [StoredDatabase], into engine: PostgreSQLEngine) throws(Failure)
    -> [TableSummary]
  {
    let database = Database(engine)
    return try database.transaction { () throws(Failure) in
      var summaries: [TableSummary] = []
      _ = try engine.value("SELECT set_config('idle_in_transaction_session_timeout', '0', true)")
      try engine.awaitMigrations()
      try refuseContents(of: engine)
      for source in stored {
        try engine.takeMissingSteps(source.migrations.upTo(source.version))
        let copy = try StoredDatabase(
          source.migrations, version: source.version, engine: engine, database: database, time: target.time)
        let copied = try fill(copy, from: source, try source.tables())
        try compare(copy, copied)
        summaries += copied
      }
      return summaries
    }
  }

  private func refuseContents(of engine: PostgreSQLEngine) throws(Failure) {
    for migrations in databases where !migrations.isLocal {
      if try engine.inspect(migrations) > 0 { throw .notEmpty(engine.name, "database '\(migrations.name)'") }
      for table in try TableShape.all(migrations, time: target.time).tables
      where try engine.hasTable(table.name) { throw .notEmpty(engine.name, "table '\(table.name)'") }
    }
  }

  // MARK: Rows

  private func fill(
    _ copy: StoredDatabase, from source: StoredDatabase, _ tables: [TableShape]
  ) throws(Failure) -> [TableSummary] {
    // Numbers of transactions go on in the copy only where they are stored with it.
    let keepsTransactions = copy.engine is SQLiteEngine && source.engine is SQLiteEngine
    var summaries: [TableSummary] = []
    for table in tables {
      let foreign = table.columns.indices.filter {
        !keepsTransactions && copy.shapes.transactionColumns.contains(table.columns[$0])
      }
      summaries.append(
        TableSummary(source, table, try fill(table, of: copy, from: source, settingToZero: foreign)))
    }
    try copy.database.transaction { () throws(Failure) in
      var sequences = copy.shapes.sequences
      if keepsTransactions, try source.engine.hasTable("sequence") { sequences.append("transaction") }
      for sequence in sequences {
        try copy.database.raise(sequence, above: try source.engine.upcoming(sequence) - 1)
      }
    }
    guard let server = copy.engine as? PostgreSQLEngine else { return summaries }
    for table in tables { try server.raiseCounter(of: table, as: source) }
    return summaries
  }

  private func fill(
    _ table: TableShape, of copy: StoredDatabase, from source: StoredDatabase, settingToZero foreign: [Int]
  ) throws(Failure) -> TableChecksum {
    let columns = table.columns.map { "\"\($0)\"" }.joined(separator: ", ")
    let places = table.columns.map { _ in "?" }.joined(separator: ", ")
    let insert = "INSERT INTO \"\(table.name)\" (\(columns)) VALUES (\(places))"
    var batch: [[SQLValue]] = []
    var size = 0
    var rows = 0
    func write() throws(Failure) {
      guard !batch.isEmpty else { return }
      try copy.database.transaction { () throws(Failure) in
        for values in batch { try copy.database.enqueue(insert, values) }
      }
      rows += batch.count
      batch.removeAll(keepingCapacity: true)
      size = 0
      progress(table.name, rows)
    }
    let checksum = try source.read(table) { values throws(Failure) in
      var values = values
      for column in foreign { values[column] = 0 }
      for case .text(let text) in values { size += text.utf8.count }
      batch.append(values)
      if batch.count >= 5000 || size >= 4 << 20 { try write() }
    }
    try write()
    return checksum
  }

  private func compare(_ copy: StoredDatabase, _ expected: [TableSummary]) throws(Failure) {
    for (table, found) in zip(expected, try copy.summaries()) where table != found {
      throw Failure(
        .storage,
        "the copy of table '\(table.table)' in '\(copy.engine.name)' differs from its source",
        hint: "it has \(found.rows) rows of \(table.rows); check the disk, and run the command again")
    }
  }
}

extension PostgreSQLEngine {
  /// Lets the numbers of new rows go on above those that were copied.
  fileprivate func raiseCounter(of table: TableShape, as source: StoredDatabase) throws(Failure) {
    guard let column = table.counting else { return }
    var next = 1
    if let server = source.engine as? PostgreSQLEngine, let counter = try server.counter(of: table, column) {
      next = try server.upcoming(counter)
    }
    guard let counter = try counter(of: table, column) else { return }
    _ = try value(
      """
      SELECT setval('\(counter)', greatest(\(next), (SELECT coalesce(max("\(column)"), 0) + 1 FROM "\(table.name)")),
        false)
      """)
  }

  /// The sequence of a column that counts by itself.
  private func counter(of table: TableShape, _ column: String) throws(Failure) -> String? {
    let name = try value("SELECT pg_get_serial_sequence('\(table.name)', '\(column)')")
    guard case .text(let name) = name else { return nil }
    return name
  }
}
