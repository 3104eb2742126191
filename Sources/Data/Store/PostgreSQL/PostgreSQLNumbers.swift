import System

/// Numbers of rows and transactions, for a copy of a database.
extension PostgreSQLEngine {
  /// False, since the server counts the transactions of all its databases.
  var countsTransactions: Bool { false }

  func nextNumber(in table: TableShape) throws(Failure) -> Int? {
    guard let column = table.identityColumn, let counter = try counter(of: table, column) else { return nil }
    return try upcoming(counter)
  }

  func raiseNumbers(in table: TableShape, to next: Int) throws(Failure) {
    guard let column = table.identityColumn, let counter = try counter(of: table, column) else { return }
    _ = try value(
      """
      SELECT setval('\(counter)', greatest(\(next), (SELECT coalesce(max("\(column)"), 0) + 1 FROM "\(table.name)")),
        false)
      """)
  }

  private func counter(of table: TableShape, _ column: String) throws(Failure) -> String? {
    let name = try value("SELECT pg_get_serial_sequence('\(table.name)', '\(column)')")
    guard case .text(let name) = name else { return nil }
    return name
  }
}
