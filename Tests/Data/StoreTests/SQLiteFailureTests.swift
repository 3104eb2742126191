import System
import TestSupport
import Testing

@testable import Store

/// What is said of every result code of SQLite.
@Suite("Failures of SQLite", installed)
struct SQLiteFailureTests {
  private static let repair =
    "it was left as it is; put a copy back, or rescue the rows with 'sqlite3 FILE .dump'"
  private static let unchanged = "what was being changed is as it was before;"
  private static let locked = Failure(
    .storage, "database 'db' is locked by another process",
    hint: "run the command again when that process is done", retryable: true)

  @Test(
    arguments: [
      (1, Failure(.storage, "database 'db': not an error")), (5, locked), (5 | 2 << 8, locked),
      (
        8,
        Failure(
          .storage, "cannot write 'db': it is read-only",
          hint: "the file and its folder must be writable")
      ),
      (
        10,
        Failure(
          .storage, "cannot read or write 'db': input/output error",
          hint: "\(unchanged) check the disk, its quota and 'ulimit -f'")
      ),
      (11, Failure(.storage, "database 'db' is damaged: not an error", hint: repair)),
      (
        13,
        Failure(
          .storage, "cannot write 'db': no space left",
          hint: "\(unchanged) free some space and run the command again", cause: .storage(.full))
      ),
      (
        14,
        Failure(
          .storage, "cannot open database 'db': not an error",
          hint: "its folder must exist, and both must be writable")
      ),
      (19, Failure(.storage, "database 'db' refused a row: not an error")),
      (19 | 8 << 8, Failure(.storage, "database 'db' refused a row: not an error")),
      (
        26,
        Failure(
          .storage, "'db' is not a database",
          hint: "it was left as it is; move it away")
      ),
    ] as [(Int32, Failure)])
  func resultCodeBecomesFailure(code: Int32, failure: Failure) throws {
    let connection = try SQLiteConnection(":memory:", name: "db", time: FakeClock())
    #expect(connection.failure(code) == failure)
  }
}
