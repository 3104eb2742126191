import System

/// Table as its migrations make it, on both engines: a database in memory that has taken the steps lists the columns.
struct TableShape: Equatable {
  let name: String
  let columns: [String]
  /// Column that is numbered automatically if an INSERT leaves it out.
  let counting: String?

  /// Tables and sequences to copy and compare. A table refers only to tables before it.
  static func all(_ migrations: Migrations, time: any TimeKeeper) throws(Failure) -> Shapes {
    let engine = try SQLiteEngine(.memory, time: time)
    try engine.migrate(migrations)
    return Shapes(tables: try engine.tableShapes(), sequences: try engine.sequenceNames())
  }

  struct Shapes {
    let tables: [TableShape]
    let sequences: [String]
  }
}

extension SQLiteEngine {
  func tableShapes() throws(Failure) -> [TableShape] {
    let names = try texts(
      """
      SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      AND name <> 'sequence' ORDER BY rowid
      """)
    var shapes: [TableShape] = []
    for name in names {
      let quoted = name.replacingQuotes
      let columns = try texts("SELECT name FROM pragma_table_info('\(quoted)') ORDER BY cid")
      let key = try texts(
        "SELECT name FROM pragma_table_info('\(quoted)') WHERE pk > 0 AND upper(type) = 'INTEGER'")
      let keyLength = try number("SELECT count(*) FROM pragma_table_info('\(quoted)') WHERE pk > 0")
      shapes.append(
        TableShape(name: name, columns: columns, counting: keyLength == 1 ? key.first : nil))
    }
    return shapes
  }

  var countsTransactions: Bool { true }

  /// The next number is one more than the largest.
  func nextNumber(in table: TableShape) throws(Failure) -> Int? { nil }
  func raiseNumbers(in table: TableShape, to next: Int) throws(Failure) {}

  /// Names of the sequences, without the one for transactions.
  fileprivate func sequenceNames() throws(Failure) -> [String] {
    guard try hasTable("sequence") else { return [] }
    return try texts("SELECT name FROM sequence WHERE name <> 'transaction' ORDER BY name")
  }

  func texts(_ sql: String) throws(Failure) -> [String] {
    let statement = try prepare(sql)
    var texts: [String] = []
    try statement.start([], .allRows)
    do throws(Failure) {
      while try statement.step() {
        guard case .text(let text) = try statement.value(0) else { throw .damaged(name, "a name is no text") }
        texts.append(text)
      }
    } catch {
      // The reset reports the failure again.
      _ = try? statement.reset()
      throw error
    }
    try statement.reset()
    return texts
  }
}

extension String {
  fileprivate var replacingQuotes: String {
    split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
  }
}
