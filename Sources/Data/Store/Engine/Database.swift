import System

/// A database: what was acknowledged survives a kill and a loss of power, what was not leaves no trace.
///
/// It is a SQLite file, which several processes may have open at once (readers never wait, writers wait for each other,
/// 5 seconds at most), or a connection to PostgreSQL. A database belongs to one thread at a time; several threads open
/// one each.
public final class Database {
  public enum Location: Sendable {
    /// Made when it is missing (its folder is not), readable by its owner alone.
    case file(String)
    /// Must exist, and no statement may change it.
    case readOnly(String)
    case memory
  }

  private let engine: any Engine
  private var statements = PreparedStatements()
  private var lockingStatements = PreparedStatements()
  private let time: any TimeKeeper
  private var depth = 0

  public convenience init(_ location: Location, time: any TimeKeeper) throws(Failure) {
    self.init(try SQLiteEngine(location, time: time), time)
  }

  init(_ engine: any Engine, _ time: any TimeKeeper) {
    self.engine = engine
    self.time = time
  }

  /// False where no SQLite is installed: tests that need it skip.
  public static var isAvailable: Bool { (try? SQLite.load()) != nil }

  /// Runs a statement; returns the number of rows that an INSERT, UPDATE or DELETE changed.
  @discardableResult
  public func run(_ sql: String, _ values: [SQLValue] = []) throws(Failure) -> Int {
    try use(sql, values, .change) { statement throws(Failure) in
      while try statement.step() {}
      return statement.changes
    }
  }

  /// Runs a change whose count of rows is not needed. Over a network it travels with the next statement of the
  /// transaction, which then fails if this one does; without a transaction it runs at once.
  public func enqueue(_ sql: String, _ values: [SQLValue] = []) throws(Failure) {
    try use(sql, values, .deferredChange) { statement throws(Failure) in
      while try statement.step() {}
    }
  }

  /// Passes each row of the result, one at a time.
  public func each(
    _ sql: String, _ values: [SQLValue] = [], _ body: (ResultRow) throws(Failure) -> Void
  ) throws(Failure) {
    try use(sql, values, .allRows) { statement throws(Failure) in
      while try statement.step() { try body(ResultRow(statement: statement)) }
    }
  }

  /// Returns the results of `read` for every row.
  public func rows<Answer>(
    _ sql: String, _ values: [SQLValue] = [], _ read: (ResultRow) throws(Failure) -> Answer
  ) throws(Failure) -> [Answer] {
    var answers: [Answer] = []
    try each(sql, values) { row throws(Failure) in answers.append(try read(row)) }
    return answers
  }

  /// Returns the result of `read` for the first row; nil if there is none. Later rows are not looked for.
  public func first<Answer>(
    _ sql: String, _ values: [SQLValue] = [], _ read: (ResultRow) throws(Failure) -> Answer
  ) throws(Failure) -> Answer? {
    try use(sql, values, .firstRow) { statement throws(Failure) in
      try statement.step() ? try read(ResultRow(statement: statement)) : nil
    }
  }

  /// `first`, and no other connection changes the row until the end of the transaction. A SELECT of one table.
  ///
  /// If another transaction has locked the row, the first lock of a transaction waits for its end. A later one does
  /// not, since two transactions that wait for each other would wait for ever: it throws a failure with the cause
  /// `contended`, and the whole transaction is repeated.
  public func lock<Answer>(
    _ sql: String, _ values: [SQLValue] = [], _ read: (ResultRow) throws(Failure) -> Answer
  ) throws(Failure) -> Answer? {
    guard depth > 0 else { throw Failure(.defect, "a row is locked outside a transaction") }
    return try use(sql, values, .firstRow, isLocking: true) { statement throws(Failure) in
      try statement.step() ? try read(ResultRow(statement: statement)) : nil
    }
  }

  /// Passes the rows of a SELECT of one table that no other transaction has locked, and locks them: no other connection
  /// changes them until the end of this transaction. It waits for nobody.
  public func lockFree(
    _ sql: String, _ values: [SQLValue] = [], _ body: (ResultRow) throws(Failure) -> Void
  ) throws(Failure) {
    guard depth > 0 else { throw Failure(.defect, "rows are locked outside a transaction") }
    try use(sql, values, .freeRows, isLocking: true) { statement throws(Failure) in
      while try statement.step() { try body(ResultRow(statement: statement)) }
    }
  }

  /// Nobody else locks this name until the end of the transaction: for a change that depends on how many rows there are,
  /// which no lock of a row protects. Count them afterwards. Waits, or fails, as `lock` does.
  public func lock(named name: String) throws(Failure) {
    guard depth > 0 else { throw Failure(.defect, "a name is locked outside a transaction") }
    try guardTransaction()
    try engine.lock(named: name)
  }

  /// When this transaction is committed, what it has read is stored as safely as a change. Otherwise it may not have
  /// reached a synchronous standby yet: if a connection is lost while its commit waits for the standby, others see the
  /// change at once. For whoever acknowledges a change because it can be read.
  public func confirmReads() throws(Failure) {
    guard depth > 0 else { throw Failure(.defect, "reads are confirmed outside a transaction") }
    try guardTransaction()
    try engine.confirmReads()
  }

  /// The next number of a sequence. Numbers that a transaction took and did not store are not given out again by
  /// PostgreSQL.
  public func nextValue(of sequence: String) throws(Failure) -> Int {
    try first("SELECT nextval('\(sequence)')") { row throws(Failure) in try row[0].integer } ?? 0
  }

  /// Lets a sequence go on above a number that was stored without it; inside a transaction.
  public func raise(_ sequence: String, above number: Int) throws(Failure) {
    try guardTransaction()
    try engine.raise(sequence, above: number)
  }

  /// Returns the mark of the visible changes of other connections. See `ChangeMark`.
  public func changeMark() throws(Failure) -> ChangeMark {
    try repeating { () throws(Failure) in try engine.changeMark() }
  }

  /// Reads the whole database, and throws when it contradicts itself. Takes a while on a large one.
  public func check() throws(Failure) { try engine.check() }

  private func use<Answer>(
    _ sql: String, _ values: [SQLValue], _ use: StatementUse, isLocking: Bool = false,
    _ body: (any EngineStatement) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    try guardTransaction()
    let statement =
      if isLocking {
        try lockingStatements.statement(sql) { () throws(Failure) in try engine.prepareLocking(sql) }
      } else {
        try statements.statement(sql) { () throws(Failure) in try engine.prepare(sql) }
      }
    statement.isRunning = true
    defer { statement.isRunning = false }
    do throws(Failure) {
      try start(statement, values, use)
      let answer = try body(statement)
      try statement.reset()
      return answer
    } catch {
      // The reset of a failed run reports the same failure again.
      _ = try? statement.reset()
      throw error
    }
  }

  /// Starts a statement, again if its connection was lost while it was idle.
  private func start(
    _ statement: any EngineStatement, _ values: [SQLValue], _ use: StatementUse
  ) throws(Failure) {
    do throws(Failure) {
      try statement.start(values, use)
    } catch {
      guard depth == 0, error.allowsRepetition else { throw error }
      try repeating { () throws(Failure) in try statement.start(values, use) }
    }
  }

  // MARK: Transactions

  /// How often something is run that lost against another transaction, or its connection.
  private static let attempts = 5

  /// Runs `body` as one change: all of it is done when this returns, nothing of it when this throws, unless the failure
  /// says that this is unknown.
  ///
  /// The outermost call commits at its end. A call inside another undoes its own part alone when it throws, and is
  /// durable when the outermost is: so many changes can share one commit. If the outermost lost against another
  /// transaction, or the connection was lost before the commit, `body` runs again: it must begin from the start each time.
  /// No other code repeats what a database has refused.
  public func transaction<Answer>(
    _ body: () throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    if depth > 0 { return try part(body) }
    return try repeating { () throws(Failure) in try once(body) }
  }

  /// Repeats a transaction, or a single statement outside one, after a failure that left nothing behind and may not
  /// occur again.
  private func repeating<Answer>(_ body: () throws(Failure) -> Answer) throws(Failure) -> Answer {
    guard depth == 0 else { return try body() }
    var attempt = 1
    while true {
      do throws(Failure) {
        return try body()
      } catch {
        guard error.allowsRepetition, attempt < Database.attempts else { throw error }
        attempt += 1
        // Twice as long after each attempt, and not the same for two processes that got in each other's way. A signal
        // ends the pause early, which does no harm.
        try? time.sleep(for: .milliseconds(Int64.random(in: 1...(1 << (2 * attempt)))))
      }
    }
  }

  private func once<Answer>(_ body: () throws(Failure) -> Answer) throws(Failure) -> Answer {
    try engine.begin()
    depth += 1
    defer { depth -= 1 }
    let answer: Answer
    do throws(Failure) {
      answer = try body()
      try guardTransaction()
    } catch {
      engine.rollback()
      throw error
    }
    try engine.commit()
    return answer
  }

  private func part<Answer>(_ body: () throws(Failure) -> Answer) throws(Failure) -> Answer {
    try guardTransaction()
    try engine.beginPart()
    depth += 1
    defer { depth -= 1 }
    do throws(Failure) {
      let answer = try body()
      try guardTransaction()
      try engine.endPart()
      return answer
    } catch {
      engine.undoPart()
      throw error
    }
  }

  /// A database can undo the whole transaction by itself when, say, the disk is full. If the body then went on, its
  /// further statements would each commit on their own.
  private func guardTransaction() throws(Failure) {
    guard depth > 0 else { return }
    try engine.checkTransaction()
  }
}

/// The statements that were prepared, by their text.
private struct PreparedStatements {
  private var statements: [String: any EngineStatement] = [:]

  /// The statement of that text, prepared once; while it runs, another call with the same text gets its own.
  mutating func statement(
    _ sql: String, _ prepare: () throws(Failure) -> any EngineStatement
  ) throws(Failure) -> any EngineStatement {
    if let ready = statements[sql], !ready.isRunning { return ready }
    let statement = try prepare()
    // Texts made at run time (lists of varying length) would fill the memory of a server.
    if statements.count >= 64 { statements.removeAll() }
    statements[sql] = statement
    return statement
  }
}
