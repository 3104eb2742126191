import System

public struct ServerSockets {
  public var service: [Listener]
  public var metrics: Listener?

  public init(_ service: [Listener], metrics: Listener? = nil) {
    self.service = service
    self.metrics = metrics
  }

  var all: [Listener] { service + [metrics].compactMap { $0 } }
}

public struct ServerConfiguration {
  var requestLimits = RequestLimits()
  /// Maximum number of connections, at most the limit of descriptors. One more displaces an idle one, or receives 503.
  var connections = 4096
  var idleTimeout = Duration.seconds(60)
  /// Time limit of a request's head from its first byte, however steadily bytes arrive; else 408.
  var headTimeout = Duration.seconds(10)
  var requestTimeout = Duration.seconds(30)
  /// Maximum of unsent bytes of all connections together: of responses that sockets have not entirely accepted. A body
  /// that several connections send counts once, and the kernel's send buffers do not count. Above it, connections are
  /// closed, the slowest first (`TransferRate`), except the last one.
  var unsentLimit = 128 << 20
  /// Maximum of request bytes without a response. Above it, incomplete requests receive 503, the longest first.
  var incompleteLimit = 64 << 20
  /// Time limit of requests in progress when the server stops.
  var grace = Duration.seconds(5)
  /// Time limit of a connection without a first request when the server stops.
  var firstRequestGrace = Duration.seconds(1)
  var reportTimeout = Duration.seconds(2)

  public var origins = OriginRules()
  public var limits = ServerLimits()
  public var faults = FaultPlan()
  public var log: ((AccessRecord) -> Void)?
  /// Called for every internal failure, whose reason clients do not receive.
  public var logFailure: ((Failure) -> Void)?
  public var logUnknownToken: ((_ suite: String, _ client: String) -> Void)?
  public var version = ""
  public var everySecond: (() -> Void)?
  /// Examines the store. Without it the server is ready until it stops.
  public var monitor: StoreMonitor?
  public var serviceManager: ServiceManager?
  /// Stops the server gracefully when it becomes readable: a pipe of a test, a pidfd of a child.
  public var stopSignal: FileDescriptor?
  public var time: any TimeKeeper

  public init(time: any TimeKeeper) { self.time = time }
}
