import System
import TestSupport
import Testing

@testable import Store

/// What is said of every result code of SQLite.
@Suite("Failures of SQLite", installed) struct SQLiteFailureTests {
  /// Result codes, of which some are extended.
  @Test func resultCodesBecomeFailuresAsRecorded() throws {
    let connection = try SQLiteConnection(":memory:", name: "db", time: FakeClock())
    try RecordedText.holdLines("sqlite.txt") { line in
      connection.failure(try #require(Int32(line))).described
    }
  }
}
