import System

/// Database: an acknowledged change survives a kill and a loss of power, any other leaves no trace. A SQLite file,
/// which several processes may open at once (readers never wait, writers wait for each other for at most 5 seconds), or
/// a connection to PostgreSQL. It belongs to one thread at a time; several threads open one each.
public final class Database {
  public enum Location: Sendable {
    /// Created if missing, in an existing directory, readable by its owner alone.
    case file(String)
    /// Must exist, and cannot be changed.
    case readOnly(String)
    case memory
  }

  private let engine: any Engine
  private var statements = PreparedStatements()
  private let time: any TimeKeeper
  private var depth = 0

  public convenience init(_ location: Location, time: any TimeKeeper) throws(Failure) {
    self.init(try SQLiteEngine(location, time: time), time)
  }

  init(_ engine: any Engine, _ time: any TimeKeeper) {
    self.engine = engine
    self.time = time
  }

  /// False without an installed SQLite: tests that need it are skipped.
  public static var isAvailable: Bool { (try? SQLite.load()) != nil }

  /// Runs a statement; returns the number of rows that it changed.
  @discardableResult
  public func run(_ sql: String, _ values: [SQLValue] = []) throws(Failure) -> Int {
    try withStatement(sql, values, .change) { statement throws(Failure) in
      while try statement.step() {}
      return statement.changes
    }
  }

  /// Runs a change whose number of rows is not needed. Over a network it is sent with the next statement of the
  /// transaction, which then fails if this one does; outside a transaction it runs at once.
  public func enqueue(_ sql: String, _ values: [SQLValue] = []) throws(Failure) {
    try withStatement(sql, values, .deferredChange) { statement throws(Failure) in
      while try statement.step() {}
    }
  }

  public func each(
    _ sql: String, _ values: [SQLValue] = [], _ body: (ResultRow) throws(Failure) -> Void
  ) throws(Failure) {
    try withStatement(sql, values, .allRows) { statement throws(Failure) in
      while try statement.step() { try body(ResultRow(statement: statement)) }
    }
  }

  public func rows<Answer>(
    _ sql: String, _ values: [SQLValue] = [], _ read: (ResultRow) throws(Failure) -> Answer
  ) throws(Failure) -> [Answer] {
    var answers: [Answer] = []
    try each(sql, values) { row throws(Failure) in answers.append(try read(row)) }
    return answers
  }

  /// Returns the result of `read` for the first row; nil if there is none.
  public func first<Answer>(
    _ sql: String, _ values: [SQLValue] = [], _ read: (ResultRow) throws(Failure) -> Answer
  ) throws(Failure) -> Answer? {
    try withStatement(sql, values, .firstRow) { statement throws(Failure) in
      try statement.step() ? try read(ResultRow(statement: statement)) : nil
    }
  }

  /// Like `first`, for a SELECT of one table, and locks the row: no other connection changes it until the end of the
  /// transaction. The first lock of a transaction waits for a transaction that has locked the row. A later one throws a
  /// failure with the cause `contended`, and the whole transaction is repeated, since two transactions that wait for
  /// each other would never end.
  public func lock<Answer>(
    _ sql: String, _ values: [SQLValue] = [], _ read: (ResultRow) throws(Failure) -> Answer
  ) throws(Failure) -> Answer? {
    guard depth > 0 else { throw Failure(.defect, "a row is locked outside a transaction") }
    return try withStatement(sql, values, .lockedRow) { statement throws(Failure) in
      try statement.step() ? try read(ResultRow(statement: statement)) : nil
    }
  }

  /// Locks the rows of one table that no other transaction has locked, and passes them to `body`. Never waits.
  public func lockAvailable(
    _ sql: String, _ values: [SQLValue] = [], _ body: (ResultRow) throws(Failure) -> Void
  ) throws(Failure) {
    guard depth > 0 else { throw Failure(.defect, "rows are locked outside a transaction") }
    try withStatement(sql, values, .availableRows) { statement throws(Failure) in
      while try statement.step() { try body(ResultRow(statement: statement)) }
    }
  }

  /// Locks a name until the end of the transaction: for a change that depends on the number of rows, which no lock of
  /// a row protects. Count the rows afterwards. Waits or fails like `lock`.
  public func lock(named name: String) throws(Failure) {
    guard depth > 0 else { throw Failure(.defect, "a name is locked outside a transaction") }
    try guardTransaction()
    try engine.lock(named: name)
  }

  /// Makes the commit wait until what this transaction has read is stored as safely as a change of its own. Otherwise
  /// a synchronous standby may lack it: if a connection is lost while its commit waits for the standby, others already
  /// see the change. For code that acknowledges a change because it can be read.
  public func confirmReads() throws(Failure) {
    guard depth > 0 else { throw Failure(.defect, "reads are confirmed outside a transaction") }
    try guardTransaction()
    try engine.confirmReads()
  }

  /// Next number of a sequence. PostgreSQL does not reuse numbers of a transaction that was rolled back.
  public func nextValue(of sequence: String) throws(Failure) -> Int {
    try first("SELECT nextval('\(sequence)')") { row throws(Failure) in try row[0].integer } ?? 0
  }

  /// Moves a sequence above a number that was stored without it; inside a transaction.
  public func raise(_ sequence: String, above number: Int) throws(Failure) {
    try guardTransaction()
    try engine.raise(sequence, above: number)
  }

  public func changeMark() throws(Failure) -> ChangeMark {
    try repeating { () throws(Failure) in try engine.changeMark() }
  }

  /// Reads the whole database, and throws if it is inconsistent. Takes long on a large one.
  public func check() throws(Failure) { try engine.check() }

  private func withStatement<Answer>(
    _ sql: String, _ values: [SQLValue], _ use: StatementUse,
    _ body: (any EngineStatement) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    try guardTransaction()
    let statement = try statements.statement(sql) { () throws(Failure) in try engine.prepare(sql) }
    statement.isRunning = true
    defer { statement.isRunning = false }
    do throws(Failure) {
      try start(statement, values, use)
      let answer = try body(statement)
      try statement.reset()
      return answer
    } catch {
      // After a failed run, the reset reports the failure again.
      _ = try? statement.reset()
      throw error
    }
  }

  /// Starts a statement, again if its idle connection was lost.
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

  private static let attempts = 5

  /// Runs `body` as one atomic change, unless the failure says that the outcome is unknown. The outermost call commits
  /// at its end. A nested call that throws undoes its own part alone, and is durable when the outermost is, so many
  /// changes can share one commit. If the outermost lost against another transaction, or the connection was lost before
  /// the commit, `body` runs again from its start. No other code repeats a refused transaction.
  public func transaction<Answer>(
    _ body: () throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    if depth > 0 { return try part(body) }
    return try repeating { () throws(Failure) in try once(body) }
  }

  /// Repeats a transaction, or a single statement, after a failure that left nothing behind and may not recur.
  private func repeating<Answer>(_ body: () throws(Failure) -> Answer) throws(Failure) -> Answer {
    guard depth == 0 else { return try body() }
    var attempt = 1
    while true {
      do throws(Failure) {
        return try body()
      } catch {
        guard error.allowsRepetition, attempt < Database.attempts else { throw error }
        attempt += 1
        // Random and growing, so that two processes do not collide again. A signal may end the pause early.
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

  /// Calls `Engine.checkTransaction` inside a transaction.
  private func guardTransaction() throws(Failure) {
    guard depth > 0 else { return }
    try engine.checkTransaction()
  }
}

struct PreparedStatements {
  private var statements: [String: any EngineStatement] = [:]

  /// Returns the prepared statement; while it runs, another call with the same text gets its own.
  mutating func statement(
    _ sql: String, _ prepare: () throws(Failure) -> any EngineStatement
  ) throws(Failure) -> any EngineStatement {
    if let ready = statements[sql], !ready.isRunning { return ready }
    let statement = try prepare()
    // Texts made at run time (lists of varying length) would fill the memory of a server.
    if statements.count >= 128 { statements.removeAll() }
    statements[sql] = statement
    return statement
  }
}
