import System

/// Sequences of a SQLite database: rows of the table `sequence` with their next numbers. Numbers that a transaction
/// takes are counted in memory, since no other connection writes meanwhile, and stored before it commits. The sequence
/// `transaction` numbers the transactions. As on PostgreSQL, TABLE_id_seq numbers a column `id`.
final class SQLiteSequences {
  static let table = """
    CREATE TABLE IF NOT EXISTS sequence (name TEXT PRIMARY KEY, next INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO sequence VALUES ('transaction', 1) ON CONFLICT DO NOTHING;
    """

  private unowned let connection: SQLiteConnection
  private var next: [String: Int] = [:]
  private(set) var transaction: Int?
  private var statements: [String: SQLiteStatement] = [:]

  init(_ connection: SQLiteConnection) { self.connection = connection }

  func take(_ name: String) throws(Failure) -> Int {
    guard connection.isInTransaction else {
      throw Failure(.defect, "a number of the sequence '\(name)' is taken outside a transaction")
    }
    let number = if let known = next[name] { known } else { try stored(name) }
    guard number < .max else { throw .damaged(connection.name, "the sequence '\(name)' is at its end") }
    next[name] = number + 1
    return number
  }

  func transactionNumber() throws(Failure) -> Int {
    if let transaction { return transaction }
    let number = try take("transaction")
    transaction = number
    return number
  }

  func raise(_ name: String, above number: Int) throws(Failure) {
    let present = try take(name)
    next[name] = max(present, number == .max ? number : number + 1)
  }

  /// Next number after the last committed transaction.
  func stored(_ name: String) throws(Failure) -> Int {
    let number = try first("SELECT next FROM sequence WHERE name = ?", [.text(name)])
    if name.hasSuffix("_id_seq") {
      // Rows of an older hw are not counted.
      let largest = try first("SELECT max(id) FROM \(name.dropLast(7))") ?? 0
      return max(number ?? 1, min(largest, .max - 1) + 1)
    }
    guard let number else {
      throw Failure(.storage, "database '\(connection.name)' has no sequence '\(name)'")
    }
    return number
  }

  func dataVersion() throws(Failure) -> Int {
    guard let version = try first("PRAGMA data_version") else {
      throw .damaged(connection.name, "no data version")
    }
    return version
  }

  private func prepared(_ sql: String) throws(Failure) -> SQLiteStatement {
    let statement = if let ready = statements[sql] { ready } else { try SQLiteStatement(sql, on: connection) }
    statements[sql] = statement
    return statement
  }

  private func first(_ sql: String, _ values: [SQLValue] = []) throws(Failure) -> Int? {
    let statement = try prepared(sql)
    defer { _ = try? statement.reset() }
    try statement.start(values, .firstRow)
    guard try statement.step(), case .integer(let number) = try statement.value(0) else { return nil }
    return number
  }

  func store() throws(Failure) {
    guard !next.isEmpty else { return }
    let statement = try prepared(
      "INSERT INTO sequence VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET next = excluded.next")
    for (name, number) in next {
      defer { _ = try? statement.reset() }
      try statement.start([.text(name), .integer(number)], .change)
      _ = try statement.step()
    }
  }

  func forget() {
    next.removeAll(keepingCapacity: true)
    transaction = nil
  }
}
