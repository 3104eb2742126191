import System

/// PostgreSQL database over one connection, which is made again after it was lost.
///
/// Transactions are READ COMMITTED: they lock each row that a change depends on (`Database.lock`), and read no other
/// row twice. Statements without a needed result are queued and sent with the next one: a change of one bike takes
/// one round trip, several that are locked together take one in all, and many changes share one commit.
///
/// A connection that is lost before COMMIT was sent has changed nothing, and the transaction may run again. After
/// that, the server is asked for the outcome before any result is returned.
final class PostgreSQLEngine: Engine {
  private let session: PostgreSQLSession
  let time: any TimeKeeper
  private var transaction = PostgreSQLTransaction()
  private var streaming: PostgreSQLStatement?

  private static let statementLimit = Duration.seconds(120)
  private static let queueLimit = 256

  init(
    _ address: PostgreSQLAddress, environment: Environment, time: any TimeKeeper,
    for purpose: PostgreSQLAddress.Purpose = .writing
  ) throws(Failure) {
    session = try PostgreSQLSession(address, environment: environment, time: time, for: purpose)
    self.time = time
  }

  var name: String { session.name }

  func namedCommand(_ sql: String) -> PostgreSQLCommand {
    PostgreSQLCommand(sql, name: session.statementName(sql))
  }

  // MARK: Statements

  func prepare(_ sql: String) throws(Failure) -> any EngineStatement { PostgreSQLStatement(sql, on: self) }

  /// Queues a change that is sent with the next statement of the transaction.
  func enqueue(_ command: PostgreSQLCommand, _ values: PostgreSQLStrings) throws(Failure) {
    transaction.hasLocks = true
    transaction.queue.append(.init(command: command, values: values))
    if transaction.queue.count >= PostgreSQLEngine.queueLimit { _ = try exchange(nil, isChange: true) }
  }

  func run(
    _ command: PostgreSQLCommand, _ values: PostgreSQLStrings, isChange: Bool
  ) throws(Failure) -> PostgreSQLResult {
    let statement = PostgreSQLTransaction.Step(command: command, values: values)
    if isInTransaction {
      if isChange { transaction.hasLocks = true }
      return try exchange(statement, isChange: isChange)
    }
    do throws(Failure) {
      return try exchange(statement, isChange: isChange)
    } catch {
      // A change that was sent on a lost connection may have been stored. Without a connection it was not sent.
      guard isChange, session.connection == nil, error.isRolledBack else { throw error }
      throw session.unknownOutcome
    }
  }

  func lock(_ command: PostgreSQLCommand, _ values: PostgreSQLStrings) throws(Failure) -> PostgreSQLResult {
    let result = try exchange(.init(command: command, values: values), isChange: false)
    if result.rowCount > 0 { transaction.hasLocks = true }
    return result
  }

  private static let lockNameSQL = """
    SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' ' || ?, 0)) IS NOT NULL
    """
  private static let tryLockNameSQL = """
    SELECT pg_try_advisory_xact_lock(hashtextextended(current_schema() || ' ' || ?, 0))
    """

  func lock(named name: String) throws(Failure) {
    let command = namedCommand(hasLocks ? PostgreSQLEngine.tryLockNameSQL : PostgreSQLEngine.lockNameSQL)
    let result = try run(command, PostgreSQLStrings([name]), isChange: false)
    guard result.value(0, 0) == .integer(1) else { throw contended("the lock '\(name)' is held") }
    transaction.hasLocks = true
  }

  func contended(_ reason: String) -> Failure {
    Failure(
      .storage, "database '\(name)': \(reason) by another transaction",
      hint: "nothing was changed; run the command again", retryable: true, cause: .storage(.contended))
  }

  /// Runs a statement whose rows are read one at a time. Reads the first: the loss of an idle connection throws here.
  func stream(
    _ command: PostgreSQLCommand, _ values: PostgreSQLStrings, to statement: PostgreSQLStatement
  ) throws(Failure) {
    try send(PostgreSQLTransaction.Step(command: command, values: values), isChange: false, to: statement)
    try readMore()
  }

  private func exchange(
    _ last: PostgreSQLTransaction.Step?, isChange: Bool
  ) throws(Failure) -> PostgreSQLResult {
    guard let result = try send(last, isChange: isChange, to: nil) else {
      throw Failure(.defect, "a statement on '\(name)' has no result")
    }
    return result
  }

  /// Sends the queue and one more statement. Returns the last result or, with `statement`, leaves its rows unread.
  @discardableResult
  private func send(
    _ last: PostgreSQLTransaction.Step?, isChange: Bool, to statement: PostgreSQLStatement?
  ) throws(Failure) -> PostgreSQLResult? {
    try bufferStream()
    if let failure = transaction.failure { throw failure }
    let connection = try session.connected()
    let steps = transaction.take(last, isChange: isChange)
    do throws(PostgreSQLError) {
      return try roundTrip(steps, on: connection, statement)
    } catch {
      throw failed(error)
    }
  }

  private func roundTrip(
    _ steps: [PostgreSQLTransaction.Step], on connection: PostgreSQLConnection,
    _ statement: PostgreSQLStatement?
  ) throws(PostgreSQLError) -> PostgreSQLResult? {
    var resultCounts: [Int] = []
    resultCounts.reserveCapacity(steps.count)
    for step in steps {
      resultCounts.append(
        try connection.send(
          step.command.sql, name: session.usesNames ? step.command.name : nil, step.values))
    }
    try connection.synchronize()
    let deadline = time.uptime() + PostgreSQLEngine.statementLimit
    var failure: PostgreSQLError?
    var answer: PostgreSQLResult?
    for (index, step) in steps.enumerated() {
      for number in 1...resultCounts[index] {
        if let statement, index == steps.count - 1, number == resultCounts[index], failure == nil {
          connection.readRowByRow()
          streaming = statement
          // An attempt on a lost connection may have failed.
          statement.failure = nil
          return nil
        }
        while let result = try connection.next(until: deadline) {
          switch connection.status(of: result) {
          case .failed(let error):
            failure = failure ?? error
            // A prepared statement remains prepared if its run fails.
            if resultCounts[index] == 2, number == 1, let name = step.command.name { connection.forget(name) }
          case .aborted:
            if resultCounts[index] == 2, let name = step.command.name { connection.forget(name) }
          case .done, .rows, .oneRow, .endOfPipeline:
            guard number == resultCounts[index] else { continue }
            transaction.note(step, result)
            answer = result
          }
        }
      }
    }
    try connection.readSynchronization(until: deadline)
    if let failure { throw failure }
    return answer
  }

  private func failed(_ error: PostgreSQLError) -> Failure {
    let failure = session.failure(error)
    transaction.fail(failure)
    return failure
  }

  // MARK: Rows one at a time

  /// Reads the next row of the streaming statement; false after the last.
  @discardableResult
  func readMore() throws(Failure) -> Bool {
    guard let statement = streaming, let connection = session.connection else { return false }
    do throws(PostgreSQLError) {
      let deadline = time.uptime() + PostgreSQLEngine.statementLimit
      while let result = try connection.next(until: deadline) {
        switch connection.status(of: result) {
        case .oneRow:
          statement.receive(result)
          return true
        case .failed(let error):
          while try connection.next(until: deadline) != nil {}
          try connection.readSynchronization(until: deadline)
          throw error
        default: break
        }
      }
      streaming = nil
      try connection.readSynchronization(until: deadline)
      return false
    } catch {
      let failure = failed(error)
      streaming = nil
      statement.failure = failure
      throw failure
    }
  }

  /// Reads the remaining rows of the streaming statement into memory before another statement runs.
  private func bufferStream() throws(Failure) {
    while streaming != nil { try readMore() }
  }

  func isStreaming(_ statement: PostgreSQLStatement) -> Bool { streaming === statement }

  // MARK: Transactions

  var isInTransaction: Bool { transaction.isOpen }
  var hasLocks: Bool { transaction.hasLocks }

  func checkTransaction() throws(Failure) {
    if let failure = transaction.failure { throw failure }
    guard transaction.isOpen else {
      throw Failure(.storage, "the transaction on '\(name)' was undone after an error")
    }
  }

  private static let beginning = PostgreSQLCommand(
    "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", name: nil)
  /// Limits of this transaction alone, since a pool may give the next one another connection.
  private lazy var setup = namedCommand(
    """
    SELECT pg_catalog.txid_current(), pg_catalog.set_config('lock_timeout', '5s', true),
      pg_catalog.set_config('idle_in_transaction_session_timeout', '60s', true)
    """)

  func begin() throws(Failure) {
    transaction.begin([.init(command: PostgreSQLEngine.beginning), .init(command: setup, role: .setup)])
  }

  func commit() throws(Failure) {
    defer { transaction.end() }
    do throws(Failure) {
      try checkTransaction()
      if transaction.number == nil {
        // Nothing was sent, and nothing was changed if only the two steps of `begin` are queued.
        guard transaction.queue.count > 2 else { return }
        _ = try exchange(nil, isChange: true)
      }
    } catch {
      rollback()
      throw error
    }
    let result: PostgreSQLResult
    do throws(Failure) {
      result = try exchange(.init(command: PostgreSQLCommand("COMMIT", name: nil)), isChange: false)
    } catch {
      guard session.connection == nil else {
        // A queued change failed, so COMMIT was not run.
        rollback()
        throw error
      }
      return try session.resolve(transaction.number)
    }
    guard result.command == "COMMIT" else {
      throw Failure(
        .storage, "the transaction on '\(name)' was undone after an error",
        cause: .storage(isRolledBack: true))
    }
  }

  func confirmReads() throws(Failure) {
    transaction.queue.append(.init(command: PostgreSQLCommand(PostgreSQLSession.confirmation, name: nil)))
  }

  func rollback() {
    defer { transaction.end() }
    transaction.queue.removeAll(keepingCapacity: true)
    guard transaction.isSent else { return }
    try? bufferStream()
    session.rollback()
  }

  // MARK: Parts

  func beginPart() throws(Failure) { transaction.beginPart() }
  func endPart() throws(Failure) { transaction.endPart() }
  func undoPart() { transaction.undoPart(isConnected: session.connection != nil) }

  // MARK: Differences from SQLite

  func value(_ sql: String, _ values: [String?] = []) throws(Failure) -> SQLValue {
    let command = PostgreSQLCommand(sql, name: nil)
    return try run(command, PostgreSQLStrings(values), isChange: false).value(0, 0) ?? .null
  }

  private lazy var markCommand = namedCommand(
    "SELECT txid_current_snapshot(), \(PostgreSQLSession.historyExpression)")

  /// The snapshot is written `xmin:xmax:xip,xip`: the oldest transaction that had not ended, the first that had not
  /// begun, and those between that had not ended.
  func changeMark() throws(Failure) -> ChangeMark {
    let result = try run(markCommand, PostgreSQLStrings([]), isChange: false)
    guard case .text(let snapshot) = result.value(0, 0),
      let floor = snapshot.split(separator: ":").first.flatMap({ Int($0) }),
      case .text(let history) = result.value(0, 1)
    else { throw .damaged(name, "a snapshot cannot be read") }
    return ChangeMark(floor: floor, history: history, snapshot: snapshot)
  }

  func raise(_ sequence: String, above number: Int) throws(Failure) {
    _ = try value(
      """
      SELECT setval('\(sequence)', \(number)) FROM \(sequence)
      WHERE last_value < \(number) OR NOT is_called AND last_value <= \(number)
      """)
  }

  func upcoming(_ sequence: String) throws(Failure) -> Int {
    let next = try value(
      "SELECT CASE WHEN is_called THEN last_value + 1 ELSE last_value END FROM \(sequence)")
    guard case .integer(let number) = next else {
      throw .damaged(name, "sequence '\(sequence)' has no value")
    }
    return number
  }

  func hasTable(_ name: String) throws(Failure) -> Bool {
    try value("SELECT to_regclass(?) IS NOT NULL", [name]) == .integer(1)
  }

  /// The server checks what it reads; its own tool for more is pg_amcheck.
  func check() throws(Failure) { _ = try value("SELECT 1") }
  func checkThoroughly() throws(Failure) { try check() }

  func execute(_ script: String) throws(Failure) {
    if let failure = transaction.failure { throw failure }
    try bufferStream()
    if transaction.queue.count > 0 { _ = try exchange(nil, isChange: true) }
    let connection = try session.connected()
    do throws(PostgreSQLError) {
      try connection.execute(script, until: time.uptime() + .seconds(3600))
    } catch {
      throw failed(error)
    }
  }
}
