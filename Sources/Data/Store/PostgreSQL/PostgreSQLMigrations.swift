import System

/// The table `hw_version` contains the version of each suite. All suites share one schema of the database, the first
/// of the connection's search_path.
extension PostgreSQLEngine {
  /// Runs all missing migrations atomically. Of several processes one runs them while the others wait.
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

  private static let versionTable =
    "CREATE TABLE IF NOT EXISTS hw_version (suite TEXT PRIMARY KEY, version INTEGER NOT NULL);"

  func takeMissingSteps(_ migrations: Migrations) throws(Failure) {
    try awaitMigrations()
    try execute(PostgreSQLText.script(PostgreSQLEngine.versionTable))
    let steps = migrations.missingSteps(from: try version(migrations))
    guard !steps.isEmpty else { return }
    for step in steps { try execute(PostgreSQLText.script(step.script)) }
    _ = try value(
      """
      INSERT INTO hw_version VALUES (?, ?) ON CONFLICT (suite) DO UPDATE SET version = excluded.version
      RETURNING version
      """, [migrations.name, String(migrations.version)])
  }

  /// Throws if a table of another program has the name of a migration's: all are examined before one is made.
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

  /// Keeps other processes from migrating and copying until the end of the transaction; waits for those that do.
  func awaitMigrations() throws(Failure) {
    _ = try value(
      """
      SELECT pg_catalog.set_config('lock_timeout', '10min', true), pg_catalog.pg_advisory_xact_lock(
        pg_catalog.hashtext(pg_catalog.concat('hw ', pg_catalog.current_schema())))
      """)
  }

  /// Returns the version of the database; 0 without tables. Throws for an unknown version and for foreign objects.
  func inspect(_ migrations: Migrations) throws(Failure) -> Int {
    try refuseForeignCode()
    guard try hasTable("hw_version") else { return 0 }
    // Before its rows are read: in a view, or in a table with a policy, this would run foreign code.
    try refuseForeignObjects(Migrations(migrations.name, []))
    let version = try version(migrations)
    guard version > 0 else { return version }
    do throws(Failure) {
      try refuseForeignObjects(migrations.upTo(version))
    } catch {
      // Another process may have migrated it meanwhile.
      guard try self.version(migrations) != version else { throw error }
      return try inspect(migrations)
    }
    return version
  }

  /// Refuses functions and operators of other roles in the schemas of the search_path: one that fits the types of a
  /// statement better than its namesake of PostgreSQL would run with the rights of hw. Here all names are qualified.
  private func refuseForeignCode() throws(Failure) {
    let found = try value(
      """
      SELECT name::pg_catalog.text FROM (
        SELECT oid, proname AS name, pronamespace AS space, proowner AS owner FROM pg_catalog.pg_proc
        UNION ALL SELECT oid, oprname, oprnamespace, oprowner FROM pg_catalog.pg_operator
      ) AS code
      WHERE space OPERATOR(pg_catalog.=) ANY (SELECT oid FROM pg_catalog.pg_namespace
          WHERE nspname OPERATOR(pg_catalog.=) ANY (pg_catalog.current_schemas(false)))
        AND NOT owner OPERATOR(pg_catalog.=) ANY (SELECT datdba FROM pg_catalog.pg_database
          WHERE datname OPERATOR(pg_catalog.=) pg_catalog.current_database()
          UNION ALL SELECT oid FROM pg_catalog.pg_roles WHERE rolsuper OR rolname OPERATOR(pg_catalog.=) current_user)
        AND NOT code.oid OPERATOR(pg_catalog.=) ANY (SELECT objid FROM pg_catalog.pg_depend
          WHERE deptype OPERATOR(pg_catalog.=) 'e')
      LIMIT 1
      """)
    guard case .text(let found) = found else { return }
    throw Failure(
      .storage, "the schema of '\(name)' has '\(found)', a function or operator of another role",
      hint: "use a schema in which no other role may create objects, and see 'psql'")
  }

  /// Refuses columns and indexes that no migration makes, triggers, rules, policies, child tables, tables of other
  /// roles, and views in place of tables. A trigger, a default or an index could run a function with the rights of hw,
  /// and the owner of a table may add a trigger later.
  private func refuseForeignObjects(_ migrations: Migrations) throws(Failure) {
    let migrations = Migrations(migrations.name, [PostgreSQLEngine.versionTable] + migrations.steps)
    let names = migrations.objectNames.union(["hw_version"]).sorted().map { "'\($0)'" }.joined(separator: ",")
    guard case .text(let lines) = try value(PostgreSQLEngine.definitionsQuery(names)) else { return }
    let found = TableShape.parseDefinitions(lines)
    // SQLite lists the columns and indexes of hw. Without it, only objects without a definition are refused.
    let own =
      Database.isAvailable
      ? try TableShape.definitions(migrations, time: time) : found.filter { $0.value != "" }
    try requireObjects(own, found: found, tool: "psql")
  }

  /// Lists the tables' objects as `SQLiteEngine.definitionsQuery` does. Kinds that hw never makes lack a definition.
  /// Leaves out the quotes of `quote_all_identifiers`, and invalid indexes: REINDEX CONCURRENTLY makes them meanwhile.
  private static func definitionsQuery(_ names: String) -> String {
    """
    WITH own AS (
      SELECT oid, relname, relkind, relowner FROM pg_class
      WHERE relnamespace = to_regnamespace(quote_ident(current_schema())) AND relname IN (\(names))
    ), stored AS (SELECT * FROM own WHERE relkind = 'r')
    SELECT coalesce(string_agg(replace(replace(object, '"', ''), '::text', ''), E'\\n'), '') FROM (
      SELECT 'column ' || relname || '.' || attname || E'\\t' || format_type(atttypid, atttypmod)
        || coalesce(' ' || (SELECT collname FROM pg_collation WHERE oid = attcollation), '')
        || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END
        || coalesce(' DEFAULT ' || pg_get_expr(adbin, adrelid), '')
        || CASE WHEN attidentity = 'd' THEN ' IDENTITY' ELSE '' END AS object
        FROM stored JOIN pg_attribute ON attrelid = stored.oid AND attnum > 0 AND NOT attisdropped
        LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
      UNION ALL SELECT CASE WHEN indisprimary THEN 'primary key of ' || stored.relname
          WHEN EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype = 'u')
          THEN 'unique ' || stored.relname ELSE 'index ' || pg_class.relname END || E'\\t'
        || (SELECT string_agg(pg_get_indexdef(indexrelid, place, true), ', ' ORDER BY place)
          FROM generate_series(1, indnatts) AS place)
        || CASE WHEN indisunique AND NOT indisprimary THEN ' UNIQUE' ELSE '' END
        || coalesce(' WHERE ' || btrim(pg_get_expr(indpred, indrelid), '()'), '')
        FROM stored JOIN pg_index ON indrelid = stored.oid JOIN pg_class ON pg_class.oid = indexrelid
        WHERE indisvalid OR NOT EXISTS (SELECT FROM pg_index twin
          WHERE twin.indrelid = pg_index.indrelid AND twin.indisvalid AND twin.indkey::text = pg_index.indkey::text
          AND pg_get_expr(twin.indexprs, twin.indrelid) IS NOT DISTINCT FROM pg_get_expr(pg_index.indexprs, twin.indrelid)
          AND pg_get_expr(twin.indpred, twin.indrelid) IS NOT DISTINCT FROM pg_get_expr(pg_index.indpred, twin.indrelid))
      UNION ALL SELECT 'foreign key of ' || relname || E'\\t' || pg_get_constraintdef(pg_constraint.oid)
        FROM stored JOIN pg_constraint ON conrelid = stored.oid WHERE contype = 'f'
      UNION ALL SELECT 'constraint ' || conname FROM pg_constraint JOIN stored ON stored.oid = conrelid
        WHERE contype NOT IN ('p', 'u', 'f', 'n')
      UNION ALL SELECT 'trigger ' || tgname FROM pg_trigger JOIN own ON own.oid = tgrelid WHERE NOT tgisinternal
      UNION ALL SELECT 'rule ' || rulename FROM pg_rewrite JOIN own ON own.oid = ev_class
        WHERE rulename <> '_RETURN'
      UNION ALL SELECT 'table ' || relname || ' of another role' FROM own JOIN pg_roles ON pg_roles.oid = relowner
        WHERE NOT rolsuper AND rolname <> current_user
        AND relowner <> (SELECT datdba FROM pg_database WHERE datname = current_database())
      UNION ALL SELECT 'view ' || relname FROM own WHERE relkind IN ('v', 'm', 'f', 'p')
      UNION ALL SELECT 'policy ' || polname FROM pg_policy JOIN own ON own.oid = polrelid
      UNION ALL SELECT 'table ' || inhrelid::regclass FROM pg_inherits JOIN own ON own.oid = inhparent
    ) AS objects
    """
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
    return Failure(.unauthorized, failure.message, hint: PostgreSQLError.rightsHint)
  }
}
