import HTTP
import System

/// The settings of a server. Times are those of its clock.
public struct ServerConfiguration {
  var requestLimits = RequestLimits()
  /// The maximum number of connections. One more is answered 503 and closed, so that its client learns it at once;
  /// the limit of descriptors may lower the number.
  var connections = 4096
  /// A connection without a request is closed after this time.
  var idleTimeout = Duration.seconds(60)
  /// The head of a request must be complete this long after its first byte, however steadily bytes arrive; else 408.
  var headTimeout = Duration.seconds(10)
  /// Time limit for the whole request.
  var requestTimeout = Duration.seconds(30)
  /// The maximum of unsent bytes, of all connections together. Responses that are not entirely accepted by their
  /// sockets count, a body that several connections send only once; the kernel's send buffers do not. Above it,
  /// connections are closed, the slowest first (`TransferRate`), except the last one.
  var unsentLimit = 128 << 20
  /// The maximum of request bytes without a response, of all connections together. Above it, incomplete requests are
  /// answered 503, the slowest first.
  var incompleteLimit = 64 << 20
  /// How long requests in progress may take once the server has been asked to stop.
  var grace = Duration.seconds(5)

  /// How long a connection without a first request may stay once the server has been asked to stop.
  var firstRequestGrace = Duration.seconds(1)
  /// How long a report about the store may take.
  var reportTimeout = Duration.seconds(2)

  public var origins = OriginRules()
  public var limits = ServerLimits()
  public var faults = FaultPlan.none
  /// Called once for every request.
  public var log: ((AccessRecord) -> Void)?
  /// Called for every internal failure, whose reason clients do not receive.
  public var logFailure: ((Failure) -> Void)?
  /// Called for requests with a token that no user has, as far as the limit allows them.
  public var logUnknownToken: ((_ suite: String, _ client: String) -> Void)?
  /// The version of hw, for the metrics.
  public var version = ""
  /// Called once a second.
  public var tick: (() -> Void)?
  /// Examines the store; without it the server counts as ready until it stops.
  public var monitor: StoreProbe?
  /// Receives the states of the server.
  public var serviceManager: ServiceManager?
  /// The server stops gracefully when this becomes readable: a pipe of a test, a pidfd of a child.
  public var stopSignal: FileDescriptor?
  public var time: any TimeKeeper

  public init(time: any TimeKeeper) {
    self.time = time
  }
}

/// Request with its response, for metrics and an access log. What only the log needs is empty without one.
public struct AccessRecord: Sendable {
  /// When the response was made.
  public internal(set) var time = Timestamp(seconds: 0)
  /// The address without the port; empty for a socket file.
  public internal(set) var client = ""
  /// The name of the user, if the request had a user's token.
  public internal(set) var user: String?
  /// Value of the response's header X-Request-Id.
  public internal(set) var id = ""
  /// The suite of the route; nil for none.
  public internal(set) var suite: String?
  /// Method; nil if it was not received.
  public internal(set) var method: Method?
  /// Path and query as received, with secret values masked: visible ASCII, and the mask.
  public internal(set) var target = ""
  public internal(set) var status = 0
  /// Bytes of the body that was sent; none if the client has gone.
  public internal(set) var bytes = 0
  /// From the complete request to the response, including a fault's delay.
  public internal(set) var duration = Duration.zero
  /// The failure of the handler; for 5xx the client did not receive its reason.
  public internal(set) var failure: Failure?
  /// The pattern of the route.
  var route: String?
  /// When the request was complete.
  var start = Duration.zero
}
