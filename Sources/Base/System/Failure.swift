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
    outcomeUnknown: Bool = false,
    details: [Detail] = [], cause: Cause? = nil
  ) {
    self.kind = kind
    self.message = message
    self.hint = hint
    self.retryable = retryable
    self.outcomeUnknown = outcomeUnknown
    self.details = details
    self.cause = cause
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
      defect,
      interrupted, closedPipe

    public var exitCode: Int32 { status.code }

    /// Meaning of the exit code, as in the manual.
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
