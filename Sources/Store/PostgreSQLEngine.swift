import System

/// A PostgreSQL database, over one connection that is made again after it was lost.
///
/// Transactions are READ COMMITTED: a row that a change depends on is locked (`Database.lock`), and nothing else is
/// read twice. Statements without a result that somebody needs are queued, and travel with the next one that has one: a
/// change of one bike costs one round trip, and many changes of one transaction share one commit.
///
/// A connection that is lost before COMMIT was sent has changed nothing: the transaction may run again. If it is lost
/// after that, the server is asked what became of the transaction before anybody gets a result.
final class PostgreSQLEngine: Engine {
  let name: String
  private let parameters: [(keyword: String, value: String)]
  private let time: any TimeKeeper

  private var connection: PostgreSQLConnection?
  /// Before that, no other attempt to connect is made.
  private var nextAttempt: (at: Duration, pause: Duration)?
  /// The history of the server that the transaction numbers belong to.
  private var timeline = ""
  private var names: [String: String] = [:]
  /// Behind a pool that gives each transaction another connection, a prepared statement may be missing.
  private var usesNames = true

  /// Not sent yet.
  private var queue: [Queued] = []
  private var state = State.none
  private var transaction: Int?
  /// The transaction holds locks, so that it must not wait for another.
  private(set) var hasLocks = false
  private var parts: [Part] = []
  private var streaming: PostgreSQLStatement?

  private struct Queued {
    let command: PostgreSQLCommand
    var values = PostgreSQLStrings([])
    var role = Role.statement
  }

  private enum Role {
    case statement
    /// Its result is the number of the transaction.
    case setup
    case savepoint(Int)
  }

  private enum State {
    case none, open
    case failed(Failure)
  }

  private struct Part {
    /// Where its commands begin in the queue.
    var start: Int
    var hasSavepoint = false
  }

  /// How long one statement may take before the connection is given up.
  private static let statementLimit = Duration.seconds(120)
  private static let connectLimit = Duration.seconds(5)
  /// How long the fate of a transaction is looked for.
  private static let resolveLimit = Duration.seconds(10)
  private static let queueLimit = 256

  /// Connects, or throws what somebody who starts a server can do about it.
  init(
    _ address: PostgreSQLAddress, environment: Environment, time: any TimeKeeper
  ) throws(Failure) {
    name = address.name
    parameters = address.parameters(environment)
    self.time = time
    _ = try PostgreSQL.load()
    do throws(PostgreSQLError) {
      connection = try connect(until: time.uptime() + PostgreSQLEngine.connectLimit)
    } catch {
      throw error.startFailure(name)
    }
  }

  // MARK: Connection

  private func connect(until deadline: Duration) throws(PostgreSQLError) -> PostgreSQLConnection {
    let connection = try PostgreSQLConnection(parameters, time: time, deadline: deadline)
    let result = try PostgreSQLEngine.ask(
      """
      SELECT current_setting('server_encoding'), current_setting('transaction_read_only'),
        CASE WHEN pg_is_in_recovery() THEN '' ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END
      """, on: connection, until: deadline)
    guard case .text("UTF8") = result.value(0, 0) else {
      throw PostgreSQLError(
        state: "F0000", message: "its encoding is not UTF8; create it with 'createdb -E UTF8 -T template0'",
        isConnectionLost: false)
    }
    guard case .text("off") = result.value(0, 1), case .text(let timeline) = result.value(0, 2) else {
      throw PostgreSQLError(state: "25006", message: "it is read-only", isConnectionLost: false)
    }
    self.timeline = timeline
    return connection
  }

  /// The result of a query that is made alone.
  private static func ask(
    _ sql: String, on connection: PostgreSQLConnection, until deadline: Duration
  ) throws(PostgreSQLError) -> PostgreSQLResult {
    _ = try connection.send(sql, name: nil, PostgreSQLStrings([]))
    try connection.synchronize()
    var answer: PostgreSQLResult?
    var failure: PostgreSQLError?
    while let result = try connection.next(until: deadline) {
      switch connection.status(of: result) {
      case .failed(let error): failure = failure ?? error
      default: answer = result
      }
    }
    _ = try connection.next(until: deadline)
    if let failure { throw failure }
    guard let answer else {
      throw PostgreSQLError(state: nil, message: "no result", isConnectionLost: true)
    }
    return answer
  }

  /// The connection; one that was lost is made again, with a growing pause between the attempts.
  private func connected() throws(Failure) -> PostgreSQLConnection {
    if let connection { return connection }
    let now = time.uptime()
    if let nextAttempt, now < nextAttempt.at { throw unreachable("the connection was lost") }
    do throws(PostgreSQLError) {
      let connection = try connect(until: now + PostgreSQLEngine.connectLimit)
      self.connection = connection
      nextAttempt = nil
      return connection
    } catch {
      let pause = min((nextAttempt?.pause ?? .milliseconds(50)) * 2, .seconds(5))
      nextAttempt = (time.uptime() + pause, pause)
      throw unreachable(error.message)
    }
  }

  private func unreachable(_ reason: String) -> Failure {
    Failure(
      .storage, "cannot connect to '\(name)': \(reason)", hint: "nothing was changed; run the command again",
      retryable: true)
  }

  /// The name of a prepared statement: the same for the same text, so that the server keeps each once.
  func statementName(_ sql: String) -> String {
    if let name = names[sql] { return name }
    let name = "hw\(names.count + 1)"
    names[sql] = name
    return name
  }

  // MARK: Statements

  func prepare(_ sql: String) throws(Failure) -> any EngineStatement {
    PostgreSQLStatement(sql, on: self)
  }

  func prepareLocking(_ sql: String) throws(Failure) -> any EngineStatement {
    PostgreSQLStatement(sql, on: self, isLocking: true)
  }

  /// Lets a change travel with the next statement of the transaction.
  func enqueue(_ command: PostgreSQLCommand, _ values: PostgreSQLStrings) throws(Failure) {
    hasLocks = true
    queue.append(Queued(command: command, values: values))
    if queue.count >= PostgreSQLEngine.queueLimit { _ = try exchange(nil, isChange: true) }
  }

  func run(
    _ command: PostgreSQLCommand, _ values: PostgreSQLStrings, isChange: Bool
  ) throws(Failure) -> PostgreSQLResult {
    let statement = Queued(command: command, values: values)
    if isInTransaction {
      if isChange { hasLocks = true }
      return try exchange(statement, isChange: isChange)
    }
    let had = connection != nil
    do throws(Failure) {
      return try exchange(statement, isChange: isChange)
    } catch {
      // A connection may have been lost while nobody used it, and reading changes nothing.
      if had, connection == nil, !isChange { return try exchange(statement, isChange: false) }
      if !usesNames, error.isRolledBack { return try exchange(statement, isChange: isChange) }
      guard connection == nil, had, isChange else { throw error }
      throw unknownOutcome
    }
  }

  /// Runs a statement that locks rows.
  func lock(_ command: PostgreSQLCommand, _ values: PostgreSQLStrings) throws(Failure) -> PostgreSQLResult {
    let result = try exchange(Queued(command: command, values: values), isChange: false)
    if result.rowCount > 0 { hasLocks = true }
    return result
  }

  /// Runs a statement whose rows are read one after the other.
  func stream(
    _ command: PostgreSQLCommand, _ values: PostgreSQLStrings, to statement: PostgreSQLStatement
  ) throws(Failure) {
    let had = connection != nil
    let queued = Queued(command: command, values: values)
    do throws(Failure) {
      try send(queued, isChange: false, to: statement)
    } catch {
      guard had, connection == nil, !isInTransaction else { throw error }
      try send(queued, isChange: false, to: statement)
    }
  }

  private func exchange(_ last: Queued?, isChange: Bool) throws(Failure) -> PostgreSQLResult {
    guard let result = try send(last, isChange: isChange, to: nil) else {
      throw Failure(.defect, "a statement on '\(name)' has no result")
    }
    return result
  }

  /// Sends the queue and one more statement, and reads the results: that of the last one is returned, or its rows are
  /// left to be read.
  @discardableResult
  private func send(
    _ last: Queued?, isChange: Bool, to statement: PostgreSQLStatement?
  ) throws(Failure) -> PostgreSQLResult? {
    try keepStream()
    if case .failed(let failure) = state { throw failure }
    let connection = try connected()
    addSavepoints(isChange: isChange)
    let commands = queue + (last.map { [$0] } ?? [])
    queue.removeAll(keepingCapacity: true)
    for index in parts.indices { parts[index].start = 0 }
    do throws(PostgreSQLError) {
      return try exchange(commands, hasLast: last != nil, on: connection, statement)
    } catch {
      throw failed(error)
    }
  }

  private func exchange(
    _ commands: [Queued], hasLast: Bool, on connection: PostgreSQLConnection,
    _ statement: PostgreSQLStatement?
  ) throws(PostgreSQLError) -> PostgreSQLResult? {
    var counts: [Int] = []
    counts.reserveCapacity(commands.count)
    for queued in commands {
      counts.append(
        try connection.send(queued.command.sql, name: usesNames ? queued.command.name : nil, queued.values))
    }
    try connection.synchronize()
    let deadline = time.uptime() + PostgreSQLEngine.statementLimit
    var failure: PostgreSQLError?
    var answer: PostgreSQLResult?
    for (index, queued) in commands.enumerated() {
      for step in 1...counts[index] {
        if let statement, hasLast, index == commands.count - 1, step == counts[index], failure == nil {
          connection.readRowByRow()
          streaming = statement
          return nil
        }
        while let result = try connection.next(until: deadline) {
          switch connection.status(of: result) {
          case .failed(let error):
            failure = failure ?? error
            if let name = queued.command.name, step == 1 { connection.forget(name) }
          case .aborted:
            if counts[index] == 2, let name = queued.command.name { connection.forget(name) }
          case .done, .rows, .oneRow, .endOfPipeline:
            guard step == counts[index] else { continue }
            note(queued, result)
            answer = result
          }
        }
      }
    }
    _ = try connection.next(until: deadline)
    if let failure { throw failure }
    return answer
  }

  private func note(_ queued: Queued, _ result: PostgreSQLResult) {
    switch queued.role {
    case .statement: break
    case .setup: if case .integer(let number) = result.value(0, 0) { transaction = number }
    case .savepoint(let part): if part < parts.count { parts[part].hasSavepoint = true }
    }
  }

  /// What an error means for the connection and for the transaction.
  private func failed(_ error: PostgreSQLError) -> Failure {
    var failure = error.failure(name)
    if error.isConnectionLost || error.isShutdown { connection = nil }
    if error.isWrongName { usesNames = false }
    if error.isTransient {
      failure.details.append(Failure.rolledBack)
      failure.retryable = true
    }
    if isInTransaction { state = .failed(failure) }
    return failure
  }

  // MARK: Rows one at a time

  /// Reads the next row of the statement that streams; false after the last.
  func readMore() throws(Failure) -> Bool {
    guard let statement = streaming, let connection else { return false }
    do throws(PostgreSQLError) {
      let deadline = time.uptime() + PostgreSQLEngine.statementLimit
      while let result = try connection.next(until: deadline) {
        switch connection.status(of: result) {
        case .oneRow:
          statement.receive(result)
          return true
        case .failed(let error):
          streaming = nil
          statement.streamEnded()
          while try connection.next(until: deadline) != nil {}
          _ = try connection.next(until: deadline)
          throw error
        default: break
        }
      }
      streaming = nil
      statement.streamEnded()
      _ = try connection.next(until: deadline)
      return false
    } catch {
      streaming = nil
      statement.streamEnded()
      throw failed(error)
    }
  }

  /// Before another statement runs, the rest of the rows is read into memory.
  private func keepStream() throws(Failure) {
    while streaming != nil, try readMore() {}
  }

  /// The statement needs no more rows.
  func endStream(of statement: PostgreSQLStatement) throws(Failure) {
    while streaming === statement, try readMore() {}
  }

  // MARK: Transactions

  var isInTransaction: Bool {
    if case .none = state { return false }
    return true
  }

  func checkTransaction() throws(Failure) {
    switch state {
    case .open: return
    case .failed(let failure): throw failure
    case .none: throw Failure(.storage, "the transaction on '\(name)' was undone after an error")
    }
  }

  private static let beginning = PostgreSQLCommand(
    "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", name: nil)
  /// The limits hold for this transaction alone, since a pool may give the next one another connection.
  private static let setup = """
    SELECT txid_current(), set_config('lock_timeout', '5s', true),
      set_config('idle_in_transaction_session_timeout', '60s', true)
    """
  private lazy var setup = PostgreSQLCommand(PostgreSQLEngine.setup, name: "hw_setup")

  /// Sent with the first statement.
  func begin() throws(Failure) {
    state = .open
    transaction = nil
    hasLocks = false
    parts = []
    queue = [Queued(command: PostgreSQLEngine.beginning), Queued(command: setup, role: .setup)]
  }

  func commit() throws(Failure) {
    defer { end() }
    do throws(Failure) {
      try checkTransaction()
      if transaction == nil {
        // Nothing was done, or nothing that was sent.
        guard queue.count > 2 else { return }
        _ = try exchange(nil, isChange: true)
      }
    } catch {
      rollback()
      throw error.addingRolledBack
    }
    let result: PostgreSQLResult
    do throws(Failure) {
      result = try exchange(Queued(command: PostgreSQLCommand("COMMIT", name: nil)), isChange: false)
    } catch {
      guard connection == nil else {
        // One of the queued changes failed, and so COMMIT was not run.
        rollback()
        throw error.addingRolledBack
      }
      return try resolve()
    }
    guard result.command == "COMMIT" else {
      throw Failure(
        .storage, "the transaction on '\(name)' was undone after an error", details: [Failure.rolledBack])
    }
  }

  /// Finds out what became of a transaction whose COMMIT had no response. It knows only of transactions of the same
  /// history: after a failover to another server their numbers may be those of others.
  private func resolve() throws(Failure) {
    guard let transaction else { throw unknownOutcome }
    let (before, deadline) = (timeline, time.uptime() + PostgreSQLEngine.resolveLimit)
    var pause = Duration.milliseconds(10)
    while time.uptime() < deadline {
      if let connection = try? connect(until: deadline) {
        self.connection = connection
        nextAttempt = nil
        guard timeline == before else { throw unknownOutcome }
        let sql = "SELECT txid_status(\(transaction))"
        if let result = try? PostgreSQLEngine.ask(sql, on: connection, until: deadline) {
          switch result.value(0, 0) {
          case .text("committed"): return
          case .text("aborted"):
            throw Failure(
              .storage, "the connection to '\(name)' was lost", hint: "nothing was changed",
              retryable: true, details: [Failure.rolledBack])
          case .text("in progress"): break
          default: throw unknownOutcome
          }
        } else {
          self.connection = nil
        }
      }
      pause = min(pause * 2, .milliseconds(200))
      do throws(Failure) { try time.sleep(for: pause) } catch { break }
    }
    throw unknownOutcome
  }

  private var unknownOutcome: Failure {
    Failure(
      .storage, "the connection to '\(name)' was lost during a commit",
      hint: "whether the change was stored is unknown", retryable: true, outcomeUnknown: true)
  }

  func rollback() {
    defer { end() }
    queue.removeAll(keepingCapacity: true)
    guard let connection, isInTransaction else { return }
    try? keepStream()
    do throws(PostgreSQLError) {
      _ = try PostgreSQLEngine.ask(
        "ROLLBACK", on: connection, until: time.uptime() + PostgreSQLEngine.connectLimit)
    } catch {
      self.connection = nil
    }
  }

  private func end() {
    state = .none
    transaction = nil
    hasLocks = false
    parts = []
    queue.removeAll(keepingCapacity: true)
  }

  // MARK: Parts

  /// A part gets a savepoint when something of it is sent that changes rows, or may have failed. Mostly it ends before,
  /// and then the queue alone has to be undone.
  func beginPart() throws(Failure) {
    parts.append(Part(start: queue.count))
  }

  func endPart() throws(Failure) {
    guard let part = parts.popLast(), part.hasSavepoint else { return }
    queue.append(Queued(command: PostgreSQLCommand("RELEASE part\(parts.count)", name: nil)))
  }

  func undoPart() {
    guard let part = parts.popLast() else { return }
    guard part.hasSavepoint, connection != nil else {
      if part.start < queue.count { queue.removeSubrange(part.start...) }
      return
    }
    let name = "part\(parts.count)"
    state = .open
    queue = [
      Queued(command: PostgreSQLCommand("ROLLBACK TO \(name)", name: nil)),
      Queued(command: PostgreSQLCommand("RELEASE \(name)", name: nil)),
    ]
  }

  private func addSavepoints(isChange: Bool) {
    var added = 0
    for index in parts.indices where !parts[index].hasSavepoint {
      let start = parts[index].start + added
      guard isChange || start < queue.count else { continue }
      let command = PostgreSQLCommand("SAVEPOINT part\(index)", name: nil)
      queue.insert(Queued(command: command, role: .savepoint(index)), at: min(start, queue.count))
      added += 1
    }
  }

  // MARK: What SQLite does otherwise

  /// The first column of the first row.
  func value(_ sql: String, _ values: [String?] = []) throws(Failure) -> SQLValue {
    let command = PostgreSQLCommand(sql, name: nil)
    return try run(command, PostgreSQLStrings(values), isChange: false).value(0, 0) ?? .null
  }

  private lazy var markCommand = PostgreSQLCommand("SELECT txid_current_snapshot()", name: "hw_mark")

  /// The snapshot is written `xmin:xmax:xip,xip`: the oldest transaction that had not ended, the first that had not
  /// begun, and those between that had not ended.
  func changeMark() throws(Failure) -> ChangeMark {
    let result = try run(markCommand, PostgreSQLStrings([]), isChange: false)
    guard case .text(let snapshot) = result.value(0, 0),
      let floor = snapshot.split(separator: ":").first.flatMap({ Int($0) })
    else { throw .damaged(name, "a snapshot cannot be read") }
    return ChangeMark(floor: floor, version: 0, snapshot: snapshot)
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

  /// The server reuses the place of deleted rows when it vacuums.
  func overwriteDeletedRows() throws(Failure) {}
  func eraseDeletedRows() throws(Failure) {}

  /// The server checks what it reads; its own tool for more is pg_amcheck.
  func check() throws(Failure) { _ = try value("SELECT 1") }
  func checkThoroughly() throws(Failure) { try check() }

  func execute(_ script: String) throws(Failure) {
    if !queue.isEmpty { _ = try exchange(nil, isChange: true) }
    let connection = try connected()
    do throws(PostgreSQLError) {
      try connection.execute(script, until: time.uptime() + .seconds(3600))
    } catch {
      throw failed(error)
    }
  }
}

extension Failure {
  fileprivate var addingRolledBack: Failure {
    guard !isRolledBack, !outcomeUnknown else { return self }
    var failure = self
    failure.details.append(Failure.rolledBack)
    // It may be the failure of one change among many.
    failure.retryable = true
    return failure
  }
}
