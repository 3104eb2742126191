import System

/// The table `hw_version` contains the version of each suite. All suites share one schema of the database, the first
/// of the connection's search_path.
extension PostgreSQLEngine {
  func migrate(_ migrations: Migrations) throws(Failure) {
    do throws(Failure) {
      if try inspect(migrations) == migrations.version { return }
      try begin()
      do throws(Failure) {
        try takeMissingSteps(migrations)
      } catch {
        rollback()
        throw error
      }
      try commit()
    } catch {
      throw startFailure(error)
    }
  }

  /// Runs the missing steps within a transaction.
  func takeMissingSteps(_ migrations: Migrations) throws(Failure) {
    try awaitMigrations()
    try execute(
      "CREATE TABLE IF NOT EXISTS hw_version (suite TEXT COLLATE \"C\" PRIMARY KEY, version BIGINT NOT NULL)")
    let steps = migrations.missingSteps(from: try version(migrations))
    guard !steps.isEmpty else { return }
    for step in steps { try execute(PostgreSQLText.script(step.script)) }
    _ = try value(
      """
      INSERT INTO hw_version VALUES (?, ?) ON CONFLICT (suite) DO UPDATE SET version = excluded.version
      RETURNING version
      """, [migrations.name, String(migrations.version)])
  }

  /// Throws if a foreign table has the name of a migration's table: all databases are examined before the first is
  /// made.
  func requireRoom(for databases: [Migrations], time: any TimeKeeper) throws(Failure) {
    // SQLite lists the names. Without it the migration itself fails.
    guard Database.isAvailable else { return }
    do throws(Failure) {
      for migrations in databases {
        guard try inspect(migrations) == 0, let table = try occupiedTable(of: migrations, time: time),
          // Another process may have made the table meanwhile, and the version in the same transaction.
          try inspect(migrations) == 0
        else { continue }
        throw Failure(
          .storage, "'\(name)' has a table '\(table)' that does not belong to hw",
          hint: "nothing was created; use an empty database, or a schema of its own in the search_path")
      }
    } catch {
      throw startFailure(error)
    }
  }

  /// Name of a table of the migrations that exists in the first schema of the search_path, where they are made.
  func occupiedTable(of migrations: Migrations, time: any TimeKeeper) throws(Failure) -> String? {
    let sql = "SELECT to_regclass(quote_ident(current_schema()) || '.' || quote_ident(?)) IS NOT NULL"
    for table in try TableShape.all(migrations, time: time).tables
    where try value(sql, [table.name]) == .integer(1) {
      return table.name
    }
    return nil
  }

  /// Locks migrations and copies of other processes out until the end of the transaction.
  func awaitMigrations() throws(Failure) {
    _ = try value("SELECT set_config('lock_timeout', '10min', true)")
    _ = try value("SELECT pg_advisory_xact_lock(hashtext('hw ' || current_schema()))")
  }

  func inspect(_ migrations: Migrations) throws(Failure) -> Int {
    let version = try hasTable("hw_version") ? try version(migrations) : 0
    if version > 0 { try refuseForeignObjects(migrations) }
    return version
  }

  /// Refuses tables with triggers, rules, policies or heirs, and views in place of tables, and names them all.
  /// Columns and indexes may be those of a newer hw whose upgrade is in progress.
  private func refuseForeignObjects(_ migrations: Migrations) throws(Failure) {
    let own = migrations.objects.sorted().map { "'\($0)'" }.joined(separator: ", ")
    let objects = try value(
      """
      WITH own AS (
        SELECT oid, relname, relkind FROM pg_class
        WHERE relnamespace = to_regnamespace(quote_ident(current_schema())) AND relname IN (\(own))
      )
      SELECT string_agg(object, ', ' ORDER BY object) FROM (
        SELECT 'trigger ' || tgname AS object FROM pg_trigger JOIN own ON own.oid = tgrelid
          WHERE NOT tgisinternal
        UNION ALL SELECT 'rule ' || rulename FROM pg_rewrite JOIN own ON own.oid = ev_class
          WHERE rulename <> '_RETURN'
        UNION ALL SELECT 'view ' || relname FROM own WHERE relkind IN ('v', 'm', 'f')
        UNION ALL SELECT 'policy ' || polname FROM pg_policy JOIN own ON own.oid = polrelid
        UNION ALL SELECT 'table ' || inhrelid::regclass FROM pg_inherits JOIN own ON own.oid = inhparent
      ) AS foreign_objects
      """)
    if case .text(let names) = objects { try Failure.refuse([names], in: name, tool: "psql") }
  }

  private func version(_ migrations: Migrations) throws(Failure) -> Int {
    guard
      case .integer(let version) = try value(
        "SELECT version FROM hw_version WHERE suite = ?", [migrations.name])
    else { return 0 }
    try migrations.check(version, of: "\(name) (\(migrations.name))")
    return version
  }

  /// Reports a missing right to the user who starts the server.
  private func startFailure(_ failure: Failure) -> Failure {
    guard failure.storageProblem == .denied else { return failure }
    return Failure(
      .unauthorized, failure.message,
      hint: "hw needs the right to create tables and sequences in the first schema of the search_path")
  }
}
