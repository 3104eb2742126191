import HTTP
import Store
import System

/// A suite's backend: its routes, with the paths of the real service, and the form of that service's errors.
///
/// Each worker of a server has its own instance, which belongs to the thread of that worker.
public protocol Backend {
  /// The suite's name, also a prefix of its routes: `/nodes/api/v1/…` is the same as `/api/v1/…`.
  var suite: String { get }
  var routes: [Route] { get }
  var errors: ErrorStyle { get }
  /// Whether responses depend on memory of one instance, so that one worker must run all handlers.
  var hasMemory: Bool { get }

  /// Runs handlers as one change of the store: all of it is stored when this returns, nothing of it when this throws. A
  /// nested call undoes only its own part. `body` may run several times.
  func transaction(_ body: () throws(Failure) -> Void) throws(Failure)
  /// Called in a transaction before several handlers, to read what all need. A handler must not depend on it.
  func prepare(_ calls: [Call])
  /// Called after each run of a transaction. Backends discard cached changes that are not stored.
  func transactionEnded(isCommitted: Bool)
  /// Called after each turn of the event loop or batch of a worker, in which all requests may read the same state.
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

/// The routes of a backend whose handlers run on workers. It holds no connection to the store.
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

public struct BackendSettings {
  /// In memory for `demo:`, durable otherwise.
  public var store: Store
  /// Whether the store has sample data made from `seed`, instead of the service's initial data.
  public var hasSamples: Bool
  /// Whether a new store starts without the service's initial data.
  public var startsEmpty = false
  /// Whether the service's initial data is added to a store that never had anything, even with `startsEmpty`.
  public var addsSamples = false
  public var publicURL: String?
  public var seed: UInt64
  /// Whether strangers can reach the server, so that default limits apply.
  public var isPublic = false
  public var time: any TimeKeeper

  public init(store: Store, hasSamples: Bool, seed: UInt64 = 1, time: any TimeKeeper) {
    self.store = store
    self.hasSamples = hasSamples
    self.seed = seed
    self.time = time
  }

  public static func demo(seed: UInt64 = 1, time: any TimeKeeper) -> BackendSettings {
    BackendSettings(store: .memory(time: time), hasSamples: true, seed: seed, time: time)
  }
}

/// The feed that a backend reads instead of a store, for `gbfs:`.
public struct FeedSource {
  public let address: URL
  /// Sends the requests for the files, never with a secret.
  public let transport: any Transport
  public let time: any TimeKeeper
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

/// The form of a service's errors. A style may replace the status that the router or the failure has chosen.
public struct ErrorStyle: Sendable {
  public typealias Form = @Sendable (_ status: Int, _ failure: Failure, _ prefersJSON: Bool) -> Response
  private let form: Form

  public init(_ form: @escaping Form) { self.form = form }

  /// `{"error":"…"}`
  public static let json = ErrorStyle { status, failure, _ in .jsonError(status, failure.message) }

  /// Replaces the message of a 5xx by the reason phrase: the reason is only logged, since it may name local files.
  func response(_ status: Int, _ failure: Failure, _ prefersJSON: Bool) -> Response {
    var shown = failure
    if status >= 500 {
      shown.message = ReasonPhrase.of(status).lowercased()
      shown.hint = nil
    }
    return form(status, shown, prefersJSON)
  }

  static func status(of failure: Failure) -> Int {
    switch failure.kind {
    case .usage, .invalidData: 400
    case .unauthorized: 401
    case .notFound: 404
    case .conflict: 409
    case .rateLimited: 429
    case .storage where failure.storageProblem == .full: 507
    // Another process holds a lock, or the database server denies a right: a retry can succeed.
    case .storage where failure.retryable || failure.storageProblem == .denied: 503
    default: 500
    }
  }
}
