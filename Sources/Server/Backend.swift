import HTTP
import Store
import System

/// A suite's backend: its routes, with the paths of the real service, and the way that service words its errors.
public struct Backend {
  /// The suite's name, which is also a prefix: `/nodes/api/v1/…` answers like `/api/v1/…`.
  public let suite: String
  public let routes: [Route]
  public let errors: ErrorStyle
  /// Called after the handlers of one turn of the event loop, before any of their answers is sent: the place for a
  /// group commit. When it throws, every answer that this backend gave in the turn becomes a 500.
  public let turnEnded: (() throws(Failure) -> Void)?

  public init(
    _ suite: String, errors: ErrorStyle = .json, routes: [Route],
    turnEnded: (() throws(Failure) -> Void)? = nil
  ) {
    self.suite = suite
    self.routes = routes
    self.errors = errors
    self.turnEnded = turnEnded
  }
}

/// What a backend is made with: where it keeps its data, what it invents, what time it goes by.
public struct BackendSettings {
  /// In memory for `demo:`, durable for `embedded:` and `hw serve`.
  public var store: Store
  /// A demo is filled with sample data; a durable store begins as the service itself would.
  public var hasSamples: Bool
  /// What is invented, is invented from this: the same seed is the same data.
  public var seed: UInt64
  public var time: any TimeKeeper
  /// How a backend is to behave beyond its contract, by the names of `hw serve`'s options (`captcha-after`): a backend
  /// reads those it knows. Empty: as the service usually does.
  public var behaviour: [String: Int] = [:]
  /// Who may ask, for a backend that knows people; nil leaves it open to everybody, as the real services are.
  public var users: UserRegister?

  public init(store: Store, hasSamples: Bool, seed: UInt64 = 1, time: any TimeKeeper) {
    self.store = store
    self.hasSamples = hasSamples
    self.seed = seed
    self.time = time
  }

  /// For `demo:`: in memory, with sample data.
  public static func demo(seed: UInt64 = 1, time: any TimeKeeper) -> BackendSettings {
    BackendSettings(store: .memory(time: time), hasSamples: true, seed: seed, time: time)
  }
}

/// How a service words an error. The status is decided already (404 and 405 by the router, else by the failure); a
/// style may answer with another.
public struct ErrorStyle: Sendable {
  let answer: @Sendable (_ status: Int, _ failure: Failure, _ wantsJSON: Bool) -> Response

  public init(_ answer: @escaping @Sendable (_ status: Int, _ failure: Failure) -> Response) {
    self.answer = { status, failure, _ in answer(status, failure) }
  }

  /// For a service that has another answer for who asks for JSON.
  public init(
    orJSON answer: @escaping @Sendable (_ status: Int, _ failure: Failure, _ wantsJSON: Bool) -> Response
  ) {
    self.answer = answer
  }

  /// `{"error":"…"}`. What went wrong inside (5xx) is for the log alone: it may name files of this machine.
  public static let json = ErrorStyle { status, failure in
    let text = status < 500 ? failure.message : ReasonPhrase.of(status).lowercased()
    return Response(
      status, headers: ["Content-Type": "application/json"],
      body: Array("{\"error\":\"\(escaped(text))\"}".utf8))
  }

  /// The status that a failure thrown by a handler has, unless the style knows better.
  static func status(of failure: Failure) -> Int {
    switch failure.kind {
    case .usage, .invalidData: 400
    case .unauthorized: 401
    case .notFound: 404
    case .conflict: 409
    case .rateLimited: 429
    case .storage where failure.isOutOfSpace: 507
    // Somebody else holds a lock: it will pass.
    case .storage where failure.retryable: 503
    default: 500
    }
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
