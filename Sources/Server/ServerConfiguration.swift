import HTTP
import System

/// What a server is told, as data. Times are those of the configuration's clock.
public struct ServerConfiguration {
  public var limits = RequestLimits()
  /// Connections at once. One more is answered 503 and closed, so that its client knows at once; the limit of
  /// descriptors may lower the number.
  public var connections = 4096
  /// A connection on which no request has begun is closed after this time.
  public var idleTimeout = Duration.seconds(60)
  /// The head of a request must be whole this long after its first byte, however steadily bytes arrive: else 408.
  public var headTimeout = Duration.seconds(10)
  /// The same for the whole request.
  public var requestTimeout = Duration.seconds(30)
  /// A client that takes nothing of its answer for this long is dropped.
  public var writeTimeout = Duration.seconds(30)
  /// How long requests in flight may take to finish once the server has been asked to stop.
  public var grace = Duration.seconds(5)

  /// Wanted as `Authorization: Bearer TOKEN` from everybody, where set.
  public var token: [UInt8]?
  public var crossOrigin = CrossOrigin.mayRead
  public var faults = FaultPlan.none
  /// Told of every answer, as it is handed to the system.
  public var log: ((AccessRecord) -> Void)?
  /// Told of what went wrong inside, which no client is told.
  public var complain: ((Failure) -> Void)?
  /// Called at the end of each turn of the event loop in which handlers ran, before any of their answers is sent.
  ///
  /// This is the place for a group commit: handlers write inside a transaction that is open already and answer at
  /// once; the hook commits what one turn brought together, and only then does anybody learn of it. When it throws,
  /// every answer of the turn becomes a 5xx of its suite: none of them claims what was not kept.
  public var turnEnded: (() throws(Failure) -> Void)?
  /// The server stops, gracefully, when this can be read: a pipe from a test, a pidfd of a child.
  public var stopSignal: FileDescriptor?
  public var time: any TimeKeeper

  public init(time: any TimeKeeper) {
    self.time = time
  }
}

/// What scripts of other origins may do in a browser.
public enum CrossOrigin: Sendable {
  case nothing
  /// GET and HEAD of everything.
  case mayRead
}

/// One answer, for an access log.
public struct AccessRecord: Sendable {
  /// The suite whose route it was; nil for none.
  public let suite: String?
  public let method: Method
  /// Path and query as they were sent: visible ASCII.
  public let target: String
  public let status: Int
  /// Bytes of the body that was sent.
  public let bytes: Int
  /// From the whole request to the answer, a fault's delay included.
  public let duration: Duration
  /// What the handler threw; for 5xx the client was not told.
  public let failure: Failure?
}
