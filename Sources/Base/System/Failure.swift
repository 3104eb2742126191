/// Error that the whole program throws and reports: `message` says what happened (lower case, subject quoted, no full
/// stop), `hint` what to do next. The kind alone decides the exit status, so a script distinguishes failures without
/// reading English.
public struct Failure: Error, Equatable, Sendable {
  public var kind: Kind
  public var message: String
  public var hint: String?
  /// True if the same call may succeed later without any change.
  public var retryable: Bool
  /// True if the request was sent and no complete response arrived: the change may have been made.
  public var outcomeUnknown: Bool
  /// Facts for programs (`retryAfter`, `captchaUrl`): members of the error object under `--json`.
  public var details: [Detail]
  /// Typed reason for code; never printed.
  public var cause: Cause?

  public init(
    _ kind: Kind, _ message: String, hint: String? = nil, retryable: Bool = false,
    outcomeUnknown: Bool = false, details: [Detail] = [], cause: Cause? = nil
  ) {
    self.kind = kind
    self.message = message
    self.hint = hint
    self.retryable = retryable
    self.outcomeUnknown = outcomeUnknown
    self.details = details
    self.cause = cause
  }

  public var messageAndHint: String { [message, hint].compactMap { $0 }.joined(separator: "; ") }

  /// Replaces message and hint. An interruption is then printed, because it has something to report.
  public func describing(_ message: String, hint: String?) -> Failure {
    var failure = self
    failure.message = message
    failure.hint = hint
    if cause == .signal { failure.cause = nil }
    return failure
  }

  public struct Detail: Equatable, Sendable {
    public var name: String
    public var value: Value

    public init(_ name: String, _ value: Value) {
      self.name = name
      self.value = value
    }

    public enum Value: Equatable, Sendable {
      case integer(Int)
      case text(String)
      case list([String])
    }
  }

  /// The kinds of failure. The table of exit codes is stable from 1.0 on: scripts depend on it.
  public enum Kind: String, CaseIterable, Sendable {
    case no, usage, notFound, conflict, connection, invalidData, unauthorized, rateLimited, captcha, storage,
      defect, interrupted, closedPipe

    public var exitCode: Int32 { status.code }

    public var meaning: String { status.meaning }

    private var status: (code: Int32, meaning: String) {
      switch self {
      case .no: (1, "negative result: a check failed, a diff found differences")
      case .usage: (2, "the command line or its input is invalid")
      case .notFound: (3, "the requested object does not exist")
      case .conflict: (4, "conflict: already rented, several matches")
      case .connection: (5, "no connection, or no response in time")
      case .invalidData: (6, "the response of the service is invalid")
      case .unauthorized: (7, "not authorized, or no key")
      case .rateLimited: (8, "the rate limit is reached")
      case .captcha: (9, "the service requires a CAPTCHA")
      case .storage: (10, "a local file, directory or database cannot be read or written")
      case .defect: (70, "internal error")
      case .interrupted: (130, "interrupted by SIGINT; 128+N for another signal N")
      case .closedPipe: (141, "output pipe closed; nothing is printed")
      }
    }
  }
}

extension Result {
  public var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}

extension Failure {
  /// Typed reason of a failure, for code that reacts to it: messages are never compared, so their wording may change.
  public enum Cause: Equatable, Sendable {
    /// `--explain` printed the request instead of sending it, which is the end of a successful command.
    case explained
    /// A signal ended a wait. No message is printed for it, unless `Failure.describing` removes this cause.
    case signal
    /// The input is invalid at this line, which the message names.
    case input(line: Int)
    /// Status and error text that a service returned to a client, or the status that a handler returns.
    case response(status: Int, text: String? = nil)
    case unknownObject
    case unknownToken
    /// A handler refuses a request that exceeds a limit; the client may retry after `seconds`.
    case wait(seconds: Int)
    /// A database failed. `isRolledBack`: nothing of the transaction was stored, since it lost against another or its
    /// connection was lost before the commit, and it may succeed at once if it is repeated.
    case storage(StorageProblem? = nil, isRolledBack: Bool = false)
  }

  public enum StorageProblem: Sendable {
    /// Another transaction has locked the row. This one may go on without it.
    case contended
    /// The database server denies a right; nothing was changed.
    case denied
    /// A disk or a quota is full; nothing was changed.
    case full
    case unavailable
  }
}
