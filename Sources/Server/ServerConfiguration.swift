import HTTP
import System

/// The settings of a server. Times are those of its clock.
public struct ServerConfiguration {
  var limits = RequestLimits()
  /// The maximum number of connections. One more is answered 503 and closed, so that its client learns it at once;
  /// the limit of descriptors may lower the number.
  var connections = 4096
  /// A connection without a request is closed after this time.
  var idleTimeout = Duration.seconds(60)
  /// The head of a request must be complete this long after its first byte, however steadily bytes arrive; else 408.
  var headTimeout = Duration.seconds(10)
  /// The same for the whole request.
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

  public var origins = OriginRules()
  public var faults = FaultPlan.none
  /// Called for every response when it is sent.
  public var log: ((AccessRecord) -> Void)?
  /// Called for every internal failure, whose reason clients do not receive.
  public var logFailure: ((Failure) -> Void)?
  /// The server stops gracefully when this becomes readable: a pipe of a test, a pidfd of a child.
  public var stopSignal: FileDescriptor?
  public var time: any TimeKeeper

  public init(time: any TimeKeeper) {
    self.time = time
  }
}

/// One response, for an access log.
public struct AccessRecord: Sendable {
  /// The suite of the route; nil for none.
  public let suite: String?
  public let method: Method
  /// Path and query as received, with secret values masked: visible ASCII, and the mask.
  public let target: String
  public let status: Int
  /// Bytes of the body that was sent.
  public let bytes: Int
  /// From the complete request to the response, including a fault's delay.
  public let duration: Duration
  /// The failure of the handler; for 5xx the client did not receive its reason.
  public let failure: Failure?
}
