import System

/// Open connection to SQLite or PostgreSQL. `Database` prepares statements, nests transactions and reads rows; an
/// engine contains only the differences.
///
/// Both engines run the same SQL: their common subset, with `?` for a value. In tables a whole number is INTEGER (64
/// bits), a fraction DOUBLE PRECISION, a text TEXT (compared by its bytes). Two functions of PostgreSQL exist in
/// both, inside a transaction: `nextval('name')`, the next number of a sequence, and `txid_current()`, the number of
/// the transaction.
protocol Engine: AnyObject {
  /// Name in failures: a path, or an address without its password.
  var name: String { get }

  func prepare(_ sql: String) throws(Failure) -> any EngineStatement

  func begin() throws(Failure)
  /// Nothing of the transaction was stored if this throws, unless the failure says that the outcome is unknown.
  func commit() throws(Failure)
  func rollback()
  func confirmReads() throws(Failure)
  /// Throws if the database has undone the transaction, as on a full disk: further statements would each commit.
  func checkTransaction() throws(Failure)

  func beginPart() throws(Failure)
  func endPart() throws(Failure)
  func undoPart()

  func lock(named name: String) throws(Failure)

  func changeMark() throws(Failure) -> ChangeMark
  func raise(_ sequence: String, above number: Int) throws(Failure)
  func hasTable(_ name: String) throws(Failure) -> Bool

  func check() throws(Failure)

  /// Runs `body`, which only reads, on one state of the database.
  func snapshot<Answer>(_ body: () throws(Failure) -> Answer) throws(Failure) -> Answer
  /// The number that a sequence will give next; none is taken.
  func upcoming(_ sequence: String) throws(Failure) -> Int
  /// Checks indexes and references too.
  func checkThoroughly() throws(Failure)

  /// Whether the database stores its transaction numbers, so that a copy in another one can continue them.
  var countsTransactions: Bool { get }
  /// Number that the database has stored for the table's next row; nil if the rows alone determine it.
  func nextNumber(in table: TableShape) throws(Failure) -> Int?
  /// Makes the numbers of new rows begin at `next` or, if that is larger, above the largest in the table.
  func raiseNumbers(in table: TableShape, to next: Int) throws(Failure)
}

protocol EngineStatement: AnyObject {
  var name: String { get }
  /// True from start to reset, when no other code may start it.
  var isRunning: Bool { get set }

  func start(_ values: [SQLValue], _ use: StatementUse) throws(Failure)
  /// Moves to the next row; false after the last.
  func step() throws(Failure) -> Bool
  func reset() throws(Failure)
  var changes: Int { get }

  func value(_ column: Int) throws(Failure) -> SQLValue
  func appendText(_ column: Int, to bytes: inout [UInt8]) -> Bool
}

enum StatementUse {
  case change
  /// A change of `Database.enqueue`.
  case deferredChange
  case firstRow
  case allRows
  /// Query for a row, locked until the end of the transaction.
  case lockedRow
  /// Query for the rows that no other transaction has locked, locked like `lockedRow`.
  case availableRows
}

/// Position of a reader of changes. Between equal marks, no other connection has committed.
///
/// PostgreSQL can commit a transaction after one with a larger number, so a reader that asks for revisions above the
/// largest known one would miss rows. Instead each row has the number of its last transaction, from `txid_current()`,
/// and a reader asks for numbers from the `floor` of its last mark on: the oldest transaction that had not ended.
/// This reads some rows twice and misses none. The mark must be taken before the rows are read.
///
/// A crash or a failover of the server can reuse the numbers, and undo visible changes if commits did not wait for
/// the disk or the standby. So marks are compared only within one `history`; after a change of it, everything is read
/// again.
public struct ChangeMark: Equatable, Sendable {
  /// Every transaction with a smaller number had ended and was visible.
  public let floor: Int
  public internal(set) var history = ""
  var version = 0  // SQLite's `data_version`
  var snapshot = ""  // PostgreSQL's `txid_current_snapshot()`

  public static func == (a: ChangeMark, b: ChangeMark) -> Bool {
    a.version == b.version && a.snapshot == b.snapshot && a.history == b.history
  }

  /// Mark before everything that was ever written.
  public static let none = ChangeMark(floor: .min, version: -1)
}
