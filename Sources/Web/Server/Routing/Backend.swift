import HTTP
import Store
import System

/// A suite's backend: its routes, with the paths of the real service, and the form of that service's errors.
///
/// Each worker of a server has its own instance, which belongs to the thread of that worker.
public protocol Backend {
  /// The suite's name, which is also a prefix: `/nodes/api/v1/…` is the same as `/api/v1/…`.
  var suite: String { get }
  var routes: [Route] { get }
  var errors: ErrorStyle { get }
  /// Responses depend on memory that belongs to one instance, so one worker runs all of its handlers.
  var hasMemory: Bool { get }

  /// Runs handlers that change something as one change of the store: all of it is stored when this returns, nothing of
  /// it when this throws. A call inside another undoes its own part alone. It may run `body` several times.
  func transaction(_ body: () throws(Failure) -> Void) throws(Failure)
  /// Called in a transaction, before the first of several handlers, so that what all of them need can be read together.
  /// The handlers must not depend on it.
  func prepare(_ calls: [Call])
  /// Called after each run of a transaction: the backend forgets what it has in memory of changes that are not stored.
  func transactionEnded(isCommitted: Bool)
  /// Called at the end of each turn of the event loop, or after each batch of a worker: until then all requests may read
  /// the same state.
  func turnEnded()
}

extension Backend {
  public var errors: ErrorStyle { .json }
  public var hasMemory: Bool { false }

  public func transaction(_ body: () throws(Failure) -> Void) throws(Failure) { try body() }
  public func prepare(_ calls: [Call]) {}
  public func transactionEnded(isCommitted: Bool) {}
  public func turnEnded() {}
}

/// The routes of a backend for an event loop whose workers run the handlers. It holds no connection to the store.
struct RouteList: Backend {
  let suite: String
  let routes: [Route]
  let errors: ErrorStyle
  let hasMemory: Bool

  init(_ backend: any Backend) {
    suite = backend.suite
    routes = backend.routes.map { route in
      Route(route.method, route.pattern, isOpen: route.isOpen) { _ throws(Failure) in
        throw Failure(.defect, "\(route.method.rawValue) \(route.pattern) has no handler in the event loop")
      }
    }
    errors = backend.errors
    hasMemory = backend.hasMemory
  }
}

/// The parameters of a backend: its store, its sample data and its clock.
public struct BackendSettings {
  /// In memory for `demo:`, durable for `embedded:` and `hw serve`.
  public var store: Store
  /// A demo is filled with sample data; a durable store starts as the service itself would.
  public var hasSamples: Bool
  /// A new store has nothing, also where the service itself would start with something.
  public var startsEmpty = false
  /// Whether the service's initial samples are added to a store that never had anything.
  public var addsSamples = false
  /// The address under which others reach the server.
  public var publicURL: String?
  /// The seed for sample data: the same seed gives the same data.
  public var seed: UInt64
  /// Strangers can reach the server, so limits apply that nobody has set.
  public var isPublic = false
  public var time: any TimeKeeper

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

/// A feed that a backend translates, and the way to it.
public struct FeedSource {
  public let address: URL
  /// Sends the requests for the files. No secret is ever sent with them.
  public let transport: any Transport
  public let time: any TimeKeeper
  /// Prints a line for the user.
  public let report: (String) -> Void

  public init(
    _ address: URL, _ transport: any Transport, time: any TimeKeeper, report: @escaping (String) -> Void
  ) {
    self.address = address
    self.transport = transport
    self.time = time
    self.report = report
  }
}

/// The form of a service's errors. The status is chosen before (404 and 405 by the router, others from the failure);
/// a style may replace it.
public struct ErrorStyle: Sendable {
  private let form: @Sendable (_ status: Int, _ failure: Failure, _ prefersJSON: Bool) -> Response

  public init(_ response: @escaping @Sendable (_ status: Int, _ failure: Failure) -> Response) {
    form = { status, failure, _ in response(status, failure) }
  }

  /// For a service that responds differently to a client that accepts JSON.
  public init(
    orJSON response: @escaping @Sendable (_ status: Int, _ failure: Failure, _ prefersJSON: Bool) -> Response
  ) {
    form = response
  }

  /// `{"error":"…"}`
  public static let json = ErrorStyle { status, failure in .jsonError(status, failure.message) }

  /// The reason for a 5xx is only logged, since it may name files of this machine: a style gets the reason phrase.
  func response(_ status: Int, _ failure: Failure, _ prefersJSON: Bool) -> Response {
    var shown = failure
    if status >= 500 {
      shown.message = ReasonPhrase.of(status).lowercased()
      shown.hint = nil
    }
    return form(status, shown, prefersJSON)
  }

  /// The status for a failure of a handler, which the style may replace.
  static func status(of failure: Failure) -> Int {
    switch failure.kind {
    case .usage, .invalidData: 400
    case .unauthorized: 401
    case .notFound: 404
    case .conflict: 409
    case .rateLimited: 429
    case .storage where failure.storageProblem == .full: 507
    // Another process holds a lock, or the server of the database denies a right: a retry can succeed.
    case .storage where failure.retryable || failure.storageProblem == .denied: 503
    default: 500
    }
  }
}
