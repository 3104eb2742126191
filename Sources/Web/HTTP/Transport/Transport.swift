import System

/// Sends requests to a service. `SocketTransport` and `CurlTransport` use the network, `EmbeddedTransport` calls a
/// backend in the process; all others are decorators.
public protocol Transport {
  /// Throws if there was no complete response; a status of 500 is a response. The failure is `retryable` only if the
  /// request may be sent again: for a POST, if no part of it was sent.
  func send(_ request: Request) throws(Failure) -> ReceivedResponse

  /// Removes the cached response to a GET that violates the service's contract. Decorators above a cache forward the
  /// call.
  func discard(_ request: Request)
}

extension Transport {
  public func discard(_ request: Request) {}
}
