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
  private let statements: InternalStatements
  private var next: [String: Int] = [:]
  private(set) var transaction: Int?

  init(_ connection: SQLiteConnection, _ statements: InternalStatements) {
    self.connection = connection
    self.statements = statements
  }

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
    let present = try take(name)  // Not used up: it is stored again, or a larger one.
    next[name] = max(present, number == .max ? number : number + 1)
  }

  /// Next number after the last committed transaction.
  func stored(_ name: String) throws(Failure) -> Int {
    let number = try statements.first("SELECT next FROM sequence WHERE name = ?", [.text(name)])
    if name.hasSuffix("_id_seq") {
      // An older hw added rows without advancing the sequence.
      let largest = try statements.first("SELECT max(id) FROM \(name.dropLast(7))") ?? 0
      return max(number ?? 1, min(largest, .max - 1) + 1)
    }
    guard let number else {
      throw Failure(.storage, "database '\(connection.name)' has no sequence '\(name)'")
    }
    return number
  }

  func store() throws(Failure) {
    for (name, number) in next {
      try statements.run(
        "INSERT INTO sequence VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET next = excluded.next",
        [.text(name), .integer(number)])
    }
  }

  func forget() {
    next.removeAll(keepingCapacity: true)
    transaction = nil
  }
}
