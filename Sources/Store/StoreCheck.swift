import System

/// A table of a store: what it contains in short.
public struct TableSummary: Equatable, Sendable {
  /// The name of the suite's database.
  public let database: String
  /// The version of its schema.
  public let version: Int
  public let table: String
  public let rows: Int
  /// Equal for equal rows, in any order and on both engines.
  public let checksum: String

  init(_ stored: StoredDatabase, _ table: TableShape, _ checksum: TableChecksum) {
    database = stored.migrations.name
    version = stored.version
    self.table = table.name
    rows = checksum.rows
    self.checksum = checksum.text
  }
}

extension Store {
  /// Reads a suite's database in full, on one state of it: nil if the store has none, a failure if it is damaged.
  public func verify(_ migrations: Migrations) throws(Failure) -> [TableSummary]? {
    guard let stored = try stored([migrations]).first else { return nil }
    return try stored.engine.snapshot { () throws(Failure) in
      try stored.engine.checkThoroughly()
      return try stored.summaries()
    }
  }
}

extension StoredDatabase {
  func summaries() throws(Failure) -> [TableSummary] {
    var summaries: [TableSummary] = []
    for table in try tables() {
      summaries.append(TableSummary(self, table, try read(table) { _ in }))
    }
    return summaries
  }
}
