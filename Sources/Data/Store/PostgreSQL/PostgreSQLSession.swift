import System

/// Connection of an engine to its server, checked and, after a loss, made again, with growing pauses between attempts.
final class PostgreSQLSession {
  let name: String
  private var attempts: PostgreSQLAddress.Attempts
  /// Accepts a read-only session, such as that of a standby.
  private var acceptsReadOnly = false
  private let time: any TimeKeeper
  /// Whether this is the first connection, for which nobody but the user waits.
  private var isFirst = true

  private(set) var connection: PostgreSQLConnection?
  /// Time of the next attempt to connect, and the reason why the last one failed.
  private var nextAttempt: (at: Duration, pause: Duration, reason: String)?
  private var history = ""
  private var names: [String: String] = [:]
  /// Whether prepared statements have names, which behind a pool may belong to statements of other connections.
  private(set) var usesNames = true

  private static let rollbackLimit = Duration.seconds(5)
  private static let resolveLimit = Duration.seconds(10)

  /// Connects; a thrown failure has a hint for the user who starts the server. Reading prefers a server that can be
  /// written, since a standby may lag.
  init(
    _ address: PostgreSQLAddress, environment: Environment, time: any TimeKeeper,
    for purpose: PostgreSQLAddress.Purpose
  ) throws(Failure) {
    name = address.name
    attempts = try address.attempts(environment)
    self.time = time
    do throws(PostgreSQLError) {
      connection = try connect()
    } catch {
      guard purpose == .reading, error.isReadOnly else { throw error.startFailure(name) }
      attempts = try address.attempts(environment, for: .reading)
      acceptsReadOnly = true
      do throws(PostgreSQLError) {
        connection = try connect()
      } catch {
        throw error.startFailure(name)
      }
    }
    isFirst = false
  }

  // MARK: Connecting

  /// SQL expression that identifies the history of transaction numbers. A failover changes the timeline; a crash
  /// changes the start time of the server, or at least of its statistics.
  static let historyExpression = """
    pg_catalog.concat_ws(' ',
      pg_catalog.substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 1, 8),
      extract(epoch FROM pg_catalog.pg_postmaster_start_time()),
      (SELECT extract(epoch FROM stats_reset) FROM pg_catalog.pg_stat_bgwriter))
    """

  private func connect(until end: Duration? = nil) throws(PostgreSQLError) -> PostgreSQLConnection {
    var failures: [PostgreSQLError] = []
    for parameters in attempts.parameters {
      let limit = time.uptime() + attempts.limit
      do throws(PostgreSQLError) {
        return try connect(parameters, until: end.map { min($0, limit) } ?? limit)
      } catch {
        failures.append(error)
        // A host that refuses the user ends the search, as in libpq.
        guard error.concernsHost else { throw error }
      }
    }
    guard failures.count > 1 else { throw failures[0] }
    throw PostgreSQLError(
      state: failures.lazy.compactMap(\.state).first,
      message: failures.map(\.message).joined(separator: "; "),
      isConnectionLost: true)
  }

  private func connect(
    _ parameters: [(keyword: String, value: String)], until deadline: Duration
  ) throws(PostgreSQLError) -> PostgreSQLConnection {
    let connection = try PostgreSQLConnection(
      parameters, time: time, deadline: deadline, endsOnSignal: isFirst)
    // The statement qualifies all names, since other roles may have functions in the schemas of the search_path. It
    // limits the search_path to its first schema, unless hw's tables are in another one, or a pool would lend the
    // setting to other clients.
    let result = try PostgreSQLSession.ask(
      """
      SELECT pg_catalog.current_setting('server_encoding'), pg_catalog.current_setting('transaction_read_only'),
        CASE WHEN pg_catalog.pg_is_in_recovery() THEN '' ELSE \(PostgreSQLSession.historyExpression) END,
        pg_catalog.pg_backend_pid(), pg_catalog.current_setting('search_path'),
        CASE WHEN pg_catalog.pg_backend_pid() OPERATOR(pg_catalog.=) \(connection.process)
          AND (pg_catalog.to_regclass('hw_version') IS NULL OR pg_catalog.to_regclass(pg_catalog.concat(
            pg_catalog.quote_ident(pg_catalog.current_schema()), '.hw_version')) IS NOT NULL)
        THEN pg_catalog.set_config('search_path', pg_catalog.quote_ident(pg_catalog.current_schema()), false) END
      """, on: connection, until: deadline)
    guard case .text("UTF8") = result.value(0, 0) else {
      throw PostgreSQLError(
        state: "F0000", message: "its encoding is not UTF8; create it with 'createdb -E UTF8 -T template0'",
        isConnectionLost: false)
    }
    guard acceptsReadOnly || result.value(0, 1) == .text("off"),
      case .text(let history) = result.value(0, 2)
    else {
      throw PostgreSQLError(state: "25006", message: "it is read-only", isConnectionLost: false)
    }
    if let path = connection.searchPath, result.value(0, 4) != .text(path) {
      throw PostgreSQLError(
        state: "F0000",
        message: "its connection pool ignores 'options' with a search_path; set it with 'ALTER ROLE'",
        isConnectionLost: false)
    }
    self.history = history
    connection.endsOnSignal = false
    usesNames = result.value(0, 3) == .integer(connection.process)
    return connection
  }

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
    try connection.readSynchronization(until: deadline)
    if let failure { throw failure }
    guard let answer else { throw PostgreSQLError(state: nil, message: "no result", isConnectionLost: true) }
    return answer
  }

  func connected() throws(Failure) -> PostgreSQLConnection {
    if let connection { return connection }
    let now = time.uptime()
    if let nextAttempt, now < nextAttempt.at { throw unreachable(nextAttempt.reason) }
    do throws(PostgreSQLError) {
      let connection = try connect()
      self.connection = connection
      nextAttempt = nil
      return connection
    } catch {
      let pause = min((nextAttempt?.pause ?? .milliseconds(50)) * 2, .seconds(5))
      nextAttempt = (time.uptime() + pause, pause, error.message)
      throw unreachable(error.message)
    }
  }

  private func unreachable(_ reason: String) -> Failure {
    Failure(
      .storage, "cannot connect to '\(name)': \(reason)", hint: "nothing was changed; run the command again",
      retryable: true, cause: .storage(.unavailable))
  }

  // MARK: Errors

  /// Updates the connection's state after an error, and returns the failure for the caller.
  func failure(_ error: PostgreSQLError) -> Failure {
    var failure = error.failure(name)
    let isLost = error.isConnectionLost || error.isShutdown
    if isLost { connection = nil }
    if error.isWrongName { usesNames = false }
    if isLost || error.state == "25006" { failure.cause = .storage(.unavailable) }
    return error.allowsRepetition ? failure.rolledBack : failure
  }

  func rollback() {
    guard let connection else { return }
    do throws(PostgreSQLError) {
      _ = try PostgreSQLSession.ask(
        "ROLLBACK", on: connection, until: time.uptime() + PostgreSQLSession.rollbackLimit)
    } catch {
      self.connection = nil
    }
  }

  /// Statement that writes a message to the write-ahead log, since a commit waits for the disk, the standbys and
  /// everything before it only if its transaction has written something. It needs no right and locks nothing.
  static let confirmation = "SELECT pg_logical_emit_message(true, 'hw', '')"

  /// Finds the outcome of a transaction whose COMMIT had no response. Returns if it was committed, after waiting for
  /// the standbys, which may lack it when the connection is lost. The server knows only transactions of the same
  /// history: after a crash or a failover other transactions may have their numbers.
  func resolve(_ transaction: Int?) throws(Failure) {
    guard let transaction else { throw unknownOutcome }
    let (before, deadline) = (history, time.uptime() + PostgreSQLSession.resolveLimit)
    var pause = Duration.milliseconds(10)
    while time.uptime() < deadline {
      if let connection = connection ?? (try? connect(until: deadline)) {
        self.connection = connection
        guard history == before else { throw unknownOutcome }
        let sql = "SELECT txid_status(\(transaction))"
        if let result = try? PostgreSQLSession.ask(sql, on: connection, until: deadline) {
          switch result.value(0, 0) {
          case .text("committed"):
            do throws(PostgreSQLError) {
              return try connection.execute(PostgreSQLSession.confirmation, until: deadline)
            } catch {
              self.connection = nil
              guard error.isConnectionLost || error.isShutdown else { throw unknownOutcome }
            }
          case .text("aborted"):
            throw Failure(
              .storage, "the connection to '\(name)' was lost", hint: "nothing was changed",
              retryable: true, cause: .storage(.unavailable, isRolledBack: true))
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

  var unknownOutcome: Failure {
    Failure(
      .storage, "the connection to '\(name)' was lost during a commit",
      hint: "whether the change was stored is unknown", retryable: true, outcomeUnknown: true)
  }

  // MARK: Names

  /// Name of a prepared statement. Equal texts have equal names in every process, different texts different ones: if
  /// a pool gives two processes one connection, neither runs a statement of the other.
  func statementName(_ sql: String) -> String {
    if let name = names[sql] { return name }
    var checksum = TableChecksum()
    checksum.add([.text(sql)])
    let name = "hw\(checksum.text)"
    names[sql] = name
    return name
  }
}
