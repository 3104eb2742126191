import System

struct PostgreSQLError: Error {
  /// SQLSTATE; nil if the server did not respond.
  let state: String?
  let message: String
  let isConnectionLost: Bool
  private let complaint: Complaint?

  /// Errors of libpq itself, or of a pool, which differ in their words only.
  private enum Complaint: String, CaseIterable {
    case option = "connection option"
    case readOnly = "read-only"
    case standby = "hot standby"
    case certificate
    /// pgbouncer accepts few settings of a session.
    case setting = "startup parameter"
  }

  init(state: String?, message words: String, isConnectionLost: Bool) {
    self.state = state
    self.message = PostgreSQLError.oneLine(words)
    self.isConnectionLost = isConnectionLost
    complaint = Complaint.allCases.first { words.contains($0.rawValue) }
  }

  /// Message in one line, without libpq's advice: the hint of a failure is more specific.
  private static func oneLine(_ message: String) -> String {
    let lines = message.split { $0 == "\n" || $0 == "\r\n" }
    let facts = lines.filter { !$0.hasPrefix("\t") && !$0.hasPrefix("Either ") }
    return (facts.isEmpty ? lines : facts).map { $0.split(separator: "\t").joined(separator: " ") }
      .joined(separator: "; ")
  }

  /// The transaction lost against another or its connection was lost, and it may succeed if it is repeated.
  var allowsRepetition: Bool {
    if isConnectionLost { return true }
    switch state {
    // Serialization failure, deadlock; a row that another transaction has added; a plan or a name that a pool or a
    // migration invalidated; a pool whose server has become read-only.
    case "40001", "40P01", "23505", "26000", "42P05", "0A000", "25006": return true
    default: return isShutdown
    }
  }

  /// Whether another host may accept the connection: this one did not respond, is starting, or is read-only.
  var concernsHost: Bool { state == nil || state == "57P03" || state == "25006" }

  /// Whether the server or the session is read-only. If target_session_attrs excludes it, only libpq's words say so.
  var isReadOnly: Bool { state == "25006" || complaint == .readOnly || complaint == .standby }

  var isShutdown: Bool {
    switch state {
    case "57P01", "57P02", "57P03", "08000", "08003", "08006": true
    default: false
    }
  }

  /// Whether the name of a prepared statement is unknown or taken, since a pool uses another connection, or its plan
  /// is outdated after a change of the table.
  var isWrongName: Bool { state == "26000" || state == "42P05" || state == "0A000" }

  func failure(_ name: String) -> Failure {
    if isConnectionLost || isShutdown {
      return Failure(
        .storage, "the connection to '\(name)' was lost: \(message)",
        hint: "nothing was changed; it is made again with the next request", retryable: true)
    }
    switch state {
    case "40001", "40P01":
      return Failure(
        .storage, "a transaction on '\(name)' lost against another: \(message)",
        hint: "nothing was changed; run the command again", retryable: true)
    case "55P03", "57014":
      return Failure(
        .storage, "database '\(name)' is locked by another process",
        hint: "run the command again when that process is done", retryable: true)
    case "53300", "53200":
      return Failure(
        .storage, "database '\(name)' is busy: \(message)", hint: "run the command again later",
        retryable: true)
    case "53100":
      return Failure(
        .storage, "cannot write '\(name)': no space left",
        hint: "what was being changed is as it was before; free some space and run the command again",
        cause: .storage(.full))
    case "25006":
      return Failure(
        .storage, "cannot write '\(name)': it is read-only",
        hint: "name the primary server, or several with target_session_attrs=read-write")
    case "54000", "22021", "22P05", "22003":
      return Failure(.usage, "a value cannot be stored in '\(name)': \(message)")
    case let state? where state.hasPrefix("23"):
      return Failure(.storage, "database '\(name)' refused a row: \(message)")
    case "3F000":
      return Failure(
        .storage, "cannot create tables in '\(name)': \(message)",
        hint: "create the first schema of the search_path with 'CREATE SCHEMA'")
    case "42501":
      return Failure(
        .storage, "database '\(name)': \(message)",
        hint: "grant the user of hw the rights to its tables and sequences", cause: .storage(.denied))
    default:
      return Failure(.storage, "database '\(name)': \(message)")
    }
  }

  static let rightsHint =
    "hw needs the right to create tables and sequences in the first schema of the search_path"

  /// Failure at the start, for the user who starts the server.
  func startFailure(_ name: String) -> Failure {
    if Interruption.pending != nil { return Interruption.failure }
    switch state {
    case "42501":
      return Failure(.unauthorized, "'\(name)' refuses: \(message)", hint: PostgreSQLError.rightsHint)
    case let state? where state.hasPrefix("28"):
      return Failure(
        .unauthorized, "'\(name)' refuses the user: \(message)",
        hint: "a password belongs in PGPASSFILE, PGPASSWORD or the variable that contains the address")
    case "3D000":
      return Failure(.storage, "'\(name)' does not exist: \(message)", hint: "create it with 'createdb'")
    case "53300":
      return Failure(
        .connection, "cannot connect to '\(name)': \(message)", hint: "raise max_connections",
        retryable: true)
    default:
      guard isConnectionLost || isShutdown else { return failure(name) }
      // The message would quote a part of the address, which may contain a password.
      if complaint == .option { return PostgreSQLAddress.malformed }
      if isReadOnly {
        return PostgreSQLError(state: "25006", message: message, isConnectionLost: false).failure(name)
      }
      return Failure(
        .connection, "cannot connect to '\(name)': \(message)", hint: connectionHint,
        retryable: !isAboutCertificates && complaint != .setting)
    }
  }

  private var isAboutCertificates: Bool { state == nil && complaint == .certificate }

  private var connectionHint: String {
    if isAboutCertificates {
      return
        "the server's certificate must be signed by one in sslrootcert=FILE, and valid for the host in the address"
    }
    if complaint == .setting {
      return "without 'options' in the address, 'ALTER ROLE … SET search_path' chooses the schema"
    }
    return "check host, port and TLS with 'psql', which takes the same address"
  }
}
