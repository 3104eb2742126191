import System

/// Table as its migrations make it, on both engines: a database in memory that has taken the steps lists the columns.
struct TableShape: Equatable {
  let name: String
  let columns: [String]
  /// Column that is numbered automatically if an INSERT leaves it out.
  let identityColumn: String?

  /// Quoted names of the columns, for a statement.
  var columnList: String { columns.map { "\"\($0)\"" }.joined(separator: ", ") }

  /// Tables and sequences to copy and compare. A table refers only to tables before it.
  static func all(_ migrations: Migrations, time: any TimeKeeper) throws(Failure) -> Shapes {
    let engine = try SQLiteEngine.inMemory(migrations, time: time)
    return Shapes(tables: try engine.tableShapes(), sequences: try engine.sequenceNames())
  }

  /// Returns the columns, indexes and foreign keys as a PostgreSQL server would define them, by kind and name.
  static func definitions(_ migrations: Migrations, time: any TimeKeeper) throws(Failure) -> [String: String]
  {
    let engine = try SQLiteEngine.inMemory(migrations, time: time)
    return parseDefinitions(try engine.texts(SQLiteEngine.definitionsQuery).joined(separator: "\n"))
  }

  /// Reads lines with a name, a tab and a definition.
  static func parseDefinitions(_ lines: String) -> [String: String] {
    let pairs = lines.split(separator: "\n").map { line in
      let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
    return Dictionary(pairs) { "\($0), \($1)" }
  }

  struct Shapes {
    let tables: [TableShape]
    let sequences: [String]
  }
}

extension SQLiteEngine {
  /// Condition for the tables of `sqlite_master` that migrations make.
  private static let ownTables =
    "type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> 'sequence'"

  /// Definitions as `PostgreSQLEngine.definitionsQuery` reads them. A primary key of one INTEGER is an identity column.
  fileprivate static let definitionsQuery = """
    WITH own AS (
      SELECT name FROM sqlite_master WHERE \(ownTables)
    ), field AS (
      SELECT own.name AS tab, field.*, sum(pk > 0) OVER (PARTITION BY own.name) AS keys
      FROM own JOIN pragma_table_info(own.name) AS field
    )
    SELECT 'column ' || tab || '.' || name || char(9)
      || CASE type WHEN 'TEXT' THEN 'text C' WHEN 'DOUBLE PRECISION' THEN 'double precision' ELSE 'bigint' END
      || iif("notnull" OR pk > 0, ' NOT NULL', '') || coalesce(' DEFAULT ' || dflt_value, '')
      || iif(pk > 0 AND keys = 1 AND type = 'INTEGER', ' IDENTITY', '') FROM field
    UNION ALL SELECT 'primary key of ' || tab || char(9) || group_concat(name, ', ')
      FROM (SELECT * FROM field WHERE pk > 0 ORDER BY tab, pk) GROUP BY tab
    UNION ALL SELECT iif(origin = 'u', 'unique ' || own.name, 'index ' || list.name) || char(9)
      || (SELECT group_concat(name, ', ') FROM (SELECT * FROM pragma_index_info(list.name) ORDER BY seqno))
      || iif(list."unique", ' UNIQUE', '') || iif(partial, (
        SELECT ' WHERE ' || substr(sql, instr(sql, ' WHERE ') + 7) FROM sqlite_master WHERE name = list.name), '')
      FROM own JOIN pragma_index_list(own.name) AS list WHERE origin <> 'pk'
    UNION ALL SELECT 'foreign key of ' || own.name || char(9) || 'FOREIGN KEY (' || key."from" || ') REFERENCES '
      || key."table" || '(' || (SELECT name FROM pragma_table_info(key."table") WHERE pk > 0) || ')'
      FROM own JOIN pragma_foreign_key_list(own.name) AS key
    """

  func tableShapes() throws(Failure) -> [TableShape] {
    let names = try texts("SELECT name FROM sqlite_master WHERE \(SQLiteEngine.ownTables) ORDER BY rowid")
    return try names.map { name throws(Failure) in
      let quoted = name.replacing("'", with: "''")
      let columns = try texts("SELECT name FROM pragma_table_info('\(quoted)') ORDER BY cid")
      let key = try texts(
        "SELECT name FROM pragma_table_info('\(quoted)') WHERE pk > 0 AND upper(type) = 'INTEGER'")
      let keyLength = try number("SELECT count(*) FROM pragma_table_info('\(quoted)') WHERE pk > 0")
      return TableShape(name: name, columns: columns, identityColumn: keyLength == 1 ? key.first : nil)
    }
  }

  fileprivate func sequenceNames() throws(Failure) -> [String] {
    guard try hasTable("sequence") else { return [] }
    return try texts("SELECT name FROM sequence WHERE name <> 'transaction' ORDER BY name")
  }
}
