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
}

extension Failure {
  /// The kinds of failure. The table of exit codes is stable from 1.0 on: scripts depend on it.
  public enum Kind: String, CaseIterable, Sendable {
    case no
    case usage
    case notFound
    case conflict
    case connection
    case invalidData
    case unauthorized
    case rateLimited
    case captcha
    case storage
    case defect
    case interrupted
    case closedPipe

    public var exitCode: Int32 {
      switch self {
      case .no: 1
      case .usage: 2
      case .notFound: 3
      case .conflict: 4
      case .connection: 5
      case .invalidData: 6
      case .unauthorized: 7
      case .rateLimited: 8
      case .captcha: 9
      case .storage: 10
      case .defect: 70
      case .interrupted: 130
      case .closedPipe: 141
      }
    }

    /// Meaning of the exit code, as in the manual.
    public var meaning: String {
      switch self {
      case .no: "negative result: a check failed, a diff found differences"
      case .usage: "the command line or its input is invalid"
      case .notFound: "the requested object does not exist"
      case .conflict: "conflict: already rented, several matches"
      case .connection: "no connection, or no response in time"
      case .invalidData: "the response of the service is invalid"
      case .unauthorized: "not authorized, or no key"
      case .rateLimited: "the rate limit is reached"
      case .captcha: "the service requires a CAPTCHA"
      case .storage: "a local file, directory or database cannot be read or written"
      case .defect: "internal error"
      case .interrupted: "interrupted by SIGINT; 128+N for another signal N"
      case .closedPipe: "output pipe closed; nothing is printed"
      }
    }
  }
}
