import System

/// Copies the databases of a store to an empty one, between directories and PostgreSQL databases. Reads the source in
/// one snapshot of each database, while others write to it.
///
/// A PostgreSQL database receives everything in one transaction. A directory has the mark of `IncompleteCopy` until
/// its copy is complete, and is emptied if the copy fails.
public struct StoreCopy {
  private let source: Store
  private let target: Store
  private let databases: [Migrations]
  private let progress: (String, Int) -> Void

  public init(
    _ databases: [Migrations], from source: Store, to target: Store,
    progress: @escaping (_ table: String, _ rows: Int) -> Void
  ) {
    self.source = source
    self.target = target
    self.databases = databases
    self.progress = progress
  }

  /// Copies the databases, reads the copy and compares it; returns the tables.
  public func run() throws(Failure) -> [TableSummary] {
    let stored = try source.stored(databases).filter { !target.isShared || !$0.migrations.isLocal }
    guard !stored.isEmpty else {
      throw Failure(.notFound, "there is no database to copy", hint: "--from names a directory or a database")
    }
    switch target.place {
    case .memory: throw Failure(.defect, "a copy in memory is of no use")
    case .folder(let folder, _, _): return try copy(stored, into: folder)
    case .postgreSQL(let address, let environment):
      return try copy(stored, into: PostgreSQLEngine(address, environment: environment, time: target.time))
    }
  }

  /// Copies each database with `body`, in one snapshot of all. Databases on one server share a snapshot.
  private func reading(
    _ stored: [StoredDatabase], _ body: (StoredDatabase) throws(Failure) -> [TableSummary]
  ) throws(Failure) -> [TableSummary] {
    try withSnapshots(of: stored[...]) { () throws(Failure) in
      for one in stored { try one.engine.check() }
      return Array(try stored.map(body).joined())
    }
  }

  private func withSnapshots<Answer>(
    of stored: ArraySlice<StoredDatabase>, _ body: () throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    guard let first = stored.first else { return try body() }
    let others = stored.filter { $0.engine !== first.engine }
    return try first.engine.snapshot { () throws(Failure) in
      try withSnapshots(of: others[...], body)
    }
  }

  private func copy(_ stored: [StoredDatabase], into folder: String) throws(Failure) -> [TableSummary] {
    let mark = try IncompleteCopy.begin(in: folder, databases.map(\.name))
    do throws(Failure) {
      let summaries = try reading(stored) { source throws(Failure) in
        let engine = try SQLiteEngine(.file(source.migrations.path(in: folder)), time: target.time)
        try engine.migrate(source.migrations.upTo(source.version))
        // References are checked at the end.
        try engine.execute("PRAGMA foreign_keys = OFF")
        let copied = try fill(engine, Database(engine, target.time), from: source)
        // The copy reaches the disk before the mark is removed.
        _ = try engine.number("PRAGMA wal_checkpoint(TRUNCATE)")
        return copied
      }
      try mark.finish()
      return summaries
    } catch {
      // Databases that cannot be removed remain marked.
      _ = try? mark.discard()
      throw error
    }
  }

  private func copy(
    _ stored: [StoredDatabase], into engine: PostgreSQLEngine
  ) throws(Failure) -> [TableSummary] {
    let database = Database(engine, target.time)
    return try database.transaction { () throws(Failure) in
      try engine.awaitMigrations()
      // A slow source must not end the transaction.
      _ = try engine.value("SELECT set_config('idle_in_transaction_session_timeout', '0', true)")
      for migrations in databases where !migrations.isLocal {
        if try engine.inspect(migrations) > 0 {
          throw .notEmpty(engine.name, "database '\(migrations.name)'")
        }
        if let table = try engine.occupiedTable(of: migrations, time: target.time) {
          throw .notEmpty(engine.name, "table '\(table)'")
        }
      }
      return try reading(stored) { source throws(Failure) in
        try engine.takeMissingSteps(source.migrations.upTo(source.version))
        return try fill(engine, database, from: source)
      }
    }
  }

  // MARK: Rows

  /// Fills a database that has the tables of `source`, then reads and compares it.
  private func fill(
    _ engine: any Engine, _ database: Database, from source: StoredDatabase
  ) throws(Failure) -> [TableSummary] {
    let copy = try StoredDatabase(
      source.migrations, version: source.version, engine, database, time: target.time)
    // Migrations may have added rows.
    for table in copy.shapes.tables.reversed() { try database.run("DELETE FROM \"\(table.name)\"") }
    let summaries = try copy.shapes.tables.map { table throws(Failure) in
      try fill(table, of: copy, from: source)
    }
    try database.transaction { () throws(Failure) in
      var sequences = copy.shapes.sequences
      if keepsTransactions(copy, source), try source.engine.hasTable("sequence") {
        sequences.append("transaction")
      }
      for sequence in sequences {
        try database.raise(sequence, above: try source.engine.upcoming(sequence) - 1)
      }
      for table in copy.shapes.tables {
        try engine.raiseNumbers(in: table, to: try source.engine.nextNumber(in: table) ?? 1)
      }
    }
    try engine.checkThoroughly()
    for (expected, found) in zip(summaries, try copy.summaries()) where expected != found {
      throw Failure(
        .storage, "the copy of table '\(expected.table)' in '\(engine.name)' differs from its source",
        hint: "it has \(found.rows) of \(expected.rows) rows; check the disk, and run the command again")
    }
    return summaries
  }

  /// Whether the copy continues the source's transaction numbers, which requires that both store them.
  private func keepsTransactions(_ copy: StoredDatabase, _ source: StoredDatabase) -> Bool {
    copy.engine.countsTransactions && source.engine.countsTransactions
  }

  private func fill(
    _ table: TableShape, of copy: StoredDatabase, from source: StoredDatabase
  ) throws(Failure) -> TableSummary {
    let zeroed = table.columns.indices.filter {
      !keepsTransactions(copy, source) && copy.migrations.transactionColumns.contains(table.columns[$0])
    }
    let places = table.columns.map { _ in "?" }.joined(separator: ", ")
    let insert = "INSERT INTO \"\(table.name)\" (\(table.columnList)) VALUES (\(places))"
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
      for column in zeroed { values[column] = 0 }
      for case .text(let text) in values { size += text.utf8.count }
      batch.append(values)
      if batch.count >= 5000 || size >= 4 << 20 { try write() }
    }
    try write()
    return TableSummary(source, table, checksum)
  }
}
