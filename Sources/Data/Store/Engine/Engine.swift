import System

/// Open connection to a database of SQLite or PostgreSQL. `Database` prepares statements on it, nests
/// transactions and reads rows; an engine contains only the differences.
///
/// The SQL above `Store` is the same for both engines: what they both know and both mean, with `?` for a value. In
/// tables a whole number is INTEGER (64 bits), a fraction DOUBLE PRECISION, a text TEXT (compared by its bytes). Two
/// functions of PostgreSQL exist in both: `nextval('name')`, the next number of a sequence, and `txid_current()`, the
/// number of the transaction. Both count only inside a transaction.
protocol Engine: AnyObject {
  /// As failures call it: a path, or an address without its password.
  var name: String { get }

  func prepare(_ sql: String) throws(Failure) -> any EngineStatement
  /// The statement with the rows that it finds locked until the end of the transaction.
  func prepareLocking(_ sql: String) throws(Failure) -> any EngineStatement
  /// Runs a script: any number of statements that take no values and whose results are not needed.
  func execute(_ script: String) throws(Failure)

  /// Begins a transaction that will write.
  func begin() throws(Failure)
  /// When this throws, nothing of the transaction was stored, unless the failure says that this is unknown.
  func commit() throws(Failure)
  func rollback()
  /// Lets the commit of the transaction wait until everything that it has read is stored as safely as a change.
  func confirmReads() throws(Failure)
  /// Throws if the database has undone the transaction by itself, for instance on a full disk.
  func checkTransaction() throws(Failure)

  /// A part of a transaction that can be undone alone.
  func beginPart() throws(Failure)
  func endPart() throws(Failure)
  func undoPart()

  /// Takes a lock that is only a name, until the end of the transaction. See `Database.lock(named:)`.
  func lock(named name: String) throws(Failure)

  func changeMark() throws(Failure) -> ChangeMark
  /// Lets a sequence go on above a number that was stored without it.
  func raise(_ sequence: String, above number: Int) throws(Failure)
  func hasTable(_ name: String) throws(Failure) -> Bool

  /// Brings the database to the last step of its migrations: all of the missing ones, or none. Of several processes
  /// that start at once one does it while the others wait.
  func migrate(_ migrations: Migrations) throws(Failure)
  /// Reads the whole database, and throws when it contradicts itself.
  func check() throws(Failure)

  /// Runs `body`, which only reads, on one state of the database, whatever others commit meanwhile.
  func snapshot<Answer>(_ body: () throws(Failure) -> Answer) throws(Failure) -> Answer
  /// The number that a sequence will give next; none is taken.
  func upcoming(_ sequence: String) throws(Failure) -> Int
  /// The version of the database; 0 without tables. One that this hw does not know, or that is not ours, is refused.
  func inspect(_ migrations: Migrations) throws(Failure) -> Int
  /// `check`, of the indexes and references too.
  func checkThoroughly() throws(Failure)

  /// Whether the database itself counts its transactions: then a copy in another one goes on with their numbers.
  var countsTransactions: Bool { get }
  /// The number that the next row of a table gets where that is no matter of its rows alone; nil if it is.
  func nextNumber(in table: TableShape) throws(Failure) -> Int?
  /// Lets the numbers of new rows begin at `next`, or above those of the table.
  func raiseNumbers(in table: TableShape, to next: Int) throws(Failure)
}

/// Prepared statement: started, stepped and reset any number of times.
protocol EngineStatement: AnyObject {
  /// As failures call the database.
  var name: String { get }
  /// Between its start and its reset: nothing else may start it.
  var isRunning: Bool { get set }

  /// Sets every `?`, in order, and makes the statement ready for its first step.
  func start(_ values: [SQLValue], _ use: StatementUse) throws(Failure)
  /// Goes to the next row; false after the last.
  func step() throws(Failure) -> Bool
  /// Ends the run, so that the statement holds no lock and may run again.
  func reset() throws(Failure)
  /// How many rows the run changed, after its last step.
  var changes: Int { get }

  func value(_ column: Int) throws(Failure) -> SQLValue
  /// False where the column is no text.
  func appendText(_ column: Int, to bytes: inout [UInt8]) -> Bool
}

/// Purpose of running a statement.
enum StatementUse {
  /// A change whose count of rows is needed.
  case change
  /// A change whose count of rows is not needed: an engine on another machine may run it later, with the next statement
  /// of the transaction. If it fails, that statement fails.
  case deferredChange
  case firstRow
  case allRows
  /// Query for the rows that no other transaction has locked.
  case freeRows
}

/// Position of a reader of changes. Equal marks: no other connection has committed anything between them.
///
/// On PostgreSQL a transaction can commit after one that has a larger number, and gave its rows larger revisions. So a
/// reader that asks for what is above the largest revision it knows misses rows for ever. Instead each row has the
/// number of the transaction that wrote it last, from `txid_current()`, and a reader asks for the rows whose number is
/// at least the `floor` of its last mark: the number of the oldest transaction that had not ended then. It reads some
/// rows twice, and misses none. The mark must be taken before the rows are read.
///
/// A crash of the server or a failover to another one can give the same numbers to other transactions, and undo what was
/// visible if commits did not wait for the disk or the standby. So marks are compared only within one `history`: when
/// it is another one, everything is read again.
public struct ChangeMark: Equatable, Sendable {
  /// Every transaction with a smaller number had ended, and what it wrote was visible.
  public let floor: Int
  public let history: String
  let version: Int
  let snapshot: String

  init(floor: Int, history: String = "", version: Int = 0, snapshot: String = "") {
    self.floor = floor
    self.history = history
    self.version = version
    self.snapshot = snapshot
  }

  public static func == (a: ChangeMark, b: ChangeMark) -> Bool {
    a.version == b.version && a.snapshot == b.snapshot && a.history == b.history
  }

  /// Below everything that was ever written.
  public static let none = ChangeMark(floor: .min, version: -1)
}
