import System

/// Copies the databases of a store to another, which must have none: between a directory and a PostgreSQL database, in
/// every direction. The source is read in one snapshot of each database, while others write to it.
///
/// What is in the target is the copy in full or marked as incomplete: a directory by `IncompleteCopy`, a PostgreSQL
/// database by `PostgreSQLIncompleteCopy`. An interrupted copy continues after the tables that it had copied in full, if
/// their source has not changed since: it is read again and compared.
public struct StoreCopy {
  private let source: Store
  private let target: Store
  private let databases: [Migrations]
  private let progress: (Progress) -> Void

  public enum Progress: Equatable, Sendable {
    /// So many rows of a table were copied.
    case copied(table: String, rows: Int)
    /// An interrupted copy is continued, which had copied so many tables.
    case continued(tables: Int)
    /// What an interrupted copy had copied was removed, since the source has changed.
    case startedOver
  }

  public init(
    _ databases: [Migrations], from source: Store, to target: Store,
    progress: @escaping (Progress) -> Void
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
        // Two connections: one holds the lock, the other one writes.
        let holder = try PostgreSQLEngine(address, environment: environment, time: target.time)
        let engine = try PostgreSQLEngine(address, environment: environment, time: target.time)
        return try holder.holdingCopyLock { () throws(Failure) in
          try copy(stored, into: engine) { () throws(Failure) in try holder.check() }
        }
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

  // MARK: Continuing

  /// The tables of an interrupted copy whose source has not changed; nil if it has.
  private func unchanged(
    _ finished: [FinishedTable], in stored: [StoredDatabase]
  ) throws(Failure) -> [CopiedTable]? {
    var copied: [CopiedTable] = []
    for one in finished {
      guard let source = stored.first(where: { $0.migrations.name == one.database }),
        let table = try source.tables().first(where: { $0.name == one.table })
      else { return nil }
      var checksum = TableChecksum()
      let compared = try source.read(table) { checksum.add($0) }
      guard FinishedTable(source, table, checksum) == one else { return nil }
      copied.append(CopiedTable(mark: one, summary: TableSummary(source, table, compared)))
    }
    return copied
  }

  /// What can be kept of an interrupted copy; `startOver` removes what it had copied.
  private func kept(
    _ finished: [FinishedTable], in stored: [StoredDatabase], _ startOver: () throws(Failure) -> Void
  ) throws(Failure) -> [CopiedTable] {
    guard !finished.isEmpty else { return [] }
    if let kept = try unchanged(finished, in: stored) {
      progress(.continued(tables: kept.count))
      return kept
    }
    try startOver()
    progress(.startedOver)
    return []
  }

  // MARK: Into a directory

  private func copy(_ stored: [StoredDatabase], into folder: String) throws(Failure) -> [TableSummary] {
    let claim = try IncompleteCopy.begin(in: folder, databases.map(\.name))
    var summaries: [TableSummary] = []
    do throws(Failure) {
      let isThere = claim.finished.allSatisfy { File.exists("\(folder)/\($0.database).db") }
      if !isThere { try claim.startOver() }
      let kept = try kept(isThere ? claim.finished : [], in: stored) { () throws(Failure) in
        try claim.startOver()
      }
      for one in stored {
        summaries += try copy(one, intoFileIn: folder, kept) { table throws(Failure) in try claim.note(table)
        }
      }
      try claim.finish()
    } catch {
      // What is kept or cannot be removed now is marked, and continued or removed by the next copy.
      if !error.isInterruption { _ = try? claim.discard() }
      throw error
    }
    return summaries
  }

  private func copy(
    _ source: StoredDatabase, intoFileIn folder: String, _ kept: [CopiedTable],
    _ note: (FinishedTable) throws(Failure) -> Void
  ) throws(Failure) -> [TableSummary] {
    let engine = try SQLiteEngine(.file("\(folder)/\(source.migrations.name).db"), time: target.time)
    let migrations = source.migrations.upTo(source.version)
    try engine.migrate(migrations)
    // References are checked at the end, and triggers have done their work in the source.
    try engine.execute("PRAGMA foreign_keys = OFF")
    let model = try SQLiteEngine(.memory, time: target.time)
    try model.migrate(migrations)
    let triggers = try model.texts("SELECT sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid")
    for name in try engine.texts("SELECT name FROM sqlite_master WHERE type = 'trigger'") {
      try engine.execute("DROP TRIGGER \"\(name)\"")
    }
    let tables = try source.tables()
    for table in source.shapes.tables.reversed() where !tables.contains(table) {
      try engine.execute("DROP TABLE IF EXISTS \"\(table.name)\"")
    }
    // An interrupted copy may have left some of the rows of a table.
    for table in tables.reversed() where !kept.contains(where: { $0.isCopy(of: table, source) }) {
      try engine.execute("DELETE FROM \"\(table.name)\"")
    }
    let copy = try StoredDatabase(
      source.migrations, version: source.version, engine: engine, database: Database(engine),
      time: target.time)
    let summaries = try fill(copy, from: source, tables, kept) { table throws(Failure) in
      let copied = try fill(table, of: copy, from: source)
      try note(copied.mark)
      return copied
    }
    for trigger in triggers { try engine.execute(trigger) }
    try engine.checkThoroughly()
    try compare(copy, summaries)
    // The copy reaches the disk before the mark of incompleteness goes.
    _ = try engine.number("PRAGMA wal_checkpoint(TRUNCATE)")
    return summaries
  }

  // MARK: Into PostgreSQL

  /// `checkLock` throws if the connection that keeps others from filling the schema was lost.
  private func copy(
    _ stored: [StoredDatabase], into engine: PostgreSQLEngine, _ checkLock: () throws(Failure) -> Void
  ) throws(Failure) -> [TableSummary] {
    let database = Database(engine)
    let claim = try PostgreSQLIncompleteCopy.begin(on: engine, database, databases, time: target.time)
    var summaries: [TableSummary] = []
    do throws(Failure) {
      let kept = try kept(try claim.finished(), in: stored, claim.startOver)
      for source in stored {
        try database.transaction { () throws(Failure) in
          try engine.takeMissingSteps(source.migrations.upTo(source.version))
        }
        let copy = try StoredDatabase(
          source.migrations, version: source.version, engine: engine, database: database, time: target.time)
        let copied = try fill(copy, from: source, try source.tables(), kept) { table throws(Failure) in
          try database.transaction { () throws(Failure) in
            try checkLock()
            // The source may be slow.
            _ = try engine.value("SELECT set_config('idle_in_transaction_session_timeout', '0', true)")
            let copied = try fill(table, of: copy, from: source)
            try claim.note(copied.mark)
            return copied
          }
        }
        try compare(copy, copied)
        summaries += copied
      }
      try checkLock()
      try claim.finish()
    } catch {
      // What is kept or cannot be removed now is marked, and continued or removed by the next copy.
      if !error.isInterruption { _ = try? claim.discard() }
      throw error
    }
    return summaries
  }

  // MARK: Rows

  /// Numbers of transactions go on in the copy only where they are stored with it.
  private func keepsTransactions(_ copy: StoredDatabase, _ source: StoredDatabase) -> Bool {
    copy.engine is SQLiteEngine && source.engine is SQLiteEngine
  }

  /// Copies the tables that are not among those kept with `copyTable`, and lets the numbers of new rows go on.
  private func fill(
    _ copy: StoredDatabase, from source: StoredDatabase, _ tables: [TableShape], _ kept: [CopiedTable],
    _ copyTable: (TableShape) throws(Failure) -> CopiedTable
  ) throws(Failure) -> [TableSummary] {
    var summaries: [TableSummary] = []
    for table in tables {
      if let copied = kept.first(where: { $0.isCopy(of: table, source) }) {
        summaries.append(copied.summary)
      } else {
        summaries.append(try copyTable(table).summary)
      }
    }
    try copy.database.transaction { () throws(Failure) in
      var sequences = copy.shapes.sequences
      if keepsTransactions(copy, source), try source.engine.hasTable("sequence") {
        sequences.append("transaction")
      }
      for sequence in sequences {
        try copy.database.raise(sequence, above: try source.engine.upcoming(sequence) - 1)
      }
    }
    guard let server = copy.engine as? PostgreSQLEngine else { return summaries }
    for table in tables { try server.raiseCounter(of: table, as: source) }
    return summaries
  }

  private func fill(
    _ table: TableShape, of copy: StoredDatabase, from source: StoredDatabase
  ) throws(Failure) -> CopiedTable {
    let foreign = table.columns.indices.filter {
      !keepsTransactions(copy, source) && copy.shapes.transactionColumns.contains(table.columns[$0])
    }
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
      progress(.copied(table: table.name, rows: rows))
    }
    var checksum = TableChecksum()
    let compared = try source.read(table) { values throws(Failure) in
      checksum.add(values)
      var values = values
      for column in foreign { values[column] = 0 }
      for case .text(let text) in values { size += text.utf8.count }
      batch.append(values)
      if batch.count >= 5000 || size >= 4 << 20 { try write() }
    }
    try write()
    return CopiedTable(
      mark: FinishedTable(source, table, checksum), summary: TableSummary(source, table, compared))
  }

  private func compare(_ copy: StoredDatabase, _ expected: [TableSummary]) throws(Failure) {
    for (table, found) in zip(expected, try copy.summaries()) where table != found {
      throw Failure(
        .storage,
        "the copy of table '\(table.table)' in '\(copy.engine.name)' differs from its source",
        hint: "it has \(found.rows) of \(table.rows) rows; check the disk, and run the command again")
    }
  }
}

/// A table that is in the copy.
private struct CopiedTable {
  let mark: FinishedTable
  let summary: TableSummary

  func isCopy(of table: TableShape, _ source: StoredDatabase) -> Bool {
    mark.database == source.migrations.name && mark.table == table.name
  }
}

extension Failure {
  /// The same copy may succeed later: what it has copied is kept.
  fileprivate var isInterruption: Bool { kind == .interrupted || retryable || isOutOfSpace }
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
