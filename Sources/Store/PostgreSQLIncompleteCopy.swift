import System

/// The mark of a schema that `hw store copy` is filling: no server opens it. It is a table with the tables that were
/// copied in full, so that the next copy continues after an interrupted one.
struct PostgreSQLIncompleteCopy {
  private let engine: PostgreSQLEngine
  private let database: Database
  private let databases: [Migrations]
  private let time: any TimeKeeper

  private static let table = "hw_incomplete_copy"

  /// Throws if the schema is incomplete.
  static func refuse(_ engine: PostgreSQLEngine) throws(Failure) {
    if try engine.hasTable(table) { throw .incompleteCopy(engine.name) }
  }

  /// Takes the schema of `engine`. Where it has a table that is no part of an incomplete copy, it is left as it is.
  static func begin(
    on engine: PostgreSQLEngine, _ database: Database, _ databases: [Migrations], time: any TimeKeeper
  ) throws(Failure) -> PostgreSQLIncompleteCopy {
    let copy = PostgreSQLIncompleteCopy(
      engine: engine, database: database, databases: databases.filter { !$0.isLocal }, time: time)
    try database.transaction { () throws(Failure) in
      try engine.awaitMigrations()
      guard try !engine.hasTable(table) else { return }
      try copy.refuseContents()
      try engine.execute("CREATE TABLE \(table) (line TEXT NOT NULL)")
    }
    if try copy.finished().isEmpty { try copy.startOver() }
    return copy
  }

  private func refuseContents() throws(Failure) {
    for migrations in databases {
      if try engine.stepsTaken(migrations) > 0 {
        throw .notEmpty(engine.name, "database '\(migrations.name)'")
      }
      if let table = try engine.occupiedTable(of: migrations, time: time) {
        throw .notEmpty(engine.name, "table '\(table)'")
      }
    }
  }

  /// After damage nothing is certain.
  func finished() throws(Failure) -> [FinishedTable] {
    let lines = try database.rows("SELECT line FROM \(PostgreSQLIncompleteCopy.table)") {
      row throws(Failure) in try row[0].text
    }
    let finished = lines.compactMap { FinishedTable(line: $0) }
    return finished.count == lines.count ? finished : []
  }

  /// Part of the transaction that has copied the table.
  func note(_ table: FinishedTable) throws(Failure) {
    try database.enqueue("INSERT INTO \(PostgreSQLIncompleteCopy.table) VALUES (?)", [.text(table.line)])
  }

  /// Removes what was copied.
  func startOver() throws(Failure) {
    try database.transaction { () throws(Failure) in
      try engine.awaitMigrations()
      try removeTables()
      try database.run("DELETE FROM \(PostgreSQLIncompleteCopy.table)")
    }
  }

  private func removeTables() throws(Failure) {
    for migrations in databases {
      let version = try engine.stepsTaken(migrations)
      guard version > 0 else { continue }
      let shapes = try TableShape.all(migrations.upTo(version), time: time)
      for table in shapes.tables.reversed() { try engine.execute("DROP TABLE IF EXISTS \"\(table.name)\"") }
      for sequence in shapes.sequences { try engine.execute("DROP SEQUENCE IF EXISTS \"\(sequence)\"") }
      try database.run("DELETE FROM hw_version WHERE suite = ?", [.text(migrations.name)])
    }
  }

  /// The copy is complete.
  func finish() throws(Failure) { try engine.execute("DROP TABLE \(PostgreSQLIncompleteCopy.table)") }

  /// The schema is empty again.
  func discard() throws(Failure) {
    try database.transaction { () throws(Failure) in
      try engine.awaitMigrations()
      try removeTables()
      if try engine.hasTable("hw_version"),
        try database.first("SELECT 1 FROM hw_version", [], { _ in true }) == nil
      {
        try engine.execute("DROP TABLE hw_version")
      }
      try finish()
    }
  }
}

extension PostgreSQLEngine {
  /// Runs `body` while no other copy fills the same schema: others wait. The lock is that of a transaction on a
  /// connection of its own, since a pool may lend the connection of one transaction to another process afterwards.
  func holdingCopyLock<Answer>(_ body: () throws(Failure) -> Answer) throws(Failure) -> Answer {
    try begin()
    defer { rollback() }
    _ = try value(
      """
      SELECT set_config('lock_timeout', '10min', true), set_config('idle_in_transaction_session_timeout', '0', true)
      """)
    _ = try value("SELECT pg_advisory_xact_lock(hashtext('hw copy ' || current_schema()))")
    return try body()
  }
}
