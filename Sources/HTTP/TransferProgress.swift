import System

/// How far the transfer of a response is.
public struct TransferProgress: Equatable, Sendable {
  /// Bytes of the body, as they are sent.
  public var received: Int
  /// Nil if the service has not sent the length of the body.
  public var total: Int?
  /// Since the request.
  public var elapsed: Duration

  public init(received: Int, total: Int?, elapsed: Duration) {
    self.received = received
    self.total = total
    self.elapsed = elapsed
  }
}

/// Observes transfers. While one runs, `update` is called at least once a second, and at its end `end`.
public struct TransferObserver: Sendable {
  static let interval = Duration.seconds(1)

  let update: @Sendable (TransferProgress) -> Void
  let end: @Sendable () -> Void

  public init(
    update: @escaping @Sendable (TransferProgress) -> Void, end: @escaping @Sendable () -> Void
  ) {
    self.update = update
    self.end = end
  }
}
